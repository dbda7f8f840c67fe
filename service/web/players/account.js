// The page of whoever plays here: what they are playing, their name, and the key that stands for them.

import { ask } from "../api.js";
import { titleOf } from "../challenges/head.js";
import { note, openDialog, say } from "../dialogs.js";
import { el } from "../dom.js";
import { day, instant } from "../format.js";
import { link } from "../header.js";
import { sayProblem, t } from "../i18n.js";
import { asMe, nameField, register } from "../me.js";
import { keepPlayer, lostPlayer, player, watchPlayer } from "../store.js";
import { allVariants } from "../variants.js";
import { bringKey, openKey, renewKey } from "./keys.js";

/** Fill the page of whoever plays here; it is drawn anew when somebody else does. */
export async function showMe(main, go) {
  document.title = t("nav.you");
  let drawn = 0;
  const draw = async () => {
    const number = (drawn += 1);
    const parts = await drawMe(go);
    // Of two that were asked for the later one counts.
    if (number !== drawn) return;
    const here = main.contains(document.activeElement);
    main.replaceChildren(...parts);
    if (here) main.focus({ preventScroll: true });
  };
  const stop = watchPlayer(draw);
  await draw();
  return () => {
    drawn = 0;
    stop();
  };
}

async function drawMe(go) {
  const kept = player() ?? lostPlayer();
  if (!kept) return drawNobody();
  try {
    const { token } = kept;
    const [me, variants] = await Promise.all([ask("v1/players/me", { token }), allVariants()]);
    // It may have another name since, given on another device, or be known again.
    if (kept.lost || kept.name !== me.name) keepPlayer({ name: me.name, token });
    return [drawHead(me), drawPlaying(me, variants), el("div", { class: "halves" }, drawName(me), drawKey()), drawLeaving(me, go)];
  } catch (problem) {
    if (problem.status === 401) return drawLost(kept);
    return [el("div", { class: "head" }, el("h1", {}, kept.name), el("p", { class: "unread" }, sayProblem(problem))), drawKey()];
  }
}

// ---- nobody yet, or not any more ----

function drawNobody() {
  const { field, input } = nameField();
  const wrong = el("p", { class: "wrong", role: "alert" });
  const begin = el("button", { class: "main" }, t("me.begin"));
  const submit = async (event) => {
    event.preventDefault();
    begin.disabled = true;
    wrong.textContent = (await register(input.value)) ?? "";
    begin.disabled = false;
    if (player()) say(t("you.welcome", { name: player().name }));
  };
  return [
    el("div", { class: "head" }, el("h1", {}, t("you.nobody")), el("p", {}, t("you.nobody.lead"))),
    el(
      "div",
      { class: "halves" },
      el(
        "section",
        { class: "sheet" },
        el("h2", {}, t("me.register")),
        el("form", { class: "stack", on: { submit } }, field, wrong, el("p", {}, t("you.nobody.key")), begin),
      ),
      el(
        "section",
        { class: "sheet" },
        el("h2", {}, t("you.already")),
        el("p", {}, t("you.already.lead")),
        button(t("you.bring"), bringKey),
      ),
    ),
  ];
}

function drawLost({ name }) {
  return [
    el("div", { class: "head" }, el("h1", {}, name)),
    el(
      "section",
      { class: "sheet" },
      el("h2", {}, t("you.lost", { name })),
      el("p", {}, t("you.lost.lead", { name })),
      el("p", { class: "buttons" }, button(t("you.bring"), bringKey, "main"), button(t("you.lost.forget"), () => keepPlayer(null))),
    ),
  ];
}

// ---- somebody ----

const button = (text, click, kind = "") => el("button", { type: "button", class: kind, on: { click } }, text);

const drawHead = ({ name, bot, created_at }) =>
  el(
    "div",
    { class: "head" },
    el("h1", {}, name, bot && el("span", { class: "tag" }, t("stats.bot"))),
    link(`players/${name}`, { class: "button" }, t("you.stats")),
    el("p", {}, t("stats.since", { day: day(created_at) })),
  );

function drawPlaying({ games, challenges }, variants) {
  const aboutOf = ({ variant }) => variants.find((each) => each.variant === variant);
  const title = (item) => aboutOf(item).title;
  const nameOf = (challenge) => titleOf(challenge, aboutOf(challenge));
  const named = (id) => challenges.filter((each) => each.id === id).map(nameOf)[0] ?? t("you.challenge");
  const ofGame = (game) =>
    link(
      `games/${game.id}`,
      {},
      el("b", {}, title(game)),
      el("span", {}, game.challenge_id ? `${named(game.challenge_id)} · ${t("you.until", { instant: instant(game.deadline) })}` : t("you.started", { instant: instant(game.started_at) })),
    );
  const ofChallenge = (challenge) => {
    const { state, starts_at, ends_at, hosting, entry } = challenge;
    const when = state === "scheduled" ? t("you.from", { instant: instant(starts_at) }) : t("you.until", { instant: instant(ends_at) });
    const parts = [title(challenge), when, hosting && t("you.hosting"), entry && t(`you.entry.${entry}`)];
    return link(`challenges/${challenge.id}`, {}, el("b", {}, nameOf(challenge)), el("span", {}, parts.filter(Boolean).join(" · ")));
  };
  const list = (words, items, draw) =>
    items.length > 0 && el("div", { class: "going" }, el("h3", {}, t(words)), el("ul", {}, items.map((item) => el("li", {}, draw(item)))));
  const nothing = !games.length && !challenges.length;
  return el(
    "section",
    { class: "sheet" },
    el("h2", {}, t("you.playing")),
    list("you.games", games, ofGame),
    list("you.challenges", challenges, ofChallenge),
    nothing && el("p", { class: "faint" }, t("you.playing.none")),
    nothing && el("p", { class: "buttons" }, link("", { class: "button main" }, t("nav.play")), link("challenges", { class: "button" }, t("nav.challenges"))),
  );
}

function drawName(me) {
  const { field, input } = nameField(me.name);
  const bot = el("input", { type: "checkbox", name: "bot", checked: me.bot });
  const wrong = el("p", { class: "wrong", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      const body = { name: input.value, bot: bot.checked };
      const { name } = await ask("v1/players/me", { method: "PATCH", body, ...asMe() });
      keepPlayer({ ...player(), name });
      note(t("you.saved"));
    } catch (problem) {
      wrong.textContent = sayProblem(problem);
    }
  };
  return el(
    "section",
    { class: "sheet" },
    el("h2", {}, t("you.name")),
    el(
      "form",
      { class: "stack", on: { submit } },
      field,
      el("label", { class: "check" }, bot, el("span", {}, t("you.bot"))),
      el("p", { class: "faint" }, t("you.name.lead")),
      wrong,
      el("button", {}, t("save")),
    ),
  );
}

const drawKey = () =>
  el(
    "section",
    { class: "sheet" },
    el("h2", {}, t("you.key")),
    el("p", {}, t("you.key.about")),
    el("p", { class: "buttons" }, button(t("you.key.show"), () => openKey(), "main"), button(t("you.bring"), bringKey), button(t("you.renew"), renewKey)),
  );

const drawLeaving = (me, go) =>
  el(
    "section",
    { class: "sheet" },
    el("h2", {}, t("you.leave")),
    el("p", {}, t("you.leave.lead")),
    el("p", { class: "buttons" }, button(t("you.out"), () => signOut(me)), button(t("you.delete"), () => remove(me, go))),
  );

async function signOut({ name }) {
  const answer = await openDialog({
    title: t("you.out.title", { name }),
    body: [el("p", {}, t("you.out.body", { name }))],
    buttons: [
      { value: "", text: t("stay") },
      { value: "yes", text: t("you.out.yes"), kind: "danger" },
    ],
  });
  if (answer) keepPlayer(null);
}

async function remove({ name }, go) {
  const typed = el("input", { name: "typed", required: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const answer = await openDialog({
    title: t("you.delete.title", { name }),
    body: [
      el("p", {}, t("you.delete.body")),
      el("label", { class: "field" }, el("span", {}, t("you.delete.type", { name })), typed),
    ],
    buttons: [
      { value: "", text: t("stay") },
      { value: "yes", text: t("you.delete.yes"), kind: "danger" },
    ],
    focus: typed,
    submit: async () => {
      if (typed.value.trim().toLowerCase() !== name.toLowerCase()) return t("you.delete.other");
      await ask("v1/players/me", { method: "DELETE", ...asMe() });
      return null;
    },
  });
  if (!answer) return;
  keepPlayer(null);
  go("");
  note(t("you.deleted", { name }));
}
