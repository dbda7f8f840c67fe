"""Record what has been played: the one place that writes moves."""

from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Engine, bindparam, exists, false, update

from service.db.direct import DirectConnection, Statement
from service.db.engine import write_transaction
from service.db.tables import games, players
from service.rules.family import Status
from service.rules.game import Game
from service.usecases.attempts import end_attempt
from service.usecases.challenge_events import lock_challenge
from service.usecases.challenge_states import revealed_at
from service.usecases.entry_views import find_entry
from service.usecases.game_views import CACHED, StoredGame
from service.usecases.recent_games import recent_games

# The row must still be what the move was judged by, and the token must still play it: it may have
# been voided meanwhile.
_SAME = (
    games.c.id == bindparam("game_id"),
    games.c.ply == bindparam("at"),
    games.c.position == bindparam("before"),
    games.c.moves == bindparam("moves_before"),
)
_HISTORY = games.c.history + bindparam("entries")
_PLAYED = Statement(
    update(games)
    .where(*_SAME, games.c.token_hash == bindparam("caller_token"))
    .values(history=_HISTORY),
    "finished_at",
    *CACHED,
)
_PLAYED_BY_OWNER = Statement(
    update(games)
    .where(
        *_SAME,
        # Of a challenge's attempts the latest only: the next one has looked at this one's standing.
        games.c.ranks.is_distinct_from(false()),
        # An operator who cancels the challenge lets the time run out at once.
        games.c.deadline.is_not_distinct_from(bindparam("due")),
        exists().where(
            players.c.id == games.c.owner,
            players.c.token_hash == bindparam("caller_token"),
            # The reply names the player, who may have another name by now.
            players.c.name == bindparam("called"),
        ),
    )
    .values(history=_HISTORY),
    "finished_at",
    "standing",
    *CACHED,
)


class Turn(NamedTuple):
    """What is to be recorded: the game after it, the columns that change, and the new entries.

    ``last_ms``: the time of the last entry; ``recorded``: how many of the moves that were sent had
    been recorded before.
    """

    stored: StoredGame
    game: Game[Any]
    columns: dict[str, Any]
    entries: str
    last_ms: int
    recorded: int

    @property
    def statement(self) -> Statement:
        """The UPDATE that records it."""
        return _PLAYED if self.stored.row["owner"] is None else _PLAYED_BY_OWNER

    @property
    def ends_attempt(self) -> bool:
        """Whether it ends an attempt of a challenge."""
        in_challenge = self.stored.row["challenge_id"] is not None
        return in_challenge and self.game.status is not Status.IN_PROGRESS

    @property
    def values(self) -> dict[str, Any]:
        """The values of that UPDATE."""
        row, ply = self.stored.row, self.stored.game.ply
        return {
            **self.columns,
            "game_id": row["id"],
            "at": ply,
            "before": row["position"],
            "moves_before": row["moves"],
            "due": row["deadline"],
            "caller_token": self.stored.token_hash,
            "called": row["player"],
            "entries": f" {self.entries}" if ply else self.entries,
        }

    def after(self) -> StoredGame:
        """Give the stored game after it."""
        row = {**self.stored.row, **self.columns}
        # It has grown, and who plays on has no need of it.
        row.pop("history", None)
        # `replace` would look up every field by its name, for each move that is played.
        stored = self.stored
        return StoredGame(
            row, self.game, stored.token_hash, stored.plays, stored.revealed, self.last_ms
        )


def record(db: Engine, connection: DirectConnection, turn: Turn) -> StoredGame | None:
    """Store a turn and give the game after it; None where somebody has moved in the meantime."""
    if not connection.change(turn.statement, turn.values):
        return None
    after = turn.after()
    if not after.ended:
        recent_games(db).keep(after)
    return after


def record_end(db: Engine, turn: Turn, now: int) -> StoredGame | None:
    """Store the turn that ends an attempt, with what that ends in the challenge; as ``record``."""
    row, after = turn.stored.row, turn.after()
    with write_transaction(db) as connection:
        challenge = lock_challenge(connection, row["challenge_id"], now)
        entry = find_entry(connection, row["challenge_id"], row["owner"])
        if challenge is None or entry is None or not turn.statement.run(connection, turn.values):
            return None
        challenge = end_attempt(connection, challenge, entry, after.game.status, now)
    # The last end in a race is the reveal.
    return replace(after, revealed=revealed_at(challenge, now) is not None)
