// Fair play as people see it: what is promised before the reveal, and the check after it, step by step.

import { ROOT } from "../api.js";
import { note, say } from "../dialogs.js";
import { el } from "../dom.js";
import { count, sayProblem, t } from "../i18n.js";
import { checkChallenge, NAMES } from "./check.js";
import { canHash } from "./deal.js";

const MARKS = { waiting: "·", running: "…", passed: "✓", failed: "✗", skipped: "–", open: "?" };

/** Draw what is promised of a challenge, and after its reveal what checks it; `challenge` is as the API tells it. */
export function drawProof(challenge) {
  return el(
    "section",
    { class: "sheet proof", "aria-labelledby": "proof-title" },
    el("h2", { id: "proof-title" }, t("proof.title")),
    lead(challenge).map((text) => el("p", {}, text)),
    drawCommitment(challenge.commitment),
    challenge.state === "finished" && drawCheck(challenge),
  );
}

function lead({ state, seed_public }) {
  if (state === "cancelled") return [t("proof.cancelled")];
  const told = seed_public ? t("proof.named") : t("proof.drawn");
  // What is public already is not told at the end.
  const keep = seed_public ? t("proof.keep.named") : t("proof.keep");
  return [told, state === "finished" ? t("proof.lead") : keep];
}

function drawCommitment(commitment) {
  const text = el("code", {}, commitment);
  return el(
    "div",
    { class: "commitment" },
    el("div", {}, el("b", {}, t("proof.commitment")), text),
    el("button", { type: "button", on: { click: () => copy(text) } }, t("copy")),
  );
}

async function copy(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    note(t("proof.copied"));
  } catch {
    // Then by hand: it is marked, and the keys for copying do the rest.
    getSelection().selectAllChildren(node);
    note(t("proof.marked"));
  }
}

function drawCheck(challenge) {
  const command = `semilla verify-challenge ${new URL(`v1/challenges/${challenge.id}`, ROOT)}`;
  const elsewhere = el("p", { class: "faint" }, `${t("proof.elsewhere")} `, el("code", {}, command));
  if (!canHash()) return el("div", { class: "check-here" }, el("p", { class: "wrong" }, t("proof.insecure")), elsewhere);
  const verdict = el("p", { class: "verdict", hidden: true });
  const steps = el("ol", { class: "steps", hidden: true });
  const start = el("button", { type: "button", class: "main" }, t("proof.start"));
  start.addEventListener("click", async () => {
    start.disabled = true;
    await run(challenge, steps, verdict);
    start.disabled = false;
    start.textContent = t("proof.again");
  });
  return el(
    "div",
    { class: "check-here" },
    el("p", { class: "buttons" }, start),
    steps,
    verdict,
    el("p", { class: "faint" }, t("proof.beyond")),
    elsewhere,
  );
}

async function run(challenge, steps, verdict) {
  const rows = new Map(NAMES.map((name) => [name, drawStep({ name, state: "waiting", detail: "", facts: [] })]));
  steps.replaceChildren(...rows.values());
  steps.hidden = false;
  verdict.hidden = true;
  say(t("proof.running"));
  let latest;
  const tell = (step) => {
    latest = step;
    const row = drawStep(step);
    rows.get(step.name).replaceWith(row);
    rows.set(step.name, row);
  };
  try {
    judge(await checkChallenge(challenge, tell), verdict);
  } catch (problem) {
    // That nothing came is no fault of the challenge.
    tell({ ...latest, state: "waiting" });
    show(verdict, "unfinished", t("proof.unfinished", { why: sayProblem(problem) }));
  }
}

function judge(done, verdict) {
  const counted = (state) => done.filter((step) => step.state === state).length;
  const failed = counted("failed");
  const rest = counted("skipped") ? ` ${count("proof.rest", counted("skipped"))}` : "";
  if (failed) show(verdict, "failed", count("proof.bad", failed));
  else if (counted("open")) show(verdict, "open", count("proof.open", counted("passed")) + rest);
  else show(verdict, "passed", count("proof.good", counted("passed")) + rest);
}

function show(verdict, state, text) {
  verdict.dataset.state = state;
  verdict.textContent = text;
  verdict.hidden = false;
  say(verdict.textContent);
}

function drawStep({ name, state, detail, facts }) {
  const head = [
    el("span", { class: "mark", "aria-hidden": "true" }, MARKS[state]),
    el("span", {}, t(`proof.step.${name}`)),
    el("span", { class: "state" }, state === "running" && detail ? detail : t(`proof.state.${state}`)),
  ];
  if (state === "waiting" || state === "running") return el("li", { data: { state } }, el("p", {}, head));
  return el(
    "li",
    { data: { state } },
    el(
      "details",
      { open: state === "failed" || state === "open" },
      el("summary", {}, head),
      el("p", {}, detail),
      facts.length > 0 && el("dl", {}, facts.map(([label, text]) => el("div", {}, el("dt", {}, label), el("dd", {}, text)))),
    ),
  );
}
