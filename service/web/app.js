// The page starts here: language and looks, then whatever the address names.

import { ROOT } from "./api.js";
import { defineSymbols } from "./cards.js";
import { definePlaces, say } from "./dialogs.js";
import { el } from "./dom.js";
import { drawHeader, drawUnknown, wear } from "./header.js";
import { chooseLanguage, t } from "./i18n.js";
import { drawMissing } from "./missing.js";
import { lostPlayer, watchPlayer } from "./store.js";

// Each page: what its path looks like below the root, its module, and what shows it there. That is given
// the element to fill, `go(path)`, and the parts of the path; it may give back what is to be done when the
// page is left.
const PAGES = [
  [/^$/, "home.js", "showHome"],
  [/^games\/([^/]+)$/, "play/page.js", "showGame"],
  [/^games\/([^/]+)\/replay$/, "replay.js", "showReplay"],
  [/^deals\/([^/]+)\/([^/]+)$/, "deal.js", "showDeal"],
  [/^challenges$/, "challenges/list.js", "showChallenges"],
  [/^challenges\/new$/, "challenges/create.js", "showCreate"],
  [/^challenges\/([^/]+)$/, "challenges/page.js", "showChallenge"],
  [/^daily\/([^/]+)$/, "daily.js", "showDaily"],
  [/^players\/me$/, "players/account.js", "showMe"],
  [/^players\/([^/]+)$/, "players/page.js", "showPlayer"],
];
// Whatever is looked at first, what comes next is mostly a game.
const NEXT = "play/page.js";

let leave = () => {};
let shown = 0;
let place;

const here = () => location.pathname + location.search;

/** Go to a path below the root, such as `games/…`. */
function go(path) {
  history.pushState(null, "", new URL(path, ROOT));
  arrive();
}

/** Show what the address names, and tell who listens where they are now. */
async function arrive() {
  await show();
  say(document.title);
  if (document.activeElement === document.body) document.querySelector("main").focus({ preventScroll: true });
}

async function show() {
  leave();
  leave = () => {};
  // What a dialog asks is about the page before.
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close("");
  document.title = t("title");
  place = here();
  const visit = (shown += 1);
  const path = location.pathname.slice(ROOT.pathname.length);
  const [form, file, name] = PAGES.find(([each]) => each.test(path)) ?? [];
  const parts = form && partsOf(form, path);
  const main = el("main", { id: "main", tabindex: -1 });
  document.querySelector("main")?.remove();
  document.body.prepend(main);
  drawBar();
  scrollTo(0, 0);
  if (!parts) {
    main.append(drawMissing(t("nowhere")));
    return;
  }
  let page;
  try {
    page = (await import(`./${file}`))[name];
  } catch {
    main.append(drawMissing(t("offline")));
    return;
  }
  // Whoever has gone on meanwhile is not led elsewhere by what comes late.
  const goOn = (next) => visit === shown && go(next);
  const left = (await page(main, goOn, ...parts)) ?? (() => {});
  // Who has gone on while it was fetched has left it already.
  if (visit === shown) leave = left;
  else left();
}

/** Give the parts of a path; null where it is no text. */
function partsOf(form, path) {
  try {
    return form.exec(path).slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Draw what stands above every page. */
function drawBar() {
  for (const before of document.querySelectorAll(".top, .unknown")) before.remove();
  // The page that leads on says it by itself.
  const lost = lostPlayer() && location.pathname !== new URL("players/me", ROOT).pathname;
  document.body.prepend(drawHeader(again), ...(lost ? [drawUnknown()] : []));
}

async function again() {
  wear();
  await chooseLanguage();
  await show();
}

document.addEventListener("click", (event) => {
  // A link within the page leads nowhere else: what the address tells by now is what is shown.
  if (event.target.closest('a[href^="#"]')) place = here();
  const link = event.target.closest("a[data-go]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain) return;
  event.preventDefault();
  go(link.dataset.go);
});
addEventListener("popstate", () => here() !== place && arrive());
// What could not be read without a connection can be now.
addEventListener("online", () => document.querySelector("main > .paper, main .unread") && show());

// Who has pointed last needs no ring to see where the focus is; whoever has keys does.
for (const [kind, pointing] of Object.entries({ pointerdown: true, keydown: false })) {
  addEventListener(kind, () => document.documentElement.classList.toggle("pointing", pointing), true);
}
// The document names it relative to the first address, and browsers look again at the next one.
const sign = document.querySelector("link[rel=icon]");
sign.setAttribute("href", sign.href);
wear();
// Whoever the service does not know any more sees what strangers see.
watchPlayer((lost) => (lost ? show() : drawBar()));
await chooseLanguage();
defineSymbols();
definePlaces();
await show();
import(`./${NEXT}`).catch(() => {});
