// What a player has done over time: plots by the day, the week or the month.

import { ask } from "../api.js";
import { el } from "../dom.js";
import { day, month, number, percent, shortDay } from "../format.js";
import { sayProblem, t } from "../i18n.js";
import { drawLines, drawStacks } from "../plots.js";

// How many periods are seen at once: a month of days, half a year of weeks, two years of months.
const SHOWN = { day: 30, week: 26, month: 24 };
const NONE = { finished: 0, won: 0, actions: null };

/** Draw a section with the plots of a player; the address keeps which ones are looked at. */
export function drawHistory({ name, variants: played }, variants) {
  const query = new URLSearchParams(location.search);
  const asked = {
    period: query.get("period") in SHOWN ? query.get("period") : "day",
    variant: played.some(({ variant }) => variant === query.get("variant")) ? query.get("variant") : "",
    cursor: null,
  };
  const plots = el("div", { class: "halves plots" });
  const pager = el("p", { class: "buttons" });
  let latest = 0;

  async function load(changed) {
    Object.assign(asked, changed);
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", tab.value === asked.period);
    remember(asked);
    const turn = (latest += 1);
    plots.setAttribute("aria-busy", "true");
    let page;
    try {
      page = await ask(pathOf(name, asked));
    } catch (problem) {
      page = { problem };
    }
    // Of two that were asked for the later one counts.
    if (turn !== latest) return;
    plots.removeAttribute("aria-busy");
    plots.replaceChildren(...(page.problem ? [el("p", {}, sayProblem(page.problem))] : drawPlots(page.items.toReversed(), asked)));
    drawPager(pager, page, load);
  }

  const tabs = el(
    "div",
    { class: "tabs", role: "group", "aria-label": t("history.periods") },
    Object.keys(SHOWN).map((period) =>
      el("button", { type: "button", value: period, on: { click: () => load({ period, cursor: null }) } }, t(`history.${period}`)),
    ),
  );
  const choice = el(
    "select",
    { name: "variant", "aria-label": t("history.variant"), on: { change: () => load({ variant: choice.value }) } },
    [["", t("history.all")], ...played.map(({ variant }) => [variant, variants.find((each) => each.variant === variant)?.title ?? variant])].map(
      ([value, words]) => el("option", { value, selected: value === asked.variant }, words),
    ),
  );
  load({});
  return el(
    "section",
    { class: "sheet history" },
    el("h2", {}, t("history")),
    el("div", { class: "chosen" }, tabs, played.length > 1 && choice),
    plots,
    pager,
    el("p", { class: "faint" }, t("history.note")),
  );
}

function pathOf(name, { period, cursor }) {
  const query = new URLSearchParams({ period, limit: SHOWN[period], ...(cursor ? { cursor } : {}) });
  return `v1/players/${encodeURIComponent(name)}/history?${query}`;
}

function remember({ period, variant }) {
  const url = new URL(location.href);
  url.search = new URLSearchParams({ ...(period === "day" ? {} : { period }), ...(variant ? { variant } : {}) });
  history.replaceState(history.state, "", url);
}

function drawPager(pager, { next, prev }, load) {
  const focused = pager.contains(document.activeElement) && document.activeElement.value;
  const turn = (value, cursor) =>
    el("button", { type: "button", value, disabled: !cursor, on: { click: () => load({ cursor }) } }, t(`history.${value}`));
  pager.replaceChildren(turn("earlier", next), turn("later", prev));
  pager.hidden = !next && !prev;
  if (focused) pager.querySelector(`[value="${focused}"]:enabled, :enabled`)?.focus();
}

function drawPlots(periods, { period, variant }) {
  const label = ({ starts_at }) => (period === "month" ? month(starts_at) : shortDay(starts_at));
  const over = (values) => periods.map((each) => ({ label: label(each), values: values(each) }));
  const games = (each) => (variant ? each.variants.find((played) => played.variant === variant) ?? NONE : each.total);
  const head = t(`history.head.${period}`);
  const plots = [
    drawStacks({
      title: t("history.finished"),
      head,
      series: [t("stats.won"), t("history.rest")],
      columns: over((each) => [games(each).won, games(each).finished - games(each).won]),
    }),
    drawLines({
      title: t("history.rate"),
      head,
      series: [t("stats.rate")],
      columns: over((each) => [games(each).finished ? games(each).won / games(each).finished : null]),
      most: 1,
      whole: false,
      write: percent,
    }),
    drawLines({
      title: t("history.actions"),
      head,
      series: [t("history.fewest"), t("history.mean")],
      columns: over((each) => actionsOf(variant ? [games(each)] : each.variants)),
      write: (value) => number(value, { maximumFractionDigits: 1 }),
    }),
    drawStacks({
      title: t("history.challenges"),
      head,
      series: [t("history.first"), t("history.others")],
      columns: over(({ challenges: { entered, first } }) => [first, entered - first]),
    }),
  ];
  // A period ends where the next one begins.
  const last = Date.parse(periods.at(-1).ends_at) - 1;
  return [el("p", { class: "span" }, `${day(periods[0].starts_at)} – ${day(last)}`), ...plots];
}

/** Give the fewest and the mean actions of the games of some variants that were won. */
function actionsOf(variants) {
  const won = variants.filter(({ actions }) => actions);
  const games = won.reduce((sum, each) => sum + each.won, 0);
  if (!games) return [null, null];
  const sum = won.reduce((all, each) => all + each.actions.mean * each.won, 0);
  return [Math.min(...won.map(({ actions }) => actions.fewest)), sum / games];
}
