// A game as docs/rules.md has it, from its opening to its end: what is refused, what a move gives, how it stands.
//
// A state has the fields of the API's, and `stock`, the cards of Calculation that are still face down.
// States share what a move leaves alone, and know the one before: so an undo is one step back.

import { canMove, isCalculation, moved, redealRefusal, redealt, refusal, turned } from "../play/rules.js";

const DECK = 52;
const FORMS = {
  cruel: /^(?:R|(?:[1-9]|1[0-2])>(?:F|[1-9]|1[0-2]))$/,
  calculation: /^(?:S>[FW][1-4]|W[1-4]>[FW][1-4]|F[1-4]>W[1-4])$/,
};

/** Open a game: `opening` as the deal has it, `options` all of them, `undo` whether it has that. */
export function openGame(opening, options, undo = false) {
  const { foundations, piles, wastes } = opening;
  const score = { cards_up: foundations.length, moves: 0, redeals: 0, actions: 0, undos: 0 };
  const common = { options, undo, ply: 0, score, foundations, before: null };
  const left = options.redeal_limit ?? null;
  if (!opening.stock) return standing({ ...common, piles, redeal: { used: 0, left } });
  return standing({ ...common, wastes, redeal: null, ...turned(opening.stock) });
}

/** Tell whether a text is a move of the game's family at all; `U` and `Q` are of both. */
export function isMove(state, text) {
  return text === "U" || text === "Q" || FORMS[isCalculation(state) ? "calculation" : "cruel"].test(text);
}

/** Say by a word of the API's list why a move is refused; null where it is not. */
export function refusalOf(state, move) {
  const open = state.status === "in_progress" || (state.status === "lost" && move === "U");
  if (!open) return "game_over";
  if (move === "U") return state.undo ? (state.before ? null : "nothing_to_undo") : "undo_not_allowed";
  if (move === "Q") return null;
  if (move === "R") return redealRefusal(state);
  return move[0] === "F" ? "from_foundation" : refusal(state, move);
}

/** Give the state after a move that is not refused. */
export function after(state, move) {
  const ply = state.ply + 1;
  if (move === "U") return { ...state.before, ply, score: { ...state.before.score, undos: state.score.undos + 1 } };
  if (move === "Q") return { ...state, ply, status: "resigned" };
  return standing({ ...moved(state, move), before: state });
}

function standing(state) {
  return { ...state, status: statusOf(state) };
}

function statusOf(state) {
  if (state.score.cards_up === DECK) return "won";
  const going = isCalculation(state) ? canGoOn(state) : canEverMove(state);
  return going ? "in_progress" : "lost";
}

function canGoOn(state) {
  const ways = state.wastes.flatMap((_, waste) => state.foundations.map((_, at) => `W${waste + 1}>F${at + 1}`));
  return state.card !== null || ways.some((move) => !refusal(state, move));
}

/** Follow the redeals that are left, in thought, until a card can move or they only go round. */
function canEverMove(state) {
  const seen = new Set();
  let { piles } = state;
  for (let left = state.redeal.left ?? Infinity; !canMove({ ...state, piles }); left -= 1) {
    const layout = JSON.stringify(piles);
    if (left === 0 || seen.has(layout)) return false;
    seen.add(layout);
    piles = redealt({ ...state, piles });
  }
  return true;
}
