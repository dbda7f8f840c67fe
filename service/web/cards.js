// Cards as the page draws them: suits are symbols of SVG, everything else is style.

import { el, icon, svg } from "./dom.js";

// Ten units across, the middle at the origin: the suits of the service's pictures.
const SUITS = {
  C:
    "M-2.4-2.6a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 1 1-4.8 0M-5.1 1.3a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 1 1" +
    "-4.8 0M.3 1.3a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 1 1-4.8 0M-1.9-1.6H1.9L.8 1.5C.9 3.4 1.3 4.4 2.3 5" +
    "H-2.3C-1.3 4.4-.9 3.4-.8 1.5Z",
  D: "M0-5.6Q1.8-2.2 4.4 0 1.8 2.2 0 5.6-1.8 2.2-4.4 0-1.8-2.2 0-5.6Z",
  H:
    "M0 5.2C-1.3 3.2-5.1.6-5.1-2.2-5.1-4-3.9-5-2.6-5-1.4-5-.4-4.2 0-3 .4-4.2 1.4-5 2.6-5 3.9-5 5.1" +
    "-4 5.1-2.2 5.1.6 1.3 3.2 0 5.2Z",
  S:
    "M0-5.4C1.2-3.4 4.9-1 4.9 1.5 4.9 3 3.8 3.8 2.7 3.8 1.8 3.8 1 3.3.6 2.5.7 3.7 1.2 4.6 2.2 5" +
    "H-2.2C-1.2 4.6-.7 3.7-.6 2.5-1 3.3-1.8 3.8-2.7 3.8-3.8 3.8-4.9 3-4.9 1.5-4.9-1-1.2-3.4 0-5.4Z",
};

// Lines of a 24-unit square.
const ICONS = {
  undo: "M9 6 4 11l5 5M4.5 11H15a5 5 0 0 1 0 10h-3",
  redeal: "M20 11A8 8 0 0 0 5.5 7.5L4 9M4 4v5h5M4 13a8 8 0 0 0 14.5 3.5L20 15m0 5v-5h-5",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5 1 1.3 1 2.2h5.2c0-.9.4-1.7 1-2.2A6 6 0 0 0 12 3Z",
  flag: "M6 21V4m0 1c4-3 8 3 12 0v9c-4 3-8-3-12 0",
  plus: "M12 5v14M5 12h14",
  book: "M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2Zm0 0v14",
  share: "M12 15V4m0 0L8 8m4-4 4 4M5 12v7h14v-7",
  gear: "M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM12 2.5v3m0 13v3M2.5 12h3m13 0h3M5.3 5.3l2.1 2.1m9.2 9.2 2.1 2.1M18.7 5.3l-2.1 2.1m-9.2 9.2-2.1 2.1",
  first: "M6 5v14M18 5l-9 7 9 7Z",
  back: "M16 5l-9 7 9 7Z",
  play: "M8 5l11 7-11 7Z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7Z",
  last: "M18 5v14M6 5l9 7-9 7Z",
  more: "M4.6 12h.8M11.6 12h.8M18.6 12h.8",
  close: "M6 6l12 12M18 6 6 18",
};

// What kings, queens and jacks wear, in 24 units across and 18 down.
const CROWNS = {
  K: "M2 4.5 7 9 12 1l5 8 5-4.5L20 14H4ZM4 15.5h16V18H4Z",
  Q:
    "M4 14 2 6.5C4 9 6.3 9 7.2 5.5 8.6 9.5 10.8 9 12 4.5c1.2 4.5 3.4 5 4.8 1C17.7 9 20 9 22 6.5L20 14ZM4 15.5h16V18H4Z" +
    "M12 .4a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 1 1 0-3.2Z",
  J: "M3.5 13a8.5 9 0 0 1 17 0ZM2.5 14.8h19V18h-19ZM12 0a2 2 0 1 1 0 4 2 2 0 1 1 0-4Z",
};

/** Put the symbols into the document, once. */
export function defineSymbols() {
  const suits = Object.entries(SUITS).map(([suit, d]) =>
    svg("symbol", { id: `suit-${suit}`, viewBox: "-6 -6 12 12" }, svg("path", { d })),
  );
  const icons = Object.entries(ICONS).map(([name, d]) =>
    svg("symbol", { id: name, viewBox: "0 0 24 24" }, svg("path", { d })),
  );
  const crowns = Object.entries(CROWNS).map(([rank, d]) =>
    svg("symbol", { id: `crown-${rank}`, viewBox: "0 0 24 18" }, svg("path", { d })),
  );
  document.body.append(
    svg("svg", { width: 0, height: 0, class: "symbols", "aria-hidden": "true" }, suits, icons, crowns),
  );
}

/** Draw a suit. */
export const suit = (letter) => icon(`suit-${letter}`, 12);

/** Give a rank as it stands on cards: 10 for T. */
export const rankText = (rank) => (rank === "T" ? "10" : rank);

/** Draw a card; its words belong to the pile that it lies on. */
export function drawCard(card) {
  const [rank, letter] = card;
  const crowned = rank in CROWNS;
  return el(
    "div",
    { class: `card suit-${letter}`, data: { card }, "aria-hidden": "true" },
    el("span", { class: "corner" }, el("b", {}, rankText(rank)), suit(letter)),
    el("span", { class: crowned ? "face court" : "face" }, crowned && icon(`crown-${rank}`), suit(letter)),
  );
}
