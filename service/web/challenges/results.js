// What a challenge came to, once it has finished: who solved it, how many actions it took, and its par.

import { ask } from "../api.js";
import { say } from "../dialogs.js";
import { el } from "../dom.js";
import { clock, number, percent, playerName } from "../format.js";
import { link } from "../header.js";
import { count, sayProblem, t } from "../i18n.js";
import { asMe } from "../me.js";
import { barsOf, drawBars } from "../plots.js";

const SEARCH_MS = 5_000;
const DECK = 52;
const BASES = 4;
const STEP = 4;
const ENDS = ["won", "lost", "resigned", "timed_out"];

/**
 * Draw the results of a challenge that has finished; they come when the service has counted them.
 *
 * `changed` is called when a search has found another par.
 */
export function drawResults(challenge, changed = () => {}) {
  const body = el("div", { class: "results", "aria-busy": "true" }, el("p", { class: "faint" }, t("results.counting")));
  fill(body, challenge, changed);
  return el("section", { class: "sheet", "aria-labelledby": "results-title" }, el("h2", { id: "results-title" }, t("results.title")), body);
}

async function fill(body, challenge, changed) {
  try {
    const found = await ask(`v1/challenges/${encodeURIComponent(challenge.id)}/statistics`, asMe());
    body.replaceChildren(drawFigures(found), drawEnds(found.attempts), drawPlots(found), drawPar(challenge, changed));
  } catch (problem) {
    body.replaceChildren(el("p", {}, sayProblem(problem)));
  }
  body.removeAttribute("aria-busy");
}

function drawFigures({ entered, ranked, won, solve_rate, fewest_actions, fastest }) {
  return el(
    "dl",
    { class: "figures" },
    figure(t("results.entered"), number(entered)),
    figure(t("results.ranked"), number(ranked)),
    figure(count("results.solved", won), solve_rate === null ? "–" : percent(solve_rate)),
    fewest_actions && figure(best("results.fewest", fewest_actions), number(fewest_actions.actions)),
    fastest && figure(best("results.fastest", fastest), clock(fastest.elapsed_ms)),
  );
}

const figure = (words, value) => el("div", {}, el("dt", {}, words), el("dd", {}, value));

/** Say whose the best is, with the way to its game. */
function best(key, { player, game_id, shared_by }) {
  const whose = link(`games/${game_id}/replay`, {}, playerName(player));
  return [t(key), " ", whose, shared_by > 1 && ` ${count("results.shared", shared_by - 1)}`];
}

function drawEnds(attempts) {
  const told = ENDS.filter((end) => attempts[end]).map((end) => `${t(`results.end.${end}`)}: ${number(attempts[end])}`);
  return el("p", { class: "faint" }, [count("results.attempts", attempts.finished), ...told].join(" · "));
}

function drawPlots({ won, actions, cards_up }) {
  const of = t("results.players");
  const inActions = actions.map(({ low, high, players }) => ({ low, high, value: players }));
  return el(
    "div",
    { class: "plots" },
    won > 0 && drawBars({ title: t("results.actions"), head: t("column.actions"), of, bars: barsOf(inActions) }),
    drawBars({ title: t("results.cards"), head: t("results.cards.head"), of, bars: barsOfCards(cards_up) }),
  );
}

/** Give a bar for each four cards from the bases on, and one for those who have all 52. */
function barsOfCards(counted) {
  return Array.from({ length: 1 + (DECK - BASES) / STEP }, (_, at) => {
    const low = BASES + at * STEP;
    const within = counted.filter(({ cards_up }) => cards_up >= low && cards_up < low + STEP);
    const value = within.reduce((sum, { players }) => sum + players, 0);
    return { label: low === DECK ? String(DECK) : `${low}–${low + STEP - 1}`, value };
  });
}

function drawPar({ id, par }, changed) {
  const told = el("p", {}, tellPar(par));
  const news = el("p", { class: "faint" });
  const line = el("div", {});
  const search = el("button", { type: "button" }, wayOn(par));
  search.addEventListener("click", async () => {
    search.disabled = true;
    news.textContent = t("results.searching");
    say(news.textContent);
    try {
      const found = await ask(`v1/challenges/${encodeURIComponent(id)}/par`, { method: "POST", body: { budget_ms: SEARCH_MS }, ...asMe() });
      told.textContent = tellPar(found.par);
      news.textContent = tellSearch(found, par);
      line.replaceChildren(...drawLine(found.line));
      search.textContent = wayOn(found.par);
      if (found.proven_shortest) search.remove();
      par = found.par;
      changed();
      say(`${told.textContent} ${news.textContent}`);
    } catch (problem) {
      news.textContent = sayProblem(problem);
      say(news.textContent);
    }
    search.disabled = false;
  });
  return el("div", { class: "par" }, el("h3", {}, t("results.par")), told, news, line, search);
}

/** Say what can be asked for: of what is proven only the line. */
function wayOn(par) {
  if (!par) return t("results.search.first");
  return t(par.proven_shortest ? "results.search.shown" : "results.search");
}

function tellPar(par) {
  if (!par) return t("results.par.none");
  return `${count("results.par.known", par.length)} ${t(par.proven_shortest ? "results.par.proven" : "results.par.open")}`;
}

/** Say what a search has come to, beside the par that it has left. */
function tellSearch({ par, proven_shortest, lower_bound }, before) {
  if (par && par.length < (before?.length ?? Infinity)) return t("results.search.found");
  if (proven_shortest) return "";
  return lower_bound ? count("results.search.bound", lower_bound) : t("results.search.none");
}

function drawLine(line) {
  if (!line) return [];
  return [el("details", {}, el("summary", {}, t("results.line")), el("code", {}, line.join(" ")))];
}
