// What is told of a board: a pile and the cards on it, and a move, for those who listen.

import { cardName, count, t } from "../i18n.js";
import { pilesOf } from "./moves.js";
import { nextRank } from "./rules.js";

/** Describe a zone of a board that shows `state`. */
export function describe({ id, kind, cards, number, label }, state) {
  const top = cards.length ? cardName(cards.at(-1)) : t("zone.empty");
  if (kind === "foundation" && label) {
    const rank = nextRank(number, cards.at(-1));
    const next = rank ? t("zone.next", { rank: t(`rank.${rank}`) }) : t("zone.complete");
    return `${t("zone.foundation", { n: id[1] })}: ${top}. ${next}`;
  }
  if (kind === "foundation") {
    return `${t("zone.suit", { suit: t(`suit.${"CDHS"[id[1] - 1]}`) })}: ${top}`;
  }
  if (kind === "turned") {
    return `${t("zone.turned")}: ${top}. ${count("zone.stock", state.stock_count)}`;
  }
  const name = t(`zone.${kind}`, { n: id.slice(1) });
  if (cards.length < 2) return `${name}: ${top}`;
  const below = cards.slice(0, -1).reverse().map(cardName).join(", ");
  return `${name}: ${top}. ${t("zone.below", { cards: below })}`;
}

/** Tell a move that is about to be made on a board. */
export function tell(move, board) {
  const piles = pilesOf(move, board);
  if (!piles) return t(`told.${move}`);
  const card = cardName(board.topOf(piles.from));
  return t(`told.${board.zone(piles.to).kind}`, { card, n: piles.to.slice(1) });
}
