// Where everything on a board lies, in pixels. It knows states and numbers, and nothing of documents.
//
// On a wide board the piles of Cruel are fanned to the right, so that a redeal, which reads them pile
// by pile, can be read like a text; on one that is narrow, or higher than wide, they are fanned
// downwards.

import { isCalculation } from "./rules.js";

// How high a card is, in widths; on a narrow board as low as it must be for all to be seen at once.
const SHAPE = 1.4;
const LOWEST = 1.06;
const RANKS = "A23456789TJQK";
const NARROW = 620;
const COLUMNS = 4;
// How much of a covered card is seen, in widths of a card: at best, and at the very least.
const STEP_X = { best: 0.5, least: 0.155 };
const STEP_Y = { best: 0.34, least: 0.24 };

/**
 * Lay a state out on a board of `width`, which should not be higher than `height`.
 *
 * Gives `card` (the width of one), `tall` (its height), `fan` (x or y), `height`, `zones` (`{id, kind, x, y, w, h, cards}`
 * in reading order), `places` (for each card `{x, y, z, step, top, zone}`, where
 * `step` is how much of it is seen once it is covered) and `stock`, where there is one.
 */
export function layOut(state, width, height) {
  const narrow = width < NARROW || height > width;
  if (state.status === "won" && !isCalculation(state)) return layOutWon(state, width, height, narrow);
  return isCalculation(state)
    ? layOutCalculation(state, width, height, narrow)
    : narrow
      ? layOutNarrow(state, width, height)
      : layOutWide(state, width, height);
}

function layOutWide(state, width, height) {
  const gap = Math.min(28, width * 0.022);
  const room = (width - gap * (COLUMNS - 1)) / COLUMNS;
  const rows = Math.ceil(state.piles.length / COLUMNS);
  const space = 18;
  const tallest = (height - space * (rows + 1) - 12) / (rows + 1) / SHAPE;
  const card = Math.round(Math.max(56, Math.min(room / (1 + 3 * STEP_X.best), tallest, 128)));
  const column = Math.min(room, card * (1 + 4 * STEP_X.best));
  const board = new Layout(card, card * SHAPE, "x");
  const left = (width - COLUMNS * column - (COLUMNS - 1) * gap) / 2;
  const middle = (width - COLUMNS * card - (COLUMNS - 1) * gap) / 2;
  board.layFoundations(state, (at) => middle + at * (card + gap), 6);
  state.piles.forEach((pile, at) => {
    const x = left + (at % COLUMNS) * (column + gap);
    const y = 12 + (board.tall + space) * (1 + Math.floor(at / COLUMNS));
    const step = stepOf(pile.length, STEP_X, card, column - card);
    board.layPile(`P${at + 1}`, "pile", pile, { x, y, w: column, h: board.tall }, { dx: step, dy: 0 });
  });
  return board.done();
}

function layOutNarrow(state, width, height) {
  const space = 11;
  const widest = Math.floor((width - 8 * (COLUMNS - 1)) / COLUMNS);
  // A tablet held upright has room for cards as they are.
  const whole = Math.floor((height - 60) / ((SHAPE + 3 * STEP_Y.best) * 3 + SHAPE));
  const card = width < NARROW ? widest : Math.min(widest, Math.max(64, whole));
  const gap = Math.min(64, (width - COLUMNS * card) / (COLUMNS - 1));
  const margin = (width - COLUMNS * card - (COLUMNS - 1) * gap) / 2;
  const left = (at) => margin + at * (card + gap);
  const rows = [];
  for (let at = 0; at < state.piles.length; at += COLUMNS) rows.push(state.piles.slice(at, at + COLUMNS));
  const longest = rows.map((row) => Math.max(4, ...row.map((pile) => pile.length)) - 1);
  const steps = longest.reduce((sum, each) => sum + each, 0);
  const least = STEP_Y.least * card;
  const cards = height - 12 - space * rows.length;
  // Lower cards first, then less of those that are covered.
  const shape = Math.max(LOWEST, Math.min(SHAPE, (cards - steps * least) / (rows.length + 1) / card));
  const board = new Layout(card, card * shape, "y");
  const step = Math.max(least, Math.min(STEP_Y.best * card, (cards - board.tall * (rows.length + 1)) / steps));
  board.layFoundations(state, left, 4);
  let y = 4 + board.tall + space;
  rows.forEach((row, number) => {
    const h = board.tall + step * longest[number];
    row.forEach((pile, at) => {
      const id = `P${number * COLUMNS + at + 1}`;
      board.layPile(id, "pile", pile, { x: left(at), y, w: card, h }, { dx: 0, dy: step });
    });
    y += h + space;
  });
  return board.done();
}

/** Spread the four suits out from ace to king: what it was all for. */
function layOutWon(state, width, height, narrow) {
  const gap = narrow ? 8 : 14;
  // The sheet that says so comes below.
  const room = Math.max(340, height - (narrow ? 170 : 120));
  const card = narrow
    ? Math.min(130, Math.floor((width - gap * (COLUMNS - 1)) / COLUMNS))
    : Math.round(Math.max(56, Math.min(118, (room / COLUMNS - gap) / SHAPE)));
  const board = new Layout(card, card * (narrow ? LOWEST : SHAPE), narrow ? "y" : "x");
  const long = narrow ? Math.min(room - board.tall - 8, card * 5) : Math.min(width, card * 7.5) - card;
  const step = long / (RANKS.length - 1);
  state.foundations.forEach((top, at) => {
    const cards = [...RANKS].map((rank) => rank + top[1]);
    const box = narrow
      ? { x: (width - COLUMNS * (card + gap) + gap) / 2 + at * (card + gap), y: 4, w: card, h: board.tall + long }
      : { x: (width - card - long) / 2, y: 6 + at * (board.tall + gap), w: card + long, h: board.tall };
    const by = narrow ? { dx: 0, dy: step } : { dx: step, dy: 0 };
    board.layPile(`F${at + 1}`, "foundation", cards, box, by);
  });
  return board.done();
}

function layOutCalculation(state, width, height, narrow) {
  const gap = narrow ? 8 : Math.min(44, width * 0.035);
  const widest = narrow ? 90 : 118;
  const lowest = Math.max(0, height - 60) / 4.2 / SHAPE;
  const card = Math.floor(
    Math.min(widest, (width - gap * COLUMNS) / (COLUMNS + 1), narrow ? widest : Math.max(64, lowest)),
  );
  const tall = card * SHAPE;
  const board = new Layout(card, tall, "y");
  const start = (width - (COLUMNS + 1) * card - COLUMNS * gap) / 2;
  const left = (at) => start + (at + 1) * (card + gap);
  // Below each foundation stands what it takes next.
  const label = Math.max(24, card * 0.3);
  board.layFoundations(state, left, 4, label);
  const y = 4 + tall + label + 14;
  const turned = state.card ? [state.card] : [];
  board.layPile("S", "turned", turned, { x: start, y: 4, w: card, h: tall }, { dx: 0, dy: 0 });
  const longest = Math.max(5, ...state.wastes.map((waste) => waste.length)) - 1;
  const step = Math.max(STEP_Y.least * card, Math.min(STEP_Y.best * card, (height - y - tall - 8) / longest));
  state.wastes.forEach((waste, at) => {
    const box = { x: left(at), y, w: card, h: tall + step * longest };
    board.layPile(`W${at + 1}`, "waste", waste, box, { dx: 0, dy: step });
  });
  board.stock = { x: start, y, count: state.stock_count };
  return board.done(state.status === "won");
}

function stepOf(cards, { best, least }, card, room) {
  return cards < 2 ? 0 : Math.max(least * card, Math.min(best * card, room / (cards - 1)));
}

class Layout {
  zones = [];
  places = new Map();
  stock = null;

  constructor(card, tall, fan) {
    this.card = card;
    this.tall = tall;
    this.fan = fan;
  }

  layFoundations(state, left, y, label = 0) {
    state.foundations.forEach((top, at) => {
      const box = { x: left(at), y, w: this.card, h: this.tall };
      // Of Cruel's foundations all cards are known; of Calculation's only the top one.
      const below = label ? [] : [...RANKS.slice(0, RANKS.indexOf(top[0]))].map((rank) => rank + top[1]);
      this.layPile(`F${at + 1}`, "foundation", [...below, top], box, { dx: 0, dy: 0 });
      if (label) Object.assign(this.zones.at(-1), { label, number: at + 1 });
    });
  }

  layPile(id, kind, cards, { x, y, w, h }, { dx, dy }) {
    this.zones.push({ id, kind, cards, x, y, w, h });
    cards.forEach((card, at) => {
      const top = at === cards.length - 1;
      const step = dx || dy || this.card;
      this.places.set(card, { x: x + dx * at, y: y + dy * at, z: at + 1, step, top, zone: id });
    });
  }

  done(won = false) {
    // Of a game of Calculation that is won only the foundations are left to be seen.
    const seen = won ? this.zones.filter(({ kind }) => kind === "foundation") : this.zones;
    const lows = [...seen, ...(this.stock && !won ? [{ ...this.stock, h: this.tall }] : [])];
    this.height = Math.ceil(Math.max(...lows.map(({ y, h, label = 0 }) => y + h + label)) + 8);
    return this;
  }
}
