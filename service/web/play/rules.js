// What the rules allow, as far as a page needs it to show a move before the service has answered.
//
// The service judges: its `legal_moves` replace these as soon as it answers. A test plays whole games
// and compares the two at every step.

const RANKS = "A23456789TJQK";
const FOUNDATIONS = "CDHS";
const PACKET = 4;

/** Give a card's rank: 1 for an ace … 13 for a king. */
export const rankOf = (card) => RANKS.indexOf(card[0]) + 1;
const isRed = (card) => "DH".includes(card[1]);
const topOf = (pile) => pile[pile.length - 1];

/** Tell whether a state is one of Calculation. */
export const isCalculation = (state) => Boolean(state.wastes);

/** Give the rank that foundation `number` of Calculation takes next, as a letter; null at its end. */
export function nextRank(number, top) {
  return top[0] === "K" ? null : RANKS[(rankOf(top) + number - 1) % RANKS.length];
}

/** Give the ranks that foundation `number` of Calculation takes next, at most so many. */
export function nextRanks(number, top, most) {
  const rank = most > 0 ? nextRank(number, top) : null;
  return rank ? [rank, ...nextRanks(number, rank, most - 1)] : [];
}

/** Give all moves, as `legal_moves` of a state has them, but in no special order. */
export function legalMoves(state) {
  if (state.status !== "in_progress") return [];
  if (isCalculation(state)) return allCalculation(state).filter((move) => !refusal(state, move));
  const moves = cardMoves(state);
  return redealRefusal(state) ? moves : [...moves, "R"];
}

/** Tell whether any card of the Cruel family can move as it lies. */
export function canMove(state) {
  const places = goals(state);
  return state.piles.some((pile, from) => pile.length > 0 && places.some((to) => !refusal(state, `${from + 1}>${to}`)));
}

/** Say by a word of the API's list why a redeal is not allowed; null where it is. */
export function redealRefusal(state) {
  if (state.redeal.left === 0) return "limit_reached";
  const when = state.options.redeal_when;
  if (when === "anytime") return null;
  if (when === "when_stuck" && canMove(state)) return "not_stuck";
  return JSON.stringify(redealt(state)) === JSON.stringify(state.piles) ? "no_change" : null;
}

/** Say by a word of the API's list why a card move is not allowed; null where it is. */
export function refusal(state, move) {
  const [from, to] = move.split(">");
  if (isCalculation(state)) return refuseCalculation(state, from, to);
  if (from === to) return "same_pile";
  const card = topOf(state.piles[from - 1]);
  if (!card) return "empty_source";
  if (to === "F") {
    const top = state.foundations[FOUNDATIONS.indexOf(card[1])];
    return rankOf(card) === rankOf(top) + 1 ? null : "wrong_rank";
  }
  const target = topOf(state.piles[to - 1]);
  if (!target) return "empty_target";
  if (state.options.build === "alternate_up") {
    if (isRed(card) === isRed(target)) return "wrong_colour";
    return rankOf(card) === rankOf(target) + 1 ? null : "wrong_rank";
  }
  if (card[1] !== target[1]) return "wrong_suit";
  return rankOf(card) === rankOf(target) - 1 ? null : "wrong_rank";
}

/** Give the state after a legal move; null where only the service knows it. */
export function play(state, move) {
  const next = structuredClone(state);
  next.ply += 1;
  if (move === "R") {
    next.piles = redealt(state);
    next.score.redeals += 1;
    next.redeal.used += 1;
    if (next.redeal.left !== null) next.redeal.left -= 1;
  } else {
    const [from, to] = move.split(">");
    if (isCalculation(state)) moveCalculation(next, from, to);
    else moveCruel(next, from, to);
    next.score.moves += 1;
  }
  next.score.actions += 1;
  next.legal_moves = legalMoves(next);
  return next;
}

/** Give the twelve piles that a redeal would leave. */
export function redealt(state) {
  const how = state.options.redeal;
  if (how === "fans") {
    const cards = state.piles.flat();
    const places = Math.ceil(cards.length / PACKET) || 1;
    return state.piles.map((_, pile) => cards.filter((_, at) => pile < places && at % places === pile));
  }
  const turned = how === "packets_from_top";
  const cards = state.piles.flatMap((pile) => (turned ? pile.toReversed() : pile));
  return state.piles.map((_, pile) => {
    const packet = cards.slice(pile * PACKET, (pile + 1) * PACKET);
    return turned ? packet.reverse() : packet;
  });
}

const goals = ({ piles }) => ["F", ...piles.map((_, at) => String(at + 1))];

function cardMoves(state) {
  const moves = [];
  state.piles.forEach((pile, from) => {
    if (!pile.length) return;
    for (const to of goals(state)) {
      const move = `${from + 1}>${to}`;
      if (!refusal(state, move)) moves.push(move);
    }
  });
  return moves;
}

function moveCruel(state, from, to) {
  const card = state.piles[from - 1].pop();
  if (to !== "F") {
    state.piles[to - 1].push(card);
    return;
  }
  state.foundations[FOUNDATIONS.indexOf(card[1])] = card;
  state.score.cards_up += 1;
}

function allCalculation(state) {
  const sources = ["S", ...state.wastes.map((_, at) => `W${at + 1}`)];
  return sources.flatMap((from) =>
    ["F1", "F2", "F3", "F4", "W1", "W2", "W3", "W4"].map((to) => `${from}>${to}`),
  );
}

function refuseCalculation(state, from, to) {
  const fromWaste = from[0] === "W";
  const card = fromWaste ? topOf(state.wastes[from[1] - 1]) : state.card;
  if (fromWaste && to[0] === "W") return "waste_to_waste";
  if (!card) return fromWaste ? "empty_source" : "no_turned_card";
  if (to[0] === "W") return null;
  const next = nextRank(Number(to[1]), state.foundations[to[1] - 1]);
  if (next === null) return "foundation_complete";
  return card[0] === next ? null : "wrong_rank";
}

function moveCalculation(state, from, to) {
  const card = from === "S" ? state.card : state.wastes[from[1] - 1].pop();
  if (to[0] === "W") {
    state.wastes[to[1] - 1].push(card);
  } else {
    state.foundations[to[1] - 1] = card;
    state.score.cards_up += 1;
  }
  if (from === "S") {
    // What comes next only the service knows.
    state.card = null;
    state.turning = state.stock_count > 0;
    state.stock_count = Math.max(state.stock_count - 1, 0);
  }
}
