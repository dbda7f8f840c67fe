"""Entries as people may see them, and how a challenge is found for somebody who is in it or not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, select

from service.db.tables import challenges, entries, games, players
from service.usecases.challenge_events import lock_challenge
from service.usecases.challenge_states import Columns, EntryState, entry_state, status_at
from service.usecases.challenge_views import visible
from service.usecases.dailies import find_daily
from service.usecases.errors import NotEntered

# Every entry with the name and kind of its player, who has no name once they are deleted.
ENTRIES = select(entries, players.c.name, players.c.bot).join(
    players, players.c.id == entries.c.player_id
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that was dealt; instants in ms since 1970 UTC.

    ``status`` is the game's.
    """

    number: int
    game_id: str
    status: str
    started_at: int
    deadline: int
    finished_at: int | None


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry, of which everybody may see all but ``attempts``; instants in ms since 1970 UTC.

    ``player``: the name, None once they are deleted. ``deadline``: of the latest attempt.
    ``attempts``: None for anybody but the player. ``revision``: the challenge's.
    """

    id: str
    player: str | None
    bot: bool
    state: EntryState
    entered_at: int
    dealt: int
    deadline: int | None
    forfeited_at: int | None
    disqualified_at: int | None
    disqualified_reason: str | None
    attempts: tuple[Attempt, ...] | None
    revision: int
    now: int


def find_challenge(connection: Connection, challenge_id: str, now: int) -> Mapping[str, Any] | None:
    """Find a challenge for reading only; None where there is none.

    One of today's is there before it is stored.
    """
    asked = select(challenges).where(challenges.c.id == challenge_id)
    found = connection.execute(asked).mappings().first()
    return find_daily(connection, challenge_id, now) if found is None else dict(found)


def find_entry(
    connection: Connection, challenge_id: str, player_id: str
) -> Mapping[str, Any] | None:
    """Find the entry of a player, with their ``name`` and ``bot``; None who has not entered."""
    asked = ENTRIES.where(entries.c.challenge_id == challenge_id, entries.c.player_id == player_id)
    found = connection.execute(asked).mappings().first()
    return None if found is None else dict(found)


def lock_for(
    connection: Connection, challenge_id: str, player_id: str, now: int
) -> tuple[Mapping[str, Any], Mapping[str, Any] | None]:
    """Lock a challenge for a player; give it and their entry, None who has not entered.

    Raises ``NotFound``.
    """
    challenge = lock_challenge(connection, challenge_id, now)
    entry = find_entry(connection, challenge_id, player_id)
    return visible(challenge, player_id, entered=entry is not None), entry


def entered(entry: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Give an entry that is there; ``NotEntered`` where there is none."""
    if entry is None:
        detail = "you are not in this challenge: enter it with PUT …/entries/me"
        raise NotEntered(detail)
    return entry


def entry_view(
    entry: Columns, challenge: Columns, now: int, attempts: tuple[Attempt, ...] | None = None
) -> EntryView:
    """Show an entry, with the attempts if it is the player who looks."""
    return EntryView(
        id=entry["id"],
        player=entry["name"],
        bot=entry["bot"],
        state=entry_state(entry, challenge, now),
        entered_at=entry["entered_at"],
        dealt=entry["dealt"],
        deadline=entry["deadline"],
        forfeited_at=entry["forfeited_at"],
        disqualified_at=entry["disqualified_at"],
        disqualified_reason=entry["disqualified_reason"],
        attempts=attempts,
        revision=challenge["revision"],
        now=now,
    )


def own_view(connection: Connection, entry: Columns, challenge: Columns, now: int) -> EntryView:
    """Show an entry to its player: one SELECT."""
    asked = (
        select(
            games.c.attempt,
            games.c.id,
            games.c.status,
            games.c.started_at,
            games.c.deadline,
            games.c.finished_at,
        )
        .where(games.c.challenge_id == challenge["id"], games.c.owner == entry["player_id"])
        .order_by(games.c.attempt)
    )
    found = tuple(_at(Attempt(*row), now) for row in connection.execute(asked))
    return entry_view(entry, challenge, now, found)


def _at(attempt: Attempt, now: int) -> Attempt:
    """Show an attempt as it stands now: its time may have run out."""
    status = status_at(attempt.status, attempt.deadline, now)
    if status == attempt.status:
        return attempt
    return replace(attempt, status=status, finished_at=attempt.deadline)
