"""Start, read and play stored games. Playing is one SELECT and one UPDATE."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, bindparam, update

from service.db.direct import DirectConnection, Statement, connect_directly
from service.db.tables import games
from service.rules.errors import InvalidMove, within
from service.rules.family import UNDO, RedealPreview, Status
from service.rules.game import Failure, Game, check_moves, play_all
from service.rules.record import Record
from service.rules.record_text import format_moves
from service.usecases.errors import (
    Busy,
    Forbidden,
    GameOver,
    HistoryFull,
    IllegalMoves,
    NothingToUndo,
    PlyConflict,
    PlyGap,
    StillSecret,
    Unauthenticated,
    UndoForbidden,
)
from service.usecases.game_views import (
    CACHED,
    GameView,
    StoredGame,
    cached_columns,
    load_game,
)

MAX_HISTORY = 10_000
_TRIES = 20

_PLAYED = Statement(
    update(games)
    .where(
        games.c.id == bindparam("game_id"),
        games.c.ply == bindparam("at"),
        # A replay of what created the game may have voided the token in the meantime.
        games.c.token_hash == bindparam("token_hash"),
    )
    .values(history=games.c.history + bindparam("entries")),
    "finished_at",
    *CACHED,
)

_REFUSALS: dict[str, type[IllegalMoves]] = {
    "game_over": GameOver,
    "nothing_to_undo": NothingToUndo,
    "undo_not_allowed": UndoForbidden,
}


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game after a request to play, and how many of the moves sent were recorded already."""

    view: GameView
    recorded: int


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
    """Read a game as the holder of a token (or of none) may see it: one SELECT."""
    with connect_directly(db) as connection:
        return load_game(connection, game_id, token_hash).view(now)


def play(
    db: Engine,
    game_id: str,
    token_hash: bytes | None,
    moves: Sequence[str],
    at: int | None,
    now: int,
) -> PlayedGame:
    """Play all of some moves, or none: one SELECT and one UPDATE.

    ``at`` is how many history entries the caller has seen: moves that are recorded from there on
    are skipped, others are a ``PlyConflict``. Without it the moves are appended. Raises ``Invalid``
    for a text that is no move or that hangs on a card which these moves would turn, and
    ``IllegalMoves`` (or one of its kinds) for a move that is refused.
    """
    with connect_directly(db) as connection:
        for _ in range(_TRIES):
            stored = load_game(connection, game_id, token_hash)
            _check_player(stored, token_hash)
            with within("/moves"):
                check_moves(stored.game.rules, moves)
            rest = _unrecorded(stored, moves, at)
            recorded = len(moves) - len(rest)
            if not rest:
                return PlayedGame(stored.view(now), recorded)
            _check_foresight(stored, rest, recorded)
            game = _played(stored, rest, recorded)
            after = _record(connection, stored, game, rest, now)
            if after:
                return PlayedGame(after.view(now), recorded)
    detail = "others keep playing this game at the same time: read it and try again"
    raise Busy(detail, retry_after=1)


def _check_player(stored: StoredGame, token_hash: bytes | None) -> None:
    if stored.holds_token:
        return
    if token_hash is None:
        detail = "playing needs the game's token: send Authorization: Bearer sg_…"
        raise Unauthenticated(detail)
    detail = "this token plays another game"
    raise Forbidden(detail)


def _unrecorded(stored: StoredGame, moves: Sequence[str], at: int | None) -> Sequence[str]:
    """Give the moves that are not recorded yet."""
    ply = stored.game.ply
    if at is None or at == ply:
        return moves
    if at > ply:
        detail = f"the history has {ply} entries: send what follows them, with at {ply}"
        raise PlyGap(detail, at=ply)
    recorded = stored.history()[0][at : at + len(moves)]
    for index, (move, sent) in enumerate(zip(recorded, moves, strict=False)):
        if move != sent:
            detail = (
                f"entry {at + index + 1} of the history is {move}, not {sent}: read the game, "
                f"then send what follows with at {ply}"
            )
            raise PlyConflict(detail, at=ply, index=index, move=sent)
    return moves[len(recorded) :]


def _check_foresight(stored: StoredGame, moves: Sequence[str], recorded: int) -> None:
    """Refuse a move that hangs on a card which an earlier move of the same request would turn.

    Where such a move is refused nothing is played, and the refusal would tell what the card is.
    """
    if stored.shows_seed:
        return
    blind = stored.game.rules.blind_move(stored.game.position, moves)
    if blind is not None:
        detail = f"{moves[blind]} hangs on a card that is hidden now: send it after the others"
        raise InvalidMove(detail, f"/moves/{recorded + blind}")


def _played(stored: StoredGame, moves: Sequence[str], recorded: int) -> Game[Any]:
    """Play moves onto a stored game; ``recorded`` moves were sent before them."""
    game = stored.game
    if game.ply + len(moves) > MAX_HISTORY:
        detail = f"a history holds {MAX_HISTORY} entries: start another game"
        raise HistoryFull(detail, at=game.ply)
    if UNDO in moves:
        game = stored.opening()
        for move in stored.history()[0]:
            game = game.advance(move)
    game, failure = play_all(game, moves)
    if failure:
        raise _refused(failure, recorded, stored.game.ply)
    return game


def _refused(failure: Failure, recorded: int, ply: int) -> IllegalMoves:
    return _REFUSALS.get(failure.reason, IllegalMoves)(
        failure.detail,
        index=recorded + failure.index,
        move=failure.move,
        reason=failure.reason,
        at=ply,
    )


def _record(
    connection: DirectConnection,
    stored: StoredGame,
    game: Game[Any],
    moves: Sequence[str],
    now: int,
) -> StoredGame | None:
    """Store a game after moves; None where somebody else has moved in the meantime."""
    row, ply = stored.row, stored.game.ply
    last = int(row["history"].rpartition("@")[2] or 0)
    at_ms = max(now - row["started_at"], last)  # a clock that was set back never goes back here
    finished_at = None if game.status is Status.IN_PROGRESS else row["started_at"] + at_ms
    entries = format_moves(moves, [at_ms] * len(moves))
    values = {
        "game_id": row["id"],
        "at": ply,
        "token_hash": row["token_hash"],
        "entries": f" {entries}" if ply else entries,
        "finished_at": finished_at,
        **cached_columns(game),
    }
    changed = connection.change(_PLAYED, values)
    return StoredGame(row, game, finished_at, holds_token=True) if changed else None


def preview_redeal(db: Engine, game_id: str, token_hash: bytes | None) -> RedealPreview:
    """Tell what a redeal would do: one SELECT. ``InvalidMove`` in a family without redeals."""
    with connect_directly(db) as connection:
        game = load_game(connection, game_id, token_hash).game
    preview = game.preview_redeal()
    if preview is None:
        detail = f"{game.rules.family} has no redeal"
        raise InvalidMove(detail)
    return preview


def history(
    db: Engine,
    game_id: str,
    token_hash: bytes | None,
    *,
    after: int | None,
    before: int | None,
    limit: int,
) -> HistoryPage:
    """Give at most ``limit`` entries after a ply, or just before one: one SELECT."""
    with connect_directly(db) as connection:
        moves, times = load_game(connection, game_id, token_hash).history()
    last = len(moves) if before is None else min(max(before - 1, 0), len(moves))
    start = min(after or 0, last) if before is None else max(last - limit, 0)
    end = min(start + limit, last)
    plies = range(start + 1, end + 1)
    entries = list(zip(plies, moves[start:end], times[start:end], strict=True))
    return HistoryPage(entries, start, end, end < len(moves))


def record(db: Engine, game_id: str, token_hash: bytes | None) -> Record:
    """Give the portable record of a game; ``StillSecret`` while its seed is: one SELECT."""
    with connect_directly(db) as connection:
        stored = load_game(connection, game_id, token_hash)
    if not stored.shows_seed:
        detail = "the seed is a secret until the game has ended: finish or resign it first"
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
