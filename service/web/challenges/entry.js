// One's own part in a challenge: whether one is in, entering, having the cards dealt, going.

import { ask } from "../api.js";
import { openDialog } from "../dialogs.js";
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { asMe } from "../me.js";
import { keepCommitment } from "../store.js";

const pathOf = (id) => `v1/challenges/${encodeURIComponent(id)}`;

/** Read a challenge by its path below `v1/`. */
export async function readChallenge(path) {
  const challenge = await ask(`v1/${path}`, asMe());
  // What was promised before the reveal can be held against it afterwards.
  if (!challenge.revealed_at) keepCommitment(challenge.id, challenge.commitment);
  return challenge;
}

/** Read a challenge by its path; give it and one's own entry, null for who is not in. */
export async function readWithEntry(path) {
  const challenge = await readChallenge(path);
  const entry = challenge.me ? await ask(`${pathOf(challenge.id)}/entries/me`, asMe()) : null;
  return { challenge, entry };
}

/** Enter a challenge; who is in already stays so. */
export function enter(id) {
  return ask(`${pathOf(id)}/entries/me`, { method: "PUT", ...asMe() });
}

/** Have an attempt dealt; give the state of its game, which is the same however often it is asked for. */
export function dealAttempt(id, attempt) {
  return ask(`${pathOf(id)}/entries/me/attempts/${attempt}`, { method: "PUT", ...asMe() });
}

/** Leave a challenge before one's first deal, or give it up after that. */
export function leave(id) {
  return ask(`${pathOf(id)}/entries/me`, { method: "DELETE", ...asMe() });
}

/** Ask whether somebody really wants to leave (`leave`) or to give up (`forfeit`), in the middle of a game or not. */
export async function confirmLeaving(way, playing) {
  const answer = await openDialog({
    title: t(`race.${way}.title`),
    body: [el("p", {}, t(playing ? "race.forfeit.playing" : `race.${way}.body`))],
    buttons: [
      { value: "", text: t("stay") },
      { value: "yes", text: t(`race.${way}`), kind: "danger" },
    ],
  });
  return answer === "yes";
}
