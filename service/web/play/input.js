// Hands on a board: drag, tap and tap, or keys. It knows which moves are legal and nothing more.

import { t } from "../i18n.js";
import { moveOf, pilesOf } from "./moves.js";

const DRAG_PX = 6;

/**
 * Let somebody play on `board`. `hands` has `legal()` (the move texts), `ready()`, `play(move)`,
 * `explain(move)` for what is not allowed, and `say(text)` for who listens.
 */
export class Input {
  #source = null;
  #drag = null;

  constructor(board, hands) {
    this.board = board;
    this.hands = hands;
    const { node } = board;
    node.addEventListener("pointerdown", (event) => this.#press(event));
    // By itself a browser would take the focus away from the pile again: its cards lie beside its button.
    node.addEventListener("mousedown", (event) => event.preventDefault());
    node.addEventListener("pointermove", (event) => this.#move(event));
    node.addEventListener("pointerup", (event) => this.#release(event));
    node.addEventListener("pointercancel", () => this.#cancel());
    // A key on a button; pointers have been dealt with.
    node.addEventListener("click", (event) => event.detail === 0 && this.#tap(idOf(event)));
    node.addEventListener("keydown", (event) => this.#key(event));
    node.addEventListener("focusin", (event) => this.#rove(event.target));
    board.onLaidOut = () => this.#mark();
  }

  /** Put down what is taken up; tell whether anything was. */
  drop() {
    const had = this.#source !== null;
    this.#source = null;
    this.#mark();
    return had;
  }

  /** Send the top of the pile that has the focus to a foundation, if one takes it. */
  sendUp() {
    const id = document.activeElement?.dataset.zone;
    const up = id && this.#targets(id).find((target) => target[0] === "F");
    if (up) this.#play(id, up);
    else if (id) this.#refuse(id, null);
  }

  #targets(source) {
    if (!source || !this.hands.ready()) return [];
    const moves = this.hands.legal().map((move) => pilesOf(move, this.board));
    return moves.filter((piles) => piles?.from === source).map(({ to }) => to);
  }

  #mark() {
    if (this.#source && !this.board.topOf(this.#source)) this.#source = null;
    this.board.mark(this.#source, this.#targets(this.#source));
  }

  #tap(id) {
    if (!id) {
      this.drop();
      return;
    }
    const from = this.#source;
    const targets = this.#targets(from);
    if (from === id) {
      // A second tap on the same pile sends its card up.
      const up = targets.filter((target) => target[0] === "F");
      this.drop();
      if (up.length === 1) this.#play(id, up[0]);
    } else if (from && targets.includes(id)) {
      this.#play(from, id);
    } else if (this.#targets(id).length) {
      this.#take(id);
    } else if (from) {
      this.#refuse(id, moveOf(from, id));
    } else {
      this.#refuse(id, null);
    }
  }

  #take(id) {
    this.#source = id;
    this.#mark();
    this.hands.say(t("say.taken", { n: this.#targets(id).length }));
  }

  #play(from, to) {
    const move = moveOf(from, to);
    this.#source = null;
    this.hands.play(move);
  }

  #refuse(id, move) {
    if (!this.hands.ready()) return;
    this.board.shake(id);
    this.hands.explain(move);
    this.drop();
  }

  #press(event) {
    if (event.button !== 0 || this.#drag) return;
    const id = idOf(event);
    const card = event.target.closest(".card");
    const top = card && this.board.topOf(id) === card.dataset.card;
    const can = top && id[0] !== "F" && this.hands.ready();
    const { x, y } = point(event);
    this.#drag = { id, card: can ? card : null, pointer: event.pointerId, x, y, going: false };
    if (id) this.board.zone(id)?.node.focus({ preventScroll: true });
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag?.card || event.pointerId !== drag.pointer) return;
    const dx = point(event).x - drag.x;
    const dy = point(event).y - drag.y;
    if (!drag.going && Math.hypot(dx, dy) < DRAG_PX) return;
    if (!drag.going) {
      drag.going = true;
      drag.card.held = true;
      drag.card.classList.add("held");
      drag.card.setPointerCapture(drag.pointer);
      this.#source = drag.id;
      this.#mark();
    }
    const { x, y } = drag.card.at;
    drag.place = { x: x + dx, y: y + dy };
    drag.card.style.transform = `translate(${drag.place.x}px, ${drag.place.y}px)`;
  }

  #release(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.#drag = null;
    if (!drag.going) {
      if (idOf(event) === drag.id) this.#tap(drag.id);
      return;
    }
    const to = this.#under(drag);
    const legal = to && this.#targets(drag.id).includes(to);
    this.#letGo(drag, legal);
    if (legal) this.#play(drag.id, to);
    else if (to && to !== drag.id) this.hands.explain(moveOf(drag.id, to));
    this.drop();
  }

  #cancel() {
    const drag = this.#drag;
    this.#drag = null;
    if (drag?.going) {
      this.#letGo(drag, false);
      this.drop();
    }
  }

  #letGo({ card, place }, legal) {
    card.held = false;
    card.classList.remove("held");
    if (legal) card.at = place;
    else this.board.settle(card.dataset.card, place);
  }

  #under({ id, place }) {
    // The pile that the card covers most; one that takes it before one that does not.
    const { card, tall } = this.board.layout;
    const targets = this.#targets(id);
    const found = this.board.zones
      .map((zone) => {
        const w = Math.min(place.x + card, zone.x + zone.w) - Math.max(place.x, zone.x);
        const h = Math.min(place.y + tall, zone.y + zone.h) - Math.max(place.y, zone.y);
        const area = w > 0 && h > 0 ? w * h : 0;
        return { id: zone.id, area: area * (targets.includes(zone.id) ? 4 : 1) };
      })
      .filter(({ area }) => area > card * tall * 0.12);
    return found.sort((one, other) => other.area - one.area)[0]?.id;
  }

  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step && event.target.dataset.zone && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.#walk(event.target.dataset.zone, step);
    }
  }

  #walk(id, [dx, dy]) {
    const here = this.board.zone(id);
    const far = (zone) => {
      const ahead = dx * (zone.x - here.x) + dy * (zone.y - here.y);
      const aside = Math.abs(dy * (zone.x + zone.w / 2 - here.x - here.w / 2)) + Math.abs(dx * (zone.y - here.y));
      return ahead > 1 ? ahead + 3 * aside : Infinity;
    };
    const [nearest] = this.board.zones.sort((one, other) => far(one) - far(other));
    if (far(nearest) < Infinity) nearest.node.focus();
  }

  #rove(node) {
    if (!node.dataset.zone) return;
    for (const zone of this.board.zones) zone.node.tabIndex = zone.node === node ? 0 : -1;
  }
}

// The page scrolls under a pointer, not under the board.
const point = (event) => ({ x: event.pageX, y: event.pageY });

function idOf(event) {
  const node = event.target.closest?.("[data-zone], .card");
  return node?.dataset.zone ?? node?.zone;
}
