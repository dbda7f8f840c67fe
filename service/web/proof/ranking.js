// Steps about what follows from the attempts: the ranking, and that the deal could be won.

import { ask, askAll } from "../api.js";
import { clock, playerName } from "../format.js";
import { count, sayProblem, t } from "../i18n.js";
import { asMe } from "../me.js";
import { lastAction } from "./attempts.js";
import { expectSame, expectThat } from "./faults.js";
import { after, isMove, openGame, refusalOf } from "./judge.js";
import { holdRow, holdWhole, mostPages } from "./reading.js";

// What a row of the leaderboard shows that the record gives.
const SHOWN = ["rank", "attempt", "game_id", "won", "cards_up", "actions", "redeals", "elapsed_ms", "status"];
const MOST_ROWS = 20;
const SEARCH_MS = 1;

/** Rank the entries of a record by the best attempt of each; `ends` has what each came to. */
export function rank({ record, terms, ends }) {
  const best = new Map();
  for (const item of record.items) {
    if (item.disqualified) continue;
    const row = rowOf(item, ends.get(item), terms.order);
    const known = best.get(item.entry);
    if (!known || compare(row.key, known.key) < 0) best.set(item.entry, row);
  }
  const rows = [...best.values()].sort((one, other) => compare(one.key, other.key) || (one.entry < other.entry ? -1 : 1));
  rows.forEach((row, at) => {
    const before = rows[at - 1];
    row.rank = before && !compare(before.key, row.key) ? before.rank : at + 1;
  });
  return rows;
}

function rowOf({ entry, player, attempt, game_id, ...item }, { status, score }, order) {
  const won = status === "won";
  const { cards_up, actions, redeals } = score;
  const elapsed_ms = lastAction(item);
  const less = order === "time" ? [elapsed_ms, actions, redeals] : [actions, redeals, elapsed_ms];
  return { entry, player, attempt, game_id, status, won, cards_up, actions, redeals, elapsed_ms, key: [-won, -cards_up, ...less] };
}

const compare = (one, other) => one.reduce((found, figure, at) => found || figure - other[at], 0);

/** Step: all pages of the leaderboard show the ranking that follows from the record. */
export async function stepRanking(found) {
  const rows = rank(found);
  const path = `v1/challenges/${encodeURIComponent(found.challenge.id)}/leaderboard`;
  const pages = await askAll(path, { ...asMe(), most: () => mostPages(rows.length) });
  const shown = pages.flatMap(({ items, par }) => items.map((row) => ({ row, par })));
  const last = new Map(found.record.items.map((item) => [item.entry, found.ends.get(item).status]));
  shown.forEach(({ row, par }, at) => {
    const where = t("proof.where.row", { n: at + 1 });
    holdRow(row, where);
    expectSame(where, "player", playerName(row.player), rows[at] ? playerName(rows[at].player) : t("proof.nobody"));
    for (const name of SHOWN) expectSame(where, name, row[name], rows[at][name]);
    expectSame(where, "to_par", row.to_par, row.won && par ? row.actions - par.length : null);
    holdState(row.state, last.get(rows[at].entry), where);
  });
  expectSame(t("proof.where.leaderboard"), "items", shown.length, rows.length);
  holdWhole(pages, t("proof.where.leaderboard"));
  return { detail: count("proof.ok.ranking", rows.length), facts: rows.slice(0, MOST_ROWS).map(rowText) };
}

/** Hold where an entry stands to how its last attempt ended: of who forfeits the record tells no more. */
function holdState(state, status, where) {
  const ended = status === "timed_out" ? "timed_out" : "finished";
  expectThat([ended, "forfeited"].includes(state), where, "state", state, `${ended} | forfeited`);
}

function rowText({ rank: place, player, cards_up, actions, elapsed_ms }) {
  const figures = [t("up", { n: cards_up }), count("end.actions", actions), clock(elapsed_ms)];
  return [String(place), `${playerName(player)}: ${figures.join(", ")}`];
}

/** Step: a line that wins the deal, asked of the service and played here, where the terms promise one. */
export async function stepWinnable({ challenge, record, terms, opening }) {
  if (!terms.require_winnable) return { state: "skipped", detail: t("proof.ok.winnable.none") };
  const line = await askLine(challenge.id);
  // What was promised and cannot be shown is neither proven nor refuted.
  if (line.problem) return { state: "open", detail: t("proof.ok.winnable.unread", { why: sayProblem(line.problem) }) };
  if (!line.moves) return { state: "open", detail: t("proof.ok.winnable.unknown") };
  const where = t("proof.where.line");
  let state = openGame(opening, terms.options);
  for (const move of line.moves) {
    expectThat(isMove(state, move) && !refusalOf(state, move), where, "line", move, t("proof.allowed"));
    state = after(state, move);
  }
  expectSame(where, "status", state.status, "won");
  return { detail: count("proof.ok.winnable", line.moves.length), facts: [["line", line.moves.join(" ")], ["seed", record.seed]] };
}

async function askLine(id) {
  try {
    // What is known is told at once: there is nothing to search for.
    const path = `v1/challenges/${encodeURIComponent(id)}/par`;
    const { line } = await ask(path, { method: "POST", body: { budget_ms: SEARCH_MS }, ...asMe() });
    return { moves: line };
  } catch (problem) {
    return { problem };
  }
}
