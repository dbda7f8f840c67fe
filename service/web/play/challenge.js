// The line above a game that is part of a challenge: the way back, the time left, one's place in a race.

import { dealAttempt, readChallenge } from "../challenges/entry.js";
import { titleOf } from "../challenges/head.js";
import { readPlace } from "../challenges/placed.js";
import { Resting } from "../challenges/rest.js";
import { stateNow } from "../challenges/states.js";
import { Watch } from "../challenges/watch.js";
import { countdown } from "../clock.js";
import { note, say } from "../dialogs.js";
import { el } from "../dom.js";
import { clock, playerName } from "../format.js";
import { link } from "../header.js";
import { sayProblem, t } from "../i18n.js";
import { variantOf } from "../variants.js";

const LAST_MS = 60_000;
const WATCH_MS = 3_000;
const PLACE_MS = 6_000;
const AGAIN_MS = 500;

/** A line that follows a game; nothing for a game by itself. */
export class ChallengeBar {
  #stop = () => {};
  #warned = false;
  #closed = false;
  #watch;
  #racing = [];

  /** `told` is called once it is known where the game leads to. */
  constructor(session, go, told) {
    Object.assign(this, { session, go, told });
    this.rest = new Resting(PLACE_MS, () => this.#rank());
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
    this.rest.close();
  }

  /** What the game leads to once it is over, as far as that is known. */
  get ways() {
    const { challenge_id, attempt } = this.session.shown;
    const { attempts } = this.of ?? {};
    const more = attempt < attempts && this.session.mine && stateNow(this.of) === "running";
    return {
      next: more && { words: t("race.next", { n: attempt + 1, m: attempts }), does: () => this.#next(attempt + 1) },
      ranking: () => this.go(`challenges/${challenge_id}`),
    };
  }

  async #next(attempt) {
    try {
      const { id } = await dealAttempt(this.session.shown.challenge_id, attempt);
      if (!this.#closed) this.go(`games/${id}`);
    } catch (problem) {
      note(sayProblem(problem));
    }
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

  #show(challenge, title) {
    const { id, attempts, clock: kind, revision } = challenge;
    this.of = challenge;
    this.told();
    document.title = this.back.textContent = title;
    const { attempt } = this.session.shown;
    if (attempts > 1) this.attempt.textContent = t("race.attempt.of", { n: attempt, m: attempts });
    if (kind !== "shared" || !this.#playing) return;
    this.#watch = new Watch(id, revision, { slowly: WATCH_MS });
    this.#watch.addEventListener("news", ({ detail }) => {
      this.#racing = detail.snapshot.entries;
      this.rest.want();
    });
    this.#watch.start();
  }

  /** Say where one is in a race, and who is first. */
  async #rank() {
    const { challenge_id: id, player } = this.session.shown;
    // A connection that is lost leaves what was told last.
    const { row, ranked } = await readPlace(id, player).catch(() => ({}));
    if (!row || this.#closed) return;
    const first = row.rank > 1 && this.#racing.find(({ attempt, disqualified }) => attempt && !disqualified);
    const ahead = first && t("race.ahead", { name: playerName(first.player), n: first.cards_up });
    const text = [t("race.place", { n: row.rank, m: ranked }), ahead].filter(Boolean).join(" · ");
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
