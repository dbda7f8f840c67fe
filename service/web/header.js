// The bar above every page, and the settings.

import { ROOT } from "./api.js";
import { openDialog } from "./dialogs.js";
import { suit } from "./cards.js";
import { el, icon } from "./dom.js";
import { LANGUAGES, language, t } from "./i18n.js";
import { change, player, settings } from "./store.js";

// The pages that are one click away from everywhere: path, what paths are part of it, and words.
const PLACES = [
  ["", /^($|games|deals)/, "nav.play"],
  ["daily/cruel", /^daily/, "nav.daily"],
  ["challenges", /^challenges/, "nav.challenges"],
  ["players/me", /^players\/me/, "nav.you"],
];

/** Dress the document in the theme and the colours that are set. */
export function wear() {
  const { theme, colours } = settings();
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.colours = colours;
}

/** Give a link to a path below the root, that needs no loading. */
export function link(path, props, ...children) {
  return el("a", { href: new URL(path, ROOT).pathname, data: { go: path }, ...props }, ...children);
}

/** Draw the bar; `changed` is called when a setting is another. */
export function drawHeader(changed) {
  const here = location.pathname.slice(ROOT.pathname.length);
  const who = player()?.name;
  return el(
    "header",
    { class: "top" },
    el("a", { class: "skip", href: "#main" }, t("skip")),
    link("", { class: "brand", "aria-label": t("nav.home") }, suit("S"), el("span", {}, "Semilla")),
    el(
      "nav",
      { "aria-label": t("nav.pages") },
      PLACES.map(([path, part, words]) => {
        const current = part.test(here) ? (path === here ? "page" : "true") : false;
        const me = who && words === "nav.you";
        const named = me ? { class: "me", "aria-label": t("nav.you.are", { name: who }) } : {};
        return link(path, { "aria-current": current, ...named }, me ? who : t(words));
      }),
    ),
    el(
      "div",
      { class: "tools" },
      Object.entries(LANGUAGES)
        .filter(([code]) => code !== language())
        .map(([code, name]) =>
          el(
            "button",
            { class: "quiet", lang: code, on: { click: () => set({ language: code }, changed) } },
            name,
          ),
        ),
      el(
        "button",
        { class: "quiet round", "aria-label": t("settings"), on: { click: () => openSettings(changed) } },
        icon("gear"),
      ),
      el(
        "button",
        { class: "quiet round", "aria-label": t("keys"), on: { click: openKeys } },
        el("span", { "aria-hidden": "true" }, "?"),
      ),
    ),
  );
}

/** Draw what says that the key of whoever plays here is not known any more, and the way out. */
export function drawUnknown() {
  return el("p", { class: "unknown", role: "alert" }, t("me.unknown"), " ", link("players/me", {}, t("me.unknown.out")));
}

/** List the keys. */
export function openKeys() {
  const rows = ["arrows", "enter", "f", "r", "u", "h", "escape", "q", "n", "help"].map((name) =>
    el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, t(`key.${name}`))), el("td", {}, t(`key.${name}.does`))),
  );
  openDialog({
    title: t("keys"),
    body: [el("p", {}, t("keys.hands")), el("table", { class: "keys" }, el("tbody", {}, rows))],
  });
}

function set(some, changed) {
  change(some);
  changed();
}

function openSettings(changed) {
  const choose = (name, values) =>
    el(
      "fieldset",
      { class: "choice" },
      el("legend", {}, t(`settings.${name}`)),
      values.map(([value, text]) =>
        el(
          "label",
          {},
          el("input", {
            type: "radio",
            name,
            value,
            checked: settings()[name] === value || (name === "language" && language() === value),
            on: { change: () => choice(name, value) },
          }),
          el("span", {}, text),
        ),
      ),
    );
  let spoken = false;
  const choice = (name, value) => {
    change({ [name]: value });
    wear();
    spoken ||= name === "language";
  };
  openDialog({
    title: t("settings"),
    body: [
      choose("theme", ["auto", "light", "dark"].map((each) => [each, t(`settings.theme.${each}`)])),
      choose("colours", ["two", "four"].map((each) => [each, t(`settings.colours.${each}`)])),
      choose("language", Object.entries(LANGUAGES)),
    ],
    buttons: [{ value: "done", text: t("done"), kind: "main" }],
  }).then(() => spoken && changed());
}
