// What stands in place of a page that cannot be shown.

import { Problem } from "./api.js";
import { el } from "./dom.js";
import { link } from "./header.js";
import { sayProblem, t } from "./i18n.js";

/** Draw a sheet that says what is missing and, if given, why, with the ways on. */
export function drawMissing(title, why, ...ways) {
  return el(
    "section",
    { class: "paper" },
    el("h1", {}, title),
    why && el("p", {}, why),
    ways.length > 0 && el("p", { class: "buttons" }, ways),
  );
}

/** Draw it for a game that cannot be read. */
export function drawNoGame(problem) {
  const gone = problem instanceof Problem && problem.status === 404;
  const way = link("", { class: "button main" }, t("game.new"));
  return drawMissing(t(gone ? "game.none" : "game.unread"), sayProblem(problem), way);
}
