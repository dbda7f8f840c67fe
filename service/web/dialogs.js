// Dialogs, passing messages, and what is told to those who listen to the page.

import { t } from "./i18n.js";
import { el, icon } from "./dom.js";

const SHOWN_MS = 4_500;

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

/** Open a dialog; give a promise of the value of the button that closed it, "" where none did. */
export function openDialog({ title, body = [], buttons = [], wide = false }) {
  return new Promise((done) => {
    const close = el(
      "button",
      { class: "quiet round", value: "", "aria-label": t("close") },
      icon("close"),
    );
    const text = el("div", { class: "body" }, body);
    const dialog = el(
      "dialog",
      { class: wide ? "wide" : "", "aria-labelledby": "dialog-title" },
      el(
        "form",
        { method: "dialog" },
        el("header", {}, el("h2", { id: "dialog-title" }, title), close),
        text,
        buttons.length > 0 &&
          el(
            "footer",
            {},
            buttons.map(({ value, text, kind = "" }) => el("button", { value, class: kind }, text)),
          ),
      ),
    );
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
    dialog.querySelector("footer button:not(.danger)")?.focus();
  });
}
