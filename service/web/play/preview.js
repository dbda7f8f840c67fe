// A redeal that is only looked at, until somebody commits to it or goes back.

import { Problem } from "../api.js";
import { redealRefusal, redealt } from "./rules.js";

export class Preview {
  #session;

  /** The state as it would be; null while none is looked at. */
  shown = null;

  constructor(session) {
    this.#session = session;
  }

  /** Say by a word of the API's list why there can be no redeal now; null where there can. */
  get refusal() {
    return redealRefusal(this.#session.shown);
  }

  /** Find out what a redeal would give, and show that; throws `Problem` where the service refuses. */
  async look() {
    const state = this.#session.shown;
    let piles = redealt(state);
    if (!this.#session.offline) {
      try {
        ({ piles } = await this.#session.previewRedeal());
      } catch (problem) {
        // Unreachable as it is, the service has dealt nothing that is not known here.
        if (problem instanceof Problem) throw problem;
      }
    }
    // Whoever has played on meanwhile is not held up.
    if (this.#session.shown.ply === state.ply) this.shown = { ...state, piles, legal_moves: [] };
  }

  /** Look at it no longer; tell whether anybody did. */
  leave() {
    const had = this.shown !== null;
    this.shown = null;
    return had;
  }
}
