// Who plays here: a name and the token that stands for it, which this browser keeps.

import { ask, newKey, tokens } from "./api.js";
import { openDialog } from "./dialogs.js";
import { el } from "./dom.js";
import { sayProblem, t } from "./i18n.js";
import { gameOf, keepPlayer, player } from "./store.js";

const NAME = "[A-Za-z0-9_\\-]{3,24}";

// A token that the service has said it does not know.
let unknown;

/** Tell whether the service does not know whoever plays here any more. */
export const isUnknown = () => Boolean(player()) && player().token === unknown;

/** Call `told` when the service does not know whoever plays here any more. */
export function watchToken(told) {
  tokens.addEventListener("unknown", ({ detail }) => {
    if (isUnknown() || !detail || detail !== player()?.token) return;
    unknown = detail;
    told();
  });
}

/** Give what `ask` needs to speak for whoever plays here: `{token}`, or `{}` where nobody does. */
export const asMe = () => (player() && !isUnknown() ? { token: player().token } : {});

/** Tell whether a player of a reply is whoever plays here. */
export const isMe = (who) => Boolean(who?.name) && who.name === player()?.name;

/** Give the token that plays a game: its own, or that of the player whose it is. */
export function tokenOf(game) {
  const own = gameOf(game.id)?.token;
  if (own) return own;
  return game.player && game.player === player()?.name ? asMe().token : undefined;
}

/** Give who plays here, registering somebody first where nobody does; null where they would rather not. */
export async function needPlayer() {
  if (player()) return player();
  const name = el("input", {
    name: "player",
    required: true,
    pattern: NAME,
    maxlength: 24,
    autocomplete: "nickname",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const key = newKey();
  await openDialog({
    title: t("me.register"),
    body: [
      el("p", {}, t("me.register.lead")),
      el("label", { class: "field" }, el("span", {}, t("me.name")), name, el("small", {}, t("me.name.help"))),
      el("p", { class: "faint" }, t("me.kept")),
    ],
    buttons: [
      { value: "", text: t("me.not") },
      { value: "yes", text: t("me.begin"), kind: "main" },
    ],
    focus: name,
    // Sent again with the same name it is the same player; another name is another request.
    submit: () => register(name.value, `${key}${name.value}`),
  });
  return player();
}

/** Register a name and keep its token; give what is wrong, or nothing. */
async function register(name, key) {
  try {
    const body = { name };
    const made = await ask("v1/players", { method: "POST", body, headers: { "Idempotency-Key": key } });
    keepPlayer({ name: made.name, token: made.token });
    return null;
  } catch (problem) {
    return sayProblem(problem);
  }
}
