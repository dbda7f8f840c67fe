// Dialogs, passing messages, and what is told to those who listen to the page.

import { Offline, Problem } from "./api.js";
import { el, icon } from "./dom.js";
import { sayProblem, t } from "./i18n.js";

const SHOWN_MS = 4_500;

let opened = 0;
let listener;
let shelf;

/** Put the places of messages into the document, once. */
export function definePlaces() {
  listener = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
  shelf = el("div", { class: "shelf" });
  document.body.append(listener, shelf);
}

/** Tell who listens what has happened. */
export function say(text) {
  // The same words twice are news too.
  listener.textContent = listener.textContent === text ? `${text}\u00a0` : text;
}

/** Show a message for a while, and tell it. */
export function note(text) {
  say(text);
  const shown = el("p", { class: "note", "aria-hidden": "true" }, text);
  shelf.replaceChildren(shown);
  setTimeout(() => shown.remove(), SHOWN_MS);
}

/** Do what a button stands for; it rests meanwhile, and what is wrong is shown. */
export async function press(button, does) {
  button.disabled = true;
  try {
    await does();
  } catch (problem) {
    note(sayProblem(problem));
  } finally {
    button.disabled = false;
  }
}

/**
 * Open a dialog; give a promise of the value of the button that closed it, "" where none did.
 *
 * Where a button with a value is pressed `submit(value)` is awaited first, if given: a text that it
 * gives says what is wrong, as does a problem that it throws, and the dialog stays open.
 */
export function openDialog({ title, body = [], buttons = [], wide = false, submit, focus }) {
  const id = `dialog-${(opened += 1)}`;
  return new Promise((done) => {
    const close = el(
      "button",
      { type: "button", class: "quiet round", "aria-label": t("close"), on: { click: () => dialog.close("") } },
      icon("close"),
    );
    const text = el("div", { class: "body" }, body);
    const wrong = el("p", { class: "wrong", role: "alert" });
    // A button that only closes is none of the form's: Enter in a field is not to press it.
    const form = el(
      "form",
      { method: "dialog" },
      el("header", {}, el("h2", { id }, title), close),
      text,
      buttons.length > 0 &&
        el(
          "footer",
          {},
          submit && wrong,
          buttons.map(({ value, text, kind = "" }) =>
            value
              ? el("button", { value, class: kind }, text)
              : el("button", { type: "button", class: kind, on: { click: () => dialog.close("") } }, text),
          ),
        ),
    );
    const dialog = el("dialog", { class: wide ? "wide" : "", "aria-labelledby": id }, form);
    if (submit) form.addEventListener("submit", (event) => tryFirst(event, dialog, wrong, submit));
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue);
    });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close(""));
    document.body.append(dialog);
    dialog.showModal();
    // What scrolls has to be reached by keys too.
    if (text.scrollHeight > text.clientHeight) text.tabIndex = 0;
    // What cannot be taken back is never one key away.
    (focus ?? dialog.querySelector("footer button:not(.danger)"))?.focus();
  });
}

async function tryFirst(event, dialog, wrong, submit) {
  const { submitter } = event;
  event.preventDefault();
  wrong.textContent = "";
  submitter.disabled = true;
  let text;
  try {
    text = await submit(submitter.value);
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Offline)) throw error;
    text = sayProblem(error);
  } finally {
    submitter.disabled = false;
  }
  wrong.textContent = text ?? "";
  if (!text) dialog.close(submitter.value);
}
