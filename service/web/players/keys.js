// The key of a player, which is their token: taken along as text or as a file, brought back, and replaced.

import { ask } from "../api.js";
import { note, openDialog } from "../dialogs.js";
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { asMe } from "../me.js";
import { keepPlayer, player } from "../store.js";

// A player's token, wherever it stands in a text: what is longer or shorter is none.
const TOKEN = /(?<![\w-])sp_[\w-]{43}(?![\w-])/;
const LARGEST_FILE = 10_000;

/** Show the key, to be copied or saved; it stands in the page only as long as the dialog is open. */
export function openKey(lead = t("you.key.lead")) {
  const { name, token } = player();
  const copy = el("button", { type: "button", on: { click: () => copyKey(token) } }, t("copy"));
  const save = el("button", { type: "button", class: "main", on: { click: () => saveKey(name, token) } }, t("you.key.save"));
  return openDialog({
    title: t("you.key.of", { name }),
    body: [
      el("p", {}, lead),
      el("p", { class: "key" }, token),
      el("p", { class: "buttons" }, save, copy),
      el("p", { class: "warning" }, t("you.key.warning", { name })),
      el("p", { class: "faint" }, t("you.key.games")),
    ],
    buttons: [{ value: "", text: t("done") }],
    focus: save,
  });
}

async function copyKey(token) {
  try {
    await navigator.clipboard.writeText(token);
    note(t("you.key.copied"));
  } catch {
    note(t("you.key.uncopied"));
  }
}

function saveKey(name, token) {
  const text = `${t("you.file.title", { name })}\n${t("you.key.warning", { name })}\n\n${token}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: url, download: `semilla-${name}.txt` }).click();
  URL.revokeObjectURL(url);
}

/** Ask for a key and play under its name from then on, once the service has said whose it is. */
export async function bringKey() {
  const text = el("textarea", { name: "key", rows: 3, required: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const file = el("input", { type: "file", accept: ".txt,text/plain", class: "unseen", on: { change: () => readFile(file, text) } });
  let found;
  const answer = await openDialog({
    title: t("you.bring"),
    body: [
      el("p", {}, t("you.bring.lead")),
      el("label", { class: "field" }, el("span", {}, t("you.key")), text, el("small", {}, t("you.bring.help"))),
      el("label", { class: "button file" }, file, t("you.bring.file")),
    ],
    buttons: [
      { value: "", text: t("not") },
      { value: "yes", text: t("you.bring.use"), kind: "main" },
    ],
    focus: text,
    submit: async () => {
      const token = TOKEN.exec(text.value)?.[0];
      if (!token) return t("you.bring.none");
      try {
        found = { name: (await ask("v1/players/me", { token })).name, token };
        return null;
      } catch (problem) {
        if (problem.status === 401) return t("you.bring.unknown");
        throw problem;
      }
    },
  });
  if (answer && (await mayReplace(found.name))) {
    keepPlayer(found);
    note(t("you.brought", { name: found.name }));
  }
}

async function readFile(input, text) {
  const [file] = input.files;
  // Chosen, and taken back.
  if (!file) return;
  // What is so large is something else, and whoever chose it is told when they go on.
  text.value = file.size > LARGEST_FILE ? "" : await file.text();
  text.focus();
}

/** Ask whether somebody else may take the place of who plays here. */
async function mayReplace(name) {
  const before = player()?.name;
  if (!before || before === name) return true;
  const answer = await openDialog({
    title: t("you.replace", { name }),
    body: [el("p", {}, t("you.replace.body", { name, before }))],
    buttons: [
      { value: "", text: t("you.replace.no", { before }) },
      { value: "yes", text: t("you.replace.yes", { name }), kind: "danger" },
    ],
  });
  return Boolean(answer);
}

/** Have the service give another key in place of this one, once that was confirmed. */
export async function renewKey() {
  const answer = await openDialog({
    title: t("you.renew"),
    body: [el("p", {}, t("you.renew.body"))],
    buttons: [
      { value: "", text: t("you.renew.no") },
      { value: "yes", text: t("you.renew.yes"), kind: "danger" },
    ],
    submit: async () => {
      const { name, token } = await ask("v1/players/me/token", { method: "POST", ...asMe() });
      keepPlayer({ name, token });
    },
  });
  if (answer) await openKey(t("you.renewed"));
}
