// A challenge as it stands in a list.

import { countdown } from "../clock.js";
import { el } from "../dom.js";
import { clock, instant, playerName } from "../format.js";
import { link } from "../header.js";
import { count, t } from "../i18n.js";
import { isMe } from "../me.js";
import { endOf } from "./deeds.js";
import { titleOf } from "./head.js";
import { stateNow } from "./states.js";

const DAY_MS = 86_400_000;

/** Draw a challenge; what it counts down is stopped by those that are put into `stops`. */
export function drawItem(challenge, variants, stops) {
  const { id, variant, clock: kind, host, entered, me } = challenge;
  const about = variants.find((each) => each.variant === variant);
  const tag = el("span", { class: "tag" });
  const when = el("span", { class: "when" });
  follow(challenge, tag, when, stops);
  return el(
    "li",
    { class: "item" },
    el("h2", {}, link(`challenges/${id}`, {}, titleOf(challenge, about))),
    el(
      "p",
      { class: "faint" },
      [
        about.title,
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
      isMe(host) && el("span", { class: "tag" }, t("list.mine.host")),
      me && el("span", { class: "tag in" }, t(me.disqualified ? "list.mine.out" : "list.mine.in")),
    ),
  );
}

/** Show the state, and count down to the next one by the server's clock. */
function follow(challenge, tag, when, stops) {
  const state = stateNow(challenge);
  tag.textContent = t(`race.state.${state}`);
  tag.className = state === "running" ? "tag live" : "tag";
  const until = { scheduled: challenge.starts_at, running: endOf(challenge) }[state];
  if (!until) {
    const over = challenge.cancelled_at ?? challenge.revealed_at ?? endOf(challenge);
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
