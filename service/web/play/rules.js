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

/** Give the state after a legal card move or `R`, before the service has told of it. */
export function play(state, move) {
  const next = moved(state, move);
  return { ...next, legal_moves: legalMoves(next) };
}

/**
 * Give the state after a legal card move or `R`, with all that the move itself changes; the rest is shared.
 *
 * Where a state has no `stock`, as those of the API, only the service knows which card is turned next.
 */
export function moved(state, move) {
  const counted = move === "R" ? "redeals" : "moves";
  const { score } = state;
  const cards_up = score.cards_up + (move.includes(">F") ? 1 : 0);
  const counts = { ...score, cards_up, actions: score.actions + 1, [counted]: score[counted] + 1 };
  return { ...state, ply: state.ply + 1, score: counts, ...changed(state, move) };
}

function changed(state, move) {
  if (move === "R") {
    const { redeal } = state;
    const left = redeal.left === null ? null : redeal.left - 1;
    return { piles: redealt(state), redeal: { ...redeal, used: redeal.used + 1, left } };
  }
  const [from, to] = move.split(">");
  return isCalculation(state) ? changedCalculation(state, from, to) : changedCruel(state, from - 1, to);
}

function changedCruel({ piles, foundations }, from, to) {
  const card = topOf(piles[from]);
  const left = piles.with(from, piles[from].slice(0, -1));
  if (to === "F") return { piles: left, foundations: foundations.with(FOUNDATIONS.indexOf(card[1]), card) };
  return { piles: left.with(to - 1, [...left[to - 1], card]) };
}

function changedCalculation(state, from, to) {
  const { foundations, wastes } = state;
  const [source, place] = [from[1] - 1, to[1] - 1];
  const card = from === "S" ? state.card : topOf(wastes[source]);
  const taken = from === "S" ? nextTurned(state) : { wastes: wastes.with(source, wastes[source].slice(0, -1)) };
  if (to[0] === "F") return { ...taken, foundations: foundations.with(place, card) };
  return { ...taken, wastes: wastes.with(place, [...wastes[place], card]) };
}

function nextTurned({ stock, stock_count: count }) {
  return stock ? turned(stock) : { card: null, turning: count > 0, stock_count: Math.max(count - 1, 0) };
}

/** Turn the first card of a stock; the others stay face down. */
export function turned([card = null, ...stock]) {
  return { card, stock, stock_count: stock.length };
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
