// What this browser keeps: settings, and the games that it may play with their tokens.

const SETTINGS = "semilla.settings";
const GAMES = "semilla.games";
const MOST_GAMES = 40;

// Without storage (a private window, say) all is kept until the page is left.
const memory = new Map();

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? memory.get(name) ?? otherwise;
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

/** Give the settings: `theme` (auto, light, dark), `colours` (two, four), `language` or null. */
export function settings() {
  return { theme: "auto", colours: "two", language: null, ...read(SETTINGS, {}) };
}

/** Change some settings. */
export function change(some) {
  write(SETTINGS, { ...settings(), ...some });
}

/** Give the games that this browser may play, the latest first. */
export function games() {
  return read(GAMES, []);
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
