// Hints: a next move from the service, and how the page points at it.

import { note, say } from "../dialogs.js";
import { sayProblem, t } from "../i18n.js";
import { pilesOf } from "./moves.js";
import { tell } from "./words.js";

export class Hints {
  #asking = false;

  constructor(session, board, toolbar) {
    Object.assign(this, { session, board, toolbar });
  }

  /** Whether a hint can be asked for now. */
  get may() {
    const { status, challenge_id } = this.session.shown;
    return this.session.ready && status === "in_progress" && !challenge_id && !this.#asking;
  }

  /** Ask for a next move, once all that was played is recorded, and point at it. */
  async ask() {
    this.#asking = true;
    say(t("hint.asked"));
    try {
      const hint = await this.session.hint();
      // Whoever has played on meanwhile is not held up.
      if (hint.ply === this.session.shown.ply) this.#point(hint);
    } catch (problem) {
      note(sayProblem(problem));
    } finally {
      this.#asking = false;
    }
  }

  #point({ move, verdict }) {
    if (!move) {
      note(t(verdict === "unwinnable" ? "hint.unwinnable" : "hint.unknown"));
      return;
    }
    const piles = pilesOf(move, this.board);
    if (piles) this.board.point(piles.from, piles.to);
    else this.toolbar.querySelector(`[data-do="redeal"]`)?.classList.add("hinted");
    note(piles ? t("hint.move", { move: tell(move, this.board) }) : t("hint.redeal"));
  }
}
