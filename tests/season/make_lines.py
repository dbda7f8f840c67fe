"""Find lines of play for the deals of the season: ``python -m tests.season.make_lines``.

By chance alone, from fixed numbers: the same on every machine. What they come to is told by the
naive engine, in the tests.
"""

import random
from itertools import count
from typing import Any

from service.rules import find_variant
from service.rules.deals import algorithm_of
from service.rules.family import Rules, Status
from tests.dailies import daily_seed
from tests.naive.golden import save
from tests.season.programme import (
    DAILY_KEY,
    DAILY_VARIANTS,
    DATES,
    PROGRAMME,
    Challenge,
    drawn_seed,
)

LINES = 2
LONGEST = 260
ROLLOUTS = 2_500


def rollout(rules: Rules[Any], seed: str, chance: random.Random) -> tuple[int, list[str]]:
    """Play a deal on, mostly up; give how many cards are up, and the moves."""
    position = rules.opening(algorithm_of(seed), seed)
    line: list[str] = []
    while rules.status(position) is Status.IN_PROGRESS and len(line) < LONGEST:
        line.append(_choose(rules.moves(position), chance))
        position = rules.apply(position, line[-1])
    return rules.cards_up(position), line


def _choose(moves: list[str], chance: random.Random) -> str:
    ups = [move for move in moves if "F" in move]
    cards = [move for move in moves if move != "R"]
    if ups and chance.random() < 0.95:
        return chance.choice(ups)
    if cards and chance.random() < 0.9:
        return chance.choice(cards)
    return chance.choice(moves)


def lines_of(rules: Rules[Any], seed: str, rollouts: int) -> list[list[str]]:
    """Give the best of so many lines, of different lengths."""
    chance = random.Random(seed)
    best: dict[int, tuple[int, list[str]]] = {}
    for _ in range(rollouts):
        up, line = rollout(rules, seed, chance)
        best[len(line)] = max(best.get(len(line), (0, [])), (up, line))
        if sum(each == 52 for each, _ in best.values()) >= LINES:
            break
    ranked = sorted(best.values(), key=lambda found: (-found[0], len(found[1])))
    return [line for _, line in ranked[:LINES]]


def written(variant: str, options: dict[str, object], seed: str, **more: str) -> dict[str, Any]:
    """Give a deal with its lines."""
    rules = find_variant(variant).configured(options, seed)
    lines = [" ".join(line) for line in lines_of(rules, seed, ROLLOUTS)]
    return {**more, "variant": variant, "options": options, "seed": seed, "lines": lines}


def of_challenge(challenge: Challenge) -> dict[str, Any]:
    """Give the deal of a challenge: where the server draws it, the first that is won soon."""
    variant, options = challenge.terms["variant"], challenge.terms.get("options", {})
    seed = challenge.named
    if seed is None:
        rules = find_variant(variant).configured(options, None)
        seed = drawn_seed(challenge.name, 1)
        if variant != "calculation":
            drawn = (drawn_seed(challenge.name, number) for number in count(1))
            seed = next(each for each in drawn if _is_won(rules, each))
    return written(variant, options, seed, name=challenge.name)


def _is_won(rules: Rules[Any], seed: str) -> bool:
    chance = random.Random(seed)
    return any(rollout(rules, seed, chance)[0] == 52 for _ in range(ROLLOUTS // 5))


def main() -> None:
    """Write the file."""
    save(
        "season.json",
        {
            "what": "lines of play for the deals of tests/season, found by chance: of each deal"
            " the best that were found; most of them win",
            "challenges": [of_challenge(challenge) for challenge in PROGRAMME],
            "dailies": [
                written(variant, {}, daily_seed(DAILY_KEY, variant, date), date=date)
                for variant in DAILY_VARIANTS
                for date in DATES
            ],
        },
    )


if __name__ == "__main__":
    main()
