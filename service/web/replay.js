// A game that is over, shown again move by move. All states are worked out here, from the deal and the history.

import { ask, askAll, dealPath } from "./api.js";
import { say } from "./dialogs.js";
import { el, icon } from "./dom.js";
import { clock, playerName, shortSeed } from "./format.js";
import { link } from "./header.js";
import { count, t } from "./i18n.js";
import { asMe, tokenFor } from "./me.js";
import { drawMissing, drawNoGame } from "./missing.js";
import { Board } from "./play/board.js";
import { drawUp, tellCounts } from "./play/status.js";
import { Player } from "./replay/player.js";
import { statesOf, tellMove } from "./replay/steps.js";
import { shareLink } from "./share.js";
import { variantOf } from "./variants.js";

const REST_MS = 250;

/** Fill the page that replays a game; `?ply=` says where it begins. Give what is to be done when it is left. */
export async function showReplay(main, go, id) {
  let found;
  try {
    found = await load(id);
  } catch (problem) {
    main.append(drawNoGame(problem));
    return null;
  }
  const { game } = found;
  if (!found.states) {
    const why = game.status === "in_progress" ? "replay.running" : "replay.secret";
    const ways = [link(`games/${game.id}`, { class: "button" }, t("replay.game")), link("", { class: "button main" }, t("game.new"))];
    main.append(drawMissing(t("replay.none"), t(why), ...ways));
    return null;
  }
  const page = new Replay(main, found);
  return () => page.close();
}

/** Read all that a replay needs; without `states` where it is too soon for one. */
async function load(id) {
  const token = tokenFor(id);
  const path = `v1/games/${encodeURIComponent(id)}`;
  const game = await ask(path, { token });
  if (game.status === "in_progress" || !game.seed) return { game };
  const { variant, challenge_id } = game;
  const [about, opening, pages, challenge] = await Promise.all([
    variantOf(variant),
    ask(`v1/${dealPath(game)}`),
    askAll(`${path}/moves`, { token }),
    challenge_id && ask(`v1/challenges/${encodeURIComponent(challenge_id)}`, asMe()),
  ]);
  const steps = pages.flatMap(({ items }) => items);
  const whole = { wastes: [[], [], [], []], ...opening };
  const states = statesOf(game, whole, steps.map(({ move }) => move));
  return { game, about, challenge, steps, states };
}

class Replay {
  #rest;

  constructor(main, { game, about, challenge, steps, states }) {
    Object.assign(this, { game, about, challenge, steps, states });
    document.title = `${about.title}: ${t("replay.title")}`;
    main.classList.add("table", "replaying");
    this.board = new Board(about.title);
    this.score = el("div", { class: "score" });
    this.player = new Player(steps.length, (ply) => this.#show(ply));
    this.player.node.append(this.#shareButton());
    main.append(el("section", { class: "status" }, this.#head(), this.score), this.board.node, this.player.node);
    this.player.go(Math.trunc(Number(new URLSearchParams(location.search).get("ply"))) || 0);
  }

  close() {
    clearTimeout(this.#rest);
    this.player.close();
    this.board.close();
  }

  #head() {
    const { game, about, challenge } = this;
    return el(
      "div",
      { class: "what" },
      el("h1", {}, about.title),
      challenge && link(`challenges/${challenge.id}`, { class: "seed" }, challenge.title),
      game.player && link(`players/${game.player}`, { class: "seed" }, playerName({ name: game.player })),
      // A challenge says whose deal it is, and on a phone there is no room for more.
      !challenge && el("span", { class: "seed", title: game.seed }, t("seed.is", { seed: shortSeed(game.seed) })),
    );
  }

  #show(ply) {
    const before = this.board.state?.ply;
    const state = this.states[ply];
    const text = t("replay.at", { n: ply, all: this.steps.length, what: this.#tell(ply) });
    // The words first: what they take, the board cannot have.
    this.player.tell(text);
    this.#drawScore(state, this.steps[ply - 1]?.at_ms ?? 0);
    this.board.end(state.status);
    // A step is a flight; who drags the slider gets there at once.
    this.board.show(state, { still: Math.abs(ply - (before ?? ply)) !== 1 });
    clearTimeout(this.#rest);
    // While it plays or is dragged neither the address nor the ear keeps up.
    this.#rest = setTimeout(() => this.#settle(ply, text), REST_MS);
  }

  #settle(ply, text) {
    history.replaceState(history.state, "", this.#url(ply));
    // The slider tells by itself where it is.
    if (!this.player.playing && document.activeElement !== this.player.slider) say(text);
  }

  #tell(ply) {
    const what = ply ? tellMove(this.states[ply - 1], this.steps[ply - 1].move) : t("replay.opening");
    const { status } = this.states[ply];
    return status === "in_progress" || status === "resigned" ? what : `${what}. ${t(`end.${status}`)}`;
  }

  #drawScore({ score, redeal }, ms) {
    this.score.replaceChildren(
      ...drawUp(score),
      el("span", { class: "counts" }, tellCounts(score, redeal && count("redeals", score.redeals))),
      el("span", {}, clock(ms)),
    );
  }

  #shareButton() {
    const label = t("share");
    const share = () => shareLink(document.title, this.#url(this.player.ply).href);
    return el("button", { type: "button", data: { do: "share" }, title: label, "aria-label": label, on: { click: share } }, icon("share"));
  }

  #url(ply) {
    const url = new URL(location.href);
    url.search = ply ? `?ply=${ply}` : "";
    return url;
  }
}
