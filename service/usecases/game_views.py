"""Stored games as people may see them, and how one is loaded."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, select

from service.db.direct import DirectConnection, Statement
from service.db.tables import games
from service.rules import find_variant
from service.rules.family import Rules, Status
from service.rules.game import Game
from service.rules.record_text import parse_moves
from service.usecases.errors import NotFound, Unauthenticated
from service.usecases.tokens import UNKNOWN_TOKEN, is_known

# The columns that follow from the history.
CACHED = ("ply", "position", "status", "cards_up", "moves", "redeals", "undos")

_GAME = Statement(select(games).where(games.c.id == bindparam("game_id")))


@dataclass(frozen=True, slots=True)
class GameView:
    """A stored game as one viewer may see it; instants in ms since 1970 UTC.

    ``seed`` is None where it is a secret for this viewer. Of ``game`` only what lies face up may
    be shown.
    """

    id: str
    variant: str
    seed: str | None
    deal_algorithm: str
    game: Game[Any]
    started_at: int
    finished_at: int | None
    now: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """The columns of a game, and the game that they hold.

    ``holds_token``: whether the caller may play it. After a move ``game`` and ``finished_at`` are
    newer than ``row``, whose other columns never change but for the history.
    """

    row: Mapping[Any, Any]
    game: Game[Any]
    finished_at: int | None
    holds_token: bool

    @property
    def ended(self) -> bool:
        """Whether the game accepts no more moves (a lost one may still accept an undo)."""
        return self.game.status is not Status.IN_PROGRESS

    @property
    def shows_seed(self) -> bool:
        """Whether the caller may know the seed.

        It yields the hidden cards: while they matter only who named it knows it, and the token
        shows that it is they who ask.
        """
        hidden = self.game.rules.hides_cards and not self.ended
        return not hidden or bool(self.row["seed_named"] and self.holds_token)

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
        row = self.row
        return GameView(
            id=row["id"],
            variant=row["variant"],
            seed=row["seed"] if self.shows_seed else None,
            deal_algorithm=row["deal_algorithm"],
            game=self.game,
            started_at=row["started_at"],
            finished_at=self.finished_at,
            now=now,
        )


def load_game(connection: DirectConnection, game_id: str, token_hash: bytes | None) -> StoredGame:
    """Load a game for a caller: one SELECT, two where the token is not this game's.

    Raises ``NotFound``, and ``Unauthenticated`` where nobody has the token.
    """
    row = connection.first(_GAME, {"game_id": game_id})
    holds_token = row is not None and token_hash is not None and row["token_hash"] == token_hash
    if token_hash is not None and not holds_token and not is_known(connection, token_hash):
        raise Unauthenticated(UNKNOWN_TOKEN)
    if row is None:
        detail = "there is no game with this id"
        raise NotFound(detail)
    return StoredGame(row, stored_game(row), row["finished_at"], holds_token)


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
