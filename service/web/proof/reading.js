// The record of a challenge as anybody may have written it: all its pages, held to the form of one.

import { askAll, LONGEST_PAGE } from "../api.js";
import { count, t } from "../i18n.js";
import { asMe } from "../me.js";
import { expectSame, expectThat, Fault } from "./faults.js";

const FORMAT = "semilla-challenge/1";
const RULES_VERSION = 1;
const HEAD = ["record", "id", "terms", "commitment", "seed", "former_terms", "rules_version", "revealed_at", "dealt"];
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const text = (value) => typeof value === "string";
const whole = (value) => Number.isSafeInteger(value);
const flag = (value) => typeof value === "boolean";
const object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const instant = (value) => text(value) && INSTANT.test(value) && !Number.isNaN(Date.parse(value));
const listOf = (fits) => (value) => Array.isArray(value) && value.every(fits);
const or = (other, fits) => (value) => value === other || fits(value);

const FORMS = {
  head: {
    id: text, terms: text, commitment: text, seed: text, former_terms: listOf(object),
    revealed_at: instant, dealt: whole, items: listOf(object),
  },
  former: { revision: whole, terms: text, commitment: text, seed: text },
  item: {
    entry: text, player: object, disqualified: or(null, object), attempt: whole, game_id: text,
    started_at: instant, deadline: instant, status: text, score: object, moves: listOf(text), times_ms: listOf(whole),
  },
  player: { name: or(null, text) },
  score: { cards_up: whole, moves: whole, redeals: whole, actions: whole, elapsed_ms: whole },
  row: {
    rank: whole, player: object, attempt: whole, game_id: text, status: text, state: text, to_par: or(null, whole),
    won: flag, cards_up: whole, actions: whole, redeals: whole, elapsed_ms: whole,
  },
};

/** Step: read the whole record. It is left in `found.record`, its attempts of all pages in `items`. */
export async function stepRecord(found, tell) {
  const path = `v1/challenges/${encodeURIComponent(found.challenge.id)}/record`;
  const pages = await askAll(path, {
    ...asMe(),
    tell: (n) => tell(count("proof.pages", n)),
    most: ([{ dealt }]) => mostPages(dealt),
  });
  const where = t("proof.where.record");
  const [head] = pages;
  expectSame(where, "record", head.record, FORMAT);
  expectSame(where, "rules_version", head.rules_version, RULES_VERSION);
  for (const page of pages) {
    for (const name of HEAD) expectSame(where, name, page[name], head[name]);
    hold(page, FORMS.head, where);
  }
  holdWhole(pages, where);
  for (const each of head.former_terms) hold(each, FORMS.former, where);
  const items = pages.flatMap((page) => page.items);
  items.forEach((item, at) => holdAttempt(item, t("proof.where.item", { n: at + 1 })));
  found.record = { ...head, items };
  return { detail: count("proof.ok.record", items.length, { pages: pages.length }) };
}

/** Give how many pages a list of so many items may have: one too many shows that it does not end. */
export const mostPages = (items) => Math.ceil(items / LONGEST_PAGE) + 1;

/** Hold pages to begin and to end a list. */
export function holdWhole(pages, where) {
  expectSame(where, "prev", pages[0].prev ?? null, null);
  expectSame(where, "next", pages.at(-1).next ?? null, null);
}

/** Hold a row of a leaderboard to its form. */
export function holdRow(row, where) {
  hold(row, FORMS.row, where);
  hold(row.player, FORMS.player, where);
}

function holdAttempt(item, where) {
  hold(item, FORMS.item, where);
  hold(item.player, FORMS.player, where);
  hold(item.score, FORMS.score, where);
  expectThat(item.moves.length === item.times_ms.length, where, "times_ms", item.times_ms.length, item.moves.length);
}

function hold(value, form, where) {
  for (const [name, fits] of Object.entries(form)) {
    if (!fits(value[name])) throw new Fault(t("proof.form", { where, name }));
  }
}
