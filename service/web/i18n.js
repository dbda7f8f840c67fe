// Words in the language of whoever looks: `t` by their key, `count` where a number decides the form.

import { settings } from "./store.js";

export const LANGUAGES = { en: "English", es: "Español" };

let chosen = "en";
let words = {};
let plurals = new Intl.PluralRules("en");

/** Choose by the setting, else by what the browser asks for; to be awaited before all else. */
export async function chooseLanguage() {
  const wanted = [settings().language, ...navigator.languages.map((each) => each.slice(0, 2))];
  chosen = wanted.find((each) => each in LANGUAGES) ?? "en";
  words = (await import(`./i18n/${chosen}.js`)).default;
  plurals = new Intl.PluralRules(chosen);
  document.documentElement.lang = chosen;
}

/** Give the language: `en` or `es`. */
export const language = () => chosen;

/** Give a sentence, with `{name}` replaced by values. */
export function t(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Tell whether there are words for a key. */
export const has = (key) => key in words;

/** Give a sentence of a number, by `key.one` or `key.other`. */
export function count(key, number, values = {}) {
  const form = plurals.select(number) === "one" ? "one" : "other";
  return t(`${key}.${form}`, { n: number, ...values });
}

/** Name a card: the seven of hearts. */
export function cardName(card) {
  return t("card", { rank: t(`rank.${card[0]}`), suit: t(`suit.${card[1]}`) });
}

/** Say what went wrong, by the code of a problem. */
export function sayProblem(problem) {
  if (!problem.code) return t("offline");
  return problem.code === "illegal_move" && has(`reason.${problem.body.reason}`)
    ? t(`reason.${problem.body.reason}`)
    : t(has(`error.${problem.code}`) ? `error.${problem.code}` : "error.internal_error");
}
