// Where things lie in a plot, in numbers only: round values, and which labels there is room for.

const MOST_STEPS = 4;
const MOST_BARS = 40;
const LONGEST_LABEL = 14;
const LETTER = 6.8;
const GAP = 12;
const ROUND = [1, 2, 5, 10];

/** Give how wide a text of a plot is at most, in pixels. */
export const widthOf = (text) => text.length * LETTER;

/** Give round values, in equal steps, that reach from `low` to `high`; `whole` ones only, unless told. */
export function roundValues(low, high, { whole = true } = {}) {
  const rough = (high - low) / MOST_STEPS || (whole ? 1 : 0.25);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(whole ? 1 : 0, power * ROUND.find((each) => each * power >= rough * (1 - 1e-9)));
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  // Rounded, since 3 × 0.1 is not 0.3.
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Shorten a label that is too long for its place. */
export const shortened = (label) => (label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label);

/** Give each how many labels one is shown, so that none touches the next; `slot` is the room of one. */
export function everyHow(labels, slot) {
  const widest = Math.max(...labels.map((label) => widthOf(shortened(label))));
  return Math.max(1, Math.ceil((widest + GAP) / slot));
}

/**
 * Give the bars of a distribution, those of nothing between others too.
 *
 * `counted` is a list of `{low, high, value}` of equal width, such as the API gives it without those of
 * nothing; where there would be too many bars, several become one.
 */
export function barsOf(counted) {
  if (!counted.length) return [];
  const first = counted[0].low;
  const width = counted[0].high - first + 1;
  const bars = Math.round((counted.at(-1).low - first) / width) + 1;
  const wide = width * Math.ceil(bars / MOST_BARS);
  const found = Array.from({ length: Math.ceil((bars * width) / wide) }, (_, at) => {
    const low = first + at * wide;
    return { label: `${low}–${low + wide - 1}`, value: 0 };
  });
  for (const { low, value } of counted) found[Math.floor((low - first) / wide)].value += value;
  return found;
}
