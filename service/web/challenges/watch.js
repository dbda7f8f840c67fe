// Watching a challenge: how it stands and what happens there, asked for as often as the service says.

import { askAnew, Problem } from "../api.js";
import { asMe } from "../me.js";

// After that many failures in a row: how long until it is tried again.
const WAITS_MS = [1_000, 2_000, 5_000, 10_000];
// What the service tells may be a second old: who has just done something asks once more.
const SETTLED_MS = 1_200;

/**
 * Events: `news` with the answer as `detail` whenever it is another one; `sync` whenever `offline`
 * is; `refused` with the problem as `detail` where there is nothing to watch any more.
 */
export class Watch extends EventTarget {
  #path;
  #after;
  #slowest;
  #etag = null;
  #every = 0;
  #failures = 0;
  #asking = false;
  #timer;
  #closed = new AbortController();

  /** Watch a challenge from the event `after` on; not oftener than every `slowly` ms. */
  constructor(id, after, { slowly = 0 } = {}) {
    super();
    this.#path = `v1/challenges/${encodeURIComponent(id)}/events`;
    this.#after = after;
    this.#slowest = slowly;
    this.offline = false;
  }

  /** Begin; nothing is asked while nobody looks. */
  start() {
    const { signal } = this.#closed;
    document.addEventListener("visibilitychange", () => this.#look(), { signal });
    window.addEventListener("online", () => this.#look(), { signal });
    this.#look();
  }

  /** Ask at once, and once more when what was done just now is to be seen. */
  async now() {
    await this.#ask();
    this.#later(SETTLED_MS);
  }

  /** Stop asking. */
  close() {
    this.#closed.abort();
    clearTimeout(this.#timer);
  }

  #look() {
    clearTimeout(this.#timer);
    if (document.visibilityState === "visible") this.#ask();
  }

  #later(ms) {
    clearTimeout(this.#timer);
    if (!this.#closed.signal.aborted) this.#timer = setTimeout(() => this.#look(), ms);
  }

  async #ask() {
    if (this.#asking || this.#closed.signal.aborted) return;
    this.#asking = true;
    try {
      const { body, etag } = await askAnew(`${this.#path}?after=${this.#after}`, { etag: this.#etag, ...asMe() });
      if (this.#closed.signal.aborted) return;
      this.#failures = 0;
      this.#tell(false);
      if (body) this.#hear(body, etag);
      this.#later(this.#every);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#asking = false;
    }
  }

  #hear(body, etag) {
    this.#etag = etag;
    this.#after = body.events.at(-1)?.number ?? this.#after;
    // Where more events wait they are asked for at once.
    this.#every = body.poll_after_ms && Math.max(body.poll_after_ms, this.#slowest);
    this.dispatchEvent(new CustomEvent("news", { detail: body }));
  }

  #fail(error) {
    if (this.#closed.signal.aborted) return;
    if (error instanceof Problem && !error.passes) {
      this.close();
      this.dispatchEvent(new CustomEvent("refused", { detail: error }));
      return;
    }
    this.#later(WAITS_MS[Math.min(this.#failures, WAITS_MS.length - 1)]);
    this.#failures += 1;
    this.#tell(true);
  }

  #tell(offline) {
    if (this.offline === offline) return;
    this.offline = offline;
    this.dispatchEvent(new CustomEvent("sync"));
  }
}
