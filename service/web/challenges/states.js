// Where a challenge stands, from what was told of it and the server's clock.

import { serverNow } from "../clock.js";
import { player } from "../store.js";

/** Tell whether whoever plays here has set it up. */
export const isHost = ({ host }) => Boolean(host?.name) && host.name === player()?.name;

/** Give the state that has come by now of the one that was told. */
export function stateNow({ state, starts_at: start, ends_at: end }) {
  if (state === "cancelled" || state === "finished") return state;
  if (serverNow() >= Date.parse(end)) return "finished";
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
