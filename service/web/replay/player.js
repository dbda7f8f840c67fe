// The slider and the buttons below a board that is replayed: they go from one entry to another, and play.

import { el, icon } from "../dom.js";
import { t } from "../i18n.js";

const STEP_MS = 800;
const SPEEDS = [1, 2, 4];

/**
 * Walks through `count` entries; `show(ply)` is called with where it is, from 0 to `count`.
 * `node` is what to put below the board. It listens to keys until `close()`.
 */
export class Player {
  #timer = null;
  #speed = SPEEDS[0];

  constructor(count, show) {
    Object.assign(this, { count, show, ply: 0 });
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: count,
      value: 0,
      "aria-label": t("replay.slider"),
      on: { input: () => this.#jump(Number(this.slider.value)) },
    });
    this.text = el("p", { class: "step" });
    const toggle = { type: "button", class: "main", data: { do: "play" }, "aria-keyshortcuts": "Space" };
    this.toggle = el("button", { ...toggle, on: { click: () => this.#toggle() } });
    this.fast = el("button", { type: "button", data: { do: "speed" }, on: { click: () => this.#hurry() } });
    this.node = el(
      "div",
      { class: "toolbar player", role: "group", "aria-label": t("replay.title") },
      this.text,
      this.slider,
      this.#button("first", "Home", () => this.#jump(0)),
      this.#button("back", "ArrowLeft", () => this.#jump(this.ply - 1)),
      this.toggle,
      this.#button("forward", "ArrowRight", () => this.#jump(this.ply + 1)),
      this.#button("last", "End", () => this.#jump(this.count)),
      this.fast,
    );
    this.#drawToggle();
    this.#drawSpeed();
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  /** Whether it goes on by itself. */
  get playing() {
    return this.#timer !== null;
  }

  /** Say where it is, for those who look and those who listen. */
  tell(text) {
    this.text.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  /** Go to an entry. */
  go(ply) {
    this.ply = Math.min(Math.max(ply, 0), this.count);
    this.slider.value = this.ply;
    this.slider.style.setProperty("--gone", `${(100 * this.ply) / (this.count || 1)}%`);
    for (const [name, end] of [["first", 0], ["back", 0], ["forward", this.count], ["last", this.count]]) {
      this.node.querySelector(`[data-do="${name}"]`).setAttribute("aria-disabled", this.ply === end);
    }
    this.show(this.ply);
  }

  /** Stop playing and listening. */
  close() {
    this.#pause();
    document.removeEventListener("keydown", this.keys);
  }

  #button(name, key, does) {
    const label = t(`replay.${name}`);
    const props = { type: "button", data: { do: name }, title: label, "aria-label": label, "aria-keyshortcuts": key };
    return el("button", { ...props, on: { click: does } }, icon(name));
  }

  #jump(ply) {
    this.#pause();
    this.go(ply);
  }

  #toggle() {
    if (this.playing) {
      this.#pause();
      return;
    }
    if (this.ply === this.count) this.go(0);
    this.#start();
    this.#drawToggle();
  }

  #start() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#next(), STEP_MS / this.#speed);
  }

  #next() {
    const last = this.ply + 1 >= this.count;
    if (last) this.#pause();
    this.go(this.ply + 1);
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#drawToggle();
  }

  #hurry() {
    this.#speed = SPEEDS[(SPEEDS.indexOf(this.#speed) + 1) % SPEEDS.length];
    if (this.playing) this.#start();
    this.#drawSpeed();
  }

  #drawToggle() {
    const name = this.playing ? "pause" : "play";
    const label = t(`replay.${name}`);
    this.toggle.replaceChildren(icon(name), el("span", {}, label));
  }

  #drawSpeed() {
    this.fast.replaceChildren(`${this.#speed}×`);
    this.fast.setAttribute("aria-label", t("replay.speed", { n: this.#speed }));
  }

  #key(event) {
    const { target, key, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey || target.closest?.("dialog, input:not([type=range]), select, textarea")) return;
    const space = key === " " && !target.closest?.("a, button:not(.zone)");
    // The slider has its own arrows.
    const places = target === this.slider ? {} : { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.count };
    if (!space && !Object.hasOwn(places, key)) return;
    event.preventDefault();
    if (space) this.#toggle();
    else this.#jump(places[key]);
  }
}
