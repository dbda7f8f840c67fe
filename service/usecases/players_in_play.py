"""What the player of a token is in now: games and challenges."""

from dataclasses import dataclass

from sqlalchemy import Connection, Engine, and_, or_, select, union

from service.db.tables import challenges, entries, games
from service.rules.family import Status
from service.usecases.callers import Caller, require_caller
from service.usecases.challenge_states import (
    ChallengeState,
    EntryState,
    challenge_state,
    entry_state,
)

MOST = 50

_SHOWN = ("id", "title", "variant", "clock", "starts_at", "ends_at")
# What the states of a challenge and of an entry are computed from: no name stands for both.
_STATE = (
    challenges.c.host,
    challenges.c.cancelled_at,
    challenges.c.finishes_at,
    challenges.c.attempts,
    entries.c.dealt,
    entries.c.deadline,
    entries.c.attempt_ended_at,
    entries.c.forfeited_at,
)


@dataclass(frozen=True, slots=True)
class GameInPlay:
    """A game that its player can play now; instants in ms since 1970 UTC.

    ``challenge_id`` to ``deadline`` are None for a free game.
    """

    id: str
    variant: str
    challenge_id: str | None
    attempt: int | None
    started_at: int
    deadline: int | None


@dataclass(frozen=True, slots=True)
class ChallengeInPlay:
    """A challenge that is not over; instants in ms since 1970 UTC.

    ``hosting``: whether it is the player's own; ``entry``: where their entry stands, None where
    they have not entered.
    """

    id: str
    title: str
    variant: str
    clock: str
    state: ChallengeState
    starts_at: int
    ends_at: int
    hosting: bool
    entry: EntryState | None


@dataclass(frozen=True, slots=True)
class SelfView:
    """A player as they see themselves: newest first, at most ``MOST`` of each list."""

    name: str
    bot: bool
    created_at: int
    games: list[GameInPlay]
    challenges: list[ChallengeInPlay]


def read_self(db: Engine, token_hash: bytes | None, now: int) -> SelfView:
    """Read the player of a token: three SELECTs. Raises what ``require_caller`` raises."""
    with db.connect() as connection:
        caller = require_caller(connection, token_hash)
        return SelfView(
            name=caller.name,
            bot=caller.bot,
            created_at=caller.created_at,
            games=_games(connection, caller, now),
            challenges=_challenges(connection, caller, now),
        )


def _games(connection: Connection, caller: Caller, now: int) -> list[GameInPlay]:
    asked = (
        select(*(games.c[name] for name in GameInPlay.__slots__))
        .where(
            games.c.owner == caller.id,
            games.c.status == Status.IN_PROGRESS.value,
            or_(games.c.deadline.is_(None), games.c.deadline > now),
        )
        .order_by(games.c.id.desc())
        .limit(MOST)
    )
    return [GameInPlay(*row) for row in connection.execute(asked)]


def _challenges(connection: Connection, caller: Caller, now: int) -> list[ChallengeInPlay]:
    hosted = select(challenges.c.id).where(challenges.c.host == caller.id)
    entered = select(entries.c.challenge_id).where(entries.c.player_id == caller.id)
    theirs = and_(
        entries.c.challenge_id == challenges.c.id,
        entries.c.player_id == caller.id,
    )
    asked = (
        select(*_STATE, entries.c.id.label("entry_id"), *(challenges.c[name] for name in _SHOWN))
        .outerjoin_from(challenges, entries, theirs)
        .where(
            challenges.c.id.in_(union(hosted, entered)),
            challenges.c.cancelled_at.is_(None),
            challenges.c.finishes_at > now,
        )
        .order_by(challenges.c.created_at.desc(), challenges.c.id.desc())
        .limit(MOST)
    )
    return [
        ChallengeInPlay(
            **{name: row[name] for name in _SHOWN},
            state=challenge_state(row, now),
            hosting=row["host"] == caller.id,
            entry=None if row["entry_id"] is None else entry_state(row, row, now),
        )
        for row in map(dict, connection.execute(asked).mappings())
    ]
