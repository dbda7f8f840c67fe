// Figures and instants as people read them, in the language of whoever looks.

import { serverNow } from "./clock.js";
import { language, t } from "./i18n.js";

const DAY_S = 86_400;
const LONGEST_SEED = 18;
/** Units of time and the ms that each has, the longest first. */
export const UNITS = Object.entries({ day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 });

/** Write ms as a clock: 3:05, 1:02:09, or "2 d 3:00:00"; seconds that have begun count where `up`. */
export function clock(ms, { up = false } = {}) {
  const seconds = up ? Math.ceil(ms / 1000) : Math.floor(ms / 1000);
  const days = Math.floor(seconds / DAY_S);
  const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...more] = days || parts[0] ? parts : parts.slice(1);
  const time = [first, ...more.map((part) => String(part).padStart(2, "0"))].join(":");
  return days ? t("time.days", { n: days, time }) : time;
}

/** Write how long something lasts, in words: 1 minute 30 seconds, 2 days. */
export function span(ms) {
  let left = ms;
  const parts = UNITS.map(([unit, size]) => {
    const n = unit === "second" ? left / size : Math.floor(left / size);
    left -= n * size;
    return [unit, n];
  }).filter(([, n]) => n > 0);
  return parts.map(([unit, n]) => number(n, { style: "unit", unit, unitDisplay: "long" })).join(" ");
}

/** Write an instant in the time of whoever looks: its day and minute. */
export function instant(text) {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
}

/** Write the day of UTC of an instant, a text or in ms since 1970. */
export function day(text) {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(text));
}

/** Write a day of UTC where its year is plain. */
export function shortDay(text) {
  return new Intl.DateTimeFormat(language(), { month: "short", day: "numeric", timeZone: "UTC" }).format(new Date(text));
}

/** Write a month of UTC. */
export function month(text) {
  return new Intl.DateTimeFormat(language(), { month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(text));
}

/** Write a number. */
export const number = (value, options = {}) => new Intl.NumberFormat(language(), options).format(value);

/** Write a share of one as a percentage. */
export const percent = (share) => number(share, { style: "percent", maximumFractionDigits: 1 });

/** Name a player of a reply, `{name, bot}` or null. */
export function playerName(player) {
  if (!player?.name) return t("player.gone");
  return player.bot ? t("player.bot", { name: player.name }) : player.name;
}

/** Write a seed, of a long one the beginning. */
export const shortSeed = (seed) => (seed.length > LONGEST_SEED ? `${seed.slice(0, LONGEST_SEED - 2)}…` : seed);

/** Write an instant in the time of whoever looks: of today the second, else its day and minute. */
export function moment(text) {
  const when = new Date(text);
  const today = when.toDateString() === new Date(serverNow()).toDateString();
  return today ? new Intl.DateTimeFormat(language(), { timeStyle: "medium" }).format(when) : instant(text);
}
