// What the host of a challenge can do with it.

import { ask, ROOT } from "../api.js";
import { note, openDialog } from "../dialogs.js";
import { el, icon } from "../dom.js";
import { link } from "../header.js";
import { count, sayProblem, t } from "../i18n.js";
import { asMe } from "../me.js";
import { shareLink } from "../share.js";
import { openEdit } from "./edit.js";
import { drawEntries } from "./entries.js";
import { goesOn, isHost } from "./states.js";

// The challenge whose entries are unfolded: they stay so when its page is drawn again.
let unfolded = null;

/** Draw the tools of its host, null for everybody else; `changed` is called when something is another. */
export function hostTools(challenge, changed) {
  if (!isHost(challenge)) return null;
  const { id, title, visibility, dealt } = challenge;
  const share = () => shareLink(title, new URL(`challenges/${id}`, ROOT).href);
  const mayCancel = goesOn(challenge) && !dealt;
  return el(
    "section",
    { class: "sheet hosting" },
    el("h2", {}, t("host.title")),
    el("p", { class: "faint" }, t(`host.visibility.${visibility}`)),
    el(
      "div",
      { class: "buttons" },
      el("button", { on: { click: share } }, icon("share"), t("host.share")),
      el("button", { on: { click: () => openEdit(challenge, changed) } }, t("host.edit")),
      link(`challenges/new?like=${id}`, { class: "button" }, t("host.again")),
      mayCancel && el("button", { on: { click: () => cancel(challenge, changed) } }, t("host.cancel")),
    ),
    drawFold(challenge, changed),
  );
}

/** Draw who is in, read when it is unfolded. */
function drawFold(challenge, changed) {
  const { id, entered } = challenge;
  const fold = el(
    "details",
    { class: "more", open: unfolded === id },
    el("summary", {}, count("host.entries", entered)),
  );
  const toggle = () => {
    if (fold.open) unfolded = id;
    else if (unfolded === id) unfolded = null;
    if (fold.open && !fold.querySelector(".entries")) fold.append(drawEntries(challenge, changed));
  };
  fold.addEventListener("toggle", toggle);
  return fold;
}

async function cancel(challenge, changed) {
  let cancelled;
  const done = await openDialog({
    title: t("host.cancel.title"),
    body: [el("p", {}, t("host.cancel.body")), el("p", { class: "faint" }, t("host.cancel.secret"))],
    buttons: [
      { value: "", text: t("host.cancel.not") },
      { value: "cancel", text: t("host.cancel.yes"), kind: "danger" },
    ],
    submit: async () => {
      try {
        cancelled = await ask(`v1/challenges/${challenge.id}/cancel`, { method: "POST", ...asMe() });
        return null;
      } catch (problem) {
        return sayProblem(problem);
      }
    },
  });
  if (!done) return;
  note(t("host.cancel.done"));
  changed(cancelled);
}
