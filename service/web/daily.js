// The daily challenge of a variant, and who has solved the most of them.

import { ChallengeView, drawNoChallenge, readAll } from "./challenges/page.js";
import { countdown } from "./clock.js";
import { el } from "./dom.js";
import { instant, playerName } from "./format.js";
import { link } from "./header.js";
import { t } from "./i18n.js";
import { isMe } from "./me.js";
import { Pager } from "./pager.js";
import { player } from "./store.js";
import { allVariants } from "./variants.js";

const DAY_MS = 86_400_000;
// The columns of the ranking; the last is more than a narrow screen has room for.
const CLASSES = { rank: "figure", player: "", solved: "figure", actions: "figure", played: "figure minor" };
const PERIODS = ["week", "month", "all"];

/** Fill the page of the daily of a variant; give what is to be done when it is left. */
export async function showDaily(main, go, variant) {
  try {
    const [found, about] = await readAll(`daily/${encodeURIComponent(variant)}`);
    const variants = await allVariants();
    const { challenge } = found;
    const view = new ChallengeView(found, about, { path: `challenges/${challenge.id}`, go });
    const next = drawNext(challenge);
    main.append(view.head.node, drawLead(challenge), drawTabs(variants, variant), next.node, view.node, drawRanking(variant, about));
    main.querySelector(".tabs [aria-current]").scrollIntoView({ block: "nearest", inline: "center" });
    return () => {
      next.stop();
      view.close();
    };
  } catch (problem) {
    main.append(drawNoChallenge(problem));
    return null;
  }
}

function drawLead(challenge) {
  const yesterday = link(`challenges/${dayBefore(challenge)}`, {}, t("daily.yesterday"));
  return el("p", { class: "lead faint" }, t("daily.lead"), " ", yesterday);
}

/** Name the daily of the day before: the date stands in the id. */
function dayBefore({ id, starts_at }) {
  const date = new Date(Date.parse(starts_at) - DAY_MS).toISOString().slice(0, 10);
  return id.replace(/\d{4}-\d\d-\d\d$/, date);
}

function drawTabs(variants, chosen) {
  return el(
    "nav",
    { class: "tabs many", "aria-label": t("daily.variants") },
    variants.map(({ variant, title }) => link(`daily/${variant}`, { "aria-current": variant === chosen ? "page" : false }, title)),
  );
}

/** Draw the way to the next daily, which shows once that is there. */
function drawNext({ variant, ends_at }) {
  const node = el("p", { class: "fresh", role: "status", hidden: true });
  const stop = countdown(ends_at, (left) => {
    if (left) return;
    node.hidden = false;
    node.replaceChildren(link(`daily/${variant}`, { class: "button main" }, t("daily.next")));
  });
  return { node, stop };
}

function drawRanking(variant, about) {
  const pages = new Pager({
    path: `v1/leaderboards/${encodeURIComponent(variant)}`,
    query: { period: PERIODS[0] },
    around: Boolean(player()),
    draw: drawTable,
  });
  const tabs = PERIODS.map((period) =>
    el(
      "button",
      {
        "aria-pressed": String(period === PERIODS[0]),
        on: {
          click: (event) => {
            for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab === event.currentTarget));
            pages.begin({ period });
          },
        },
      },
      t(`daily.${period}`),
    ),
  );
  pages.begin();
  return el(
    "section",
    { class: "sheet", "aria-labelledby": "dailies" },
    el("h2", { id: "dailies" }, t("daily.ranking", { title: about.title })),
    el("p", { class: "faint" }, t("daily.ranking.lead")),
    el("div", { class: "tabs", role: "group", "aria-labelledby": "dailies" }, tabs),
    pages.node,
  );
}

function drawTable({ items, starts_at, ends_at }) {
  const span = starts_at && el("p", { class: "faint" }, t("daily.span", { from: instant(starts_at), until: instant(ends_at) }));
  if (!items.length) return [span, el("p", {}, t("daily.ranking.none"))].filter(Boolean);
  const table = el(
    "table",
    { class: "rows" },
    el("thead", {}, el("tr", {}, Object.keys(CLASSES).map((name) => el("th", { scope: "col", class: CLASSES[name] }, t(`column.${name}`))))),
    el("tbody", {}, items.map(drawRow)),
  );
  return [span, table].filter(Boolean);
}

function drawRow({ rank, player: who, solved, actions, played }) {
  const name = playerName(who);
  const figure = (value) => el("td", { class: "figure" }, value);
  return el(
    "tr",
    { class: isMe(who) ? "mine" : "" },
    figure(rank),
    el("th", { scope: "row" }, who.name ? link(`players/${who.name}`, {}, name) : name),
    figure(solved),
    figure(actions),
    el("td", { class: CLASSES.played }, played),
  );
}
