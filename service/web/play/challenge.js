// The line above a game that is part of a challenge: the way back, the time left, one's place in a race.

import { readChallenge } from "../challenges/entry.js";
import { titleOf } from "../challenges/head.js";
import { Watch } from "../challenges/watch.js";
import { countdown } from "../clock.js";
import { say } from "../dialogs.js";
import { el } from "../dom.js";
import { clock, playerName } from "../format.js";
import { link } from "../header.js";
import { t } from "../i18n.js";
import { variantOf } from "../variants.js";

const LAST_MS = 60_000;
const WATCH_MS = 3_000;
const AGAIN_MS = 500;

/** A line that follows a game; nothing for a game by itself. */
export class ChallengeBar {
  #stop = () => {};
  #warned = false;
  #closed = false;
  #watch;

  constructor(session) {
    this.session = session;
    const { challenge_id } = session.shown;
    this.node = el("div", { class: "stake", hidden: !challenge_id });
    if (!challenge_id) return;
    this.back = link(`challenges/${challenge_id}`, {}, t("race.back"));
    this.attempt = el("span");
    this.place = el("span");
    this.left = el("b", { role: "timer", title: t("race.yours") });
    this.node.append(this.back, this.attempt, this.place, this.left);
    session.addEventListener("change", () => this.#end());
    if (this.#playing) this.#stop = countdown(session.shown.deadline, (ms) => this.#tick(ms));
    this.#end();
    this.#read(challenge_id);
  }

  close() {
    this.#closed = true;
    this.#stop();
    this.#watch?.close();
  }

  get #playing() {
    return this.session.shown.status === "in_progress";
  }

  async #read(id) {
    try {
      const challenge = await readChallenge(`challenges/${encodeURIComponent(id)}`);
      const title = titleOf(challenge, await variantOf(challenge.variant));
      if (!this.#closed) this.#show(challenge, title);
    } catch {
      // The way back is there, and all else can be seen at its end.
    }
  }

  #show({ id, attempts, clock: kind, revision }, title) {
    document.title = this.back.textContent = title;
    const { attempt } = this.session.shown;
    if (attempts > 1) this.attempt.textContent = t("race.attempt.of", { n: attempt, m: attempts });
    if (kind !== "shared" || !this.#playing) return;
    this.#watch = new Watch(id, revision, { slowly: WATCH_MS });
    this.#watch.addEventListener("news", ({ detail }) => this.#rank(detail.snapshot.entries));
    this.#watch.start();
  }

  /** Say where one is in a race, and who is first. */
  #rank(entries) {
    const { player } = this.session.shown;
    const racing = entries.filter(({ attempt, disqualified }) => attempt && !disqualified);
    const mine = racing.findIndex((entry) => entry.player.name === player);
    if (mine < 0) return;
    const [first] = racing;
    const ahead = mine && t("race.ahead", { name: playerName(first.player), n: first.cards_up });
    const text = [t("race.place", { n: mine + 1, m: racing.length }), ahead].filter(Boolean).join(" · ");
    if (this.place.textContent !== text) this.place.textContent = text;
  }

  #tick(ms) {
    const text = clock(ms, { up: true });
    if (this.left.textContent !== text) this.left.textContent = text;
    const last = ms < LAST_MS;
    this.left.classList.toggle("last", last);
    if (last && !this.#warned) say(t("race.last"));
    this.#warned ||= last;
    if (!ms) this.#expire();
  }

  /** The time is over: see how it has ended. What was played in time may still be on its way. */
  async #expire() {
    while (this.#playing && !this.#closed) {
      await this.session.refresh().catch(() => {});
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  #end() {
    if (this.#playing) return;
    this.#stop();
    this.left.hidden = true;
  }
}
