// How a game stands: its name, its score, and what there is to know about the connection.

import { el } from "../dom.js";
import { shortSeed } from "../format.js";
import { link } from "../header.js";
import { count, t } from "../i18n.js";

/** Draw the lines above a board; `previewing` while a redeal is only looked at. */
export function drawStatus(state, { about, session, previewing }) {
  const { seed, score, variant, redeal, status } = state;
  const { offline, busy, queue, mine } = session;
  const redeals = redeal && (redeal.left === null ? count("redeals", score.redeals) : t("redeals.left", { n: redeal.left }));
  return [
    el(
      "div",
      { class: "what" },
      el("h1", {}, about.title),
      seed &&
        link(
          `deals/${variant}/${encodeURIComponent(seed)}`,
          { class: "seed", title: seed },
          t("seed.is", { seed: shortSeed(seed) }),
        ),
    ),
    el(
      "div",
      { class: "score" },
      drawUp(score),
      el("span", {}, tellCounts(score, redeals)),
    ),
    !mine && status === "in_progress" && el("p", { class: "banner" }, t("game.watching")),
    offline && el("p", { class: "banner offline" }, busy ? count("waiting.busy", queue.length) : count("waiting", queue.length)),
    previewing && el("p", { class: "banner preview" }, t("preview.lead")),
  ].filter(Boolean);
}

/** Draw how many cards are up, as a bar and in words. */
export function drawUp({ cards_up: up }) {
  const words = t("up", { n: up });
  return [el("progress", { max: 52, value: up, "aria-label": words }), el("b", {}, words)];
}

/** Count what has been done; `redeals` says it of those, where there are any. */
export function tellCounts({ moves, undos }, redeals) {
  return [count("moves", moves), redeals, undos > 0 && count("undos", undos)].filter(Boolean).join(" · ");
}
