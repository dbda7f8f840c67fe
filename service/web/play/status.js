// How a game stands: its name, its score, and what there is to know about the connection.

import { el } from "../dom.js";
import { shortSeed } from "../format.js";
import { link } from "../header.js";
import { count, t } from "../i18n.js";

/** Draw the lines above a board; `previewing` while a redeal is only looked at. */
export function drawStatus(state, { about, session, previewing }) {
  const { seed, score, variant, redeal, status } = state;
  const { offline, busy, queue, mine } = session;
  const counts = [
    count("moves", score.moves),
    redeal && (redeal.left === null ? count("redeals", score.redeals) : t("redeals.left", { n: redeal.left })),
    score.undos > 0 && count("undos", score.undos),
  ];
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
      el("progress", { max: 52, value: score.cards_up, "aria-label": t("up", { n: score.cards_up }) }),
      el("b", {}, t("up", { n: score.cards_up })),
      el("span", {}, counts.filter(Boolean).join(" · ")),
    ),
    !mine && status === "in_progress" && el("p", { class: "banner" }, t("game.watching")),
    offline && el("p", { class: "banner offline" }, busy ? count("waiting.busy", queue.length) : count("waiting", queue.length)),
    previewing && el("p", { class: "banner preview" }, t("preview.lead")),
  ].filter(Boolean);
}
