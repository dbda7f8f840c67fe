// The form of a challenge: what its host says, what the service is to be asked for, and that in words.

import { el } from "../dom.js";
import { answersOf, clearFaults, explain, showFaults } from "../fields.js";
import { t } from "../i18n.js";
import { openRules } from "../variants.js";
import { drawOptions, optionsChanged, optionsIn, presetOf } from "./options.js";
import { termsInWords } from "./wording.js";
import { drawAbout, drawClock, drawDeal, drawPlay, drawVariant, limitIn } from "./terms_fields.js";
import { drawEnd, drawStart, endIn, endsAsUsual, faultsIn, showInstant, startIn } from "./times.js";

const LOOK_MS = 1_000;
// Under fewer redeals no search proves deals winnable.
const LEAST_REDEALS = 3;
const COMPARED = "title visibility variant seed clock starts_at ends_at time_limit_ms attempts order".split(" ");

/**
 * The form of a challenge, filled in with `values`: fields of the API's challenge, as far as there are any.
 *
 * `length` among them is how many ms it is open. `node` is to be put into a form; to be closed.
 */
export class TermsForm {
  constructor(variants, values, { unfold = false } = {}) {
    this.variants = variants;
    this.titled = Boolean(values.title);
    this.words = el("ul", { class: "sentences" });
    const [title, visibility] = drawAbout(values);
    const variant = values.variant ?? variants[0].variant;
    const clock = values.clock ?? "own";
    this.options = el("fieldset", { class: "options" });
    this.node = el(
      "div",
      { class: "terms-form", on: { input: (event) => this.follow(event.target) } },
      title,
      drawVariant(variants, variant, () => openRules(this.about)),
      drawClock(clock),
      drawStart(clock, values.starts_at),
      el(
        "details",
        { class: "more", open: unfold },
        el("summary", {}, t("form.more")),
        el(
          "div",
          { class: "folded" },
          drawEnd(clock, values.length, values.ends_at),
          drawPlay(values),
          visibility,
          drawDeal(values),
          this.options,
        ),
      ),
    );
    // What is wrong is to be seen where it stands.
    this.node.addEventListener("invalid", ({ target }) => target.closest("details")?.setAttribute("open", ""), true);
    this.showOptions(values.options);
    this.winnable = !this.mayBeWinnable(values) || (values.require_winnable ?? true);
    this.settle();
    this.timer = setInterval(() => this.sum(), LOOK_MS);
  }

  /** Stop looking at the clock. */
  close() {
    clearInterval(this.timer);
  }

  /** The variant that is chosen. */
  get about() {
    const { variant } = answersOf(this.node);
    return this.variants.find((each) => each.variant === variant);
  }

  /** Find the field at a JSON pointer. */
  at(pointer) {
    return this.node.querySelector(`[data-at="${pointer}"]`);
  }

  // ---- one answer decides what others may be ----

  follow({ name, value, checked }) {
    clearFaults(this.node);
    if (name === "title") this.titled = value !== "";
    if (name === "variant") this.showOptions();
    if (name === "clock") this.showTimes(value);
    if (name === "require_winnable") this.winnable = checked;
    this.settle();
  }

  showOptions(options) {
    const fields = drawOptions(this.about, { ...presetOf(this.about), ...options });
    this.options.replaceChildren(el("legend", {}, t("rules.of", this.about)), ...fields);
  }

  /** Choose the usual times of a clock, but for an instant that was said. */
  showTimes(clock) {
    const { starts, ends } = answersOf(this.node);
    if (starts !== "at") this.at("/starts_at").replaceWith(drawStart(clock));
    if (ends !== "at") this.at("/ends_at").replaceWith(drawEnd(clock));
  }

  settle() {
    const { clock, title } = answersOf(this.node);
    const { about } = this;
    showInstant(this.at("/starts_at"));
    showInstant(this.at("/ends_at"));
    explain(this.at("/variant"), about.summary);
    if (!this.titled) this.node.querySelector("[name=title]").value = t(`form.title.${clock}`, about);
    this.settleAttempts(clock === "shared", about);
    this.settleOrder(clock === "shared");
    this.settleWinnable();
    this.sum();
  }

  settleAttempts(race, about) {
    const input = this.node.querySelector("[name=attempts]");
    // Where cards are hidden a second attempt would know what the first has turned.
    input.disabled = race || !about.undo;
    if (input.disabled) input.value = 1;
    const hidden = t("form.attempts.hidden", about);
    explain(this.at("/attempts"), race ? t("form.attempts.race") : about.undo ? t("form.attempts.help") : hidden);
  }

  settleOrder(race) {
    const [actions, time] = this.node.querySelectorAll("[name=order]");
    time.disabled = !race;
    if (!race) actions.checked = true;
    explain(this.at("/order"), race ? "" : t("form.order.help"));
  }

  settleWinnable() {
    const box = this.node.querySelector("[name=require_winnable]");
    const { seed } = answersOf(this.node);
    box.disabled = !this.mayBeWinnable({ seed, seed_public: seed !== "", options: this.values().options });
    box.checked = !box.disabled && this.winnable;
    const closed = t(seed ? "form.winnable.named" : "form.winnable.few");
    explain(this.at("/require_winnable"), box.disabled ? closed : t("form.winnable.help"));
  }

  mayBeWinnable({ seed_public: named, options = presetOf(this.about) }) {
    return !named && (options.redeal_limit ?? LEAST_REDEALS) >= LEAST_REDEALS;
  }

  // ---- what it comes to ----

  /** Give what the form says, as fields of the API's challenge; a null `starts_at`: now. */
  values() {
    const answers = answersOf(this.node);
    const { title, visibility, variant, seed, clock, attempts = "1", order } = answers;
    const start = startIn(this.at("/starts_at"));
    return {
      title,
      visibility,
      variant,
      options: optionsIn(this.options, this.about),
      seed: seed || null,
      seed_public: seed !== "",
      clock,
      starts_at: start,
      ends_at: endIn(this.at("/ends_at"), start),
      time_limit_ms: limitIn(answers),
      attempts: Number(attempts),
      order,
      require_winnable: answers.require_winnable ?? false,
    };
  }

  /** Give the body that sets the challenge up. */
  body() {
    const { seed_public: _, require_winnable: winnable, starts_at: start, ...values } = this.values();
    const options = optionsChanged(values.options, presetOf(this.about));
    const usual = !start && endsAsUsual(this.at("/ends_at"));
    const { disabled } = this.node.querySelector("[name=require_winnable]");
    return {
      ...values,
      options,
      ...(start ? { starts_at: start } : {}),
      ends_at: usual ? null : values.ends_at,
      ...(disabled ? {} : { require_winnable: winnable }),
    };
  }

  /** Give the body that changes `challenge` to what the form says. */
  changes(challenge) {
    const values = this.values();
    const before = { ...challenge, seed: challenge.seed_public ? challenge.seed : null };
    const changed = COMPARED.filter((name) => values[name] !== before[name]).map((name) => [name, values[name]]);
    const known = values.variant === before.variant ? before.options : presetOf(this.about);
    const options = optionsChanged(values.options, known);
    if (Object.keys(options).length) changed.push(["options", options]);
    const { disabled } = this.node.querySelector("[name=require_winnable]");
    if (!disabled && values.require_winnable !== before.require_winnable) {
      changed.push(["require_winnable", values.require_winnable]);
    }
    return Object.fromEntries(changed);
  }

  /** Say in words what the form says, as far as it can be understood. */
  sum() {
    if (this.node.querySelector("input:invalid:not([name=title])")) return;
    const words = termsInWords(this.values(), this.about);
    if (words.join() === [...this.words.children].map((item) => item.textContent).join()) return;
    this.words.replaceChildren(...words.map((sentence) => el("li", {}, sentence)));
  }

  /** Say at their fields which times cannot be, before anything is asked for; tell whether there are any. */
  faulty() {
    const faults = faultsIn(this.at("/starts_at"), this.at("/ends_at"));
    if (faults.length) showFaults(this.node, faults.map((pointer) => ({ pointer })));
    return faults.length > 0;
  }

  /** Say at its fields what the service has refused; tell whether all of it is said there. */
  refused(problem) {
    clearFaults(this.node);
    return showFaults(this.node, problem.body?.errors ?? [{}]);
  }
}
