// Plots: bars, bars in parts, and lines. Each has its figures in a table too, for whoever would rather read.

import { el, svg } from "./dom.js";
import { number } from "./format.js";
import { t } from "./i18n.js";
import { everyHow, roundValues, shortened, widthOf } from "./plots/scale.js";

export { barsOf } from "./plots/scale.js";

const HEIGHT = 208;
const ABOVE = 22;
const BELOW = 26;
const WIDEST_BAR = 56;
const LEAST_BAR = 2;
// The least room between two texts.
const AMONG = 6;
const MOST_DOTS = 40;
// The colours of plots.css that the series of a shape have, in turn.
const PARTS = ["good", "rest"];
const PATHS = ["good", "gold"];

/**
 * Draw bars, each `{label, value, text}`: `text` says the value in words, where a number is not enough.
 *
 * `note` stands below; `head` and `of` name the labels and the values in the table.
 */
export function drawBars({ bars, of = t("plot.number"), ...plot }) {
  const columns = bars.map(({ label, value, text }) => ({ label, values: [value], texts: [text] }));
  return drawPlot({ ...plot, columns, series: [of], shape: drawColumns, tones: PARTS });
}

/** Draw bars in parts, from the bottom up: `series` names the parts, each column is `{label, values}`. */
export function drawStacks(plot) {
  return drawPlot({ ...plot, shape: drawColumns, tones: PARTS });
}

/**
 * Draw lines over columns `{label, values}`, with a gap where a value is null.
 *
 * `write(value)` writes one, `whole` tells whether only whole ones make sense; they reach from zero to
 * `most`, or where that is not given around what there is.
 */
export function drawLines(plot) {
  return drawPlot({ ...plot, shape: drawPaths, tones: PATHS });
}

function drawPlot(given) {
  const plot = { write: number, head: t("plot.label"), whole: true, ...given, extent: extentOf(given) };
  const { title, note, columns } = plot;
  const drawing = svg("svg", { role: "img", "aria-label": title, height: HEIGHT });
  const tip = el("p", { class: "tip", hidden: true });
  const area = el("div", { class: "drawing" }, drawing, tip);
  const lay = () => area.clientWidth > 0 && draw(plot, drawing, area.clientWidth);
  new ResizeObserver(lay).observe(area);
  const point = (event) => pointAt(plot, area, event);
  area.addEventListener("pointermove", point);
  area.addEventListener("pointerdown", point);
  area.addEventListener("pointerleave", () => pointAway(area));
  return el(
    "figure",
    { class: "plot" },
    el("figcaption", {}, title),
    plot.series.length > 1 && drawLegend(plot),
    columns.length ? area : el("p", { class: "faint" }, t("plot.empty")),
    note && el("p", { class: "faint" }, note),
    columns.length > 0 && drawNumbers(plot),
  );
}

/** Give from where to where the values of a plot reach. */
function extentOf({ columns, shape, most }) {
  const sums = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const known = columns.flatMap(({ values }) => values).filter((value) => value !== null);
  if (shape === drawColumns) return [0, Math.max(...sums)];
  return most === undefined && known.length ? [Math.min(...known), Math.max(...known)] : [0, most ?? 1];
}

const drawLegend = ({ series, tones }) =>
  el(
    "ul",
    { class: "legend" },
    series.map((name, at) => el("li", {}, el("span", { class: `swatch ${tones[at]}`, "aria-hidden": "true" }), name)),
  );

/** Draw all of it anew at a width; nothing is scaled, so that words stay as large as they are. */
function draw(plot, drawing, width) {
  const values = roundValues(...plot.extent, plot);
  const words = values.map(plot.write);
  const left = Math.max(...words.map(widthOf)) + 10;
  const slot = (width - left) / plot.columns.length;
  const low = values[0];
  const high = values.at(-1);
  const at = {
    left,
    width,
    slot,
    middle: (column) => left + (column + 0.5) * slot,
    height: (value) => HEIGHT - BELOW - ((value - low) / (high - low)) * (HEIGHT - ABOVE - BELOW),
  };
  drawing.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  drawing.replaceChildren(
    svg("rect", { class: "band", y: ABOVE, height: HEIGHT - ABOVE - BELOW, width: slot, visibility: "hidden" }),
    ...values.map((value, each) => drawStep(at, value, words[each], each === 0)),
    ...plot.shape(plot, at),
    ...drawLabels(plot, at),
  );
}

function drawStep(at, value, words, base) {
  const y = Math.round(at.height(value)) + 0.5;
  return svg(
    "g",
    { class: base ? "step base" : "step" },
    svg("line", { x1: at.left, x2: at.width, y1: y, y2: y }),
    svg("text", { x: at.left - 6, y: y + 4, "text-anchor": "end" }, words),
  );
}

function drawLabels({ columns }, { middle, slot, width }) {
  const every = everyHow(columns.map(({ label }) => label), slot);
  return columns.map(({ label }, at) => {
    if (at % every) return null;
    const words = shortened(label);
    // The last one ends where the plot does, if that leaves room for the one before.
    const beyond = middle(at) + widthOf(words) / 2 > width;
    if (beyond && at && middle(at - every) + widthOf(words) / 2 > width - widthOf(words) - AMONG) return null;
    const place = beyond ? { x: width, "text-anchor": "end" } : { x: middle(at), "text-anchor": "middle" };
    return svg("text", { ...place, y: HEIGHT - 8 }, words);
  }).filter(Boolean);
}

function drawColumns({ columns, write, tones }, { middle, slot, height }) {
  const wide = Math.max(Math.min(slot * 0.72, WIDEST_BAR), 1);
  return columns.flatMap(({ values }, at) => {
    let sum = 0;
    const parts = values.map((value, part) => {
      const base = height(sum);
      sum += value;
      // However little it is, it is more than nothing.
      const tall = value ? Math.max(base - height(sum), LEAST_BAR) : 0;
      const box = { x: middle(at) - wide / 2, y: base - tall, width: wide, height: tall };
      return svg("rect", { class: tones[part], ...box });
    });
    const words = write(sum);
    const fits = sum > 0 && widthOf(words) + AMONG <= slot;
    const place = { x: middle(at), y: height(sum) - 6, "text-anchor": "middle" };
    return [...parts, ...(fits ? [svg("text", { class: "amount", ...place }, words)] : [])];
  });
}

function drawPaths({ columns, series, tones }, { middle, height }) {
  const dots = columns.length <= MOST_DOTS;
  return series.flatMap((_, line) => {
    const points = columns.map(({ values }, at) => values[line] !== null && [middle(at), height(values[line])]);
    // The pen is put down anew after each gap.
    const path = points.map((point, at) => point && `${points[at - 1] ? "L" : "M"}${point.join(" ")}`);
    const alone = (at) => !points[at - 1] && !points[at + 1];
    return [
      svg("path", { class: `line ${tones[line]}`, d: path.filter(Boolean).join("") }),
      ...points.flatMap((point, at) =>
        point && (dots || alone(at)) ? [svg("circle", { class: tones[line], cx: point[0], cy: point[1], r: 3.5 })] : [],
      ),
    ];
  });
}

/** Say a value of a column. */
const wordsOf = ({ write }, { values, texts = [] }, at) =>
  texts[at] ?? (values[at] === null ? t("plot.nothing") : write(values[at]));

function pointAt(plot, area, { clientX }) {
  const band = area.querySelector(".band");
  const { columns, series } = plot;
  const slot = Number(band.getAttribute("width"));
  const { left, width } = area.getBoundingClientRect();
  const start = width - slot * columns.length;
  const at = Math.floor((clientX - left - start) / slot);
  if (!columns[at]) {
    pointAway(area);
    return;
  }
  band.setAttribute("x", start + at * slot);
  band.setAttribute("visibility", "visible");
  const tip = area.querySelector(".tip");
  const said = series.map((name, part) => (series.length > 1 ? `${name}: ` : "") + wordsOf(plot, columns[at], part));
  tip.replaceChildren(el("b", {}, columns[at].label), ...said.map((each) => el("span", {}, each)));
  tip.hidden = false;
  const middle = start + (at + 0.5) * slot;
  tip.style.left = `${Math.max(0, Math.min(middle - tip.offsetWidth / 2, width - tip.offsetWidth))}px`;
}

function pointAway(area) {
  area.querySelector(".band")?.setAttribute("visibility", "hidden");
  area.querySelector(".tip").hidden = true;
}

/** Give the same figures as a table, which whoever wants it opens. */
function drawNumbers(plot) {
  const { title, head, columns, series } = plot;
  return el(
    "details",
    {},
    el("summary", {}, t("plot.table")),
    el(
      "table",
      { class: "rows", "aria-label": title },
      el("thead", {}, el("tr", {}, [head, ...series].map((name, at) => el("th", { scope: "col", class: at ? "figure" : false }, name)))),
      el(
        "tbody",
        {},
        columns.map((column) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, column.label),
            column.values.map((_, at) => el("td", { class: "figure" }, wordsOf(plot, column, at))),
          ),
        ),
      ),
    ),
  );
}
