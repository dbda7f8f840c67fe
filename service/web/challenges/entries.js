// Who is in a challenge, as its host sees it, and the host's judgement.

import { ask } from "../api.js";
import { openDialog } from "../dialogs.js";
import { el, icon } from "../dom.js";
import { instant, playerName } from "../format.js";
import { link } from "../header.js";
import { t } from "../i18n.js";
import { asMe } from "../me.js";
import { Pager } from "../pager.js";

const LONGEST_REASON = 200;

/** Make the list of who is in, each with a way to judge; `changed` is called after a judgement. */
export function listEntries(challenge, changed) {
  const judged = async ({ id }) => {
    await pager.refresh();
    pager.body.querySelector(`[data-entry="${id}"] button`)?.focus();
    changed();
  };
  const draw = ({ items }) => drawTable(items, (row) => judge(challenge, row, () => judged(row)));
  const pager = new Pager({ path: `v1/challenges/${challenge.id}/entries`, draw });
  return pager;
}

function drawTable(items, judgeOne) {
  if (!items.length) return el("p", { class: "faint" }, t("race.nobody"));
  const heads = ["player", "entered", "judge"].map((name) => [name, t(`entries.${name}`)]);
  return el(
    "table",
    { class: "rows entries" },
    el("thead", {}, el("tr", {}, heads.map(([name, words]) => el("th", { scope: "col", class: name }, words)))),
    el("tbody", {}, items.map((row) => drawRow(row, judgeOne))),
  );
}

function drawRow(row, judgeOne) {
  const { id, player, state, entered_at: entered, disqualified } = row;
  const name = playerName(player);
  const deed = t(disqualified ? "judge.reinstate" : "judge.disqualify");
  return el(
    "tr",
    { data: { entry: id } },
    el(
      "th",
      { scope: "row" },
      player.name ? link(`players/${player.name}`, {}, name) : name,
      el("span", { class: "how" }, t(`race.is.${state}`)),
      disqualified && el("span", { class: "how out" }, t("entries.out", { reason: disqualified.reason })),
    ),
    el("td", { class: "entered" }, instant(entered)),
    el(
      "td",
      {},
      el("button", { "aria-label": t("judge.whom", { deed, name }), on: { click: () => judgeOne(row) } }, deed),
    ),
  );
}

/** Draw what takes a row of the ranking out of it; nothing for who is deleted: the entries have them. */
export function drawJudge(challenge, row, changed) {
  if (!row.player.name) return null;
  const words = t("judge.whom", { deed: t("judge.disqualify"), name: row.player.name });
  const on = { click: () => judge(challenge, row, changed) };
  return el("button", { class: "quiet round", "aria-label": words, title: words, on }, icon("flag"));
}

/** Let the host take an entry out of the ranking, or back into it, with a reason for everybody. */
async function judge(challenge, row, changed) {
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
      { value: "", text: t("not") },
      { value: "judge", text: deed, kind: out ? "main" : "danger" },
    ],
    focus: reason,
    submit: () => send(challenge, row, { disqualified: !out, reason: reason.value.trim() }),
  });
  if (done) changed();
}

/** Send a judgement; give what is wrong with it, or nothing. */
async function send(challenge, { id, player }, body) {
  const who = encodeURIComponent(player.name ?? id);
  try {
    await ask(`v1/challenges/${challenge.id}/entries/${who}`, { method: "PATCH", body, ...asMe() });
    return null;
  } catch (problem) {
    if (problem.code === "validation_failed") return t("judge.wrong");
    throw problem;
  }
}
