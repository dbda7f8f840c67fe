// What the host of a challenge can do with it.

import { ask } from "../api.js";
import { note, openDialog } from "../dialogs.js";
import { el, icon } from "../dom.js";
import { link } from "../header.js";
import { count, t } from "../i18n.js";
import { asMe, isMe } from "../me.js";
import { shareChallenge } from "../share.js";
import { openEdit } from "./edit.js";
import { listEntries } from "./entries.js";
import { goesOn } from "./states.js";

/** A section for its host, which nobody else sees; `changed` is called when something is another. */
export class HostTools {
  constructor(changed) {
    this.changed = changed;
    this.node = el("section", { "aria-labelledby": "hosting", hidden: true });
  }

  /** Show what can be done with a challenge as it stands now. */
  show(challenge) {
    const { visibility, entered, dealt } = challenge;
    this.challenge = challenge;
    this.node.hidden = !isMe(challenge.host);
    if (this.node.hidden) return;
    if (!this.fold) this.#draw();
    this.seen.textContent = t(`host.visibility.${visibility}`);
    this.cancel.hidden = !goesOn(challenge) || dealt > 0;
    this.entered.textContent = count("host.entries", entered);
    // Whoever is about to press something in the list is not to lose it.
    if (this.fold.open && !this.fold.contains(document.activeElement)) this.entries.refresh();
  }

  #draw() {
    this.node.className = "sheet hosting";
    const { id } = this.challenge;
    this.seen = el("p", { class: "faint" });
    this.cancel = el("button", { on: { click: () => this.#cancel() } }, t("host.cancel"));
    this.entered = el("summary");
    this.entries = listEntries(this.challenge, () => this.changed());
    const toggle = () => this.fold.open && this.entries.refresh();
    this.fold = el("details", { class: "more", on: { toggle } }, this.entered, this.entries.node);
    this.node.append(
      el("h2", { id: "hosting" }, t("host.title")),
      this.seen,
      el(
        "div",
        { class: "buttons" },
        el("button", { on: { click: () => shareChallenge(id) } }, icon("share"), t("host.share")),
        el("button", { on: { click: () => openEdit(this.challenge, this.changed) } }, t("host.edit")),
        link(`challenges/new?like=${id}`, { class: "button" }, t("host.again")),
        this.cancel,
      ),
      this.fold,
    );
  }

  async #cancel() {
    const done = await openDialog({
      title: t("host.cancel.title"),
      body: [el("p", {}, t("host.cancel.body")), el("p", { class: "faint" }, t("host.cancel.secret"))],
      buttons: [
        { value: "", text: t("host.cancel.not") },
        { value: "cancel", text: t("host.cancel.yes"), kind: "danger" },
      ],
      submit: async () => {
        await ask(`v1/challenges/${this.challenge.id}/cancel`, { method: "POST", ...asMe() });
      },
    });
    if (!done) return;
    note(t("host.cancel.done"));
    this.changed();
  }
}
