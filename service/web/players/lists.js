// What a player has played and hosted: lists that go on as long as somebody asks for more.

import { ask } from "../api.js";
import { el } from "../dom.js";
import { day, number } from "../format.js";
import { link } from "../header.js";
import { sayProblem, t } from "../i18n.js";

const PAGE = 20;

/** Draw the games of a player that everybody may see: those that have ended. */
export function drawEnded(name, variants) {
  const rows = el("tbody", {});
  const heads = ["game", "result", "up", "actions"].map((each, at) =>
    el("th", { scope: "col", class: at > 1 ? "figure" : false }, t(`column.${each}`)),
  );
  return drawList("ended", {
    path: `v1/games?${new URLSearchParams({ player: name, limit: PAGE })}`,
    list: el("table", { class: "rows", "aria-label": t("ended") }, el("thead", {}, el("tr", {}, heads)), rows),
    rows,
    draw: (game) => drawGame(game, variants),
  });
}

function drawGame({ id, variant, status, score, started_at, finished_at, challenge_id }, variants) {
  const title = variants.find((each) => each.variant === variant)?.title ?? variant;
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      link(`games/${id}/replay`, {}, title),
      el("span", {}, day(finished_at ?? started_at), challenge_id && [" · ", link(`challenges/${challenge_id}`, {}, t("ended.challenge"))]),
    ),
    el("td", {}, t(`result.${status}`)),
    el("td", { class: "figure" }, number(score.cards_up)),
    el("td", { class: "figure" }, number(score.actions)),
  );
}

/** Draw the public challenges of a host; nothing is seen where there are none. */
export function drawHosted(name, variants) {
  const list = el("ul", {});
  const section = drawList("hosted", {
    path: `v1/challenges?${new URLSearchParams({ host: name, limit: PAGE })}`,
    list: el("div", { class: "going" }, list),
    rows: list,
    draw: ({ id, title, variant, starts_at }) =>
      el(
        "li",
        {},
        link(`challenges/${id}`, {}, el("b", {}, title), el("span", {}, `${variants.find((each) => each.variant === variant)?.title ?? variant} · ${day(starts_at)}`)),
      ),
  });
  return section;
}

/** Draw a section that is filled by the pages of a list; it shows itself once there is something in it. */
function drawList(name, { path, list, rows, draw }) {
  const more = el("button", { type: "button", on: { click: () => load() } }, t("list.more"));
  const wrong = el("p", { class: "wrong", role: "alert" });
  const section = el("section", { class: `sheet ${name}`, hidden: true }, el("h2", {}, t(name)), list, wrong, more);
  let cursor = null;

  async function load() {
    more.disabled = true;
    wrong.textContent = "";
    try {
      const page = await ask(cursor ? `${path}&${new URLSearchParams({ cursor })}` : path);
      const added = page.items.map(draw);
      rows.append(...added);
      // Whoever goes by keys goes on where the list does.
      if (cursor) added[0]?.querySelector("a").focus({ preventScroll: true });
      cursor = page.next;
      more.hidden = !cursor;
      section.hidden = !rows.childElementCount;
    } catch (problem) {
      section.hidden = false;
      wrong.textContent = sayProblem(problem);
    }
    more.disabled = false;
  }

  load();
  return section;
}
