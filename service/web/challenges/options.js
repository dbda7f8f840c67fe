// The options of a variant, as fields.

import { rankText } from "../cards.js";
import { el } from "../dom.js";
import { answersOf, drawField, drawGroup, drawSelect } from "../fields.js";
import { t } from "../i18n.js";
import { optionInWords } from "./wording.js";

const SUITS = ["C", "D", "H", "S"];

/** Draw a field for each option of a variant, set as in `options`. */
export function drawOptions(about, options) {
  return Object.entries(about.options).map(([name, { values, minimum, maximum }]) => {
    const at = `/options/${name}`;
    const label = t(`option.${name}`);
    if (name === "bases") return drawGroup(at, label, drawBases(options.bases), t("option.bases.help"));
    if (values) {
      const pairs = values.map((value) => [value, optionInWords(name, value)]);
      return drawField(at, label, drawSelect(name, pairs, options[name]));
    }
    const input = el("input", {
      type: "number",
      name,
      min: minimum,
      max: maximum,
      value: options[name],
      placeholder: t("option.unlimited"),
    });
    return drawField(at, label, input, t("option.empty"));
  });
}

/** Draw which suit lies under each foundation: the rank there is always the same. */
function drawBases(bases) {
  return el(
    "div",
    { class: "bases" },
    bases.map(([rank, suit], at) =>
      el(
        "label",
        {},
        el("span", {}, rankText(rank)),
        drawSelect(`base-${at + 1}`, SUITS.map((each) => [each, t(`suit.${each}`)]), suit),
      ),
    ),
  );
}

/** Give the options that fields of `drawOptions` below a node are set to. */
export function optionsIn(node, about) {
  const answers = answersOf(node);
  const { bases } = about.options;
  if (bases) return { bases: bases.default.map(([rank], at) => `${rank}${answers[`base-${at + 1}`]}`) };
  const limit = answers.redeal_limit;
  const options = Object.fromEntries(Object.keys(about.options).map((name) => [name, answers[name]]));
  return { ...options, redeal_limit: limit === "" ? null : Number(limit) };
}

/** Give those of some options that are other than before. */
export function optionsChanged(options, before) {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => String(value) !== String(before[name])),
  );
}

/** Give the options of a variant as it presets them. */
export function presetOf(about) {
  return Object.fromEntries(Object.entries(about.options).map(([name, each]) => [name, each.default]));
}
