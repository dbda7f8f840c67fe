"""Make a par better: search for a shorter line of a deal that nobody plays any more."""

from typing import Any

from sqlalchemy import Engine, select

from service.db.direct import connect_directly
from service.db.tables import games
from service.rules.family import UNDO, Status
from service.rules.game import Game
from service.rules.record_text import parse_moves
from service.solver.solution import Goal, Verdict
from service.usecases.callers import identify
from service.usecases.challenge_views import load_view
from service.usecases.errors import StillSecret
from service.usecases.game_views import load_game
from service.usecases.pars import is_told
from service.usecases.secret_deals import is_in_play
from service.usecases.solutions import Known, deal_key, find_known, keep
from service.usecases.solving import Solved, check_wins, search_from

_WON_FIRST = (games.c.moves + games.c.redeals).asc(), games.c.id


def improve_game_par(
    db: Engine, game_id: str, token_hash: bytes | None, *, budget_ms: int, now: int
) -> Solved:
    """Search for a shorter line of a stored game's deal; a game that was won is one itself.

    Raises ``NotFound``, ``Unauthenticated`` where nobody has the token, ``StillSecret`` while
    anybody plays the deal, and ``Busy`` while this process searches for somebody else.
    """
    with connect_directly(db) as connection:
        stored = load_game(connection, game_id, token_hash, now, whole=True)
        if not is_told(stored):
            detail = (
                "the deal is a secret until the challenge has finished: ask again then"
                if stored.row["challenge_id"] is not None
                else "the solver is asked when the game has ended: finish or resign it first"
            )
            raise StillSecret(detail)
        if is_in_play(connection, stored.row["seed"], now):
            detail = "this deal is being played in a challenge: ask again when that has finished"
            raise StillSecret(detail)
    won = stored.game.status is Status.WON
    line = _standing_moves(stored.row["history"]) if won else None
    return _improve(db, stored.opening(), line, budget_ms, now)


def improve_challenge_par(
    db: Engine, challenge_id: str, token_hash: bytes | None, *, budget_ms: int, now: int
) -> Solved:
    """Search for a shorter line of a challenge's deal; the shortest game that won it is one.

    Raises what ``improve_game_par`` raises.
    """
    with db.connect() as connection:
        caller = identify(connection, token_hash)
        challenge = load_view(connection, challenge_id, caller, now)
        if challenge.revealed_at is None or challenge.seed is None:
            detail = "the deal is a secret until the challenge has finished: ask again then"
            raise StillSecret(detail)
        shortest = (
            select(games.c.history)
            .where(games.c.challenge_id == challenge_id, games.c.status == Status.WON.value)
            .order_by(*_WON_FIRST)
            .limit(1)
        )
        history = connection.execute(shortest).scalar()
    with connect_directly(db) as direct:
        if is_in_play(direct, challenge.seed, now):
            detail = "another challenge plays this deal: ask again when that has finished"
            raise StillSecret(detail)
    terms = challenge.terms
    opening = terms.rules.opening(terms.deal_algorithm, challenge.seed)
    line = None if history is None else _standing_moves(history)
    return _improve(db, Game.start(terms.rules, opening, undo=False), line, budget_ms, now)


def _standing_moves(history: str) -> list[str]:
    """Give the actions of a stored history that no undo has taken back."""
    standing: list[str] = []
    for move in parse_moves(history)[0]:
        if move == UNDO:
            standing.pop()
        else:
            standing.append(move)
    return standing


def _improve(
    db: Engine, opening: Game[Any], line: list[str] | None, budget_ms: int, now: int
) -> Solved:
    """Find out what can be within a budget, and keep it; ``line``: one that somebody has played."""
    deal = deal_key(opening.rules, opening.position)
    with db.connect() as connection:
        before = find_known(connection, deal)
    known = before or Known(Verdict.UNKNOWN, None, 0, 0)
    if line is not None:
        known = known.and_also(Known(Verdict.WINNABLE, tuple(line), 0, 0))
    nodes = elapsed_ms = 0
    settled = known.answers(Goal.SHORTEST)
    if not settled:
        found = search_from(opening, Goal.SHORTEST, budget_ms)
        known = known.and_also(Known.of(found))
        nodes, elapsed_ms = found.nodes, found.elapsed_ms
    check_wins(opening, known.line)
    if known != before:
        known = keep(db, deal, known, now)
    return Solved(known.solution(Goal.SHORTEST, nodes=nodes, elapsed_ms=elapsed_ms), known=settled)
