// A history as states, and each of its entries in words.

import { cardName, t } from "../i18n.js";
import { after, openGame } from "../proof/judge.js";

/** Give the states of a game from its opening on, one more than its history has entries. */
export function statesOf({ options, undo, status }, opening, moves) {
  const states = [openGame(opening, options, undo)];
  for (const move of moves) states.push(after(states.at(-1), move));
  // What no move tells: that the time ran out.
  states.push({ ...states.pop(), status });
  return states;
}

/** Tell a move in words; `state` is the one before it. */
export function tellMove(state, move) {
  const [from, to] = move.split(">");
  if (!to) return t(`told.${move}`);
  const card = state.piles ? state.piles[from - 1].at(-1) : cardOf(state, from);
  const kind = to.includes("F") ? "foundation" : state.piles ? "pile" : "waste";
  return t(`told.${kind}`, { card: cardName(card), n: to.replace("W", "") });
}

const cardOf = (state, from) => (from === "S" ? state.card : state.wastes[from[1] - 1].at(-1));
