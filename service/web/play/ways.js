// Where a game leads to: the same cards once more, another deal, somebody else who gets the link.

import { dealGame } from "../home.js";
import { shareChallenge, shareLink } from "../share.js";

/** Deal the variant again as it was asked for: the same cards where a `seed` says so, else others. */
export async function dealAgain({ variant, options }, go, seed) {
  const { bases, ...others } = options;
  const kept = bases && !seed ? {} : { options: bases ? { bases } : others };
  await dealGame({ variant, ...kept, ...(seed ? { seed } : {}) }, go);
}

/** Share the challenge that a game is part of, or its deal where the seed is known, else the game. */
export function shareGame({ variant, options, seed, challenge_id }) {
  if (challenge_id) {
    shareChallenge(challenge_id);
    return;
  }
  const url = seed && new URL(`../deals/${variant}/${encodeURIComponent(seed)}`, location.href);
  if (url && options.bases) url.searchParams.set("bases", options.bases);
  shareLink(document.title, url ? url.href : location.href);
}
