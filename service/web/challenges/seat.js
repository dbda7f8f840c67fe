// The part of a challenge's page that is one's own: where one stands, how long is left, what to do next.

import { dealPath, Offline } from "../api.js";
import { countdown, serverNow } from "../clock.js";
import { note, say } from "../dialogs.js";
import { el } from "../dom.js";
import { clock } from "../format.js";
import { link } from "../header.js";
import { sayProblem, t } from "../i18n.js";
import { needPlayer } from "../me.js";
import { awaited, nextDeed, resultOf, runningAttempt, wayOut } from "./deeds.js";
import { confirmLeaving, dealAttempt, enter, leave } from "./entry.js";
import { Placed } from "./placed.js";

const LAST_MS = 60_000;
// Not all ask in the same instant; and a service whose clock is a little behind is asked again.
const SOON_MS = 60;
const SPREAD_MS = 400;
const AGAIN_MS = 500;
const PATIENCE = 5;
// When there is something that one's part, or the whole, has come to.
const TOLD = ["next", "done", "over"];

/** A section that follows the challenge; `changed` is called when the entry is another, or the clock has come. */
export class Seat {
  #stop = () => {};
  #awaited = null;
  #starting = false;
  #closed = false;

  constructor({ go, changed, toRanking }) {
    Object.assign(this, { go, changed, toRanking });
    this.placed = new Placed();
    this.node = el("section", { class: "sheet seat", "aria-labelledby": "seat-title" });
  }

  close() {
    this.#closed = true;
    this.#stop();
    this.placed.close();
  }

  /** Show how it stands now. */
  show(challenge, entry) {
    const before = this.challenge;
    Object.assign(this, { challenge, entry });
    const deed = nextDeed(challenge, entry);
    if (before && deed !== this.node.dataset.deed) say(this.#title(deed));
    // A button keeps its focus when all is drawn anew.
    const focused = this.node.contains(document.activeElement);
    this.node.dataset.deed = deed;
    this.placed.show(challenge, entry, TOLD.includes(deed));
    this.node.replaceChildren(
      el("div", { class: "says" }, el("h2", { id: "seat-title" }, this.#title(deed)), this.placed.node, el("p", {}, this.#lead(deed))),
      ...[this.#drawClock(), this.#drawOut(), el("p", { class: "buttons" }, this.#buttons(deed))].filter(Boolean),
    );
    if (focused) this.node.querySelector("button, a")?.focus();
    // Heard of before this page's own clock had come to it.
    if (before?.state === "scheduled" && deed === "deal" && challenge.clock === "shared") this.#start();
  }

  get #daily() {
    return !this.challenge.host;
  }

  // ---- what it says ----

  #title(deed) {
    const { challenge, entry } = this;
    if (deed === "join" && this.#daily) return t("race.today");
    if (deed === "next") return t("race.next.is", { n: entry.dealt + 1, m: challenge.attempts });
    if (deed === "done" || (deed === "over" && entry)) return t(`race.entry.${resultOf(entry)}`);
    return t(`race.title.${deed}`);
  }

  #lead(deed) {
    const { challenge, entry } = this;
    const shared = challenge.clock === "shared";
    if (deed === "enter" || deed === "wait") return t(`race.lead.${deed}.${challenge.clock}`);
    if (deed === "play") {
      const numbers = { n: runningAttempt(entry).attempt, m: challenge.attempts };
      return t(challenge.attempts > 1 ? "race.lead.attempt" : "race.lead.play", numbers);
    }
    if (deed === "over") return t("race.lead.over");
    if (["join", "deal", "next"].includes(deed)) {
      if (shared) return t("race.lead.running");
      const time = challenge.time_limit_ms && clock(challenge.time_limit_ms);
      return [
        deed === "next" && t("race.lead.again"),
        time ? t("race.lead.limit", { time }) : t("race.lead.whole"),
      ]
        .filter(Boolean)
        .join(" ");
    }
    return t(`race.lead.${deed}`);
  }

  #drawOut() {
    const out = this.entry?.disqualified;
    return out && el("p", { class: "wrong" }, t("race.out", { reason: out.reason }));
  }

  #drawClock() {
    this.#stop();
    this.#awaited = awaited(this.challenge, this.entry);
    if (!this.#awaited) return null;
    const { until, words } = this.#awaited;
    const left = el("b", { role: "timer" });
    const box = el("div", { class: "left" }, el("span", {}, t(words)), left);
    this.#stop = countdown(until, (ms) => {
      const text = clock(ms, { up: true });
      if (left.textContent !== text) left.textContent = text;
      box.classList.toggle("last", ms < LAST_MS && words !== "race.starts");
      if (!ms) this.#come();
    });
    return box;
  }

  // ---- what somebody does ----

  #buttons(deed) {
    const { challenge, entry } = this;
    const main = (words, does) => el("button", { class: "main large", on: { click: (event) => this.#try(event, does) } }, words);
    const plain = (words, does) => el("button", { on: { click: (event) => this.#try(event, does) } }, words);
    const way = wayOut(challenge, entry);
    const toRanking = () => el("button", { on: { click: this.toRanking } }, t("race.ranking.to"));
    const ways = {
      enter: () => [main(t("race.enter"), () => this.#enter())],
      join: () => [
        main(t(this.#daily ? "race.today.play" : "race.join"), () => this.#enter(1)),
        challenge.time_limit_ms && plain(t("race.enter.only"), () => this.#enter()),
      ],
      closed: () => [toRanking()],
      wait: () => [],
      deal: () => [main(t("race.deal"), () => this.#deal(1))],
      play: () => [link(`games/${runningAttempt(entry).game_id}`, { class: "button main large" }, t("race.play"))],
      next: () => {
        const numbers = { n: entry.dealt + 1, m: challenge.attempts };
        return [main(t("race.next", numbers), () => this.#deal(entry.dealt + 1))];
      },
      done: () => [toRanking()],
      over: () => [toRanking(), this.#cards()],
      cancelled: () => [],
    };
    const going = way && el("button", { class: "quiet", on: { click: (event) => this.#try(event, () => this.#go(way)) } }, t(`race.${way}`));
    return [...ways[deed](), going].filter(Boolean);
  }

  #cards() {
    return this.challenge.seed && link(dealPath(this.challenge), { class: "button" }, t("race.cards"));
  }

  async #try(event, does) {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      await does();
    } catch (problem) {
      note(sayProblem(problem));
      // It stands otherwise than this page knew, or may do so.
      if (problem.status === 409 || problem instanceof Offline) await this.changed();
    } finally {
      button.disabled = false;
      // Whoever came by keys goes on from here.
      if (document.activeElement === document.body) this.node.querySelector(".main, button, a")?.focus();
    }
  }

  /** Enter, and have an attempt dealt where one is named. */
  async #enter(attempt) {
    if (!(await needPlayer()) || this.#closed) return;
    await enter(this.challenge.id);
    if (attempt) await this.#deal(attempt);
    else await this.changed();
  }

  async #deal(attempt) {
    const { id } = await dealAttempt(this.challenge.id, attempt);
    if (!this.#closed) this.go(`games/${id}`);
  }

  async #go(way) {
    if (!(await confirmLeaving(way, Boolean(runningAttempt(this.entry))))) return;
    await leave(this.challenge.id);
    await this.changed();
  }

  // ---- what the clock does ----

  /** What was waited for has come. */
  #come() {
    if (this.#closed || this.#starting) return;
    const { until, words } = this.#awaited;
    const racing = words === "race.starts" && this.challenge.clock === "shared" && this.entry;
    // Whoever opens a page just then, or whose device slept, decides for themselves.
    if (racing && serverNow() - Date.parse(until) < LAST_MS) this.#start();
    else setTimeout(() => this.#closed || this.changed(), SPREAD_MS);
  }

  /** A race has begun: have the cards dealt, and go to the board. */
  async #start() {
    if (this.#starting) return;
    this.#starting = true;
    for (let tries = 1; !this.#closed; tries += 1) {
      const wait = tries > 1 ? AGAIN_MS : SOON_MS + Math.random() * SPREAD_MS;
      await new Promise((done) => setTimeout(done, wait));
      try {
        await this.#deal(1);
        return;
      } catch (problem) {
        const passes = problem instanceof Offline || (problem.code === "not_running" && tries < PATIENCE);
        if (passes) continue;
        note(sayProblem(problem));
        break;
      }
    }
    this.#starting = false;
    if (!this.#closed) await this.changed();
  }
}
