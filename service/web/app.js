// The page starts here: language and looks, then whatever the address names.

import { ROOT } from "./api.js";
import { defineSymbols } from "./cards.js";
import { showCreate } from "./challenges/create.js";
import { showChallenges } from "./challenges/list.js";
import { showChallenge } from "./challenges/page.js";
import { showDaily } from "./daily.js";
import { definePlaces, say } from "./dialogs.js";
import { showDeal } from "./deal.js";
import { el } from "./dom.js";
import { drawHeader, drawUnknown, wear } from "./header.js";
import { showHome } from "./home.js";
import { chooseLanguage, t } from "./i18n.js";
import { showGame } from "./play/page.js";
import { showMe } from "./players/account.js";
import { showPlayer } from "./players/page.js";
import { showReplay } from "./replay.js";
import { lostPlayer, watchPlayer } from "./store.js";

// Each page: what its path looks like below the root, and what shows it. A page is given the element
// to fill, `go(path)`, and the parts of its path; it may give back what is to be done when it is left.
const PAGES = [
  [/^$/, showHome],
  [/^games\/([^/]+)$/, showGame],
  [/^games\/([^/]+)\/replay$/, showReplay],
  [/^deals\/([^/]+)\/([^/]+)$/, showDeal],
  [/^challenges$/, showChallenges],
  [/^challenges\/new$/, showCreate],
  [/^challenges\/([^/]+)$/, showChallenge],
  [/^daily\/([^/]+)$/, showDaily],
  [/^players\/me$/, showMe],
  [/^players\/([^/]+)$/, showPlayer],
];

let leave = () => {};
let shown = 0;
let place;

const here = () => location.pathname + location.search;

/** Go to a path below the root, such as `games/…`. */
function go(path) {
  history.pushState(null, "", new URL(path, ROOT));
  show();
}

async function show() {
  leave();
  leave = () => {};
  place = here();
  const visit = (shown += 1);
  const path = location.pathname.slice(ROOT.pathname.length);
  const [found, page] = PAGES.map(([form, each]) => [form.exec(path), each]).find(([match]) => match) ?? [];
  const main = el("main", { id: "main", tabindex: -1 });
  document.querySelector("main")?.remove();
  document.body.prepend(main);
  drawBar();
  scrollTo(0, 0);
  if (!page) {
    main.append(el("section", { class: "paper" }, el("h1", {}, t("nowhere"))));
    return;
  }
  const left = (await page(main, go, ...found.slice(1).map(decodeURIComponent))) ?? (() => {});
  // Who has gone on while it was fetched has left it already.
  if (visit === shown) leave = left;
  else left();
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
  const link = event.target.closest("a[data-go]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain) return;
  event.preventDefault();
  go(link.dataset.go);
  say(document.title);
});
// A link within the page leads nowhere else.
addEventListener("popstate", () => here() !== place && show());

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
