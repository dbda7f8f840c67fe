// The buttons below a board. What each does comes from the page, by name.

import { el, icon } from "../dom.js";
import { t } from "../i18n.js";

// As many as a phone has room for, with their words.
const MOST_IN_A_ROW = 5;

/** Give the buttons of a game; `may` says whether this browser may `play` it, and `undo` now. */
export function tools(state, may, deeds) {
  const { status, undo, redeal, legal_moves, challenge_id } = state;
  const playing = may.play && status === "in_progress";
  const redeals = legal_moves.includes("R");
  // Where nothing else is left it stands out.
  const kind = redeals && legal_moves.length === 1 ? "main" : "";
  const open = status === "in_progress" || status === "lost";
  const first = [
    may.play && undo && open && tool("undo", "undo", t("undo"), deeds.undo, { off: !may.undo, key: "U" }),
    playing && redeal && tool("redeal", "redeal", t("redeal"), deeds.redeal, { off: !redeals, kind, key: "R" }),
    playing && !challenge_id && tool("hint", "hint", t("hint"), deeds.hint, { key: "H" }),
  ].filter(Boolean);
  const others = [
    playing && tool("resign", "flag", t("resign"), deeds.resign, { key: "Q" }),
    tool("rules", "book", t("rules"), deeds.rules),
    tool("share", "share", t("share"), deeds.share),
    tool("new", "plus", t("game.another"), deeds.another, { key: "N" }),
  ].filter(Boolean);
  return first.length + others.length > MOST_IN_A_ROW ? [...first, ...folded(others)] : [...first, ...others];
}

/** Put buttons behind another one, where there is no room for them; a wide page shows them all the same. */
function folded(buttons) {
  const more = tool("more", "more", t("more"), () => {}, { popovertarget: "others" });
  const others = el("div", { id: "others", class: "others", popover: "auto" }, buttons);
  others.addEventListener("click", () => others.matches(":popover-open") && others.hidePopover());
  return [more, others];
}

/** Give the buttons while a redeal is only looked at. */
export function previewTools(deeds) {
  return [
    tool("back", "undo", t("preview.back"), deeds.back),
    tool("redeal", "redeal", t("preview.commit"), deeds.redeal, { kind: "main", key: "R" }),
  ];
}

function tool(name, drawing, text, does, { off = false, kind = "", key, ...more } = {}) {
  return el(
    "button",
    {
      type: "button",
      class: kind,
      data: { do: name },
      "aria-disabled": off ? "true" : false,
      "aria-keyshortcuts": key ?? false,
      on: { click: does },
      ...more,
    },
    icon(drawing),
    el("span", {}, text),
  );
}
