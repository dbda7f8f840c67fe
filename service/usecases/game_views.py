"""Stored games as people may see them, and how one is loaded."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, select

from service.db.direct import DirectConnection, Statement
from service.db.tables import challenges, games, players
from service.rules import find_variant
from service.rules.family import Rules, Status
from service.rules.game import Game
from service.rules.record_text import parse_moves
from service.usecases.challenge_states import revealed_at
from service.usecases.errors import NotFound, Unauthenticated
from service.usecases.tokens import UNKNOWN_TOKEN, is_known

# The entries of a history at most.
MAX_HISTORY = 10_000
# The columns that follow from the history.
CACHED = ("ply", "position", "status", "cards_up", "moves", "redeals", "undos")

# The columns that a view needs, beside ``player`` and what it hangs on in its challenge.
NEEDED = (
    *("id", "variant", "options", "seed", "seed_named", "deal_algorithm", "undo"),
    *("owner", "token_hash", "ply", "position", "status", "moves", "undos"),
    *("started_at", "finished_at", "challenge_id", "attempt", "deadline"),
)
_PLAYED_ON = ("history", "entry_id", "standing", "earlier_standing")
_IS_IT = games.c.id == bindparam("game_id")
_STATE = Statement(select(*[games.c[name] for name in NEEDED]).where(_IS_IT))
_WHOLE = Statement(select(*[games.c[name] for name in NEEDED + _PLAYED_ON]).where(_IS_IT))

_owner = players.alias("owner")
_caller = players.alias("caller")
# Who asks for the game of a player, and what it hangs on in its challenge.
_AROUND = Statement(
    select(
        _owner.c.name.label("player"),
        _caller.c.id.label("caller"),
        challenges.c.cancelled_at,
        challenges.c.starts_at,
        challenges.c.finishes_at,
        challenges.c.order,
    )
    .select_from(_owner)
    .outerjoin(_caller, _caller.c.token_hash == bindparam("token_hash"))
    .outerjoin(challenges, challenges.c.id == bindparam("challenge_id"))
    .where(_owner.c.id == bindparam("owner"))
)


@dataclass(frozen=True, slots=True)
class GameView:
    """A stored game as one viewer may see it; instants in ms since 1970 UTC.

    ``seed`` is None where it is a secret for this viewer. Of ``game`` only what lies face up may
    be shown. ``player`` is whose game it is, None where it is nobody's or theirs who has left;
    ``challenge_id``, ``attempt`` and ``deadline`` are None but for the attempts of challenges.
    """

    id: str
    variant: str
    seed: str | None
    deal_algorithm: str
    game: Game[Any]
    started_at: int
    finished_at: int | None
    now: int
    player: str | None = None
    challenge_id: str | None = None
    attempt: int | None = None
    deadline: int | None = None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """The columns of a game with what is around it, and the game that they hold.

    ``token_hash``: that of the caller; ``plays``: whether the caller may play it; ``revealed``:
    whether the challenge that it is an attempt of has finished; ``last_ms``: the time of its last
    entry.
    """

    row: dict[str, Any]
    game: Game[Any]
    token_hash: bytes | None
    plays: bool
    revealed: bool
    last_ms: int

    @property
    def ended(self) -> bool:
        """Whether the game accepts no more moves (a lost one may still accept an undo)."""
        return self.game.status is not Status.IN_PROGRESS

    @property
    def shows_seed(self) -> bool:
        """Whether the caller may know the seed.

        It yields the hidden cards: while they matter only who named it knows it, and the token
        shows that it is they who ask. That of a challenge is everybody's secret until the reveal.
        """
        if self.row["challenge_id"] is not None:
            return bool(self.revealed or self.row["seed_named"])
        hidden = self.game.rules.hides_cards and not self.ended
        return not hidden or bool(self.row["seed_named"] and self.plays)

    def time_is_up(self, now: int) -> bool:
        """Tell whether an attempt's time has run out before it has ended."""
        deadline = self.row["deadline"]
        return deadline is not None and now >= deadline and not self.ended

    def history(self) -> tuple[list[str], list[int]]:
        """Give the move texts of the history and their times, in ms since the start."""
        moves, times = parse_moves(self.row["history"])
        return moves, times or []

    def opening(self) -> Game[Any]:
        """Give the game at its opening, dealt again from the seed."""
        rules = self.game.rules
        position = rules.opening(self.row["deal_algorithm"], self.row["seed"])
        return Game.start(rules, position, undo=self.row["undo"])

    def view(self, now: int) -> GameView:
        """Show the game to the caller."""
        row, game = self.row, self.game
        finished_at = row["finished_at"]
        if self.time_is_up(now):
            game, finished_at = replace(game, status=Status.TIMED_OUT), row["deadline"]
        return GameView(
            row["id"],
            row["variant"],
            row["seed"] if self.shows_seed else None,
            row["deal_algorithm"],
            game,
            row["started_at"],
            finished_at,
            now,
            row["player"],
            row["challenge_id"],
            row["attempt"],
            row["deadline"],
        )


def load_game(
    connection: DirectConnection,
    game_id: str,
    token_hash: bytes | None,
    now: int,
    *,
    whole: bool = False,
) -> StoredGame:
    """Load a game for a caller; ``whole``: with its history.

    One SELECT, one more where it belongs to a player, and one more where the caller's token is
    somebody else's. Raises ``NotFound``, also for an attempt that is not the caller's before its
    challenge is revealed, and ``Unauthenticated`` where nobody has the token.
    """
    row = connection.first(_WHOLE if whole else _STATE, {"game_id": game_id})
    plays = row is not None and token_hash is not None and row["token_hash"] == token_hash
    known, revealed = plays, False
    if row is not None:
        row["player"] = None
        if row["owner"] is not None:
            around = connection.first(_AROUND, {**row, "token_hash": token_hash})
            assert around is not None  # noqa: S101 - players are never deleted from their table
            row |= around
            known = row["caller"] is not None
            plays = known and row["caller"] == row["owner"]
            revealed = row["challenge_id"] is not None and revealed_at(row, now) is not None
    if token_hash is not None and not known and not is_known(connection, token_hash):
        raise Unauthenticated(UNKNOWN_TOKEN)
    if row is None or not (plays or revealed or row["challenge_id"] is None):
        detail = "there is no game with this id"
        raise NotFound(detail)
    last_ms = last_entry_ms(row["history"]) if whole else 0
    return StoredGame(row, stored_game(row), token_hash, plays, revealed, last_ms)


def last_entry_ms(history: str) -> int:
    """Give the time of the last entry of a stored history, in ms since the start; 0 without one."""
    return int(history.rpartition("@")[2] or 0)


def stored_game(row: Mapping[Any, Any]) -> Game[Any]:
    """Give the game that a row of ``games`` caches, without its past: it cannot undo."""
    try:
        rules = stored_rules(row["variant"], row["options"])
        position, status = rules.restore_position(row["position"]), Status(row["status"])
    except ValueError as error:  # not the caller's: it must not pass for an ``Invalid`` request
        message = f"game {row['id']} cannot be read: semilla verify-games tells more"
        raise RuntimeError(message) from error
    return Game(rules, row["undo"], position, status, row["ply"], row["moves"], row["undos"])


def canonical_options(rules: Rules[Any]) -> str:
    """Write every option as JSON, in the one way in which it is stored."""
    return json.dumps(rules.options(), separators=(",", ":"), sort_keys=True)


def cached_columns(game: Game[Any]) -> dict[str, object]:
    """Give the columns ``CACHED``."""
    score = game.score
    return {
        "ply": game.ply,
        "position": game.rules.format_position(game.position),
        "status": game.status.value,
        "cards_up": score.cards_up,
        "moves": score.moves,
        "redeals": score.redeals,
        "undos": score.undos,
    }


@lru_cache(maxsize=1024)
def stored_rules(variant: str, options: str) -> Rules[Any]:
    """Give the rules of a stored game from its variant and canonical options."""
    return find_variant(variant).configured(json.loads(options), None)
