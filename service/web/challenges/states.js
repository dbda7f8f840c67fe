// Where a challenge stands, from what was told of it and the server's clock.

import { serverNow } from "../clock.js";
import { endOf } from "./deeds.js";

/** Give the state that has come by now of the one that was told. */
export function stateNow(challenge) {
  const { state, starts_at: start } = challenge;
  if (state === "cancelled" || state === "finished") return state;
  if (serverNow() >= Date.parse(endOf(challenge))) return "finished";
  return serverNow() >= Date.parse(start) ? "running" : "scheduled";
}

/** Tell whether it is to come or runs. */
export const goesOn = (challenge) => ["scheduled", "running"].includes(stateNow(challenge));

/** Say why the terms stand: `over`, `begun`, `entered`; null where its host may change them. */
export function whyTermsStand(challenge) {
  const { clock, dealt, entered, me } = challenge;
  if (!goesOn(challenge)) return "over";
  if (dealt || (clock === "shared" && stateNow(challenge) === "running")) return "begun";
  return entered > (me ? 1 : 0) ? "entered" : null;
}
