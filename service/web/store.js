// What this browser keeps: settings, who plays here, names that it has asked for, the games that it may
// play with their tokens, and what it was promised of challenges.

const SETTINGS = "semilla.settings";
const PLAYER = "semilla.player";
const ASKED = "semilla.asked";
const GAMES = "semilla.games";
const COMMITMENTS = "semilla.commitments";
const MOST_ASKED = 10;
const MOST_GAMES = 40;
const MOST_COMMITMENTS = 200;

// Without storage (a private window, say) all is kept until the page is left.
const memory = new Map();

// Who is told when somebody else plays here.
const watchers = new Set();

function read(name, otherwise) {
  try {
    // What was forgotten is kept as null: that counts, and not what the memory still has.
    const kept = localStorage.getItem(name);
    return (kept === null ? memory.get(name) : JSON.parse(kept)) ?? otherwise;
  } catch {
    return memory.get(name) ?? otherwise;
  }
}

function write(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full or forbidden: the memory has it.
  }
}

/** Give a kept list of things with an id, without whatever else somebody may have put there. */
function list(name) {
  const kept = read(name, []);
  return Array.isArray(kept) ? kept.filter((each) => typeof each?.id === "string") : [];
}

/** Give the settings: `theme` (auto, light, dark), `colours` (two, four), `language` or null. */
export function settings() {
  return { theme: "auto", colours: "two", language: null, ...read(SETTINGS, {}) };
}

/** Change some settings. */
export function change(some) {
  write(SETTINGS, { ...settings(), ...some });
}

/** Give who plays here, `{name, token}`; null where nobody does whom the service knows. */
export function player() {
  const kept = read(PLAYER, null);
  return kept?.lost ? null : kept;
}

/** Give who played here until the service did not know their token any more, or null. */
export function lostPlayer() {
  const kept = read(PLAYER, null);
  return kept?.lost ? kept : null;
}

/** Keep who plays here from now on, or null. With somebody else go the games that only they could play. */
export function keepPlayer(known) {
  const before = read(PLAYER, null);
  // Who has another name has their key still, and who has another key their name.
  const same = known && (!before || before.name === known.name || before.token === known.token);
  if (!same) write(GAMES, games().filter((game) => game.token));
  write(PLAYER, known);
  tellWatchers(false);
}

/** Learn that the service does not know a token, which may be that of who plays here. */
export function loseToken(token) {
  if (!token || player()?.token !== token) return;
  write(PLAYER, { ...player(), lost: true });
  tellWatchers(true);
}

/**
 * Call `told(lost)` whenever somebody else plays here, be it by another tab; give what stops it.
 *
 * `lost`: the service has just said that it does not know who did.
 */
export function watchPlayer(told) {
  watchers.add(told);
  return () => watchers.delete(told);
}

function tellWatchers(lost) {
  for (const told of [...watchers]) told(lost);
}

// Another tab has written; without a key, it has cleared all.
addEventListener("storage", ({ key }) => {
  if (key === null) memory.clear();
  if (key === PLAYER || key === null) tellWatchers(false);
});

/** Give the key with which a name was asked for, where no answer has come yet. */
export function askedFor(name) {
  return list(ASKED).find((each) => each.id === name)?.key;
}

/** Keep the key with which a name is asked for, until the answer comes. */
export function keepAsked(name, key) {
  const others = list(ASKED).filter((each) => each.id !== name);
  write(ASKED, [{ id: name, key }, ...others].slice(0, MOST_ASKED));
}

/** Forget that a name was asked for: the answer has come. */
export function forgetAsked(name) {
  write(ASKED, list(ASKED).filter((each) => each.id !== name));
}

/** Give the commitments of a challenge that this browser has seen before its reveal, in their order. */
export function commitmentsOf(id) {
  return list(COMMITMENTS).find((each) => each.id === id)?.commitments ?? [];
}

/** Keep the commitment of a challenge, unless it is the one that was seen last. */
export function keepCommitment(id, commitment) {
  const before = commitmentsOf(id);
  if (before.at(-1) === commitment) return;
  const others = list(COMMITMENTS).filter((each) => each.id !== id);
  const known = { id, commitments: [...before, commitment] };
  write(COMMITMENTS, [known, ...others].slice(0, MOST_COMMITMENTS));
}

/** Give the games that this browser may play, the latest first. */
export function games() {
  return list(GAMES);
}

/** Give what is kept of a game, its token included; undefined where it is not ours. */
export function gameOf(id) {
  return games().find((game) => game.id === id);
}

/** Keep a game, or what has changed of it; it becomes the latest. */
export function keepGame(changed) {
  const known = { ...gameOf(changed.id), ...changed };
  const others = games().filter((game) => game.id !== changed.id);
  // What is over goes first where there are too many.
  const kept = [known, ...others].sort((one, other) => isOver(one) - isOver(other));
  const ids = new Set(kept.slice(0, MOST_GAMES).map((game) => game.id));
  write(GAMES, [known, ...others].filter((game) => ids.has(game.id)));
}

/** Forget a game: nobody can play it any more. */
export function forgetGame(id) {
  write(GAMES, games().filter((game) => game.id !== id));
}

function isOver(game) {
  return game.status === "in_progress" ? 0 : 1;
}
