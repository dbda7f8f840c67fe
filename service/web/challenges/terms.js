// What a challenge is played under, in plain words.

import { el, icon } from "../dom.js";
import { clock, instant } from "../format.js";
import { t } from "../i18n.js";
import { openRules } from "../variants.js";
import { endOf } from "./deeds.js";
import { changedOptions } from "./wording.js";

/** Draw the terms of a challenge; `about` is its variant. */
export function drawTerms(challenge, about) {
  const { starts_at, time_limit_ms, attempts, order, revealed_at } = challenge;
  const end = revealed_at ?? endOf(challenge);
  const rows = [
    ["game", drawGame(challenge, about)],
    ["clock", t(`race.clock.${challenge.clock}`)],
    ["from", el("time", { datetime: starts_at }, instant(starts_at))],
    [revealed_at ? "ended" : "until", el("time", { datetime: end }, instant(end))],
    ["limit", time_limit_ms ? t("race.limit.each", { time: clock(time_limit_ms) }) : t("race.limit.none")],
    ["attempts", attempts > 1 ? t("race.attempts.many", { n: attempts }) : t("race.attempts.one")],
    ["order", t(`race.order.${order}`)],
    ["deal", sayDeal(challenge)],
    ["help", t("race.help")],
  ];
  return el(
    "section",
    { class: "sheet terms", "aria-labelledby": "terms-title" },
    el("h2", { id: "terms-title" }, t("race.terms")),
    el(
      "dl",
      {},
      rows.filter(Boolean).map(([name, value]) => el("div", {}, el("dt", {}, t(`race.term.${name}`)), el("dd", {}, value))),
    ),
  );
}

function drawGame({ options }, about) {
  const changed = changedOptions(options, about);
  const words = t("rules.of", { title: about.title });
  return [
    el("span", {}, about.title),
    el("button", { class: "quiet rules", "aria-label": words, title: words, on: { click: () => openRules(about) } }, icon("book"), t("rules")),
    changed.length > 0 && el("small", {}, changed.join("; ")),
  ];
}

function sayDeal({ seed, seed_public, require_winnable, state }) {
  const drawn = state === "cancelled" ? "race.drawn.never" : seed ? "race.drawn.told" : "race.drawn";
  return [seed_public ? t("race.named", { seed }) : t(drawn, { seed }), require_winnable && t("race.winnable")]
    .filter(Boolean)
    .join(" ");
}
