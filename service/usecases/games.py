"""Read stored games: what they are, where they stand, and how they came there."""

from dataclasses import dataclass

from sqlalchemy import Engine

from service.db.direct import connect_directly
from service.rules.errors import InvalidMove
from service.rules.family import RedealPreview
from service.rules.record import Record
from service.usecases.errors import StillSecret
from service.usecases.game_views import GameView, load_game
from service.usecases.pars import GameWithPar, par_of_game


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The entries after ply ``start`` up to ply ``end``: ``(ply, move, ms since the start)``.

    ``has_after``: whether the history goes on after them.
    """

    entries: list[tuple[int, str, int]]
    start: int
    end: int
    has_after: bool


def read(db: Engine, game_id: str, token_hash: bytes | None, now: int) -> GameView:
    """Read a game as the holder of a token (or of none) may see it."""
    with connect_directly(db) as connection:
        return load_game(connection, game_id, token_hash, now).view(now)


def read_with_par(db: Engine, game_id: str, token_hash: bytes | None, now: int) -> GameWithPar:
    """Read a game with the par of its deal, for which one that has ended takes a SELECT more."""
    with connect_directly(db) as connection:
        stored = load_game(connection, game_id, token_hash, now)
        return GameWithPar(stored.view(now), par_of_game(connection, stored, now))


def preview_redeal(db: Engine, game_id: str, token_hash: bytes | None, now: int) -> RedealPreview:
    """Tell what a redeal would do; ``InvalidMove`` in a family without redeals."""
    with connect_directly(db) as connection:
        game = load_game(connection, game_id, token_hash, now).view(now).game
    preview = game.preview_redeal()
    if preview is None:
        detail = f"{game.rules.family} has no redeal"
        raise InvalidMove(detail)
    return preview


def history(
    db: Engine,
    game_id: str,
    token_hash: bytes | None,
    now: int,
    *,
    after: int | None,
    before: int | None,
    limit: int,
) -> HistoryPage:
    """Give at most ``limit`` entries after a ply, or just before one."""
    with connect_directly(db) as connection:
        moves, times = load_game(connection, game_id, token_hash, now, whole=True).history()
    last = len(moves) if before is None else min(max(before - 1, 0), len(moves))
    start = min(after or 0, last) if before is None else max(last - limit, 0)
    end = min(start + limit, last)
    plies = range(start + 1, end + 1)
    entries = list(zip(plies, moves[start:end], times[start:end], strict=True))
    return HistoryPage(entries, start, end, end < len(moves))


def record(db: Engine, game_id: str, token_hash: bytes | None, now: int) -> Record:
    """Give the portable record of a game; ``StillSecret`` while its seed is."""
    with connect_directly(db) as connection:
        stored = load_game(connection, game_id, token_hash, now, whole=True)
    if not stored.shows_seed:
        in_challenge = stored.row["challenge_id"] is not None
        detail = (
            "the seed is a secret until the challenge has finished: ask again then"
            if in_challenge
            else "the seed is a secret until the game has ended: finish or resign it first"
        )
        raise StillSecret(detail)
    moves, times = stored.history()
    row = stored.row
    return Record(
        variant=row["variant"],
        rules=stored.game.rules,
        seed=row["seed"],
        deal_algorithm=row["deal_algorithm"],
        position=None,
        undo=row["undo"],
        moves=tuple(moves),
        times_ms=tuple(times) or None,
    )
