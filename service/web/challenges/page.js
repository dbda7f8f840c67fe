// The page of a challenge: what it is, one's own part in it, and how everybody does, as it happens.

import { Problem } from "../api.js";
import { note } from "../dialogs.js";
import { el } from "../dom.js";
import { link } from "../header.js";
import { sayProblem, t } from "../i18n.js";
import { isMe } from "../me.js";
import { drawMissing } from "../missing.js";
import { drawProof } from "../proof/view.js";
import { variantOf } from "../variants.js";
import { drawJudge } from "./entries.js";
import { readWithEntry } from "./entry.js";
import { Feed } from "./feed.js";
import { Head } from "./head.js";
import { HostTools } from "./host.js";
import { Progress } from "./progress.js";
import { Ranking } from "./ranking.js";
import { drawResults } from "./results.js";
import { Seat } from "./seat.js";
import { drawTerms } from "./terms.js";
import { Watch } from "./watch.js";

// How many events from before are told to who comes.
const TOLD = 15;
// What of the events changes the challenge for everybody.
const CHANGING = ["changed", "cancelled"];
// What stands below the ranking; each may draw nothing.
const SECTIONS = [(challenge, changed) => challenge.state === "finished" && drawResults(challenge, changed), drawProof];

/** Fill the page of a challenge; give what is to be done when it is left. */
export async function showChallenge(main, go, id) {
  const path = `challenges/${encodeURIComponent(id)}`;
  try {
    const [found, about] = await readAll(path);
    const view = new ChallengeView(found, about, { path, go });
    main.append(view.head.node, view.node);
    return () => view.close();
  } catch (problem) {
    main.append(drawNoChallenge(problem));
    return null;
  }
}

/** Read a challenge, one's own entry, and the variant that it is about. */
export async function readAll(path) {
  const found = await readWithEntry(path);
  return [found, await variantOf(found.challenge.variant)];
}

/** Say that there is no such challenge, or why it cannot be read. */
export function drawNoChallenge(problem) {
  const gone = problem instanceof Problem && problem.status === 404;
  const way = link("challenges", { class: "button main" }, t("nav.challenges"));
  return gone ? drawMissing(t("race.none"), t("race.none.why"), way) : drawMissing(t("race.unread"), sayProblem(problem), way);
}

/** A challenge as it goes on: its `head`, and `node` with all below it; `path` leads to it. */
export class ChallengeView {
  #closed = false;
  #told;

  constructor({ challenge, entry }, about, { path, go }) {
    Object.assign(this, { path, about, challenge, entry });
    this.head = new Head(about);
    this.offline = el("p", { class: "paused", role: "status", hidden: true });
    this.seat = new Seat({ go, changed: () => this.#changed(), toRanking: () => this.ranking.goTo() });
    this.progress = new Progress();
    this.ranking = new Ranking(challenge, isMe(challenge.host) && ((row) => this.#drawJudge(row)));
    this.feed = new Feed();
    this.host = new HostTools(() => this.#changed());
    this.terms = el("div", {});
    this.sections = el("div", { class: "told" });
    const live = el("div", { class: "live" }, this.progress.node, this.ranking.node, this.sections);
    const aside = el("div", { class: "aside" }, this.host.node, this.terms, this.feed.node);
    this.node = el("div", { class: "race" }, this.offline, this.seat.node, live, aside);
    this.#draw();
    this.watch = new Watch(challenge.id, Math.max(0, challenge.revision - TOLD));
    this.watch.addEventListener("news", ({ detail }) => this.#hear(detail));
    this.watch.addEventListener("sync", () => this.#sync());
    this.watch.addEventListener("refused", ({ detail }) => this.#complain(detail));
    this.watch.start();
  }

  close() {
    this.#closed = true;
    this.watch.close();
    this.seat.close();
    this.ranking.close();
  }

  // ---- what happens ----

  #hear({ snapshot, events }) {
    const { challenge } = this;
    this.progress.show(snapshot, this.entry?.id);
    this.feed.add(events);
    this.ranking.refresh();
    this.seat.placed.refresh();
    const fresh = events.filter(({ number }) => number > challenge.revision);
    // What a host may do hangs on what others have done.
    const matters = (event) => CHANGING.includes(event.kind) || isMe(event.player) || isMe(challenge.host);
    const other = snapshot.state !== challenge.state || fresh.some(matters);
    if (other) this.#read();
    else if (snapshot.entered !== challenge.entered) this.#count(snapshot);
  }

  #count({ entered }) {
    this.challenge = { ...this.challenge, entered };
    this.head.show(this.challenge);
  }

  /** Somebody here has done something, or the clock has: see at once how it stands. */
  async #changed() {
    await this.#read();
    await this.watch.now();
  }

  async #read() {
    try {
      const { challenge, entry } = await readWithEntry(this.path);
      if (this.#closed) return;
      Object.assign(this, { challenge, entry });
      this.#draw();
    } catch (problem) {
      this.#complain(problem);
    }
  }

  /** Say what is wrong; a daily that nobody has played is none any more once its day is over, which is no fault. */
  #complain(problem) {
    const over = problem.status === 404 && !this.challenge.host;
    if (!this.#closed && !over) note(sayProblem(problem));
  }

  #sync() {
    this.offline.hidden = !this.watch.offline;
    this.offline.textContent = this.watch.offline ? t("race.offline") : "";
    // What the clock has done meanwhile may be a news of its own.
    if (!this.watch.offline) this.#read();
  }

  // ---- what is shown ----

  #draw() {
    const { challenge, entry } = this;
    this.head.show(challenge);
    this.seat.show(challenge, entry);
    this.ranking.show(challenge, entry);
    this.host.show(challenge);
    this.#drawSections(challenge);
  }

  #drawJudge(row) {
    return drawJudge(this.challenge, row, () => this.#changed());
  }

  /** Draw what stays as it is until the terms are others or all is told; whoever reads it is not disturbed. */
  #drawSections(challenge) {
    const now = `${challenge.state} ${challenge.commitment}`;
    if (now === this.#told) return;
    this.#told = now;
    this.terms.replaceChildren(drawTerms(challenge, this.about));
    // A par that was found stands above the ranking, and beside each win in it.
    const changed = () => this.ranking.refresh();
    this.sections.replaceChildren(...SECTIONS.map((draw) => draw(challenge, changed)).filter(Boolean));
  }
}
