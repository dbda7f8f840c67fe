// The text of a move and the piles that it names, there and back.

/** Turn a move text into the ids of its piles, `{from, to}`; null for R, U and Q. */
export function pilesOf(move, board) {
  const [from, to] = move.split(">");
  if (!to) return null;
  if (/^[SWF]/.test(from)) return { from, to };
  if (to !== "F") return { from: `P${from}`, to: `P${to}` };
  const card = board.topOf(`P${from}`);
  return { from: `P${from}`, to: `F${"CDHS".indexOf(card?.[1]) + 1}` };
}

/** Write the move from one pile to another. */
export function moveOf(from, to) {
  if (from[0] !== "P") return `${from}>${to}`;
  return `${from.slice(1)}>${to[0] === "F" ? "F" : to.slice(1)}`;
}
