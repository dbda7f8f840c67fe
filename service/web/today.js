// Today's daily on the first page: one click leads to its board.

import { nextDeed, runningAttempt } from "./challenges/deeds.js";
import { dealAttempt, enter, readWithEntry } from "./challenges/entry.js";
import { countdown } from "./clock.js";
import { press } from "./dialogs.js";
import { el } from "./dom.js";
import { clock } from "./format.js";
import { link } from "./header.js";
import { t } from "./i18n.js";
import { needPlayer } from "./me.js";

/** Give a section for today's daily of a variant, whole as soon as it is known, and what ends it. */
export function drawToday(about, go) {
  const place = link(`daily/${about.variant}`, {}, t("daily.name", { title: about.title }));
  const node = el("section", { class: "today" }, el("h2", {}, place));
  const today = { node, stop: () => {}, closed: false };
  fill(today, about, go);
  const close = () => {
    today.closed = true;
    today.stop();
  };
  return { node, close };
}

async function fill(today, about, go) {
  try {
    const { challenge, entry } = await readWithEntry(`daily/${about.variant}`);
    if (today.closed) return;
    const left = el("span", { role: "timer" });
    today.stop = countdown(challenge.ends_at, (ms) => {
      left.textContent = t("daily.left", { time: clock(ms, { up: true }) });
    });
    today.node.append(left, drawWay(challenge, entry, go));
  } catch {
    // The first page does without; the page of the daily says what is wrong.
    today.node.remove();
  }
}

function drawWay(challenge, entry, go) {
  const deed = nextDeed(challenge, entry);
  if (deed === "play") return link(`games/${runningAttempt(entry).game_id}`, { class: "button main" }, t("race.play"));
  if (deed === "done" || deed === "over") return link(`challenges/${challenge.id}`, { class: "button" }, t("race.ranking.to"));
  return el("button", { class: "main", on: { click: ({ currentTarget }) => press(currentTarget, () => play(challenge, go)) } }, t("race.today.play"));
}

async function play({ id }, go) {
  if (!(await needPlayer())) return;
  await enter(id);
  const game = await dealAttempt(id, 1);
  go(`games/${game.id}`);
}
