// Steps about what was played: attempts, times, every move, and what each came to.

import { count, t } from "../i18n.js";
import { breathe, expectSame, expectThat, Fault, nameOf } from "./faults.js";
import { after, isMove, openGame, refusalOf } from "./judge.js";

const FIGURES = ["cards_up", "moves", "redeals", "actions"];

/** Give when an attempt that starts at `start` has to end, both in ms since 1970. */
export function deadlineOf({ ends_at, time_limit_ms }, start) {
  return Math.min(start + (time_limit_ms ?? Infinity), Date.parse(ends_at));
}

/** Give when the last action of an attempt was made, in ms since its start: to resign is none. */
export function lastAction({ moves, times_ms }) {
  const acts = moves.at(-1) === "Q" ? -2 : -1;
  return times_ms.at(acts) ?? 0;
}

/** Step: as many attempts as were dealt, numbered one after the other, and each entry one player's. */
export function stepNumbers({ record, terms }) {
  const { items, dealt } = record;
  expectSame(t("proof.where.record"), "dealt", dealt, items.length);
  const entries = new Map();
  const names = new Map();
  const games = new Set();
  for (const item of items) {
    const where = nameOf(item);
    const { entry, player, disqualified, attempt, game_id } = item;
    const first = entries.get(entry)?.first ?? item;
    const seen = (entries.get(entry)?.seen ?? 0) + 1;
    expectSame(where, "attempt", attempt, seen);
    expectThat(attempt <= terms.attempts, where, "attempt", attempt, `≤ ${terms.attempts}`);
    expectSame(where, "player", player.name, first.player.name);
    expectSame(where, "disqualified", Boolean(disqualified), Boolean(first.disqualified));
    if (player.name !== null) expectSame(where, "entry", entry, names.get(player.name) ?? entry);
    expectThat(!games.has(game_id), where, "game_id", game_id, t("proof.once"));
    entries.set(entry, { first, seen });
    names.set(player.name, entry);
    games.add(game_id);
  }
  return { detail: count("proof.ok.numbers", items.length, { entries: entries.size }) };
}

/** Step: every clock starts and stops as the terms say, and never goes back; who plays on has ended first. */
export async function stepTimes({ record, terms }) {
  const ends = new Map();
  const [first, last] = [terms.starts_at, terms.ends_at].map(Date.parse);
  for (const item of record.items) {
    const where = nameOf(item);
    const start = Date.parse(item.started_at);
    if (terms.clock === "shared") expectSame(where, "started_at", item.started_at, terms.starts_at);
    else expectThat(start >= first && start < last, where, "started_at", item.started_at, `${terms.starts_at} … ${terms.ends_at}`);
    const free = ends.get(item.entry) ?? start;
    expectThat(start >= free, where, "started_at", item.started_at, `≥ ${new Date(free).toISOString()}`);
    const due = deadlineOf(terms, start);
    expectSame(where, "deadline", item.deadline, new Date(due).toISOString());
    let before = 0;
    item.times_ms.forEach((at, index) => {
      const move = t("proof.where.move", { where, n: index + 1 });
      expectThat(at >= before, move, "times_ms", at, `≥ ${before}`);
      expectThat(start + at < due, move, "times_ms", at, `< ${due - start}`);
      before = at;
    });
    ends.set(item.entry, item.status === "timed_out" ? due : start + before);
    await breathe();
  }
  return { detail: t("proof.ok.times") };
}

/** Step: play every attempt again. What each comes to is left in `found.ends`. */
export async function stepMoves(found, tell) {
  const { record, terms, opening } = found;
  const start = openGame(opening, terms.options);
  found.ends = new Map();
  let played = 0;
  for (const [at, item] of record.items.entries()) {
    const { status, score } = playAll(start, item);
    found.ends.set(item, { status: status === "in_progress" ? "timed_out" : status, score });
    played += item.moves.length;
    tell(t("proof.progress", { n: at + 1, all: record.items.length }));
    await breathe();
  }
  return { detail: count("proof.ok.moves", played) };
}

function playAll(start, item) {
  return item.moves.reduce((state, move, index) => {
    const where = t("proof.where.move", { where: nameOf(item), n: index + 1 });
    if (!isMove(state, move)) throw new Fault(t("proof.nomove", { where, move }));
    const reason = refusalOf(state, move);
    if (reason) throw new Fault(t("proof.refused", { where, move, why: t(`reason.${reason}`) }));
    return after(state, move);
  }, start);
}

/** Step: status and figures of every attempt are those that its moves and times give. */
export function stepResults({ record, ends }) {
  for (const item of record.items) {
    const where = nameOf(item);
    const { status, score } = ends.get(item);
    expectSame(where, "status", item.status, status);
    for (const name of FIGURES) expectSame(where, name, item.score[name], score[name]);
    expectSame(where, "elapsed_ms", item.score.elapsed_ms, lastAction(item));
  }
  return { detail: t("proof.ok.results") };
}

/** Step: the secret was told at the end; in a race also once all had ended. */
export function stepReveal({ record, terms }) {
  const shared = terms.clock === "shared";
  const revealed = Date.parse(record.revealed_at);
  const due = shared ? deadlineOf(terms, Date.parse(terms.starts_at)) : Date.parse(terms.ends_at);
  const ended = record.items.every(({ status }) => status !== "timed_out");
  if (!shared || !ended || revealed >= due) {
    expectSame(t("proof.where.record"), "revealed_at", record.revealed_at, new Date(due).toISOString());
    return { detail: t("proof.ok.reveal") };
  }
  const last = record.items.reduce(
    (latest, { started_at, times_ms }) => Math.max(latest, Date.parse(started_at) + (times_ms.at(-1) ?? 0)),
    Date.parse(terms.starts_at),
  );
  expectThat(revealed >= last, t("proof.where.record"), "revealed_at", record.revealed_at, `≥ ${new Date(last).toISOString()}`);
  return { detail: t("proof.ok.reveal.early") };
}
