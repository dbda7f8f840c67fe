// Who is in a challenge, as its host sees it, and the host's judgement.

import { ask } from "../api.js";
import { openDialog } from "../dialogs.js";
import { el } from "../dom.js";
import { instant, playerName } from "../format.js";
import { link } from "../header.js";
import { sayProblem, t } from "../i18n.js";
import { asMe } from "../me.js";

const PAGE = 20;
const LONGEST_REASON = 200;

/** Draw who is in a challenge, page by page, each with a way to judge; `changed` is called after one. */
export function drawEntries(challenge, changed) {
  const node = el("div", { class: "entries" });
  const show = async (cursor) => {
    const query = new URLSearchParams({ limit: PAGE, ...(cursor ? { cursor } : {}) });
    try {
      const page = await ask(`v1/challenges/${challenge.id}/entries?${query}`, asMe());
      const judged = async () => {
        await show(cursor);
        changed();
      };
      node.replaceChildren(drawPage(page, (row) => judge(challenge, row, judged)), drawTurns(page, show));
    } catch (problem) {
      node.replaceChildren(el("p", { class: "wrong", role: "alert" }, sayProblem(problem)));
    }
  };
  show();
  return node;
}

function drawPage({ items }, judgeOne) {
  if (!items.length) return el("p", { class: "faint" }, t("entries.none"));
  const heads = ["player", "state", "entered", "judge"].map((name) => [name, t(`entries.${name}`)]);
  return el(
    "table",
    { class: "rows" },
    el("thead", {}, el("tr", {}, heads.map(([name, words]) => el("th", { scope: "col", class: name }, words)))),
    el("tbody", {}, items.map((row) => drawRow(row, judgeOne))),
  );
}

function drawRow(row, judgeOne) {
  const { player, state, entered_at: entered, disqualified } = row;
  const name = playerName(player);
  const words = t(disqualified ? "judge.reinstate" : "judge.disqualify");
  const button = el(
    "button",
    { "aria-label": t("judge.whom", { deed: words, name }), on: { click: () => judgeOne(row) } },
    words,
  );
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, player.name ? link(`players/${player.name}`, {}, name) : name),
    el(
      "td",
      {},
      t(`entries.state.${state}`),
      disqualified && el("small", { class: "out" }, t("entries.out", { reason: disqualified.reason })),
    ),
    el("td", { class: "entered" }, instant(entered)),
    el("td", {}, button),
  );
}

function drawTurns({ prev, next }, show) {
  const turn = (cursor, words) => cursor && el("button", { on: { click: () => show(cursor) } }, words);
  return el("div", { class: "buttons" }, turn(prev, t("entries.prev")), turn(next, t("entries.next")));
}

/**
 * Let the host take an entry out of the ranking, or back into it, with a reason for everybody.
 *
 * `row` is one of the entries or of the ranking; `changed` is called where it was done.
 */
export async function judge(challenge, row, changed) {
  const out = Boolean(row.disqualified);
  const name = playerName(row.player);
  const reason = el("input", {
    name: "reason",
    required: true,
    maxlength: LONGEST_REASON,
    autocomplete: "off",
  });
  const deed = t(out ? "judge.reinstate" : "judge.disqualify");
  const done = await openDialog({
    title: t("judge.whom", { deed, name }),
    body: [
      el("p", {}, t(out ? "judge.reinstate.lead" : "judge.disqualify.lead")),
      out && el("p", { class: "faint" }, t("entries.out", { reason: row.disqualified.reason })),
      el(
        "label",
        { class: "field" },
        el("span", {}, t("judge.reason")),
        reason,
        el("small", {}, t("judge.reason.help")),
      ),
    ].filter(Boolean),
    buttons: [
      { value: "", text: t("judge.not") },
      { value: "judge", text: deed, kind: out ? "main" : "danger" },
    ],
    focus: reason,
    submit: () => send(challenge, row, { disqualified: !out, reason: reason.value.trim() }),
  });
  if (done) await changed();
}

/** Send a judgement; give what is wrong, or nothing. */
async function send(challenge, { id, player }, body) {
  const who = encodeURIComponent(player.name ?? id);
  try {
    await ask(`v1/challenges/${challenge.id}/entries/${who}`, { method: "PATCH", body, ...asMe() });
    return null;
  } catch (problem) {
    return problem.code === "validation_failed" ? t("judge.wrong") : sayProblem(problem);
  }
}
