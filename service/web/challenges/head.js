// The head of a challenge's page: what it is called, where it stands, whose it is.

import { el, icon } from "../dom.js";
import { day } from "../format.js";
import { link } from "../header.js";
import { count, t } from "../i18n.js";
import { shareChallenge } from "../share.js";

/** Name a challenge; a daily, whose id says so, by its variant and day in the language of whoever looks. */
export function titleOf({ id, title, starts_at }, about) {
  return !id.startsWith("daily-") ? title : t("daily.title", { title: about.title, day: day(starts_at) });
}

/** A head that follows its challenge. */
export class Head {
  /** `about` is the variant of the challenge. */
  constructor(about) {
    this.variant = about;
    this.tags = el("p", { class: "tags" });
    this.title = el("h1");
    this.about = el("p", { class: "about" });
    // It leads to this challenge, also from the page of the daily, which is another tomorrow.
    const share = el("button", { class: "share", on: { click: () => shareChallenge(this.id) } }, icon("share"), el("span", {}, t("share")));
    this.node = el("div", { class: "head" }, this.tags, this.title, share, this.about);
  }

  /** Show how it stands now. */
  show(challenge) {
    this.id = challenge.id;
    const { state, clock, host, visibility, entered } = challenge;
    this.title.textContent = document.title = titleOf(challenge, this.variant);
    this.tags.replaceChildren(
      el("span", { class: state === "running" ? "tag live" : "tag" }, t(`race.state.${state}`)),
      el("span", { class: "tag" }, host ? t(`race.kind.${clock}`) : t("nav.daily")),
      ...(visibility === "unlisted" ? [el("span", { class: "tag" }, t("race.unlisted"))] : []),
    );
    this.about.replaceChildren(
      ...(host ? [t("race.by"), " ", host.name ? link(`players/${host.name}`, {}, host.name) : t("player.gone"), " · "] : []),
      entered ? count("list.entered", entered) : t("list.nobody"),
    );
  }
}
