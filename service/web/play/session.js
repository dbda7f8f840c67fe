// A game in play: what the service has confirmed, and what has been played since.
//
// A move is shown at once and sent with `at`, the number of entries that the service had confirmed:
// so it may be sent any number of times. What is not sent yet is kept by the browser, and goes when
// the service can be reached again.

import { ask, Offline, Problem } from "../api.js";
import { tokenOf } from "../me.js";
import { gameOf, keepGame } from "../store.js";
import { isCalculation, play } from "./rules.js";

const WAITS_MS = [500, 1_000, 2_000, 5_000, 10_000];
const MOST_AT_ONCE = 500;
const UNKNOWN_TOKEN = 401;
// How often somebody else's game is looked at.
const WATCH_MS = 5_000;

/**
 * Events: `change` whenever `shown` is another; `sync` whenever `offline` or `busy` may be: whether moves
 * wait, and if so whether the service was reached and is busy;
 * `refused` with the problem as `detail` where something played did not count.
 */
export class Session extends EventTarget {
  // The states before each standing action, as far as they are known.
  #past = [];
  // How many entries were confirmed before the first of the queue.
  #at;
  #sending = null;
  #wake = () => {};
  #watching;
  #closed = new AbortController();

  constructor(state) {
    super();
    const kept = gameOf(state.id);
    this.token = tokenOf(state);
    this.confirmed = state;
    this.shown = state;
    this.queue = [];
    this.offline = false;
    this.busy = false;
    this.unknown = false;
    this.#at = state.ply;
    if (kept?.queue?.length) this.#queueAgain(kept);
    this.#keep();
    const signal = this.#closed.signal;
    window.addEventListener("online", () => this.#wake(), { signal });
    document.addEventListener("visibilitychange", () => this.#look(), { signal });
    // Another tab has played on.
    window.addEventListener("storage", () => gameOf(state.id)?.ply > this.#at && this.#look(), { signal });
    if (this.queue.length) this.#flush();
    if (!this.mine) this.#watching = setInterval(() => this.#watch(), WATCH_MS);
  }

  /** Whether this browser may play. */
  get mine() {
    return Boolean(this.token);
  }

  /** Whether a move can be judged now: what is shown is not waiting for a card or for an undo. */
  get ready() {
    return this.mine && !this.unknown;
  }

  /** Whether the last action can be taken back now. */
  get canUndo() {
    const { undo, score, status } = this.shown;
    return undo && score.actions > 0 && (status === "in_progress" || status === "lost") && this.ready;
  }

  get #path() {
    return `v1/games/${this.confirmed.id}`;
  }

  /** Play a legal move, `R`, `U` or `Q`; it shows at once where that is possible. */
  play(move) {
    this.queue.push(move);
    this.#show(move);
    this.#keep();
    this.dispatchEvent(new CustomEvent("change", { detail: { move } }));
    this.#flush();
  }

  /** Ask what a redeal would give, once all that was played is recorded; throws `Offline` where it cannot be now. */
  async previewRedeal() {
    await this.#recorded();
    return ask(`${this.#path}/redeal`, { token: this.token });
  }

  /** Ask for a next move, once all that was played is recorded; throws `Offline` where it cannot be now. */
  async hint() {
    await this.#recorded();
    return ask(`${this.#path}/hint`, { token: this.token });
  }

  /** Stop listening and sending; what waits is kept for the next time. */
  close() {
    this.#closed.abort();
    clearInterval(this.#watching);
    this.#wake();
  }

  #show(move) {
    const before = this.shown;
    if (move === "U") {
      const back = this.#past.pop();
      this.unknown = !back;
      if (!back) return;
      const score = { ...back.score, undos: before.score.undos + 1 };
      this.shown = { ...back, ply: before.ply + 1, score };
    } else if (move === "Q") {
      this.unknown = true;
    } else {
      this.#past.push(before);
      this.shown = play(before, move);
    }
  }

  #queueAgain({ queue, ply }) {
    this.queue = [...queue];
    this.#at = ply;
    // Where the service has gone on, only it knows whether by these very moves.
    if (ply === this.confirmed.ply) for (const move of queue) this.#show(move);
    else this.unknown = true;
  }

  #keep() {
    if (!this.mine) return;
    const { id, variant, seed, status, score, started_at } = this.confirmed;
    const { queue } = this;
    keepGame({ id, variant, seed, ply: this.#at, status, started_at, up: score.cards_up, queue });
  }

  #confirm(state, { afresh = false } = {}) {
    this.confirmed = state;
    this.#at = state.ply;
    if (afresh) this.#past = [];
    // What has been shown since stands on the same moves; only of a new card it knew nothing.
    if (!this.queue.length || afresh || isCalculation(state)) {
      this.shown = state;
      this.unknown = false;
      for (const move of this.queue) this.#show(move);
    }
    this.#keep();
    this.dispatchEvent(new CustomEvent("change", { detail: { confirmed: true } }));
  }

  #flush() {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
  }

  /** Wait until nothing waits to be sent; where the service cannot be reached, no longer than it takes to find out. */
  async #recorded() {
    const heard = new AbortController();
    const lost = new Promise((_, fail) => {
      const hear = () => this.offline && fail(new Offline());
      this.addEventListener("sync", hear, { signal: heard.signal });
    });
    // It may be there again, and the next try be a while off.
    this.#wake();
    await Promise.race([this.#sending, lost]).finally(() => heard.abort());
  }

  async #send() {
    for (let failures = 0; this.queue.length && !this.#closed.signal.aborted; ) {
      const moves = this.queue.slice(0, MOST_AT_ONCE);
      try {
        const body = { at: this.#at, moves };
        const state = await ask(`${this.#path}/moves`, { method: "POST", body, token: this.token });
        failures = 0;
        this.queue.splice(0, moves.length);
        this.#tell(false);
        this.#confirm(state);
      } catch (error) {
        if (error instanceof Offline || (error instanceof Problem && error.passes)) {
          this.#tell(true, { busy: error instanceof Problem });
          await this.#pause(WAITS_MS[Math.min(failures, WAITS_MS.length - 1)]);
          failures += 1;
        } else if (error instanceof Problem && error.status === UNKNOWN_TOKEN) {
          // Who brings the right key finds all that waits.
          this.#tell(false);
          this.dispatchEvent(new CustomEvent("refused", { detail: error }));
          return;
        } else if (error instanceof Problem) {
          this.#tell(false);
          await this.#takeBack(error);
        } else {
          throw error;
        }
      }
    }
  }

  async #takeBack(problem) {
    // What came before the refused move is played all the same.
    const sound = problem.code === "illegal_move" ? problem.body.index : 0;
    this.queue.length = Math.min(sound, this.queue.length);
    let state = this.confirmed;
    try {
      state = await ask(this.#path, { token: this.token });
    } catch {
      // Then what was known last has to do.
    }
    if (state.ply !== this.#at) this.queue = [];
    this.#confirm(state, { afresh: true });
    this.dispatchEvent(new CustomEvent("refused", { detail: problem }));
  }

  #tell(offline, { busy = false } = {}) {
    this.offline = offline;
    this.busy = busy;
    this.dispatchEvent(new CustomEvent("sync"));
  }

  #pause(ms) {
    return new Promise((done) => {
      this.#wake = done;
      setTimeout(done, ms);
    });
  }

  #look() {
    // It may have been played elsewhere meanwhile.
    if (document.visibilityState !== "visible") return;
    this.#wake();
    if (!this.queue.length) this.refresh().catch(() => {});
  }

  #watch() {
    if (document.visibilityState !== "visible" || this.shown.status !== "in_progress") return;
    this.refresh().catch(() => {});
  }

  /** Read the game again: it may have gone on elsewhere, or its time may be over. */
  async refresh() {
    const state = await ask(this.#path, { token: this.token });
    // The clock ends a game too, without a move.
    const other = state.ply !== this.confirmed.ply || state.status !== this.confirmed.status;
    if (!this.queue.length && other) {
      this.#confirm(state, { afresh: true });
    }
  }
}
