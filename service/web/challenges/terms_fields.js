// The fields of a challenge's form, one for whatever its host may say.

import { el } from "../dom.js";
import { drawChoices, drawField, drawGroup, drawSelect } from "../fields.js";
import { UNITS } from "../format.js";
import { t } from "../i18n.js";

const SEED = "[A-Za-z0-9][A-Za-z0-9._~\\-]{0,127}";
const LONGEST_TITLE = 100;
const MOST_ATTEMPTS = 100;
const MINUTES = UNITS.find(([unit]) => unit === "minute");

/** Draw what may always change: title and visibility. */
export function drawAbout({ title, visibility = "public" }) {
  const input = el("input", {
    name: "title",
    required: true,
    maxlength: LONGEST_TITLE,
    autocomplete: "off",
    value: title,
  });
  const pairs = ["public", "unlisted"].map((each) => [each, t(`form.visibility.${each}`)]);
  return [
    drawField("/title", t("form.title"), input),
    drawGroup("/visibility", t("form.visibility"), drawChoices("visibility", pairs, visibility)),
  ];
}

/** Draw which game it is; `rules` is called to show how it goes. */
export function drawVariant(variants, chosen, rules) {
  const select = drawSelect("variant", variants.map(({ variant, title }) => [variant, title]), chosen);
  const field = drawField("/variant", t("form.variant"), select);
  const pair = el("div", { class: "pair" });
  select.replaceWith(pair);
  pair.append(select, el("button", { type: "button", on: { click: rules } }, t("rules")));
  return field;
}

/** Draw the choice between everybody's own time and a race. */
export function drawClock(chosen) {
  const kinds = ["own", "shared"].map((each) =>
    el(
      "label",
      { class: "kind" },
      el("input", { type: "radio", name: "clock", value: each, checked: each === chosen }),
      el("b", {}, t(`form.clock.${each}`)),
      el("span", {}, t(`form.clock.${each}.is`)),
    ),
  );
  return drawGroup("/clock", t("form.clock"), el("div", { class: "kinds" }, kinds));
}

/** Draw how an attempt goes: its time, how many there are, and what counts. */
export function drawPlay({ time_limit_ms: limit, attempts = 1, order = "actions" }) {
  const orders = ["actions", "time"].map((each) => [each, t(`form.order.${each}`)]);
  const number = el("input", {
    type: "number",
    name: "attempts",
    min: 1,
    max: MOST_ATTEMPTS,
    required: true,
    value: attempts,
  });
  return [
    drawGroup("/time_limit_ms", t("form.limit"), drawLimit(limit), t("form.limit.help")),
    drawField("/attempts", t("form.attempts"), number),
    drawGroup("/order", t("form.order"), drawChoices("order", orders, order)),
  ];
}

function drawLimit(limit) {
  const [, size] = limit ? (UNITS.find(([, ms]) => limit % ms === 0) ?? UNITS.at(-1)) : MINUTES;
  const units = drawSelect("unit", UNITS.map(([unit, ms]) => [String(ms), t(`form.unit.${unit}`)]), String(size));
  units.setAttribute("aria-label", t("form.unit"));
  const amount = el("input", {
    type: "number",
    name: "time_limit_ms",
    min: 0,
    step: "any",
    value: limit && limit / size,
    placeholder: t("form.unlimited"),
    "aria-label": t("form.limit"),
  });
  return el("div", { class: "pair" }, amount, units);
}

/** Give the time of an attempt in ms that fields answer; null without one. */
export const limitIn = ({ time_limit_ms: amount, unit }) => (amount === "" ? null : Math.round(amount * unit));

/** Draw which deal it is. */
export function drawDeal({ seed, seed_public: named }) {
  const input = el("input", {
    name: "seed",
    pattern: SEED,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: t("form.seed.drawn"),
    value: named && seed,
  });
  const box = el("input", { type: "checkbox", name: "require_winnable" });
  return [
    drawField("/seed", t("form.seed"), input, t("form.seed.help")),
    drawGroup("/require_winnable", t("form.winnable"), el("label", { class: "check" }, box, t("form.winnable.yes"))),
  ];
}
