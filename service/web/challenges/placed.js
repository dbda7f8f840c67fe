// Where one stands in a challenge and who is first there, by the leaderboard, which knows who shares a place.

import { ask } from "../api.js";
import { el } from "../dom.js";
import { playerName } from "../format.js";
import { count, t } from "../i18n.js";
import { asMe } from "../me.js";
import { Resting } from "./rest.js";

const REST_MS = 5_000;

/** Read one's own row of the leaderboard of a challenge, and how many are in it: `{row, ranked}`; no row for who is not. */
export async function readPlace(id, name) {
  const { items, ranked } = await ask(`${pathOf(id)}?around=me&limit=1`, asMe());
  return { row: items.find(({ player }) => player.name === name), ranked };
}

const pathOf = (id) => `v1/challenges/${encodeURIComponent(id)}/leaderboard`;

/** A paragraph that says what came of a challenge: one's own place with its result, and who is first. */
export class Placed {
  #known;

  constructor() {
    this.node = el("p", { class: "placed", hidden: true });
    this.rest = new Resting(REST_MS, () => this.#read());
  }

  close() {
    this.rest.close();
  }

  /** Follow a challenge for who has an entry there, or null, as long as there is something to tell: `told`. */
  show(challenge, entry, told) {
    const { state } = challenge;
    const other = `${state} ${entry?.state} ${entry?.dealt}`;
    Object.assign(this, { challenge, entry, told });
    if (!told) this.node.hidden = true;
    else if (other !== this.#known || this.node.hidden) this.refresh();
    this.#known = other;
  }

  /** Read it again, soon. */
  refresh() {
    if (this.told) this.rest.want();
  }

  async #read() {
    const { challenge, entry } = this;
    const name = entry?.player.name;
    try {
      const [top, mine] = await Promise.all([
        ask(`${pathOf(challenge.id)}?limit=2`, asMe()),
        name && readPlace(challenge.id, name),
      ]);
      if (this.challenge.id !== challenge.id || !this.told) return;
      const text = sayPlace(top, mine?.row);
      if (this.node.textContent !== text) this.node.textContent = text;
      this.node.hidden = !text;
    } catch {
      // The ranking below says why.
    }
  }
}

function sayPlace({ items: [first, second], provisional, ranked }, mine) {
  if (!first) return "";
  const shared = second?.rank === first.rank;
  const top = mine?.rank === first.rank;
  const numbers = { n: mine?.rank, m: ranked };
  return [
    mine && t(provisional ? "race.placed.now" : "race.placed", { ...numbers, how: sayResult(mine) }),
    top && shared && t("race.placed.shared"),
    !top && t(shared ? "race.first.shared" : "race.first.is", { name: playerName(first.player), how: sayResult(first) }),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Say how the best attempt of a row has ended, or how far it is. */
function sayResult({ status, won, cards_up, actions }) {
  return [t(`race.how.${status}`), !won && t("up", { n: cards_up }), count("end.actions", actions)].filter(Boolean).join(", ");
}
