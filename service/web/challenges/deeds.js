// What somebody who looks at a challenge can do next, by its state, its clock and their own entry.

import { serverNow } from "../clock.js";

/** Give when an attempt of a race ends at the latest, or a challenge on the own clock. */
export function endOf({ clock, starts_at, ends_at, time_limit_ms }) {
  if (clock === "own" || !time_limit_ms) return ends_at;
  return new Date(Math.min(Date.parse(starts_at) + time_limit_ms, Date.parse(ends_at))).toISOString();
}

/** Give one's attempt that runs now; undefined where none does. */
export function runningAttempt(entry) {
  const latest = entry?.attempts.at(-1);
  const runs = latest?.status === "in_progress" && Date.parse(latest.deadline) > serverNow();
  return runs ? latest : undefined;
}

/**
 * Tell what comes next: `cancelled`, `over`; before the start `enter` or `wait`; while it runs `join`
 * or (a race) `closed` for who is not in, else `deal`, `play`, `next` or `done`.
 */
export function nextDeed({ state, clock, attempts }, entry) {
  if (state === "cancelled") return "cancelled";
  if (state === "finished") return "over";
  if (state === "scheduled") return entry ? "wait" : "enter";
  if (!entry) return clock === "shared" ? "closed" : "join";
  if (entry.state === "registered") return "deal";
  if (runningAttempt(entry)) return "play";
  return entry.state === "playing" && entry.dealt < attempts ? "next" : "done";
}

/** Give what one's part has come to: `won` by any attempt, how the last one has ended, or else its state. */
export function resultOf({ state, attempts }) {
  if (state !== "forfeited" && attempts.some(({ status }) => status === "won")) return "won";
  return state === "finished" ? attempts.at(-1).status : state;
}

/** Tell how somebody may go: `leave`, `forfeit`, or null where there is nothing to go from. */
export function wayOut({ state, clock }, entry) {
  const playing = entry && ["registered", "playing"].includes(entry.state);
  if (!playing || entry.disqualified || !["scheduled", "running"].includes(state)) return null;
  return !entry.dealt && (clock === "own" || state === "scheduled") ? "leave" : "forfeit";
}

/** Give what is being waited for: `{until, words}` with the key of its words; null where nothing is. */
export function awaited(challenge, entry) {
  if (challenge.state === "scheduled") return { until: challenge.starts_at, words: "race.starts" };
  if (challenge.state !== "running") return null;
  const running = runningAttempt(entry);
  const until = running?.deadline ?? endOf(challenge);
  return { until, words: running && until !== endOf(challenge) ? "race.yours" : "race.ends" };
}
