// The ranking of a challenge: provisional while it runs, in its games to be replayed once it is over.

import { ROOT } from "../api.js";
import { calm, el, icon } from "../dom.js";
import { clock, playerName } from "../format.js";
import { link } from "../header.js";
import { t } from "../i18n.js";
import { isMe } from "../me.js";
import { Pager } from "../pager.js";
import { Resting } from "./rest.js";

// A ranking that changes all the time is read no oftener than that.
const REST_MS = 2_500;

/** A section with the ranking of a challenge; `judge(row)`, if given, draws what its host may do with a row. */
export class Ranking {
  constructor({ id }, judge) {
    const path = `v1/challenges/${encodeURIComponent(id)}/leaderboard`;
    this.judge = judge;
    this.pages = new Pager({ path, draw: (body) => this.#draw(body) });
    this.rest = new Resting(REST_MS, () => this.pages.refresh());
    this.title = el("h2", { id: "ranking", tabindex: -1 }, t("race.ranking"));
    this.mark = el("span", { class: "tag" }, t("race.provisional"));
    this.lead = el("p", { class: "faint" });
    const file = { class: "button csv", href: new URL(`${path}.csv`, ROOT).pathname, download: true };
    this.csv = el("a", file, t("race.csv"));
    this.node = el(
      "section",
      { class: "sheet ranking", "aria-labelledby": "ranking" },
      el("div", { class: "titled" }, this.title, this.mark),
      this.lead,
      this.pages.node,
      this.csv,
    );
  }

  /** Lead whoever asks for it here. */
  goTo() {
    this.title.focus({ preventScroll: true });
    this.node.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  }

  close() {
    this.rest.close();
  }

  /** Read it for a challenge as it stands now. */
  show({ state }, entry) {
    this.node.hidden = state === "scheduled" || state === "cancelled";
    this.pages.mayBeAround(Boolean(entry));
    if (!this.node.hidden) this.refresh();
  }

  /** Read the page that is shown again, soon. */
  refresh() {
    if (!this.node.hidden) this.rest.want();
  }

  #draw(body) {
    const { items, provisional, order, entered, ranked, par } = body;
    this.mark.hidden = !provisional;
    this.csv.hidden = !ranked;
    const told = [t(`race.order.${order}`), ranked > 0 && t("race.ranked", { n: ranked, m: entered }), par && t("race.par", { n: par.length })];
    this.lead.textContent = told.filter(Boolean).join(" · ");
    if (!items.length) return el("p", {}, t(provisional ? "race.ranking.none" : "race.ranking.empty"));
    const open = !provisional;
    // What a narrow screen has no room for.
    const minor = ["redeals", "par", order === "time" ? "actions" : "time"];
    const heads = ["rank", "player", "up", "actions", "redeals", "time", open && "par", open && "game"].filter(Boolean);
    return el(
      "table",
      { class: "rows" },
      el("thead", {}, el("tr", {}, heads.map((name) => drawHead(name, minor)), this.judge && el("td"))),
      el("tbody", {}, items.map((row) => this.#drawRow(row, open, minor))),
    );
  }

  #drawRow(row, open, minor) {
    const drawn = drawRow(row, open, minor);
    if (this.judge) drawn.append(el("td", { class: "figure" }, this.judge(row)));
    return drawn;
  }
}

function drawRow(row, open, minor) {
  const { rank, player: who, won, status, cards_up, actions, redeals, elapsed_ms, game_id, to_par } = row;
  const name = playerName(who);
  const figure = (name, value) => el("td", { class: classOf(name, minor) }, value);
  return el(
    "tr",
    { class: isMe(who) ? "mine" : "" },
    figure("rank", rank),
    el(
      "th",
      { scope: "row" },
      who.name ? link(`players/${who.name}`, {}, name) : name,
      el(
        "span",
        { class: `how ${won ? "won" : ""}` },
        t(`race.how.${status}`),
        open && to_par !== null && el("span", { class: "narrow" }, ` · ${t("column.par")} ${signed(to_par)}`),
      ),
    ),
    figure("up", cards_up),
    figure("actions", actions),
    figure("redeals", redeals),
    figure("time", clock(elapsed_ms)),
    open && figure("par", to_par === null ? "–" : signed(to_par)),
    open && figure("game", game_id && drawReplay(game_id, name)),
  );
}

const classOf = (name, minor) => (minor.includes(name) ? "figure minor" : "figure");

const drawHead = (name, minor) =>
  el("th", { scope: "col", class: name === "player" ? "" : classOf(name, minor) }, t(`column.${name}`));

const drawReplay = (id, name) =>
  link(
    `games/${id}/replay`,
    { class: "button replay", "aria-label": t("race.replay.of", { name }), title: t("race.replay.of", { name }) },
    icon("play"),
  );

/** Write how many actions more than par, or fewer. */
const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));
