"""Hints: a next move for who plays a stored game, from nothing that its player does not see.

A search that has found a way to win is remembered, so whoever follows the hints gets on with it.
"""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import Engine

from service.db.direct import connect_directly
from service.rules.calculation import Calculation
from service.rules.calculation_position import CalculationPosition
from service.rules.family import Rules
from service.solver import solve as search
from service.solver.calculation_hint import HINT_BUDGET
from service.solver.calculation_hint import hint as guess
from service.solver.solution import Budget, Goal, Verdict
from service.usecases.errors import Busy, GameOver, HintForbidden
from service.usecases.game_views import StoredGame, load_game
from service.usecases.secret_deals import is_in_play

# A hint comes in 100 ms, and the search is not all of it.
CRUEL_BUDGET = Budget(ms=60)
CALCULATION_BUDGET = HINT_BUDGET._replace(ms=60)
# How long a hint waits for the one before it, in seconds.
_WAIT_S = 0.1
# How many positions this process remembers with the line that wins from them: some MB.
_REMEMBERED = 2_000

# Both only in turns: who holds the turn searches, and reads and writes the lines.
_turn = Lock()
_lines: OrderedDict[tuple[Rules[Any], object], tuple[str, ...]] = OrderedDict()


class Sample(NamedTuple):
    """Of how many orders of the unseen cards how many were won after the move.

    ``all_orders``: whether there is no other order.
    """

    orders: int
    wins: int
    all_orders: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """A next move at a ply of a game.

    ``move``: None where the position is lost, or no good move was found; ``length``: how many
    actions the line has that begins with it, None where that is not known; ``sample``: what speaks
    for a move where it hangs on unseen cards what becomes of it.
    """

    ply: int
    verdict: Verdict
    move: str | None
    length: int | None
    sample: Sample | None


def hint(db: Engine, game_id: str, token_hash: bytes | None, now: int) -> Hint:
    """Give a next move: the SELECTs that reading the game takes, and one more.

    Raises ``HintForbidden`` for every game of a challenge, and for a deal that is being played in
    one; ``GameOver`` where the game has ended; ``Busy`` where too many ask at once.
    """
    with connect_directly(db) as connection:
        stored = load_game(connection, game_id, token_hash, now)
        _check(stored)
        if is_in_play(connection, stored.row["seed"], now):
            detail = "this deal is being played in a challenge: no hints until that has finished"
            raise HintForbidden(detail)
    game = stored.game
    with _one_after_the_other():
        if isinstance(game.rules, Calculation):
            return _guessed(game.rules, game.position, game.ply)
        return _found(game.rules, game.position, game.ply)


@contextmanager
def _one_after_the_other() -> Iterator[None]:
    if not _turn.acquire(timeout=_WAIT_S):
        detail = "others ask for hints at the same time: ask again"
        raise Busy(detail, retry_after=1)
    try:
        yield
    finally:
        _turn.release()


def _check(stored: StoredGame) -> None:
    if stored.row["challenge_id"] is not None:
        detail = "there are no hints for the games of a challenge"
        raise HintForbidden(detail)
    if stored.ended:
        how = stored.game.status.replace("_", " ")
        detail = f"the game is over ({how}): no move is left to hint at"
        raise GameOver(detail)


def _guessed(rules: Calculation, position: CalculationPosition, ply: int) -> Hint:
    """Guess by what lies face up: which cards are unseen follows from that, not how they lie."""
    unseen = bytes(sorted(position.stock[1:]))
    in_sight = position._replace(stock=position.stock[:1] + unseen)
    given = guess(rules, in_sight, CALCULATION_BUDGET)
    open_to_chance = unseen and given.verdict is Verdict.UNKNOWN
    sample = Sample(given.samples, given.wins, given.exact) if open_to_chance else None
    return Hint(ply, given.verdict, given.move, None, sample)


def _found(rules: Rules[Any], position: object, ply: int) -> Hint:
    """Give the first move of a line, the one that an earlier hint has begun if there is one."""
    line = _lines.get((rules, position))
    if line is None:
        found = search(rules, position, Goal.LINE, CRUEL_BUDGET)
        line = found.line
        if line is None:
            return Hint(ply, found.verdict, None, None, None)
    _remember(rules, position, line)
    _remember(rules, rules.apply(position, line[0]), line[1:])
    return Hint(ply, Verdict.WINNABLE, line[0], len(line), None)


def _remember(rules: Rules[Any], position: object, line: tuple[str, ...]) -> None:
    _lines[rules, position] = line
    _lines.move_to_end((rules, position))
    if len(_lines) > _REMEMBERED:
        _lines.popitem(last=False)
