// Where everything on a board lies, in pixels. It knows states and numbers, and nothing of documents.
//
// On a wide board the piles of Cruel are fanned to the right, so that a redeal, which reads them pile
// by pile, can be read like a text; on one that is narrow, or higher than wide, they are fanned
// downwards. On one that is low, as on a phone that lies, all twelve stand side by side.

import { layOutCalculation, layOutLowCalculation, layOutWonCalculation } from "./calculation.js";
import { COLUMNS, Layout, longestOf, LOWEST, RANKS, SHAPE, STEP_X, STEP_Y, stepOf } from "./places.js";
import { isCalculation } from "./rules.js";

const NARROW = 620;
const LOW = 400;
const LEAST_LOW = 480;
const SHORT = 420;
// The least that a card may be wide, and the least of a covered one: to be read, or to be known as one of a row.
const SMALLEST = 52;
const LEAST_STRIP = 16;
const LEAST_WON = 13;

/**
 * Lay a state out on a board of `width`, which should not be higher than `height`.
 *
 * Gives `card` (the width of one), `tall` (its height), `fan` (x or y), `height`, `zones` (`{id, kind, x, y, w, h, cards}`
 * in reading order), `places` (for each card `{x, y, z, step, top, zone}`, where
 * `step` is how much of it is seen once it is covered) and `stock`, where there is one.
 */
export function layOut(state, width, height) {
  const low = height < LOW && width > Math.max(LEAST_LOW, height * 1.5);
  const narrow = !low && (width < NARROW || height > width);
  const won = state.status === "won";
  if (isCalculation(state)) {
    if (won) return layOutWonCalculation(state, width, height);
    return low ? layOutLowCalculation(state, width, height) : layOutCalculation(state, width, height, narrow);
  }
  if (won) return narrow ? layOutWonNarrow(state, width, height) : layOutWon(state, width, height, low ? 2 : 4);
  if (low) return layOutLow(state, width, height);
  return narrow ? layOutNarrow(state, width, height) : layOutWide(state, width, height);
}

function layOutWide(state, width, height) {
  const gap = Math.min(28, width * 0.022);
  const room = (width - gap * (COLUMNS - 1)) / COLUMNS;
  const rows = Math.ceil(state.piles.length / COLUMNS);
  const space = 18;
  const tallest = (height - space * (rows + 1) - 12) / (rows + 1) / SHAPE;
  // A pile as it is dealt; what is left of its column is for those that grow.
  const dealt = 1 + 3 * STEP_X.best;
  const card = Math.round(Math.max(SMALLEST, Math.min(room / dealt, tallest, 128)));
  const column = Math.min(room, card * (1 + 4 * STEP_X.best));
  const board = new Layout(card, card * SHAPE, "x");
  const whole = COLUMNS * column + (COLUMNS - 1) * gap;
  const left = Math.min(width - whole, (width - whole + column - dealt * card) / 2);
  const middle = (width - COLUMNS * card - (COLUMNS - 1) * gap) / 2;
  board.layFoundations(state, (at) => ({ x: middle + at * (card + gap), y: 6 }));
  state.piles.forEach((pile, at) => {
    const x = left + (at % COLUMNS) * (column + gap);
    const y = 12 + (board.tall + space) * (1 + Math.floor(at / COLUMNS));
    const step = stepOf(pile.length, STEP_X, card, column - card);
    board.layPile(`P${at + 1}`, "pile", pile, { x, y, w: column, h: board.tall }, { dx: step });
  });
  return board.done();
}

function layOutNarrow(state, width, height) {
  const space = height < SHORT ? 8 : 11;
  const rows = [];
  for (let at = 0; at < state.piles.length; at += COLUMNS) rows.push(state.piles.slice(at, at + COLUMNS));
  const longest = rows.map((row) => longestOf(row, 4) - 1);
  const steps = longest.reduce((sum, each) => sum + each, 0);
  const cards = height - 12 - space * rows.length;
  const card = widthOf(width, cards, rows.length + 1, steps);
  const gap = Math.min(64, (width - COLUMNS * card) / (COLUMNS - 1));
  const margin = (width - COLUMNS * card - (COLUMNS - 1) * gap) / 2;
  const left = (at) => margin + at * (card + gap);
  const least = Math.max(LEAST_STRIP, STEP_Y.least * card);
  // Lower cards first, then less of those that are covered.
  const shape = Math.max(LOWEST, Math.min(SHAPE, (cards - steps * least) / (rows.length + 1) / card));
  const board = new Layout(card, card * shape, "y");
  const step = Math.max(least, Math.min(STEP_Y.best * card, (cards - board.tall * (rows.length + 1)) / steps));
  board.layFoundations(state, (at) => ({ x: left(at), y: 4 }));
  let y = 4 + board.tall + space;
  rows.forEach((row, number) => {
    const h = board.tall + step * longest[number];
    row.forEach((pile, at) => {
      const id = `P${number * COLUMNS + at + 1}`;
      board.layPile(id, "pile", pile, { x: left(at), y, w: card, h }, { dy: step });
    });
    y += h + space;
  });
  return board.done();
}

/** Give how wide cards of `rows` rows may be, of which `steps` covered ones are seen, for all to fit in `height`. */
function widthOf(width, height, rows, steps) {
  const widest = Math.floor((width - 8 * (COLUMNS - 1)) / COLUMNS);
  // A tablet held upright has room for cards as they are.
  const whole = (height - 8) / (SHAPE * rows + STEP_Y.best * steps);
  const pressed = height / (LOWEST * rows + STEP_Y.least * steps);
  const strips = (height - LEAST_STRIP * steps) / (LOWEST * rows);
  const fitting = width < NARROW ? Math.min(pressed, strips) : Math.max(64, whole);
  return Math.floor(Math.min(widest, Math.max(SMALLEST, fitting)));
}

function layOutLow(state, width, height) {
  const columns = state.piles.length + 1;
  const gap = Math.min(14, width * 0.008);
  const apart = 2 * gap;
  const card = Math.floor(
    Math.max(40, Math.min((width - apart - gap * (columns - 1)) / columns, (height - 24) / COLUMNS / LOWEST)),
  );
  const shape = Math.min(SHAPE, (height - 24) / COLUMNS / card);
  const board = new Layout(card, card * shape, "y");
  const left = (width - columns * card - (columns - 1) * gap - apart) / 2;
  board.layFoundations(state, (at) => ({ x: left, y: 4 + at * (board.tall + 4) }));
  const longest = longestOf(state.piles, 5);
  const step = stepOf(longest, { ...STEP_Y, best: 0.6 }, card, height - 12 - board.tall);
  const h = board.tall + step * (longest - 1);
  state.piles.forEach((pile, at) => {
    const x = left + apart + (at + 1) * (card + gap);
    board.layPile(`P${at + 1}`, "pile", pile, { x, y: 4, w: card, h }, { dy: step });
  });
  return board.done();
}

/** Spread the four suits out from ace to king, in `rows` rows: what it was all for. */
function layOutWon(state, width, height, rows) {
  const gap = 14;
  const columns = COLUMNS / rows;
  const room = (width - gap * (columns - 1)) / columns;
  const tallest = (height - 14 - gap * (rows - 1)) / rows;
  const card = Math.round(Math.max(40, Math.min(118, tallest / SHAPE, room / 4)));
  const board = new Layout(card, card * SHAPE, "x");
  const long = Math.min(room, card * 7.5) - card;
  const left = (width - columns * (card + long) - (columns - 1) * gap) / 2;
  spread(board, state, long, (at) => ({
    x: left + (at % columns) * (card + long + gap),
    y: 6 + Math.floor(at / columns) * (board.tall + gap),
  }));
  return board.done();
}

function layOutWonNarrow(state, width, height) {
  const gap = 8;
  const card = Math.min(130, Math.floor((width - gap * (COLUMNS - 1)) / COLUMNS));
  const board = new Layout(card, card * LOWEST, "y");
  const long = Math.max(12 * LEAST_WON, Math.min(height - board.tall - 12, card * 5));
  const left = (width - COLUMNS * (card + gap) + gap) / 2;
  spread(board, state, long, (at) => ({ x: left + at * (card + gap), y: 4 }));
  return board.done();
}

function spread(board, { foundations }, long, spot) {
  const [w, h] = board.fan === "x" ? [long, 0] : [0, long];
  const last = RANKS.length - 1;
  foundations.forEach((top, at) => {
    const cards = [...RANKS].map((rank) => rank + top[1]);
    const box = { ...spot(at), w: board.card + w, h: board.tall + h };
    board.layPile(`F${at + 1}`, "foundation", cards, box, { dx: w / last, dy: h / last });
  });
}
