// The deal of a seed: the same cards for everybody who is sent the link.

import { ask, newKey } from "./api.js";
import { press } from "./dialogs.js";
import { el, icon } from "./dom.js";
import { dealGame } from "./home.js";
import { sayProblem, t } from "./i18n.js";
import { drawMissing } from "./missing.js";
import { Board } from "./play/board.js";
import { shareLink } from "./share.js";
import { openRules, variantOf } from "./variants.js";

/** Fill the page of a deal; its address may name the options that change it. */
export async function showDeal(main, go, variant, seed) {
  const query = new URLSearchParams(location.search);
  const options = {};
  if (query.has("deal")) options.deal = query.get("deal");
  if (query.has("bases")) options.bases = query.get("bases").split(",");
  const asked = new URLSearchParams(
    Object.entries(options).map(([name, value]) => [name, String(value)]),
  );
  let opening;
  let about;
  try {
    const path = `v1/deals/${encodeURIComponent(variant)}/${encodeURIComponent(seed)}`;
    [opening, about] = await Promise.all([
      ask(asked.size ? `${path}?${asked}` : path),
      variantOf(variant),
    ]);
  } catch (problem) {
    main.append(drawMissing(t("deal.none"), sayProblem(problem)));
    return null;
  }
  document.title = `${about.title}, ${t("seed.is", { seed })}`;
  const board = new Board(document.title);
  const start = el("button", { class: "main large" }, t("deal.play"));
  const key = newKey();
  start.addEventListener("click", () => press(start, () => dealGame({ variant, seed, options: opening.options }, go, key)));
  main.classList.add("table");
  main.append(
    el(
      "section",
      { class: "status" },
      el("div", { class: "what" }, el("h1", {}, about.title), el("span", { class: "seed" }, t("seed.is", { seed }))),
      el("p", {}, t("deal.lead")),
    ),
    board.node,
    el(
      "div",
      { class: "toolbar" },
      start,
      el("button", { on: { click: () => openRules(about) } }, icon("book"), el("span", {}, t("rules"))),
      el("button", { on: { click: () => shareLink(document.title) } }, icon("share"), el("span", {}, t("share"))),
    ),
  );
  board.show(faceUp(opening), { dealt: true });
  return () => board.close();
}

/** Give an opening as a game shows it: of a stock only the turned card. */
function faceUp(opening) {
  if (!opening.stock) return opening;
  const [card, ...stock] = opening.stock;
  return { wastes: [[], [], [], []], ...opening, card, stock_count: stock.length };
}
