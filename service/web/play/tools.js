// The buttons below a board. What each does comes from the page, by name.

import { el, icon } from "../dom.js";
import { t } from "../i18n.js";

/** Give the buttons of a game; `may` says whether this browser may `play` it, and `undo` now. */
export function tools(state, may, deeds) {
  const { status, undo, redeal, legal_moves, challenge_id } = state;
  const playing = may.play && status === "in_progress";
  const redeals = legal_moves.includes("R");
  // Where nothing else is left it stands out.
  const kind = redeals && legal_moves.length === 1 ? "main" : "";
  const open = status === "in_progress" || status === "lost";
  return [
    may.play && undo && open && tool("undo", "undo", t("undo"), deeds.undo, { off: !may.undo, key: "U" }),
    playing && redeal && tool("redeal", "redeal", t("redeal"), deeds.redeal, { off: !redeals, kind, key: "R" }),
    playing && !challenge_id && tool("hint", "hint", t("hint"), deeds.hint, { key: "H" }),
    playing && tool("resign", "flag", t("resign"), deeds.resign, { key: "Q" }),
    tool("rules", "book", t("rules"), deeds.rules),
    tool("share", "share", t("share"), deeds.share),
    tool("new", "plus", t("game.another"), deeds.another, { key: "N" }),
  ].filter(Boolean);
}

/** Give the buttons while a redeal is only looked at. */
export function previewTools(deeds) {
  return [
    tool("back", "undo", t("preview.back"), deeds.back),
    tool("redeal", "redeal", t("preview.commit"), deeds.redeal, { kind: "main", key: "R" }),
  ];
}

function tool(name, drawing, text, does, { off = false, kind = "", key } = {}) {
  return el(
    "button",
    {
      type: "button",
      class: kind,
      data: { do: name },
      "aria-disabled": off ? "true" : false,
      "aria-keyshortcuts": key ?? false,
      on: { click: does },
    },
    icon(drawing),
    el("span", {}, text),
  );
}
