// The challenges that there are: running, to come, finished, one's own.

import { ask } from "../api.js";
import { el } from "../dom.js";
import { drawSelect } from "../fields.js";
import { link } from "../header.js";
import { sayProblem, t } from "../i18n.js";
import { asMe, needPlayer } from "../me.js";
import { player } from "../store.js";
import { allVariants } from "../variants.js";
import { drawItem } from "./item.js";

const PAGE = 20;
const TABS = ["running", "scheduled", "finished", "mine"];
const USUAL = "cruel";
const MINE = ["", "finished", "cancelled"];

// What was used to come here, for the focus to stay with it.
let used = null;

/** Fill the page of the list; its address says which: `status`, `mine`, `variant`, `host`. */
export async function showChallenges(main, go) {
  document.title = t("list.title");
  const asked = new URLSearchParams(location.search);
  const stops = [];
  const leave = () => stops.forEach((stop) => stop());
  const items = el("div", { class: "found", "aria-busy": "true" });
  const host = link(toCreate(asked), { class: "button main" }, t("list.host"));
  main.append(el("section", { class: "head" }, el("h1", {}, document.title), host));
  let variants;
  try {
    variants = await allVariants();
  } catch (problem) {
    main.append(el("p", { class: "paper" }, sayProblem(problem)));
    return leave;
  }
  main.append(
    el(
      "div",
      { class: "challenges" },
      el("div", {}, drawFilters(asked, variants, go), items),
      drawDailies(variants, asked.get("variant")),
    ),
  );
  main.querySelector(`[data-filter="${used}"]`)?.focus();
  used = null;
  await fillList(items, asked, (challenge) => drawItem(challenge, variants, stops), go);
  return leave;
}

const toCreate = (asked) => `challenges/new${asked.has("variant") ? `?variant=${asked.get("variant")}` : ""}`;

// ---- which ----

/** Give the path of the list with some of what it is asked for changed; null takes it away. */
function pathOf(asked, changes) {
  const query = new URLSearchParams(asked);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  return query.size ? `challenges?${query}` : "challenges";
}

const isMine = (asked) => asked.get("mine") === "true";
const tabOf = (asked) => (isMine(asked) ? "mine" : (asked.get("status") ?? "running"));

function drawFilters(asked, variants, go) {
  const tabs = TABS.map((tab) => {
    const mine = tab === "mine";
    const path = pathOf(asked, { mine: mine && "true", status: !mine && tab, host: !mine && asked.get("host") });
    const on = { click: () => (used = tab) };
    const here = tab === tabOf(asked) && "true";
    return link(path, { "aria-current": here, on, data: { go: path, filter: tab } }, t(`list.${tab}`));
  });
  const select = (name, pairs, words) => {
    const node = drawSelect(name, pairs, asked.get(name) ?? "");
    node.dataset.filter = name;
    node.setAttribute("aria-label", words);
    node.addEventListener("change", () => {
      used = name;
      go(pathOf(asked, { [name]: node.value }));
    });
    return node;
  };
  return el(
    "div",
    { class: "filters" },
    el("nav", { class: "tabs", "aria-label": t("list.which") }, tabs),
    el(
      "div",
      { class: "buttons" },
      select(
        "variant",
        [["", t("list.every")], ...variants.map(({ variant, title }) => [variant, title])],
        t("list.variant"),
      ),
      isMine(asked) && select("status", MINE.map((each) => [each, t(`list.mine.${each || "on"}`)]), t("list.state")),
      asked.has("host") && drawHostFilter(asked),
    ),
  );
}

function drawHostFilter(asked) {
  const path = pathOf(asked, { host: null });
  return el(
    "p",
    {},
    t("list.by", { name: asked.get("host") }),
    " ",
    link(path, {}, t("list.anybody")),
  );
}

// ---- the list ----

async function fillList(node, asked, draw, go) {
  const list = el("ul", {});
  const more = el("button", { on: { click: () => next() } }, t("list.more"));
  let cursor = null;
  const next = async () => {
    const page = await readPage(asked, cursor, node);
    if (!page) return;
    const first = list.children.length;
    list.append(...page.items.map(draw));
    cursor = page.next;
    node.replaceChildren(list.children.length ? list : drawNone(asked), ...(cursor ? [more] : []));
    // Who has asked for more goes on where it begins.
    if (first) list.children[first]?.querySelector("a").focus();
  };
  if (isMine(asked) && !player()) node.replaceChildren(drawStranger(go));
  else await next();
  node.removeAttribute("aria-busy");
}

async function readPage(asked, cursor, node) {
  const query = new URLSearchParams({ limit: PAGE });
  for (const name of ["variant", "host", "status"]) if (asked.get(name)) query.set(name, asked.get(name));
  if (isMine(asked)) query.set("mine", "true");
  else query.set("status", tabOf(asked));
  if (cursor) query.set("cursor", cursor);
  try {
    return await ask(`v1/challenges?${query}`, asMe());
  } catch (problem) {
    node.querySelector(".wrong")?.remove();
    node.append(el("p", { class: "wrong unread", role: "alert" }, sayProblem(problem)));
    return null;
  }
}

function drawNone(asked) {
  const tab = tabOf(asked);
  return el(
    "div",
    { class: "sheet none" },
    el("p", {}, t(`list.none.${TABS.includes(tab) ? tab : "running"}`)),
    el(
      "p",
      { class: "buttons" },
      // Whoever has just played comes for what came of it.
      tab === "mine" && !asked.get("status") && link(pathOf(asked, { status: "finished" }), { class: "button main" }, t("list.none.over")),
      link(`daily/${asked.get("variant") ?? USUAL}`, { class: "button" }, t("list.none.daily")),
    ),
  );
}

function drawStranger(go) {
  const begin = async () => {
    if (await needPlayer()) go(`challenges?${new URLSearchParams(location.search)}`);
  };
  return el(
    "div",
    { class: "sheet none" },
    el("p", {}, t("list.stranger")),
    el("div", { class: "buttons" }, el("button", { class: "main", on: { click: begin } }, t("list.stranger.begin"))),
  );
}

// ---- today's ----

/** Lead to the dailies: to that of the variant that is chosen, or to all. */
function drawDailies(variants, chosen) {
  const shown = variants.filter(({ variant }) => !chosen || variant === chosen);
  return el(
    "aside",
    { class: "sheet dailies" },
    el("h2", {}, t("list.today")),
    el("p", { class: "faint" }, t("list.today.lead")),
    el(
      "div",
      { class: "tabs" },
      shown.map(({ variant, title }) => link(`daily/${variant}`, {}, title)),
    ),
  );
}
