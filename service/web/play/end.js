// How a game ends: a question before it is resigned, a sheet that says so, and for a game that is won something to look at.

import { suit } from "../cards.js";
import { openDialog } from "../dialogs.js";
import { calm, el } from "../dom.js";
import { clock } from "../format.js";
import { link } from "../header.js";
import { count, t } from "../i18n.js";

const MOST_PETALS = 72;
const FALL_MS = 2_600;

/** Ask whether a game is to be resigned; give what counts as true where it is. */
export function confirmResigning() {
  return openDialog({
    title: t("resign.title"),
    body: [el("p", {}, t("resign.body"))],
    buttons: [
      { value: "", text: t("resign.no") },
      { value: "yes", text: t("resign.yes"), kind: "danger" },
    ],
  });
}

/** Draw the sheet of an ended game; `ways` on are functions, or nothing where there is no such way. */
export function drawEnd({ id, seed, status, score, elapsed_ms }, { undo, same, fresh, ranking, next }) {
  const buttons = [
    undo && el("button", { on: { click: undo } }, t("end.undo")),
    // As long as the deal is a secret there is nothing to replay it from.
    seed && score.actions > 0 && link(`games/${id}/replay`, { class: "button" }, t("end.replay")),
    same && el("button", { on: { click: same } }, t("end.same")),
    fresh && el("button", { class: "main", on: { click: fresh } }, t("end.fresh")),
    next && el("button", { class: "main", on: { click: next.does } }, next.words),
    ranking && el("button", { class: next ? "" : "main", on: { click: ranking } }, t("race.ranking.to")),
  ];
  return el(
    "section",
    { class: `end ${status}`, tabindex: -1, "aria-labelledby": "end-title" },
    el("div", { class: "suits", "aria-hidden": "true" }, [..."CDHS"].map(suit)),
    el("h2", { id: "end-title" }, t(`end.${status}`)),
    el(
      "p",
      {},
      [
        count("end.actions", score.actions),
        status !== "won" && t("up", { n: score.cards_up }),
        elapsed_ms >= 1000 && t("end.time", { time: clock(elapsed_ms) }),
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    el("p", { class: "buttons" }, buttons.filter(Boolean)),
  );
}

/** Let suits rain over a board that is won, and its foundations bow. */
export function celebrate(board) {
  if (calm()) return;
  const { width } = board;
  const height = Math.max(board.layout.height, 420);
  for (let at = 0; at < Math.min(MOST_PETALS, width / 12); at += 1) {
    const petal = el("span", { class: `petal suit-${"CDHS"[at % 4]}`, "aria-hidden": "true" }, suit("CDHS"[at % 4]));
    board.node.append(petal);
    const x = Math.random() * width;
    const drift = x + (Math.random() - 0.5) * 160;
    const turn = (Math.random() - 0.5) * 720;
    const grown = 0.6 + Math.random() * 1.1;
    const frames = [
      { transform: `translate(${x}px, -40px) scale(${grown})`, opacity: 0 },
      { opacity: 1, offset: 0.12 },
      { opacity: 1, offset: 0.75 },
      { transform: `translate(${drift}px, ${height}px) rotate(${turn}deg) scale(${grown})`, opacity: 0 },
    ];
    const options = { duration: FALL_MS * (0.7 + Math.random() * 0.6), delay: Math.random() * 900, easing: "ease-in", fill: "both" };
    petal.animate(frames, options).finished.then(() => petal.remove(), () => petal.remove());
  }
  board.zones
    .filter(({ kind }) => kind === "foundation")
    .forEach(({ id }, at) => {
      const node = board.card(board.topOf(id));
      const still = node.style.transform;
      const frames = [still, `${still} translateY(-26px) rotate(-4deg)`, `${still} rotate(3deg)`, still];
      node.animate(frames.map((transform) => ({ transform })), { duration: 700, delay: 260 + at * 130, easing: "ease-out" });
    });
}
