// Who plays here: a name and the token that stands for it, which this browser keeps.

import { ask, newKey, Problem } from "./api.js";
import { openDialog } from "./dialogs.js";
import { el } from "./dom.js";
import { sayProblem, t } from "./i18n.js";
import { askedFor, forgetAsked, gameOf, keepAsked, keepPlayer, player } from "./store.js";

const NAME = "[A-Za-z0-9_\\-]{3,24}";

/** Give what `ask` needs to speak for whoever plays here: `{token}`, or `{}` where nobody does. */
export const asMe = () => (player() ? { token: player().token } : {});

/** Tell whether a player of a reply is whoever plays here. */
export const isMe = (who) => Boolean(who?.name) && who.name === player()?.name;

/** Give the token that plays a game: its own, or that of the player whose it is. */
export function tokenOf(game) {
  const own = gameOf(game.id)?.token;
  if (own) return own;
  return game.player && game.player === player()?.name ? player().token : undefined;
}

/** Give the token to ask for a game with, of which only the id is known; undefined where nobody plays here. */
export const tokenFor = (id) => gameOf(id)?.token ?? asMe().token;

/** Draw the field of a name, and give it with what it is filled in: `{field, input}`. */
export function nameField(value = "") {
  const input = el("input", {
    name: "player",
    value,
    required: true,
    pattern: NAME,
    maxlength: 24,
    autocomplete: "nickname",
    autocapitalize: "off",
    spellcheck: "false",
  });
  // What the browser says of a pattern says nothing of this one, and in a language of its own.
  input.addEventListener("invalid", () => input.setCustomValidity(t("me.name.wrong")));
  input.addEventListener("input", () => input.setCustomValidity(""));
  const field = el("label", { class: "field" }, el("span", {}, t("me.name")), input, el("small", {}, t("me.name.help")));
  return { field, input };
}

/** Give who plays here, registering somebody first where nobody does; null where they would rather not. */
export async function needPlayer() {
  if (player()) return player();
  const { field, input } = nameField();
  await openDialog({
    title: t("me.register"),
    body: [el("p", {}, t("me.register.lead")), field, el("p", { class: "faint" }, t("me.kept"))],
    buttons: [
      { value: "", text: t("not") },
      { value: "yes", text: t("me.begin"), kind: "main" },
    ],
    focus: input,
    submit: () => register(input.value),
  });
  return player();
}

/**
 * Register a name and keep its token; give what is wrong, or nothing.
 *
 * As long as no answer has come the name may be theirs already: asked for again, it is the same player.
 */
export async function register(name) {
  const key = askedFor(name) ?? newKey();
  keepAsked(name, key);
  try {
    const made = await ask("v1/players", { method: "POST", body: { name }, headers: { "Idempotency-Key": key } });
    forgetAsked(name);
    keepPlayer({ name: made.name, token: made.token });
    return null;
  } catch (problem) {
    if (problem instanceof Problem && !problem.passes) forgetAsked(name);
    return sayProblem(problem);
  }
}
