// Where somebody chooses what to play.

import { newKey, ROOT, startGame } from "./api.js";
import { drawCard } from "./cards.js";
import { press } from "./dialogs.js";
import { el, icon } from "./dom.js";
import { link } from "./header.js";
import { sayProblem, t } from "./i18n.js";
import { asMe } from "./me.js";
import { games, keepGame } from "./store.js";
import { drawToday } from "./today.js";
import { allVariants, openRules } from "./variants.js";

const SEED = "[A-Za-z0-9][A-Za-z0-9._~\\-]{0,127}";
const MOST_SHOWN = 4;

/** Start a game as asked for, keep it, and go there. */
export async function dealGame(asked, go, key = newKey()) {
  const state = await startGame(asked, key, asMe().token);
  const { id, token, variant, seed, status, ply, started_at } = state;
  keepGame({ id, token, variant, seed, status, ply, started_at, up: state.score.cards_up, queue: [] });
  go(`games/${id}`);
}

/** Fill the first page; give what is to be done when it is left. */
export async function showHome(main, go) {
  document.title = t("title");
  main.append(drawHero());
  let variants;
  try {
    variants = await allVariants();
  } catch (problem) {
    main.append(el("p", { class: "paper" }, sayProblem(problem)));
    return null;
  }
  const today = drawToday(variants[0], go);
  main.append(...[today.node, drawGames(variants), drawChoice(variants, go), drawFoot()].filter(Boolean));
  return today.close;
}

function drawHero() {
  const fan = ["AC", "7D", "QH", "KS"].map((card) => drawCard(card));
  return el(
    "section",
    { class: "hero" },
    el("div", {}, el("h1", {}, t("home.title")), el("p", {}, t("home.lead"))),
    el("div", { class: "fanned", "aria-hidden": "true" }, fan),
  );
}

function drawGames(variants) {
  const going = games().filter(({ status }) => status === "in_progress").slice(0, MOST_SHOWN);
  if (!going.length) return null;
  return el(
    "section",
    { class: "going" },
    el("h2", {}, t("home.going")),
    el(
      "ul",
      {},
      going.map(({ id, variant, seed, up }) =>
        el(
          "li",
          {},
          link(
            `games/${id}`,
            {},
            el("b", {}, variants.find((each) => each.variant === variant)?.title ?? variant),
            el("span", {}, [seed && shortened(seed), t("up", { n: up })].filter(Boolean).join(" · ")),
          ),
        ),
      ),
    ),
  );
}

const shortened = (seed) => t("seed.is", { seed: seed.length > 14 ? `${seed.slice(0, 12)}…` : seed });

function drawChoice(variants, go) {
  const key = newKey();
  const deal = el("button", { class: "main large" }, t("home.deal"));
  const form = el(
    "form",
    { class: "choose", on: { submit: (event) => submit(event, form, deal, go, key) } },
    el(
      "fieldset",
      { class: "variants" },
      el("legend", {}, t("home.choose")),
      variants.map((variant, at) => drawVariant(variant, at === 0)),
    ),
    el(
      "div",
      { class: "start" },
      el(
        "label",
        {},
        el("span", {}, t("home.seed")),
        el("input", {
          name: "seed",
          pattern: SEED,
          maxlength: 128,
          autocomplete: "off",
          autocapitalize: "off",
          spellcheck: "false",
          placeholder: t("home.seed.any"),
          "aria-describedby": "seed-help",
        }),
      ),
      deal,
      el("p", { id: "seed-help", class: "help" }, t("home.seed.help")),
    ),
  );
  return form;
}

function drawVariant(variant, first) {
  const id = `about-${variant.variant}`;
  return el(
    "div",
    { class: "variant" },
    el(
      "label",
      {},
      el("input", { type: "radio", name: "variant", value: variant.variant, checked: first, "aria-describedby": id }),
      el("b", {}, variant.title),
      el("span", { id }, variant.summary),
    ),
    el(
      "button",
      {
        type: "button",
        class: "quiet round",
        "aria-label": t("rules.of", { title: variant.title }),
        on: { click: () => openRules(variant) },
      },
      icon("book"),
    ),
  );
}

async function submit(event, form, deal, go, key) {
  event.preventDefault();
  const { variant, seed } = Object.fromEntries(new FormData(form));
  await press(deal, () => dealGame({ variant, ...(seed ? { seed } : {}) }, go, `${key}${variant}${seed}`.slice(0, 255)));
}

function drawFoot() {
  return el(
    "footer",
    { class: "foot" },
    el("p", {}, t("home.foot")),
    el("a", { href: new URL("docs", ROOT).pathname }, t("home.docs")),
  );
}
