// The keys of a game: each does what the page calls by a name.

const DEEDS = {
  f: "sendUp",
  r: "redeal",
  u: "undo",
  h: "hint",
  q: "resign",
  n: "another",
  "?": "keys",
  Escape: "back",
};

/** Let keys do what `deeds` has by name; give what ends that. */
export function listenToKeys(deeds) {
  const press = (event) => {
    const deed = deedOf(event);
    if (!deed) return;
    // What the browser closes by Escape it goes on closing.
    if (event.key !== "Escape") event.preventDefault();
    deeds[deed]();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

function deedOf({ target, key, altKey, ctrlKey, metaKey }) {
  const typing = target.closest?.("input, select, textarea, dialog");
  if (typing || altKey) return null;
  const letter = key.length === 1 ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) return letter === "z" ? "undo" : null;
  return Object.hasOwn(DEEDS, letter) ? DEEDS[letter] : null;
}
