// The page of one game: the board with what can be done, and how the game stands.

import { ask, Problem } from "../api.js";
import { note, say } from "../dialogs.js";
import { el, fingers } from "../dom.js";
import { openKeys } from "../header.js";
import { cardName, sayProblem, t } from "../i18n.js";
import { tokenFor } from "../me.js";
import { drawNoGame } from "../missing.js";
import { forgetGame, gameOf } from "../store.js";
import { openRules, variantOf } from "../variants.js";
import { Board } from "./board.js";
import { ChallengeBar } from "./challenge.js";
import { celebrate, confirmResigning, drawEnd } from "./end.js";
import { Hints } from "./hint.js";
import { Input } from "./input.js";
import { listenToKeys } from "./keys.js";
import { Preview } from "./preview.js";
import { refusal } from "./rules.js";
import { Session } from "./session.js";
import { drawStatus } from "./status.js";
import { previewTools, tools } from "./tools.js";
import { dealAgain, shareGame } from "./ways.js";
import { tell } from "./words.js";

/** Fill the page of a game; give what is to be done when it is left. */
export async function showGame(main, go, id) {
  let state;
  let about;
  try {
    state = await ask(`v1/games/${encodeURIComponent(id)}`, { token: tokenFor(id) });
    about = await variantOf(state.variant);
  } catch (problem) {
    main.append(drawNoGame(problem));
    // What waits may go once its player's key is known again.
    if (problem.status === 404 && !gameOf(id)?.queue?.length) forgetGame(id);
    return null;
  }
  const page = new GamePage(main, go, new Session(state), about);
  return () => page.close();
}

class GamePage {
  #status;

  constructor(main, go, session, about) {
    Object.assign(this, { main, go, session, about });
    this.#status = session.shown.status;
    this.preview = new Preview(session);
    this.deeds = this.#name();
    document.title = about.title;
    main.classList.add("table");
    this.board = new Board(about.title);
    this.head = el("section", { class: "status" });
    this.toolbar = el("div", { class: "toolbar", role: "toolbar", "aria-label": t("actions") });
    this.challenge = new ChallengeBar(session, go, () => this.#draw());
    main.append(this.challenge.node, this.head, this.board.node, this.toolbar);
    this.hints = new Hints(session, this.board, this.toolbar);
    this.input = new Input(this.board, {
      legal: () => session.shown.legal_moves,
      ready: () => session.ready && !this.preview.shown && session.shown.status === "in_progress",
      play: (move) => this.#play(move),
      explain: (move) => note(t(`reason.${move ? refusal(session.shown, move) : "none"}`)),
      say,
    });
    session.addEventListener("change", ({ detail }) => this.#changed(detail));
    session.addEventListener("sync", () => {
      this.#drawHead();
      // What is said above it may leave it less room.
      this.board.show(this.board.state);
    });
    session.addEventListener("refused", ({ detail }) => note(sayProblem(detail)));
    this.deafen = listenToKeys(this.deeds);
    this.#draw();
    const opening = session.shown.ply === 0 && session.mine;
    this.board.show(session.shown, { dealt: opening, still: !opening });
    if (this.#status !== "in_progress") this.board.end(this.#status);
    // Whoever has keys may use them at once; a finger needs no ring around a pile.
    else if (session.mine && !fingers()) this.board.focus();
  }

  close() {
    this.deafen();
    this.challenge.close();
    this.session.close();
    this.board.close();
  }

  get #state() {
    return this.session.shown;
  }

  // ---- what somebody does ----

  /** Give all that can be done beside moving cards, by the names that buttons and keys have for it. */
  #name() {
    return {
      undo: () => this.#undo(),
      redeal: () => (this.preview.shown ? this.#redeal() : this.#lookAtRedeal()),
      back: () => this.input.drop() || this.#back(),
      hint: () => this.#hint(),
      resign: () => this.#resign(),
      rules: () => openRules(this.about),
      share: () => shareGame(this.#state),
      another: () => this.go(""),
      sendUp: () => this.input.sendUp(),
      keys: openKeys,
    };
  }

  #play(move) {
    say(tell(move, this.board));
    this.session.play(move);
  }

  #undo() {
    if (this.#canUndo) this.#play("U");
  }

  get #canUndo() {
    return this.session.canUndo && !this.preview.shown;
  }

  /** Show what a redeal would give; whoever likes it commits to it. */
  async #lookAtRedeal() {
    if (!this.#state.redeal || this.#state.status !== "in_progress" || !this.session.ready) return;
    if (this.preview.refusal) {
      note(t(`reason.${this.preview.refusal}`));
      return;
    }
    this.input.drop();
    try {
      await this.preview.look();
    } catch (problem) {
      note(sayProblem(problem));
      return;
    }
    if (!this.preview.shown) return;
    this.main.classList.add("previewing");
    this.#draw();
    this.board.show(this.preview.shown);
    this.toolbar.querySelector(".main").focus();
    say(t("preview.said"));
  }

  #hint() {
    if (this.preview.shown || !this.hints.may) return;
    this.input.drop();
    this.hints.ask();
  }

  #leavePreview() {
    this.main.classList.remove("previewing");
    return this.preview.leave();
  }

  #redeal() {
    this.#leavePreview();
    this.#play("R");
    this.board.focus();
  }

  #back() {
    if (!this.#leavePreview()) return;
    this.#draw();
    this.board.show(this.#state);
    this.board.focus();
    say(t("preview.left"));
  }

  async #resign() {
    if (this.#state.status !== "in_progress" || !this.session.ready) return;
    const sure = await confirmResigning();
    // It may have ended in another way meanwhile.
    if (sure && this.#state.status === "in_progress") this.#play("Q");
  }

  async #again(seed) {
    try {
      await dealAgain(this.#state, this.go, seed);
    } catch (problem) {
      note(sayProblem(problem));
    }
  }

  // ---- what is shown ----

  #changed({ confirmed }) {
    const { shown } = this.session;
    const turned = shown.card && this.board.state.card !== shown.card && confirmed;
    if (shown.ply !== this.board.state?.ply) this.#leavePreview();
    this.#draw();
    if (!this.preview.shown) this.board.show(shown, { dealt: shown.status === "won" });
    if (turned) say(t("told.turned", { card: cardName(shown.card) }));
    if (shown.status !== this.#status) this.#turn(shown.status);
  }

  #turn(status) {
    this.#status = status;
    this.board.end(status);
    if (status === "in_progress") return;
    say(t(`end.${status}`));
    if (status === "won") celebrate(this.board);
    this.main.querySelector(".end")?.focus({ preventScroll: true });
  }

  #draw() {
    this.#drawHead();
    this.#drawTools();
    this.main.querySelector(".end")?.remove();
    if (this.#state.status !== "in_progress" && !this.preview.shown) {
      this.board.node.after(drawEnd(this.#state, this.#ways()));
    }
  }

  /** Give what an ended game leads to. */
  #ways() {
    const { seed, challenge_id } = this.#state;
    if (challenge_id) return this.challenge.ways;
    return {
      undo: this.#canUndo && (() => this.#undo()),
      same: seed && (() => this.#again(seed)),
      fresh: () => this.#again(),
    };
  }

  #drawHead() {
    const { about, session } = this;
    this.head.replaceChildren(...drawStatus(this.#state, { about, session, previewing: Boolean(this.preview.shown) }));
  }

  #drawTools() {
    // A button keeps its focus when the bar is drawn anew.
    const focused = this.toolbar.contains(document.activeElement) && document.activeElement.dataset.do;
    const may = { play: this.session.mine, undo: this.#canUndo };
    this.toolbar.replaceChildren(...(this.preview.shown ? previewTools(this.deeds) : tools(this.#state, may, this.deeds)));
    if (focused) this.toolbar.querySelector(`[data-do="${focused}"]`)?.focus();
  }
}
