// What a challenge is played under, in words.

import { instant, number, span } from "../format.js";
import { count, t } from "../i18n.js";
import { endOf } from "./deeds.js";

/**
 * Say the terms of a challenge in sentences; `about` is its variant.
 *
 * `terms` are fields of the API's challenge; a null `starts_at` stands for now.
 */
export function termsInWords(terms, about) {
  const { clock, starts_at: start, time_limit_ms: limit, attempts, order } = terms;
  const race = clock === "shared";
  const times = { start: start && instant(start), end: instant(endOf(terms)) };
  const changed = changedOptions(terms.options, about);
  return [
    race ? t("terms.race", times) : t(start ? "terms.own" : "terms.now", times),
    [
      !race && count("terms.attempts", attempts),
      limit ? t("terms.limit", { span: span(limit) }) : t("terms.unlimited"),
    ]
      .filter(Boolean)
      .join(" "),
    t(`terms.order.${order}`),
    t(`terms.deal.${dealOf(terms)}`, { seed: terms.seed }),
    changed.length > 0 && t("terms.options", { options: changed.join("; ") }),
    t("terms.help"),
  ].filter(Boolean);
}

function dealOf({ seed_public: named, require_winnable: winnable }) {
  if (named) return "named";
  return winnable ? "winnable" : "any";
}

/** Say which options are not as their variant presets them. */
export function changedOptions(options, about) {
  return Object.entries(about.options)
    .filter(([name, preset]) => String(options[name]) !== String(preset.default))
    .map(([name]) => `${t(`option.${name}`)}: ${optionInWords(name, options[name])}`);
}

/** Say what an option is set to. */
export function optionInWords(name, value) {
  if (name === "bases") return value.join(" ");
  if (name === "redeal_limit") return value == null ? t("option.unlimited") : number(value);
  return t(`option.${name}.${value}`);
}
