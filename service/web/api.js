// A small client of the public API. Its guide is docs/api.md, its reference /docs.

import { heard } from "./clock.js";
import { language } from "./i18n.js";
import { loseToken } from "./store.js";

/** Where the service is: its files lie two levels below it, whatever path a proxy puts before. */
export const ROOT = new URL("../../", import.meta.url);

const NO_CONTENT = 204;
const UNCHANGED = 304;
/** How many items of a list `askAll` asks for at a time. */
export const LONGEST_PAGE = 200;
const MOST_PAGES = 10_000;
const PATIENCE = 3;
const LONGEST_WAIT_S = 5;
const DATE_MS = 1_000;

/** What the service refused: `code` says why, `body` is the whole problem+json. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = body.code ?? "internal_error";
    this.body = body;
  }

  /** Whether the same request may succeed a little later. */
  get passes() {
    return this.status === 429 || this.status >= 500;
  }
}

/** The service was not reached, or its answer did not come through. */
export class Offline extends Error {}

/**
 * Ask for `path`, such as `v1/games`; give the JSON of the answer.
 *
 * Throws `Problem` or `Offline`. With `at`, or an Idempotency-Key, a request may be sent again
 * whatever became of it, so callers do; a busy service is asked again here.
 */
export async function ask(path, options = {}) {
  return (await send(path, options)).body;
}

/**
 * Ask for `path` unless it is still what `etag` stands for; give `{body, etag}`, with a null body then.
 *
 * Throws as `ask` does.
 */
export async function askAnew(path, { etag, token }) {
  const reply = await send(path, { token, headers: etag ? { "If-None-Match": etag } : {} });
  return { body: reply.status === UNCHANGED ? null : reply.body, etag: reply.headers.get("ETag") };
}

/**
 * Ask for a list to its end; give all its pages. `tell` hears how many there are so far.
 *
 * `most(pages)` tells from those that came how many there may be at all: no more are asked for.
 *
 * Throws as `ask` does.
 */
export async function askAll(path, { token, tell = () => {}, most = () => MOST_PAGES } = {}) {
  const pages = [];
  do {
    const next = pages.at(-1)?.next;
    const asked = new URLSearchParams({ limit: LONGEST_PAGE, ...(next ? { cursor: next } : {}) });
    pages.push(await ask(`${path}?${asked}`, { token }));
    tell(pages.length);
  } while (pages.at(-1).next && pages.length < most(pages));
  return pages;
}

async function send(path, { method = "GET", body, token, headers = {} }) {
  const sent = { "Accept": "application/json", "Accept-Language": language(), ...headers };
  if (token) sent["Authorization"] = `Bearer ${token}`;
  if (body) sent["Content-Type"] = "application/json";
  for (let tries = 1; ; tries += 1) {
    const reply = await reach(new URL(path, ROOT), {
      method,
      headers: sent,
      body: body && JSON.stringify(body),
    });
    if (reply.ok) return reply;
    const wait = Number(reply.headers.get("Retry-After") ?? 1);
    const problem = new Problem(reply.status, reply.body);
    if (problem.code === "unauthenticated") loseToken(token);
    if (!problem.passes || tries === PATIENCE || wait > LONGEST_WAIT_S) throw problem;
    await new Promise((done) => setTimeout(done, wait * 1000));
  }
}

async function reach(url, options) {
  const asked = Date.now();
  try {
    const reply = await fetch(url, { ...options, cache: "no-cache" });
    const { ok, status, headers } = reply;
    // What a proxy has kept tells when it was kept.
    if (headers.has("Date") && !headers.has("Age")) heard(headers.get("Date"), asked, DATE_MS);
    if (status === NO_CONTENT || status === UNCHANGED) return { ok: true, status, headers, body: {} };
    const json = /\bjson\b/.test(headers.get("Content-Type") ?? "");
    const body = json ? await reply.json() : {};
    const now = body.now ?? body.items?.[0]?.now;
    if (now) heard(now, asked);
    return { ok: ok && json, status: ok && !json ? 502 : status, headers, body };
  } catch (error) {
    throw new Offline(error.message);
  }
}

/** Give a key that nobody guesses, for `Idempotency-Key`. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** Give the path of a deal, below the root or `v1/`, with the options that change which cards lie where. */
export function dealPath({ variant, seed, options: { bases, deal } }) {
  const asked = new URLSearchParams(bases ? { bases: bases.join(",") } : { deal });
  return `deals/${encodeURIComponent(variant)}/${encodeURIComponent(seed)}?${asked}`;
}

/**
 * Start a game; give its state, with the token that plays it where no player's `token` does.
 *
 * `key` is one of `newKey`: who sends the same again gets the same game.
 */
export function startGame(asked, key, token) {
  return ask("v1/games", { method: "POST", body: asked, token, headers: { "Idempotency-Key": key } });
}
