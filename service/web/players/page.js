// The page of a player: what they have played, how it went, and over time.

import { ask } from "../api.js";
import { el } from "../dom.js";
import { day, number, percent } from "../format.js";
import { link } from "../header.js";
import { sayProblem, t } from "../i18n.js";
import { drawMissing } from "../missing.js";
import { barsOf, drawBars } from "../plots.js";
import { player } from "../store.js";
import { allVariants } from "../variants.js";
import { drawHistory } from "./history.js";
import { drawEnded, drawHosted } from "./lists.js";

/** Fill the page of a player. */
export async function showPlayer(main, go, name) {
  document.title = name;
  let found;
  let variants;
  try {
    [found, variants] = await Promise.all([ask(`v1/players/${encodeURIComponent(name)}`), allVariants()]);
  } catch (problem) {
    main.append(drawNoPlayer(problem, name));
    return;
  }
  document.title = found.name;
  main.append(drawHead(found));
  // Whoever has played nothing has no past to show.
  if (found.total.started) {
    main.append(drawTotal(found), drawHistory(found, variants), drawVariants(found, variants));
  } else {
    main.append(el("section", { class: "sheet" }, el("p", { class: "faint" }, t("stats.none"))));
  }
  main.append(drawEnded(found.name, variants), drawHosted(found.name, variants));
}

function drawNoPlayer(problem, name) {
  const gone = problem.status === 404 || problem.status === 422;
  const way = link("", { class: "button main" }, t("nav.play"));
  return gone
    ? drawMissing(t("stats.nobody", { name }), t("stats.nobody.lead"), way)
    : drawMissing(t("stats.unread"), sayProblem(problem), way);
}

const drawHead = ({ name, bot, created_at }) =>
  el(
    "div",
    { class: "head" },
    el("h1", {}, name, bot && el("span", { class: "tag" }, t("stats.bot"))),
    player()?.name === name && link("players/me", { class: "button" }, t("stats.me")),
    el("p", {}, t("stats.since", { day: day(created_at) })),
  );

/** Draw figures, each a word and a value; what has no value is left out. */
const drawFigures = (figures) =>
  el(
    "dl",
    { class: "figures" },
    figures
      .filter(([, value]) => value !== null)
      .map(([words, value]) => el("div", {}, el("dt", {}, words), el("dd", {}, typeof value === "number" ? number(value) : value))),
  );

const winRate = ({ won, finished }) => (finished ? percent(won / finished) : null);

/** Give how games ended, in the order in which it is told. */
const endsOf = (tally) => [
  [t("stats.started"), tally.started],
  [t("stats.finished"), tally.finished],
  [t("stats.won"), tally.won],
  [t("stats.lost"), tally.lost],
  [t("stats.resigned"), tally.resigned],
  [t("stats.timed"), tally.timed_out],
];

const drawTotal = ({ total, streak }) =>
  el(
    "section",
    { class: "sheet total" },
    el("h2", {}, t("stats.total")),
    drawFigures([[t("stats.rate"), winRate(total)], ...endsOf(total), [t("stats.streak"), streak.current], [t("stats.streak.longest"), streak.longest]]),
    el("p", { class: "faint" }, t("stats.streak.lead")),
  );

const drawVariants = ({ variants }, known) =>
  el(
    "section",
    { class: "by-variant" },
    el("h2", {}, t("stats.variants")),
    el("div", { class: "halves" }, [...variants].sort((one, other) => other.started - one.started).map((played) => drawVariant(played, known))),
  );

function drawVariant(played, known) {
  const { variant, best, actions } = played;
  const bars = barsOf(actions.map(({ low, high, games }) => ({ low, high, value: games })));
  return el(
    "section",
    { class: "sheet" },
    el("h3", {}, known.find((each) => each.variant === variant)?.title ?? variant),
    drawFigures([
      [t("stats.rate"), winRate(played)],
      ...endsOf(played),
      [t("stats.best"), best && !played.won ? best.cards_up : null],
      [t("stats.fewest"), best?.actions ?? null],
    ]),
    bars.length > 0 && drawBars({ title: t("stats.actions"), bars, head: t("actions"), of: t("stats.games"), note: t("stats.actions.note") }),
  );
}
