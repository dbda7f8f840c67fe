// The page of one game: the board with what can be done, and how the game stands.

import { ask, Problem } from "../api.js";
import { note, openDialog, say } from "../dialogs.js";
import { el } from "../dom.js";
import { link, openKeys } from "../header.js";
import { dealGame } from "../home.js";
import { cardName, sayProblem, t } from "../i18n.js";
import { shareLink } from "../share.js";
import { forgetGame, gameOf, player } from "../store.js";
import { openRules, variantOf } from "../variants.js";
import { Board } from "./board.js";
import { celebrate, drawEnd } from "./end.js";
import { Input, pilesOf } from "./input.js";
import { redealt, refusal } from "./rules.js";
import { Session } from "./session.js";
import { drawStatus } from "./status.js";
import { previewTools, tools } from "./tools.js";

const WATCH_MS = 5_000;

/** Fill the page of a game; give what is to be done when it is left. */
export async function showGame(main, go, id) {
  let state;
  let about;
  try {
    const token = gameOf(id)?.token ?? player()?.token;
    state = await ask(`v1/games/${encodeURIComponent(id)}`, { token });
    about = await variantOf(state.variant);
  } catch (problem) {
    main.append(drawMissing(problem));
    if (problem.status === 404) forgetGame(id);
    return null;
  }
  const page = new GamePage(main, go, new Session(state), about);
  return () => page.close();
}

function drawMissing(problem) {
  const gone = problem instanceof Problem && problem.status === 404;
  return el(
    "section",
    { class: "paper" },
    el("h1", {}, t(gone ? "game.none" : "game.unread")),
    el("p", {}, sayProblem(problem)),
    link("", { class: "button main" }, t("game.new")),
  );
}

class GamePage {
  #preview = null;
  #asking = false;
  #status;

  constructor(main, go, session, about) {
    Object.assign(this, { main, go, session, about });
    this.#status = session.shown.status;
    document.title = about.title;
    main.classList.add("table");
    this.board = new Board(about.title);
    this.head = el("section", { class: "status" });
    this.toolbar = el("div", { class: "toolbar", role: "toolbar", "aria-label": t("actions") });
    main.append(this.head, this.board.node, this.toolbar);
    this.input = new Input(this.board, {
      legal: () => session.shown.legal_moves,
      ready: () => session.ready && !this.#preview && session.shown.status === "in_progress",
      play: (move) => this.#play(move),
      explain: (move) => note(t(`reason.${move ? refusal(session.shown, move) : "none"}`)),
      say,
    });
    session.addEventListener("change", ({ detail }) => this.#changed(detail));
    session.addEventListener("sync", () => this.#drawHead());
    session.addEventListener("refused", ({ detail }) => note(sayProblem(detail)));
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
    if (!session.mine) this.watching = setInterval(() => this.#watch(), WATCH_MS);
    this.#draw();
    const opening = session.shown.ply === 0 && session.mine;
    this.board.show(session.shown, { dealt: opening, still: !opening });
    if (this.#status !== "in_progress") this.board.end(this.#status);
    if (session.mine) this.board.zones.find(({ node }) => node.tabIndex === 0)?.node.focus({ preventScroll: true });
  }

  close() {
    clearInterval(this.watching);
    document.removeEventListener("keydown", this.keys);
    this.session.close();
    this.board.close();
  }

  get #state() {
    return this.session.shown;
  }

  // ---- what somebody does ----

  #play(move) {
    say(this.#tell(move));
    this.session.play(move);
  }

  #tell(move) {
    const piles = pilesOf(move, this.board);
    if (!piles) return t(`told.${move}`);
    const card = cardName(this.board.topOf(piles.from));
    return t(`told.${this.board.zone(piles.to).kind}`, { card, n: piles.to.slice(1) });
  }

  #undo() {
    if (this.#canUndo) this.#play("U");
  }

  get #canUndo() {
    const { undo, score, status } = this.#state;
    const open = status === "in_progress" || status === "lost";
    return undo && score.actions > 0 && open && this.session.ready && !this.#preview;
  }

  /** Show what a redeal would give; whoever likes it commits to it. */
  async #lookAtRedeal() {
    if (this.#preview || !this.session.ready) return;
    if (!this.#state.legal_moves.includes("R")) {
      note(t(`reason.${this.#state.redeal.reason ?? this.#redealRefusal()}`));
      return;
    }
    this.input.drop();
    let piles = redealt(this.#state);
    if (!this.session.offline) {
      try {
        ({ piles } = await this.session.previewRedeal());
      } catch (problem) {
        if (problem instanceof Problem) {
          note(sayProblem(problem));
          return;
        }
      }
    }
    this.#preview = { ...this.#state, piles, legal_moves: [] };
    this.main.classList.add("previewing");
    this.#draw();
    this.board.show(this.#preview);
    this.toolbar.querySelector(".main").focus();
    say(t("preview.said"));
  }

  /** Ask for a next move, once all that was played is recorded, and point at it. */
  async #ask() {
    if (!this.#mayAsk || this.#asking) return;
    this.input.drop();
    this.#asking = true;
    say(t("hint.asked"));
    try {
      const { ply, move, verdict } = await this.session.hint();
      // Whoever has played on meanwhile is not held up.
      if (ply === this.#state.ply) this.#point(move, verdict);
    } catch (problem) {
      note(sayProblem(problem));
    } finally {
      this.#asking = false;
    }
  }

  get #mayAsk() {
    const { status, challenge_id } = this.#state;
    return this.session.ready && status === "in_progress" && !challenge_id && !this.#preview;
  }

  #point(move, verdict) {
    if (!move) {
      note(t(verdict === "unwinnable" ? "hint.unwinnable" : "hint.unknown"));
      return;
    }
    const piles = pilesOf(move, this.board);
    if (piles) this.board.point(piles.from, piles.to);
    else this.toolbar.querySelector(`[data-do="redeal"]`)?.classList.add("hinted");
    note(piles ? t("hint.move", { move: this.#tell(move) }) : t("hint.redeal"));
  }

  #redealRefusal() {
    if (this.#state.redeal.left === 0) return "limit_reached";
    return this.#state.options.redeal_when === "when_stuck" && this.#state.legal_moves.length ? "not_stuck" : "no_change";
  }

  #leavePreview() {
    if (!this.#preview) return false;
    this.#preview = null;
    this.main.classList.remove("previewing");
    return true;
  }

  #redeal() {
    this.#leavePreview();
    this.#play("R");
    this.#focusBoard();
  }

  #back() {
    if (!this.#leavePreview()) return;
    this.#draw();
    this.board.show(this.#state);
    this.#focusBoard();
    say(t("preview.left"));
  }

  async #resign() {
    if (this.#state.status !== "in_progress" || !this.session.ready) return;
    const answer = await openDialog({
      title: t("resign.title"),
      body: [el("p", {}, t("resign.body"))],
      buttons: [
        { value: "", text: t("resign.no") },
        { value: "yes", text: t("resign.yes"), kind: "danger" },
      ],
    });
    if (answer) this.#play("Q");
  }

  async #again({ seed } = {}) {
    const { variant, options } = this.#state;
    const { bases, ...others } = options;
    const kept = bases && !seed ? {} : { options: bases ? { bases } : others };
    try {
      await dealGame({ variant, ...kept, ...(seed ? { seed } : {}) }, this.go);
    } catch (problem) {
      note(sayProblem(problem));
    }
  }

  #key(event) {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing || event.altKey) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (command && key !== "z") return;
    const deeds = {
      f: () => this.input.sendUp(),
      r: () => (this.#preview ? this.#redeal() : this.#state.redeal && this.#lookAtRedeal()),
      u: () => this.#undo(),
      z: () => command && this.#undo(),
      h: () => this.#ask(),
      q: () => this.#resign(),
      n: () => this.go(""),
      "?": openKeys,
      Escape: () => this.input.drop() || this.#back(),
    };
    if (!Object.hasOwn(deeds, key)) return;
    event.preventDefault();
    deeds[key]();
  }

  async #watch() {
    if (document.visibilityState !== "visible" || this.#state.status !== "in_progress") return;
    await this.session.refresh().catch(() => {});
  }

  // ---- what is shown ----

  #changed({ confirmed }) {
    const { shown } = this.session;
    const turned = shown.card && this.board.state.card !== shown.card && confirmed;
    if (shown.ply !== this.board.state?.ply) this.#leavePreview();
    if (!this.#preview) this.board.show(shown, { dealt: shown.status === "won" });
    this.#draw();
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
    if (this.#state.status !== "in_progress" && !this.#preview) {
      const { seed } = this.#state;
      this.board.node.after(
        drawEnd(this.#state, {
          undo: this.#canUndo && (() => this.#undo()),
          same: seed && (() => this.#again({ seed })),
          fresh: () => this.#again(),
        }),
      );
    }
  }

  #drawHead() {
    const { about, session } = this;
    this.head.replaceChildren(...drawStatus(this.#state, { about, session, previewing: Boolean(this.#preview) }));
  }

  #drawTools() {
    // A button keeps its focus when the bar is drawn anew.
    const focused = this.toolbar.contains(document.activeElement) && document.activeElement.dataset.do;
    const { about, session } = this;
    const deeds = {
      undo: () => this.#undo(),
      redeal: () => (this.#preview ? this.#redeal() : this.#lookAtRedeal()),
      back: () => this.#back(),
      hint: () => this.#ask(),
      resign: () => this.#resign(),
      rules: () => openRules(about),
      share: () => this.#share(this.#state.seed),
      another: () => this.go(""),
    };
    const may = { play: session.mine, undo: this.#canUndo };
    this.toolbar.replaceChildren(...(this.#preview ? previewTools(deeds) : tools(this.#state, may, deeds)));
    if (focused) this.toolbar.querySelector(`[data-do="${focused}"]`)?.focus();
  }

  #share(seed) {
    const { variant, options } = this.#state;
    const url = seed && new URL(`../deals/${variant}/${encodeURIComponent(seed)}`, location.href);
    if (url && options.bases) url.searchParams.set("bases", options.bases);
    shareLink(document.title, url ? url.href : location.href);
  }

  #focusBoard() {
    this.board.zones.find(({ node }) => node.tabIndex === 0)?.node.focus({ preventScroll: true });
  }
}
