// A ranking page by page: its beginning, what comes next, and the page around oneself.

import { ask } from "./api.js";
import { el } from "./dom.js";
import { sayProblem, t } from "./i18n.js";
import { asMe } from "./me.js";

const LIMIT = 20;

/** Whatever the service gives as `items` with `next` and `prev`, drawn anew without losing the place. */
export class Pager {
  #place = {};
  #asked = 0;
  #told;

  /** `draw(body)` gives what shows a page; `around` is whether there is a page around oneself. */
  constructor({ path, query = {}, draw, around = false }) {
    Object.assign(this, { path, query, draw });
    this.body = el("div", { class: "listed" });
    this.wrong = el("p", { class: "wrong", role: "alert" });
    this.first = this.#button("pages.first", () => ({}));
    this.around = this.#button("pages.around", () => ({ around: "me" }));
    this.prev = this.#button("pages.prev", () => ({ cursor: this.shown.prev }));
    this.next = this.#button("pages.next", () => ({ cursor: this.shown.next }));
    this.ways = el("nav", { class: "buttons", "aria-label": t("pages") }, this.first, this.around, this.prev, this.next);
    this.node = el("div", { class: "pages" }, this.body, this.wrong, this.ways);
    this.mayBeAround(around);
  }

  /** Say whether oneself is in the list. */
  mayBeAround(may) {
    this.around.hidden = !may;
    if (this.shown) this.#show(this.shown);
  }

  /** Show the list from its beginning, by another query if one is given. */
  begin(query = this.query) {
    this.query = query;
    this.#place = {};
    return this.refresh();
  }

  /** Ask again for the page that is shown. */
  async refresh() {
    const asked = (this.#asked += 1);
    const query = new URLSearchParams({ ...this.query, limit: LIMIT, ...this.#place });
    try {
      const body = await ask(`${this.path}?${query}`, asMe());
      // What was asked for meanwhile is what counts.
      if (asked !== this.#asked) return;
      this.wrong.textContent = "";
      this.#show(body);
    } catch (problem) {
      if (asked === this.#asked) this.wrong.textContent = sayProblem(problem);
    }
  }

  #button(words, place) {
    return el("button", { on: { click: () => this.#turn(place()) } }, t(words));
  }

  #turn(place) {
    this.#place = place;
    return this.refresh();
  }

  /** Draw a page unless it is the one that is there; a link in it keeps its focus. */
  #draw(body) {
    const told = JSON.stringify({ ...body, now: null });
    this.shown = body;
    if (told === this.#told) return;
    this.#told = told;
    const focused = this.body.contains(document.activeElement) && document.activeElement.getAttribute("href");
    this.body.replaceChildren(...[this.draw(body)].flat());
    if (focused) this.body.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #show(body) {
    this.#draw(body);
    const { around, cursor } = this.#place;
    this.first.hidden = !around && !cursor;
    this.prev.hidden = !body.prev;
    this.next.hidden = !body.next;
    this.around.setAttribute("aria-pressed", String(Boolean(around)));
    this.ways.hidden = !(body.prev || body.next || around || cursor);
  }
}
