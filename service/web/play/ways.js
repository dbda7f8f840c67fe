// Where a game leads to: the same cards once more, another deal, somebody else who gets the link.

import { dealGame } from "../home.js";
import { shareLink } from "../share.js";

/** Deal the variant again as it was asked for: the same cards where a `seed` says so, else others. */
export async function dealAgain({ variant, options }, go, seed) {
  const { bases, ...others } = options;
  const kept = bases && !seed ? {} : { options: bases ? { bases } : others };
  await dealGame({ variant, ...kept, ...(seed ? { seed } : {}) }, go);
}

/** Share the deal of a game where its seed is known, else the game. */
export function shareDeal({ variant, options, seed }) {
  const url = seed && new URL(`../deals/${variant}/${encodeURIComponent(seed)}`, location.href);
  if (url && options.bases) url.searchParams.set("bases", options.bases);
  shareLink(document.title, url ? url.href : location.href);
}
