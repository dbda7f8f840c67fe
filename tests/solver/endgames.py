"""Small endgames, and what a plain search over all of their positions says of them.

The search knows nothing of the solver's: it is breadth first, over another engine's moves.
"""

import random
from collections.abc import Callable, Hashable, Iterator
from itertools import product
from typing import Any

from service.rules import VARIANTS
from service.rules.cards import RANKS, SUITS
from service.rules.cruel import CHOICES
from service.rules.cruel_position import CruelPosition
from service.rules.family import REDEAL, Status
from tests.naive.engine import Naive

PILES = 12
ORDINARY = {"deal": "by_pile", "redeal_limit": None}


def every_rules(limits: tuple[int | None, ...] = (None,)) -> list[dict[str, Any]]:
    """Give every combination of the options that a search can tell apart."""
    names = ("build", "redeal", "redeal_when")
    return [
        ORDINARY | dict(zip(names, choices, strict=True)) | {"redeal_limit": limit}
        for *choices, limit in product(*(CHOICES[name] for name in names), limits)
    ]


def rules_of(options: dict[str, Any]) -> Any:
    return VARIANTS["cruel"].configured(options, None)


def name_of(options: dict[str, Any]) -> str:
    return " ".join(
        str(options[name]) for name in ("build", "redeal", "redeal_when", "redeal_limit")
    )


def endgame(rng: random.Random, cards: int) -> list[list[str]]:
    """Give 12 piles: so many cards in random order, in piles of four or of any heights."""
    ranks = [len(RANKS)] * len(SUITS)
    for _ in range(cards):
        # No ace lies in a pile.
        ranks[rng.choice([suit for suit in range(4) if ranks[suit] > 1])] -= 1
    left = [rank + suit for suit, top in zip(SUITS, ranks, strict=True) for rank in RANKS[top:]]
    rng.shuffle(left)
    if rng.random() < 0.5:
        ends = list(range(4, len(left), 4))
    else:
        ends = sorted(rng.randint(0, len(left)) for _ in range(rng.randint(1, 5)))
    piles = [left[a:b] for a, b in zip([0, *ends], [*ends, len(left)], strict=True)]
    return piles + [[] for _ in range(PILES - len(piles))]


def fewest_actions(
    start: Hashable, following: Callable[[Any], Iterator[Any]], won: Callable[[Any], bool]
) -> int | None:
    """Give how many actions the shortest line takes; None where there is none."""
    met, layer, actions = {start}, [start], 0
    while layer:
        if any(map(won, layer)):
            return actions
        found = {after for position in layer for after in following(position)} - met
        met |= found
        layer, actions = list(found), actions + 1
    return None


def by_rules(options: dict[str, Any], piles: list[list[str]], redeals: int = 0) -> int | None:
    """Ask the rules engine; it is many times as fast as the naive one."""
    rules = rules_of(options)
    limited = options["redeal_limit"] is not None

    def following(position: CruelPosition) -> Iterator[CruelPosition]:
        for move in rules.moves(position):
            after = rules.apply(position, move)
            yield after if limited else after._replace(redeals=0)

    start = rules.read_position({"piles": piles})._replace(redeals=redeals)
    return fewest_actions(start, following, lambda at: rules.status(at) is Status.WON)


def by_naive(options: dict[str, Any], piles: list[list[str]]) -> int | None:
    """Ask the naive engine."""
    limited = options["redeal_limit"] is not None

    def game(state: Any) -> Naive:
        lying, redeals = state
        naive = Naive("cruel", options, {"piles": [list(pile) for pile in lying]})
        naive.table.redeals = redeals
        return naive

    def following(state: Any) -> Iterator[Any]:
        for move in game(state).legal_moves():
            after = game(state)
            after.play(move)
            lying = tuple(tuple(pile) for pile in after.table.piles)
            yield lying, state[1] + (limited and move == REDEAL)

    start = (tuple(tuple(pile) for pile in piles), 0)
    return fewest_actions(start, following, lambda state: not any(state[0]))
