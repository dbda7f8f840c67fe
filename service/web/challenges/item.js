// A challenge as it stands in a list.

import { countdown } from "../clock.js";
import { el } from "../dom.js";
import { clock, instant, playerName } from "../format.js";
import { link } from "../header.js";
import { count, t } from "../i18n.js";
import { isHost, stateNow } from "./states.js";

const DAY_MS = 86_400_000;
// Until when a state lasts.
const LASTS = { scheduled: "starts_at", running: "ends_at" };

/** Draw a challenge; what it counts down is stopped by those that are put into `stops`. */
export function drawItem(challenge, variants, stops) {
  const { id, title, variant, clock: kind, host, entered, me } = challenge;
  const tag = el("span", { class: "tag" });
  const when = el("span", { class: "when" });
  follow(challenge, tag, when, stops);
  return el(
    "li",
    { class: "item" },
    el("h2", {}, link(`challenges/${id}`, {}, title)),
    el(
      "p",
      { class: "faint" },
      [
        variants.find((each) => each.variant === variant)?.title ?? variant,
        t(`list.clock.${kind}`),
        t("list.host.is", { name: host ? playerName(host) : t("list.service") }),
        entered ? count("list.entered", entered) : t("list.nobody"),
      ].join(" · "),
    ),
    el(
      "p",
      { class: "marks" },
      tag,
      when,
      isHost(challenge) && el("span", { class: "tag" }, t("list.mine.host")),
      me && el("span", { class: "tag in" }, t(me.disqualified ? "list.mine.out" : "list.mine.in")),
    ),
  );
}

/** Show the state, and count down to the next one by the server's clock. */
function follow(challenge, tag, when, stops) {
  const state = stateNow(challenge);
  tag.textContent = t(`state.${state}`);
  tag.className = state === "running" ? "tag live" : "tag";
  const until = challenge[LASTS[state]];
  if (!until) {
    const over = challenge.cancelled_at ?? challenge.revealed_at ?? challenge.ends_at;
    when.textContent = instant(over);
    return;
  }
  const day = t(`list.${state}.at`, { time: instant(until) });
  const tick = (left) => {
    if (left) when.textContent = left > DAY_MS ? day : t(`list.${state}.in`, { time: clock(left, { up: true }) });
    else follow(challenge, tag, when, stops);
  };
  stops.push(countdown(until, tick));
}
