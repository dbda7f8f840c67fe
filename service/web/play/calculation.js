// Where everything of Calculation lies. Below each foundation there is room for what it takes next.

import { COLUMNS, Layout, longestOf, SHAPE, STEP_Y, stepOf } from "./places.js";

const LABEL = 0.3;
// A waste as high as they come in most games is seen whole: so many cards lie covered there.
const COVERED = 11;
const STEP = { ...STEP_Y, least: 0.2 };

/** Lay out foundations in a row above the wastes, and beside them the turned card above the stock. */
export function layOutCalculation(state, width, height, narrow) {
  const gap = narrow ? 8 : Math.min(44, width * 0.035);
  const widest = narrow ? 90 : 132;
  const lowest = (height - 40) / (2 * SHAPE + LABEL + COVERED * STEP.least);
  const card = Math.floor(
    Math.min(widest, (width - gap * COLUMNS) / (COLUMNS + 1), narrow ? widest : Math.max(64, lowest)),
  );
  const board = new Layout(card, card * SHAPE, "y");
  const { tall } = board;
  const start = (width - (COLUMNS + 1) * card - COLUMNS * gap) / 2;
  const left = (at) => start + (at + 1) * (card + gap);
  const label = Math.max(24, card * LABEL);
  board.layFoundations(state, (at) => ({ x: left(at), y: 4 }), label);
  const y = 4 + tall + label + 14;
  layTurned(board, state, { x: start, y: 4 });
  const longest = longestOf(state.wastes, 5);
  const step = stepOf(longest, STEP, card, height - y - tall - 8);
  layWastes(board, state, (at) => ({ x: left(at), y, w: card, h: tall + step * (longest - 1) }), step);
  board.stock = { x: start, y, count: state.stock_count };
  return board.done();
}

/** Lay out what is left of a game that is won: four kings. */
export function layOutWonCalculation(state, width, height) {
  const gap = Math.min(32, width * 0.025);
  const card = Math.floor(Math.max(56, Math.min(170, (width - gap * (COLUMNS - 1)) / COLUMNS, (height - 24) / SHAPE)));
  const board = new Layout(card, card * SHAPE, "y");
  const start = (width - COLUMNS * card - (COLUMNS - 1) * gap) / 2;
  board.layFoundations(state, (at) => ({ x: start + at * (card + gap), y: 8 }), card * LABEL);
  return board.done();
}

/** Lay out a game on a board that is low and wide: foundations two by two, beside wastes as high as the board. */
export function layOutLowCalculation(state, width, height) {
  const gap = Math.min(16, width * 0.015);
  const card = Math.floor(
    Math.max(40, Math.min((width - 6 * gap) / 7, (height - 24) / 2 / (SHAPE + LABEL))),
  );
  const board = new Layout(card, card * SHAPE, "y");
  const { tall } = board;
  const label = card * LABEL;
  const start = (width - 7 * card - 6 * gap) / 2;
  const left = (column) => start + column * (card + gap);
  const lower = 4 + tall + label + 8;
  board.layFoundations(state, (at) => ({ x: left(1 + (at % 2)), y: at < 2 ? 4 : lower }), label);
  layTurned(board, state, { x: start, y: 4 });
  const longest = longestOf(state.wastes, 5);
  const step = stepOf(longest, STEP, card, height - 12 - tall);
  layWastes(board, state, (at) => ({ x: left(3 + at), y: 4, w: card, h: tall + step * (longest - 1) }), step);
  board.stock = { x: start, y: lower, count: state.stock_count };
  return board.done();
}

function layTurned(board, { card }, { x, y }) {
  board.layPile("S", "turned", card ? [card] : [], { x, y, w: board.card, h: board.tall });
}

function layWastes(board, { wastes }, box, step) {
  wastes.forEach((waste, at) => board.layPile(`W${at + 1}`, "waste", waste, box(at), { dy: step }));
}
