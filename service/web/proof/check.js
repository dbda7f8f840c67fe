// The fair-play check of docs/fair-play.md, step after step, from the public record alone.

import { Offline, Problem } from "../api.js";
import { t } from "../i18n.js";
import { stepMoves, stepNumbers, stepResults, stepReveal, stepTimes } from "./attempts.js";
import { Fault } from "./faults.js";
import { stepCommitment, stepDeal, stepFormer, stepKept, stepSeed, stepTerms } from "./promises.js";
import { stepRanking, stepWinnable } from "./ranking.js";
import { stepRecord } from "./reading.js";

// Each step with what it builds on: where that failed there is nothing left to hold it to.
const STEPS = {
  record: [stepRecord],
  terms: [stepTerms, "record"],
  commitment: [stepCommitment, "record"],
  kept: [stepKept, "record"],
  former: [stepFormer, "record"],
  seed: [stepSeed, "terms"],
  deal: [stepDeal, "commitment", "seed"],
  numbers: [stepNumbers, "terms"],
  times: [stepTimes, "terms"],
  moves: [stepMoves, "deal"],
  results: [stepResults, "moves"],
  reveal: [stepReveal, "times"],
  ranking: [stepRanking, "numbers", "times", "results"],
  winnable: [stepWinnable, "deal"],
};

/** The names of the steps, in their order. */
export const NAMES = Object.keys(STEPS);

/**
 * Check a challenge that has finished; `challenge` is what the API tells of it.
 *
 * `tell` hears of each step as it goes: `{name, state, detail, facts}`, the state `running`, then `passed`, `failed`,
 * `skipped`, or `open` where what was promised could not be shown; `facts` are pairs of a label and a text. Gives the list of them all. Throws what a request throws.
 */
export async function checkChallenge(challenge, tell = () => {}) {
  const found = { challenge };
  const done = [];
  const lost = new Set();
  for (const [name, [step, ...needs]] of Object.entries(STEPS)) {
    const hear = (detail) => tell({ name, state: "running", detail, facts: [] });
    hear("");
    const lacking = needs.find((need) => lost.has(need));
    const result = lacking ? blocked(lacking) : await tried(step, found, hear);
    if (lacking || result.state === "failed") lost.add(name);
    done.push({ name, state: "passed", facts: [], ...result });
    tell(done.at(-1));
  }
  return done;
}

async function tried(step, found, hear) {
  try {
    return await step(found, hear);
  } catch (error) {
    if (error instanceof Offline || error instanceof Problem) throw error;
    // Whatever a record makes stumble is none.
    const detail = error instanceof Fault ? error.message : t("proof.broken", { why: error.message });
    return { state: "failed", detail };
  }
}

function blocked(name) {
  return { state: "skipped", detail: t("proof.blocked", { step: t(`proof.step.${name}`) }) };
}
