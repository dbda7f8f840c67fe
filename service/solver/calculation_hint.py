"""A next move for Calculation, from what its player sees and nothing else.

The unseen cards are shuffled again and again; each candidate move is tried against each order that
comes of it, and the move that wins most is the hint. Which cards are unseen follows from those that
lie face up; the shuffles follow from those alone, so that a hint tells nothing of the real order.
"""

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations

from service.rules.calculation import Calculation
from service.rules.calculation_position import (
    NUMBERS,
    SEQUENCES,
    CalculationPosition,
    height,
)
from service.rules.cards import rank_of
from service.solver.calculation import settle
from service.solver.calculation_beam import Problem, Spending
from service.solver.engines import Engine, default_engine
from service.solver.solution import Budget, Goal, Verdict

# Spent in nodes alone, so that the same hint comes from every machine.
HINT_BUDGET = Budget(nodes=8_000)
# The most orders that a move is tried against.
SAMPLES = 32
# With so few unseen cards every order is tried, as thoroughly as the budget allows.
ALL_ORDERS = 3
_WIDTH = 4
# A move that wins so many fewer orders than another is still tried.
_BEHIND = 2


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, and what speaks for it.

    ``move``: None where there is none, or none that helps. ``wins``: how many of ``samples`` orders
    of the unseen cards were won after it. ``exact``: whether these are all orders there are, each
    one settled. ``verdict``: ``unwinnable`` where the position is lost in every order, proven;
    ``winnable`` where the move wins whatever comes; else ``unknown``.
    """

    move: str | None
    verdict: Verdict
    samples: int
    wins: int
    exact: bool


def hint(
    rules: Calculation,
    position: CalculationPosition,
    budget: Budget = HINT_BUDGET,
    *,
    engine: Engine | None = None,
) -> Hint:
    """Give a next move: the same for the same cards in sight, in whatever order the stock lies.

    ``engine``: None for the fastest that is installed. A budget of ms makes it hang on the machine
    how many orders are tried.
    """
    engine = engine or default_engine()
    moves = candidates(rules, position)
    if not moves or Problem(position, engine).is_dead():
        won = not moves and not any(position.wastes) and not position.stock
        verdict = Verdict.WINNABLE if won else Verdict.UNWINNABLE
        return Hint(None, verdict, 0, 0, exact=True)
    unseen = sorted(position.stock[1:], key=rank_of)
    if len(unseen) <= ALL_ORDERS:
        return _among_all(rules, position, moves, unseen, Spending(budget), engine)
    spending = Spending(budget)
    wins, layers, samples = dict.fromkeys(moves, 0), dict.fromkeys(moves, 0), 0
    for order in islice(_shuffles(position, unseen), SAMPLES):
        imagined = position._replace(stock=position.stock[:1] + order)
        tried = {
            move: Problem(rules.apply(imagined, move), engine).search(_WIDTH, spending)
            for move in moves
        }
        if spending.is_over:
            break
        samples += 1
        for move, found in tried.items():
            wins[move] += bool(found.way)
            layers[move] += found.layers
        moves = [move for move in moves if wins[move] + _BEHIND >= max(wins.values())]
    best = max(moves, key=lambda move: (wins[move], layers[move]))
    return Hint(best, Verdict.UNKNOWN, samples, wins[best], exact=False)


def candidates(rules: Calculation, position: CalculationPosition) -> list[str]:
    """List the moves worth a trial, foundations first; a single one that can do no harm.

    A card harms nothing on the one foundation that needs its rank yet. Empty wastes are all alike.
    """
    moves = rules.moves(position)
    up = [move for move in moves if ">F" in move]
    for move in up:
        if _needing(position, _rank_moved(position, move)) == 1:
            return [move]
    empty = [f"S>W{n}" for n, waste in zip(NUMBERS, position.wastes, strict=True) if not waste]
    return up + [move for move in moves if move not in up and move not in empty[1:]]


def _among_all(
    rules: Calculation,
    position: CalculationPosition,
    moves: list[str],
    unseen: list[int],
    spending: Spending,
    engine: Engine,
) -> Hint:
    """Choose by every order of a few unseen cards; with one of them at most there is one order."""
    by_ranks = {tuple(map(rank_of, order)): bytes(order) for order in permutations(unseen)}
    wins, lost, unsettled = dict.fromkeys(moves, 0), True, False
    for order in by_ranks.values():
        imagined = position._replace(stock=position.stock[:1] + order)
        for move in moves:
            problem = Problem(rules.apply(imagined, move), engine)
            verdict, _, _ = settle(problem, spending, Goal.VERDICT)
            wins[move] += verdict is Verdict.WINNABLE
            lost = lost and verdict is Verdict.UNWINNABLE
            unsettled = unsettled or verdict is Verdict.UNKNOWN
    if lost:
        return Hint(None, Verdict.UNWINNABLE, len(by_ranks), 0, exact=True)
    best = max(moves, key=lambda move: wins[move])
    sure = len(by_ranks) == wins[best] == 1
    verdict = Verdict.WINNABLE if sure else Verdict.UNKNOWN
    return Hint(best, verdict, len(by_ranks), wins[best], exact=not unsettled)


def _shuffles(position: CalculationPosition, unseen: list[int]) -> Iterator[bytes]:
    """Shuffle the unseen cards for ever, as the cards in sight determine."""
    in_sight = (position.foundations, *position.wastes, position.stock[:1])
    digest = hashlib.sha256(b"/".join(cards.hex().encode() for cards in in_sight)).digest()
    # No secret hangs on it: it is known to whoever sees the cards.
    generator = random.Random(digest)  # noqa: S311
    while True:
        cards = list(unseen)
        generator.shuffle(cards)
        yield bytes(cards)


def _rank_moved(position: CalculationPosition, move: str) -> int:
    source = move.partition(">")[0]
    card = position.stock[0] if source == "S" else position.wastes[int(source[1]) - 1][-1]
    return rank_of(card)


def _needing(position: CalculationPosition, rank: int) -> int:
    """Count the foundations on which a rank does not lie yet."""
    heights = [height(n, top) for n, top in zip(NUMBERS, position.foundations, strict=True)]
    return sum(
        rank in SEQUENCES[number][above:] for number, above in zip(NUMBERS, heights, strict=True)
    )
