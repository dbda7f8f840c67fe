// How the steps of a check say what they found.

import { playerName } from "../format.js";
import { t } from "../i18n.js";

const WORK_MS = 30;

/** What is not as it must be; its message says where, what was found and what was expected. */
export class Fault extends Error {}

/** Hold what was found to what it must be; `where` and `name` say what it is. */
export function expectSame(where, name, found, expected) {
  if (canonical(found) !== canonical(expected)) throw differing(where, name, written(found), written(expected));
}

/** Hold something to a condition, of which `expected` tells. */
export function expectThat(holds, where, name, found, expected) {
  if (!holds) throw differing(where, name, written(found), expected);
}

/** Name an attempt: whose, and which. */
export function nameOf({ player, attempt }) {
  return t("proof.where.attempt", { player: playerName(player), n: attempt });
}

/** Let the browser draw, where it had no turn for a while. */
export async function breathe() {
  if (performance.now() - breathe.last < WORK_MS) return;
  await new Promise((done) => setTimeout(done));
  breathe.last = performance.now();
}
breathe.last = 0;

function differing(where, name, found, expected) {
  return new Fault(t("proof.differs", { where, name, found, expected }));
}

/** Write a value so that equal ones have the same text, whatever the order of their fields. */
function canonical(value) {
  const sorted = (_, each) =>
    Object(each) === each && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort()) : each;
  return JSON.stringify(value, sorted);
}

const written = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? null));
