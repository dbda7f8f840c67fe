"""Play stored games: what a request asks for, and when it is refused."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Engine

from service.db.direct import connect_directly
from service.rules.errors import Invalid, InvalidMove, Within
from service.rules.family import UNDO, Status
from service.rules.game import Failure, Game, check_moves, play_all
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
    Refused,
    TimeExpired,
    Unauthenticated,
    UndoForbidden,
)
from service.usecases.game_views import (
    MAX_HISTORY,
    GameView,
    StoredGame,
    cached_columns,
    load_game,
)
from service.usecases.recent_games import recent_games
from service.usecases.recording import Turn, record, record_end
from service.usecases.standing import best_standing, standing_of

_TRIES = 20

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


class _Request(NamedTuple):
    """What a caller asks for."""

    token_hash: bytes | None
    moves: Sequence[str]
    at: int | None
    now: int


def play(
    db: Engine,
    game_id: str,
    token_hash: bytes | None,
    moves: Sequence[str],
    at: int | None,
    now: int,
) -> PlayedGame:
    """Play all of some moves, or none: one UPDATE, and a SELECT unless it was played here before.

    The game of a player takes a SELECT more, and the move that ends an attempt of a challenge a
    transaction that ends it. ``at`` is how many history entries the caller has seen: moves that are
    recorded from there on are skipped, others are a ``PlyConflict``. Without it the moves are
    appended; in a challenge it is required. Raises ``Invalid`` for a text that is no move or that
    hangs on a card which these moves would turn, ``TimeExpired``, and ``IllegalMoves`` (or one of
    its kinds) for a move that is refused.
    """
    asked = _Request(token_hash, moves, at, now)
    played = _play_recent(db, game_id, asked)
    if played:
        return played
    for _ in range(_TRIES):
        with connect_directly(db) as connection:
            stored = load_game(connection, game_id, token_hash, now, whole=True)
            turn = _turn(stored, asked)
            if turn is None:
                connection.make_sure()
                return PlayedGame(stored.view(now), len(moves))
            after = None if turn.ends_attempt else record(db, connection, turn)
        if turn.ends_attempt:
            after = record_end(db, turn, now)
        if after:
            return PlayedGame(after.view(now), turn.recorded)
    detail = "others keep playing this game at the same time: read it and try again"
    raise Busy(detail, retry_after=1)


def _play_recent(db: Engine, game_id: str, asked: _Request) -> PlayedGame | None:
    """Play on from what this process has recorded last; None where that does not do.

    What is refused is read first: it may stand otherwise by now.
    """
    stored = recent_games(db).take(game_id)
    if (
        stored is None
        or stored.token_hash != asked.token_hash
        or asked.at not in (None, stored.game.ply)
        or UNDO in asked.moves
    ):
        return None
    try:
        turn = _turn(stored, asked)
    except (Invalid, Refused):
        return None
    if turn is None or turn.ends_attempt:
        return None
    with connect_directly(db) as connection:
        after = record(db, connection, turn)
    return PlayedGame(after.view(asked.now), turn.recorded) if after else None


def _turn(stored: StoredGame, asked: _Request) -> Turn | None:
    """Judge what a caller asks of a game; None where all of it is recorded."""
    moves, row = asked.moves, stored.row
    _check_player(stored, asked.token_hash)
    with Within("/moves"):
        check_moves(stored.game.rules, moves)
    if asked.at is None and row["challenge_id"] is not None:
        detail = "in a challenge a move says after which ply it comes: send at with the game's ply"
        raise Invalid(detail, "/at")
    rest = _unrecorded(stored, moves, asked.at)
    if not rest:
        return None
    if stored.time_is_up(asked.now):
        detail = "the time of this attempt has run out: what is recorded counts"
        raise TimeExpired(detail, at=stored.game.ply)
    recorded = len(moves) - len(rest)
    _check_foresight(stored, rest, recorded)
    game = _played(stored, rest, recorded)
    # A clock that was set back never goes back here.
    at_ms = max(asked.now - row["started_at"], stored.last_ms)
    columns = {
        "finished_at": None if game.status is Status.IN_PROGRESS else row["started_at"] + at_ms,
        "standing": _standing(stored, game, at_ms),
        **cached_columns(game),
    }
    entries = format_moves(rest, [at_ms] * len(rest))
    return Turn(stored, game, columns, entries, at_ms, recorded)


def _check_player(stored: StoredGame, token_hash: bytes | None) -> None:
    if stored.plays:
        return
    owned = stored.row["owner"] is not None
    if token_hash is None:
        whose, prefix = ("its player's", "sp_") if owned else ("the game's", "sg_")
        detail = f"playing needs {whose} token: send Authorization: Bearer {prefix}…"
        raise Unauthenticated(detail)
    detail = "this game belongs to another player" if owned else "this token plays another game"
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


def _standing(stored: StoredGame, game: Game[Any], at_ms: int) -> str | None:
    """Give the best of an entry's attempts after moves of this one; None outside challenges."""
    row = stored.row
    if row["challenge_id"] is None:
        return None
    if game.score.actions == stored.game.score.actions:
        return str(row["standing"])  # it was only resigned
    return best_standing(row["order"], standing_of(game, at_ms), row["earlier_standing"])
