// A board in the document: piles are buttons in reading order, cards lie over them and move.

import { drawCard, rankText, suit } from "../cards.js";
import { calm, el } from "../dom.js";
import { fly, isFlying, MOVE_MS, place, shake } from "./flights.js";
import { layOut } from "./layout.js";
import { nextRanks } from "./rules.js";
import { describe } from "./words.js";

const DEAL_MS = 300;
const STAGGER_MS = 9;
// What is left free above and below the sheet of an ended game.
const AROUND = 34;
// What phones give and take of a window's height while one scrolls.
const BAR = 120;

export class Board {
  #cards = new Map();
  #zones = new Map();
  #nexts = new Map();
  #stock = null;
  #seen = 0;

  constructor(label) {
    this.node = el("div", { class: "board", role: "group", "aria-label": label });
    this.state = null;
    this.layout = null;
    this.onLaidOut = () => {};
    this.#observer.observe(this.node);
    addEventListener("resize", this.#fit);
  }

  // Lay out anew where the board has another width, or the window another height; the board's height is our own doing.
  #fit = () => {
    const higher = Math.abs(innerHeight - this.#seen);
    if (this.state && (this.node.clientWidth !== this.width || higher > BAR)) this.show(this.state, { still: true });
  };
  #observer = new ResizeObserver(this.#fit);

  /** Show a state; cards fly to where they lie unless `still`, one after the other if `dealt`. */
  show(state, { still = false, dealt = false } = {}) {
    this.state = state;
    this.width = this.node.clientWidth;
    this.#seen = innerHeight;
    if (!this.width) return;
    this.layout = layOut(state, this.width, this.#room());
    this.node.style.setProperty("--card-width", `${this.layout.card}px`);
    this.node.style.setProperty("--card-height", `${this.layout.tall}px`);
    this.node.style.height = `${this.layout.height}px`;
    this.node.classList.toggle("fan-x", this.layout.fan === "x");
    this.node.classList.toggle("fan-y", this.layout.fan === "y");
    this.#showZones();
    this.#showStock();
    this.#showCards(still || calm(), dealt);
    this.onLaidOut();
  }

  /** Give the zone of an id: what the layout says of it, and its button as `node`. */
  zone(id) {
    const found = this.layout?.zones.find((zone) => zone.id === id);
    return found && { ...found, node: this.#zones.get(id) };
  }

  /** Give all zones, in reading order. */
  get zones() {
    return this.layout ? this.layout.zones.map(({ id }) => this.zone(id)) : [];
  }

  /** Give the element of a card. */
  card(name) {
    return this.#cards.get(name);
  }

  /** Give the top card of a pile; undefined where it is empty. */
  topOf(id) {
    return this.zone(id)?.cards.at(-1);
  }

  /** Mark a pile as taken up, and those that its top card may go to. */
  mark(source, targets) {
    for (const [id, node] of this.#zones) {
      node.classList.toggle("target", targets.includes(id));
      node.setAttribute("aria-pressed", id === source ? "true" : "false");
    }
    for (const [name, node] of this.#cards) {
      node.classList.toggle("taken", Boolean(source) && this.topOf(source) === name);
    }
  }

  /** Point at a pile and where its top card may go, until something else happens. */
  point(from, to) {
    this.mark(from, [to]);
    this.zone(from).node.setAttribute("aria-pressed", "false");
    this.#zones.get(from).focus({ preventScroll: true });
  }

  /** Give the focus to the pile that had it last. */
  focus() {
    this.zones.find(({ node }) => node.tabIndex === 0)?.node.focus({ preventScroll: true });
  }

  /** Let a pile show that nothing goes from or to it. */
  shake(id) {
    const node = this.card(this.topOf(id)) ?? this.#zones.get(id);
    if (node && !calm()) shake(node);
  }

  /** Lay a card that was dragged to where it belongs; `from` is where it was let go. */
  settle(name, from) {
    const node = this.#cards.get(name);
    const where = this.layout.places.get(name);
    if (node && where) fly(node, from, where, calm() ? 0 : MOVE_MS);
  }

  /** Show who looks that a game is over: `won` or `lost`. */
  end(status) {
    this.node.dataset.status = status;
  }

  /** Stop watching the board's size. */
  close() {
    this.#observer.disconnect();
    removeEventListener("resize", this.#fit);
  }

  /** Give how high the board may be for all of it to be seen: down to what lies below it. */
  #room() {
    const { top, right } = this.node.getBoundingClientRect();
    // The buttons lie below the board or beside it; the sheet of a game that is won covers none of it.
    const below = [...document.querySelectorAll(".toolbar, .end.won")].filter(
      (node) => node.getBoundingClientRect().left < right,
    );
    const high = (node) => node.getBoundingClientRect().height + (node.matches(".end") ? AROUND : 0);
    const taken = below.reduce((sum, node) => sum + high(node), 0);
    return Math.floor(innerHeight - top - scrollY - taken);
  }

  #showZones() {
    const seen = new Set();
    for (const zone of this.layout.zones) {
      seen.add(zone.id);
      let node = this.#zones.get(zone.id);
      if (!node) {
        node = el(
          "button",
          { type: "button", class: `zone ${zone.kind}`, data: { zone: zone.id }, tabindex: -1 },
          ...this.#furnish(zone),
        );
        this.#zones.set(zone.id, node);
        this.node.append(node);
      }
      place(node, zone);
      node.style.width = `${zone.w}px`;
      node.style.height = `${zone.h}px`;
      node.classList.toggle("empty", !zone.cards.length);
      node.setAttribute("aria-label", describe(zone, this.state));
      if (zone.label) this.#showNext(zone);
    }
    for (const [id, node] of this.#zones) {
      if (!seen.has(id)) {
        node.remove();
        this.#zones.delete(id);
        this.#nexts.get(id)?.remove();
        this.#nexts.delete(id);
      }
    }
    if (![...this.#zones.values()].some((node) => node.tabIndex === 0)) {
      const { zones } = this.layout;
      const first = zones.find(({ kind }) => kind !== "foundation") ?? zones[0];
      this.#zones.get(first.id).tabIndex = 0;
    }
  }

  #furnish({ id, kind, label }) {
    const place = kind === "foundation" && !label ? suit("CDHS"[id[1] - 1]) : null;
    const number = kind === "pile" ? id.slice(1) : kind === "waste" ? id : "";
    return [el("span", { class: "place", data: { number }, "aria-hidden": "true" }, place)];
  }

  #showNext({ id, number, cards, label, x, y, w, h }) {
    let node = this.#nexts.get(id);
    if (!node) {
      node = el("div", { class: "next", "aria-hidden": "true" });
      this.#nexts.set(id, node);
      this.node.append(node);
    }
    place(node, { x, y: y + h });
    node.style.width = `${w}px`;
    node.style.height = `${label}px`;
    // What a foundation takes next, and fainter what after that; its button says the first in words.
    const [first, ...more] = nextRanks(number, cards.at(-1), 3).map(rankText);
    node.replaceChildren(el("b", {}, first ?? "✓"), ...more.map((rank) => el("span", {}, rank)));
  }

  #showStock() {
    const { stock } = this.layout;
    if (!stock) {
      this.#stock?.remove();
      this.#stock = null;
      return;
    }
    if (!this.#stock) {
      this.#stock = el("div", { class: "stock", "aria-hidden": "true" }, el("b"));
      this.node.append(this.#stock);
    }
    place(this.#stock, stock);
    this.#stock.classList.toggle("empty", !stock.count);
    this.#stock.firstChild.textContent = stock.count;
  }

  #showCards(still, dealt) {
    const { places } = this.layout;
    let turn = 0;
    for (const [name, where] of places) {
      let node = this.#cards.get(name);
      const fresh = !node;
      if (fresh) {
        node = drawCard(name);
        this.#cards.set(name, node);
        this.node.append(node);
      }
      const from = fresh ? this.#deck : node.at;
      node.classList.toggle("top", where.top);
      node.zone = where.zone;
      node.style.setProperty("--card-step", `${where.step}px`);
      const moves = from.x !== where.x || from.y !== where.y;
      // A hand has it, or it is on its way there.
      if (node.held || (!moves && !still && isFlying(node))) continue;
      fly(node, from, where, still || !moves ? 0 : dealt ? DEAL_MS : MOVE_MS, dealt ? turn * STAGGER_MS : 0);
      if (moves) turn += 1;
    }
    for (const [name, node] of this.#cards) {
      if (places.has(name)) continue;
      // It lies under another one, which may still be on its way.
      node.style.zIndex = 0;
      node.classList.remove("top");
      this.#cards.delete(name);
      setTimeout(() => node.remove(), still ? 0 : MOVE_MS);
    }
  }

  /** Where a card comes from: the stock, or where a deck would lie. */
  get #deck() {
    return this.layout.stock ?? { x: (this.width - this.layout.card) / 2, y: this.layout.height };
  }
}
