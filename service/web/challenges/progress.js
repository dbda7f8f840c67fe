// How far everybody in a challenge is: a lane for each, by standing, that moves as they play.

import { calm, el } from "../dom.js";
import { playerName } from "../format.js";
import { link } from "../header.js";
import { count, t } from "../i18n.js";

const CARDS = 52;
const FIRST_SHOWN = 12;
const SLIDE = { duration: 350, easing: "ease-in-out" };

/** A section with the lanes of a snapshot. */
export class Progress {
  #lanes = new Map();
  #all = false;

  constructor() {
    this.title = el("h2", { id: "progress-title" });
    this.list = el("ol", { class: "lanes" });
    this.foot = el("p", { class: "faint" });
    this.more = el("button", { on: { click: () => this.#showAll() } });
    this.node = el("section", { class: "sheet", "aria-labelledby": "progress-title", hidden: true }, this.title, this.list, this.foot, this.more);
  }

  /** Show a snapshot; `mine` is the id of one's own entry. */
  show(snapshot, mine) {
    this.snapshot = snapshot;
    this.mine = mine;
    const { entries, entered, state } = snapshot;
    // Afterwards the ranking tells it all.
    this.node.hidden = ["finished", "cancelled"].includes(state) || (state === "running" && !entered);
    if (this.node.hidden) return;
    this.title.textContent = t(state === "scheduled" ? "race.who" : "race.live");
    const shown = entries.filter(({ id }, at) => this.#all || at < FIRST_SHOWN || id === mine);
    this.#arrange(shown);
    this.more.hidden = shown.length === entries.length;
    this.more.textContent = count("race.all", entries.length);
    this.foot.textContent = this.#note(entered, entries.length);
    this.foot.hidden = !this.foot.textContent;
  }

  #note(entered, told) {
    if (!entered) return t("race.nobody");
    return entered > told ? t("race.first", { n: told, m: entered }) : "";
  }

  #showAll() {
    this.#all = true;
    this.show(this.snapshot, this.mine);
  }

  /** Put the lanes into their order; who is overtaken slides. */
  #arrange(entries) {
    const before = new Map([...this.#lanes].map(([id, { node }]) => [id, node.offsetTop]));
    for (const entry of entries) {
      if (!this.#lanes.has(entry.id)) this.#lanes.set(entry.id, new Lane(entry, entry.id === this.mine));
      this.#lanes.get(entry.id).show(entry);
    }
    const kept = new Set(entries.map(({ id }) => id));
    for (const id of this.#lanes.keys()) if (!kept.has(id)) this.#lanes.delete(id);
    const nodes = entries.map(({ id }) => this.#lanes.get(id).node);
    const moved = nodes.length !== this.list.children.length || nodes.some((node, at) => this.list.children[at] !== node);
    if (!moved) return;
    const focused = this.list.contains(document.activeElement) && document.activeElement;
    this.list.replaceChildren(...nodes);
    if (focused) focused.focus({ preventScroll: true });
    if (calm()) return;
    for (const [id, { node }] of this.#lanes) {
      const way = (before.get(id) ?? node.offsetTop) - node.offsetTop;
      if (way) node.animate([{ translate: `0 ${way}px` }, { translate: "0 0" }], SLIDE);
    }
  }
}

class Lane {
  constructor({ player }, mine) {
    const name = playerName(player);
    this.tag = el("span", { class: "tag" });
    this.text = el("span", { class: "faint" });
    this.bar = el("span", { class: "bar", "aria-hidden": "true" }, el("i"));
    this.node = el(
      "li",
      { class: mine ? "mine" : "" },
      el("span", { class: "who" }, player.name ? link(`players/${player.name}`, {}, name) : name, this.tag),
      this.text,
      this.bar,
    );
  }

  show({ state, disqualified, attempt, cards_up, actions }) {
    const won = cards_up === CARDS;
    this.tag.textContent = t(disqualified ? "race.disqualified" : won ? "race.how.won" : `race.is.${state}`);
    this.tag.classList.toggle("live", state === "playing" && !won && !disqualified);
    this.node.classList.toggle("undealt", !attempt);
    this.bar.firstChild.style.width = `${((cards_up ?? 0) / CARDS) * 100}%`;
    this.node.classList.toggle("won", won);
    const told = attempt && [attempt > 1 && t("race.attempt", { n: attempt }), t("up", { n: cards_up }), count("end.actions", actions)];
    this.text.textContent = told ? told.filter(Boolean).join(" · ") : "";
  }
}
