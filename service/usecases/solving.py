"""Solve a deal for whoever names its seed: what is known of it is told, what is found is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine

from service.db.direct import connect_directly
from service.rules import find_variant
from service.rules.errors import InvalidMove, Within
from service.rules.family import RESIGN, UNDO, Rules, Status
from service.rules.game import Game, check_moves, play_all
from service.solver import solve as search
from service.solver.solution import Budget, Goal, Solution, Verdict
from service.usecases.deals import find_opening
from service.usecases.errors import IllegalMoves, StillSecret
from service.usecases.secret_deals import is_in_play
from service.usecases.solutions import Known, deal_key, find_known, keep
from service.usecases.solver_slot import aside, one_at_a_time


@dataclass(frozen=True, slots=True)
class Solved:
    """What is known of a position; ``known``: from before, nothing was searched for it."""

    solution: Solution
    known: bool

    def as_json(self) -> dict[str, object]:
        """Give all of it as JSON values."""
        solution = self.solution
        return {
            "verdict": solution.verdict,
            "line": solution.line,
            "length": solution.length,
            "proven_shortest": solution.proven_shortest,
            "lower_bound": solution.lower_bound,
            "nodes": solution.nodes,
            "elapsed_ms": solution.elapsed_ms,
            "known": self.known,
        }


def solve(
    db: Engine,
    *,
    variant: str,
    options: Mapping[str, object],
    seed: str,
    moves: Sequence[str],
    goal: Goal,
    budget_ms: int,
    now: int,
) -> Solved:
    """Solve the deal of a seed, or the position after some moves from its opening.

    Two SELECTs; a search that starts at the opening takes a transaction more, which keeps what it
    has found. Raises ``Invalid`` with the place, ``StillSecret`` while the seed is that of a
    challenge that has not finished, ``IllegalMoves`` for a move that is refused, and ``Busy`` while
    this process searches for somebody else.
    """
    with Within("/variant"):
        find_variant(variant)
    opening = find_opening(variant, seed, options)
    rules = opening.rules
    with Within("/moves"):
        _check_moves(rules, moves)
    with connect_directly(db) as connection:
        if is_in_play(connection, seed, now):
            detail = "this deal is being played in a challenge: ask again when that has finished"
            raise StillSecret(detail)
    game = _played(Game.start(rules, opening.position, undo=False), moves)
    return solve_game(None if moves else db, game, goal, budget_ms, now)


def solve_game(db: Engine | None, game: Game[Any], goal: Goal, budget_ms: int, now: int) -> Solved:
    """Solve a game from where it stands; ``db``: where what is known of it is kept, if it is.

    ``Busy`` while this process searches for somebody else.
    """
    if game.status is not Status.IN_PROGRESS:
        return Solved(_ended(game), known=True)
    if db is None:
        return Solved(search_from(game, goal, budget_ms), known=False)
    deal = deal_key(game.rules, game.position)
    with db.connect() as connection:
        known = find_known(connection, deal)
    if known is not None and known.answers(goal):
        return Solved(_told(known, game, goal, nodes=0, elapsed_ms=0), known=True)
    found = search_from(game, goal, budget_ms)
    known = keep(db, deal, Known.of(found), now)
    spent = {"nodes": found.nodes, "elapsed_ms": found.elapsed_ms}
    return Solved(_told(known, game, goal, **spent), known=False)


def search_from(game: Game[Any], goal: Goal, budget_ms: int) -> Solution:
    """Search from where a game stands; ``Busy`` while this process searches for somebody else."""
    with one_at_a_time():
        return aside(lambda: search(game.rules, game.position, goal, Budget(ms=budget_ms)))


def _check_moves(rules: Rules[Any], moves: Sequence[str]) -> None:
    check_moves(rules, moves)
    for index, move in enumerate(moves):
        if move in (UNDO, RESIGN):
            detail = f"{move} leads to no position: send the moves that stand"
            raise InvalidMove(detail, f"/{index}")


def _played(game: Game[Any], moves: Sequence[str]) -> Game[Any]:
    game, failure = play_all(game, moves)
    if failure:
        about = {"index": failure.index, "move": failure.move, "reason": failure.reason}
        raise IllegalMoves(failure.detail, **about)
    return game


def _ended(game: Game[Any]) -> Solution:
    won = game.status is Status.WON
    verdict, line = (Verdict.WINNABLE, ()) if won else (Verdict.UNWINNABLE, None)
    return Solution(verdict, line, won, 0, 0, 0)


def check_wins(game: Game[Any], line: Sequence[str] | None) -> None:
    """Have the rules play a line, if there is one, before anybody is told of it."""
    if line is not None and play_all(game, line)[0].status is not Status.WON:
        message = f"a line of {len(line)} actions does not win"
        raise RuntimeError(message)


def _told(known: Known, game: Game[Any], goal: Goal, *, nodes: int, elapsed_ms: int) -> Solution:
    """Give what is known to whoever has a goal."""
    solution = known.solution(goal, nodes=nodes, elapsed_ms=elapsed_ms)
    check_wins(game, solution.line)
    return solution
