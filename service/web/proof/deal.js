// From a seed to the cards, as docs/deals.md has it. All is computed here: no service is asked.

import { isNumbered, numberedDeck } from "./pysol.js";

const RANKS = [..."A23456789TJQK"];
const ACES = ["AC", "AD", "AH", "AS"];
const PILES = 12;
const PACKET = 4;
const WORDS = 2 ** 32;
const SEED = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;
const HASH = "SHA-256";

const bytes = (text) => new TextEncoder().encode(text);

/** Tell whether the browser computes hashes here: it does on https, and for a service on the same machine. */
export const canHash = () => Boolean(globalThis.crypto?.subtle);

/** Give the SHA-256 of a text, in hexadecimal. */
export async function hashOf(text) {
  const digest = await crypto.subtle.digest(HASH, bytes(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Name the algorithm that deals a seed; null where it is no seed. */
export function algorithmOf(seed) {
  if (!SEED.test(seed)) return null;
  if (!seed.startsWith("pysol-")) return "deal/1";
  return isNumbered(seed) ? "pysol" : null;
}

/**
 * Deal a seed under the options of a game, all of them: `{piles, foundations}`, or in Calculation
 * `{stock, wastes, foundations}`, the card that is turned first at the start of the stock.
 */
export async function dealSeed(seed, options) {
  const bases = options.bases ?? ACES;
  const cards = await orderOf(seed, bases);
  const foundations = [...bases];
  if (options.bases) return { stock: cards, wastes: [[], [], [], []], foundations };
  const pileOf = (at) => (options.deal === "by_pile" ? Math.floor(at / PACKET) : at % PILES);
  const piles = Array.from({ length: PILES }, (_, pile) => cards.filter((_, at) => pileOf(at) === pile));
  return { piles, foundations };
}

async function orderOf(seed, bases) {
  if (algorithmOf(seed) === "pysol") return numberedDeck(seed).filter((card) => !bases.includes(card));
  const cards = [..."CDHS"].flatMap((suit) => RANKS.map((rank) => rank + suit)).filter((card) => !bases.includes(card));
  const words = wordsOf(seed);
  for (let at = cards.length - 1; at > 0; at -= 1) {
    const other = await below(at + 1, words);
    [cards[at], cards[other]] = [cards[other], cards[at]];
  }
  return cards;
}

async function below(number, words) {
  // A word past the last whole multiple would favour the low places.
  const bound = WORDS - (WORDS % number);
  for (;;) {
    const { value } = await words.next();
    if (value < bound) return value % number;
  }
}

async function* wordsOf(seed) {
  const key = await crypto.subtle.importKey("raw", bytes(seed), { name: "HMAC", hash: HASH }, false, ["sign"]);
  for (let number = 0; ; number += 1) {
    const message = new Uint8Array([...bytes("deal/1/"), 0, 0, 0, 0]);
    new DataView(message.buffer).setUint32(message.length - 4, number);
    const block = new DataView(await crypto.subtle.sign("HMAC", key, message));
    for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at);
  }
}
