// What has happened in a challenge, in words, the newest first.

import { say } from "../dialogs.js";
import { el } from "../dom.js";
import { moment, playerName } from "../format.js";
import { t } from "../i18n.js";

const MOST_SHOWN = 15;
// The fields of a change that have words of their own; the others are terms.
const NAMED = ["title", "visibility"];

/** A section that grows with the events. */
export class Feed {
  #known = 0;

  constructor() {
    this.list = el("ol", { class: "feed" });
    this.node = el(
      "section",
      { class: "sheet happened", "aria-labelledby": "feed-title", hidden: true },
      el("h2", { id: "feed-title" }, t("race.feed")),
      this.list,
    );
  }

  /** Add events that are newer than those shown; what is worth it is also told to who listens. */
  add(events) {
    const first = !this.#known;
    for (const event of events) {
      if (event.number <= this.#known) continue;
      this.#known = event.number;
      const text = tell(event);
      this.list.prepend(el("li", {}, el("time", { datetime: event.at }, moment(event.at)), el("span", {}, text)));
      if (!first && event.facts.status === "won") say(text);
    }
    while (this.list.children.length > MOST_SHOWN) this.list.lastChild.remove();
    this.node.hidden = !this.list.children.length;
  }
}

function tell({ kind, player, facts }) {
  const name = playerName(player);
  const { attempt, status, reason, fields } = facts;
  if (kind === "attempt_ended") return t(`race.told.${status}`, { name });
  if (kind === "attempt_dealt") return t(attempt > 1 ? "race.told.again" : "race.told.dealt", { name, n: attempt });
  if (kind === "changed") return t(fields.every((field) => NAMED.includes(field)) ? "race.told.renamed" : "race.told.changed");
  return t(`race.told.${kind}`, { name, reason });
}
