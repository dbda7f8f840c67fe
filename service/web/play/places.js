// What a layout is made of: zones, the places of cards in them, and the measures of both.

export const RANKS = "A23456789TJQK";
export const COLUMNS = 4;
// How high a card is, in widths; where room is short as low as it must be for all to be seen at once.
export const SHAPE = 1.4;
export const LOWEST = 1.06;
// How much of a covered card is seen, in widths of a card: at best, and at the very least.
export const STEP_X = { best: 0.5, least: 0.155 };
export const STEP_Y = { best: 0.34, least: 0.24 };
const HAIR = 0.01;

/** Give how far apart `cards` of a pile lie that has `room` for all but the first one. */
export function stepOf(cards, { best, least }, card, room) {
  return cards < 2 ? 0 : Math.max(least * card, Math.min(best * card, room / (cards - 1)));
}

/** Give how many cards the longest of some piles has, and `least` where none has as many. */
export const longestOf = (piles, least) => Math.max(least, ...piles.map((pile) => pile.length));

/** A layout that is being made; `fan` is where piles grow to: x or y. */
export class Layout {
  zones = [];
  places = new Map();
  stock = null;

  constructor(card, tall, fan) {
    this.card = card;
    this.tall = tall;
    this.fan = fan;
  }

  /** Lay foundations out, the number `at` of them at `spot(at)`; `label` is the height of what is told below. */
  layFoundations(state, spot, label = 0) {
    state.foundations.forEach((top, at) => {
      const box = { ...spot(at), w: this.card, h: this.tall };
      // Of Cruel's foundations all cards are known; of Calculation's only the top one.
      const below = label ? [] : [...RANKS.slice(0, RANKS.indexOf(top[0]))].map((rank) => rank + top[1]);
      this.layPile(`F${at + 1}`, "foundation", [...below, top], box);
      if (label) Object.assign(this.zones.at(-1), { label, number: at + 1 });
    });
  }

  layPile(id, kind, cards, { x, y, w, h }, { dx = 0, dy = 0 } = {}) {
    this.zones.push({ id, kind, cards, x, y, w, h });
    cards.forEach((card, at) => {
      const top = at === cards.length - 1;
      const step = dx || dy || this.card;
      this.places.set(card, { x: x + dx * at, y: y + dy * at, z: at + 1, step, top, zone: id });
    });
  }

  /** End it: say how high the board is. */
  done() {
    const stock = this.stock ? [{ ...this.stock, h: this.tall }] : [];
    const lowest = Math.max(...[...this.zones, ...stock].map(({ y, h, label = 0 }) => y + h + label));
    // A sum of fractions may come out a hair above the whole that they were made from.
    this.height = Math.ceil(lowest + 8 - HAIR);
    return this;
  }
}
