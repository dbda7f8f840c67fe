"""Watch a challenge: how it stands, and what somebody has done in it since one last looked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine

from service.usecases.callers import Caller, identify
from service.usecases.challenge_snapshots import Snapshot, snapshots
from service.usecases.challenge_states import (
    SHARED,
    ChallengeState,
    Columns,
    EntryState,
    challenge_state,
    entry_state,
)
from service.usecases.challenge_views import visible
from service.usecases.entry_views import find_entry

# After how many ms it is worth asking again.
_RACE_MS, _RUNNING_MS, _AT_REST_MS = 1_000, 5_000, 60_000
# Before the start: the longest of these after which it has not begun, so that the last minute holds
# few answers that differ, and who follows them asks again less than a second after the start.
_BEFORE_START_MS = (_AT_REST_MS, 30_000, 15_000, 10_000, 5_000, 2_000, 1_000)


@dataclass(frozen=True, slots=True)
class WatchedEntry:
    """Somebody in a challenge; ``player`` is None once they are deleted.

    ``attempt`` to ``actions`` are of the latest attempt, None before the first.
    """

    id: str
    player: str | None
    bot: bool
    state: EntryState
    disqualified: bool
    attempt: int | None
    cards_up: int | None
    actions: int | None


@dataclass(frozen=True, slots=True)
class Event:
    """What somebody has done; ``at``: ms since 1970 UTC.

    ``somebody`` is whether a player has done it, and not the operator; ``player`` is None once they
    are deleted.
    """

    number: int
    kind: str
    at: int
    somebody: bool
    player: str | None
    bot: bool
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Watched:
    """A challenge as anybody may watch it, with the events that are asked for.

    ``entries``: of the first ``MOST_ENTRIES``; ``entered``: how many there are; ``dealt``: of
    attempts; ``ended``: how many have ended all their attempts by a move, or forfeited.
    """

    state: ChallengeState
    entered: int
    dealt: int
    ended: int
    entries: tuple[WatchedEntry, ...]
    events: tuple[Event, ...]
    revision: int
    poll_after_ms: int


def watch(
    db: Engine, challenge_id: str, token_hash: bytes | None, *, after: int, now: int
) -> Watched:
    """Tell how a challenge stands, and its first ``MOST_EVENTS`` events after a number.

    It is as it was a second ago at most. No SELECT where this process has just looked, one where it
    has not, and one more for events from long ago that nobody has asked for since; beside that one
    for the caller, and one where the challenge is hidden. Raises ``NotFound``, and
    ``Unauthenticated`` for an unknown token.
    """
    with db.connect() as connection:
        caller = identify(connection, token_hash)
        kept = snapshots(db)
        found = kept.take(connection, challenge_id, now)
        challenge = _seen(connection, found, caller)
        assert found is not None  # noqa: S101 - what is not there is not seen
        rows = kept.events_after(connection, found, after)
    state = challenge_state(challenge, now)
    more = bool(rows) and rows[-1]["number"] < challenge["revision"]
    return Watched(
        state=state,
        entered=challenge["entered"],
        dealt=challenge["dealt"],
        ended=challenge["ended"],
        entries=tuple(_entry(row, challenge, now) for row in found.entries),
        events=tuple(map(_event, rows)),
        revision=challenge["revision"],
        poll_after_ms=0 if more else _poll_after_ms(state, challenge, now),
    )


def _seen(connection: Connection, found: Snapshot | None, caller: Caller | None) -> Columns:
    if found is None:
        return visible(None, None, entered=False)
    challenge = found.challenge
    entered = (
        challenge["hidden_at"] is not None
        and caller is not None
        and find_entry(connection, challenge["id"], caller.id) is not None
    )
    return visible(challenge, None if caller is None else caller.id, entered=entered)


def _entry(row: Mapping[Any, Any], challenge: Columns, now: int) -> WatchedEntry:
    entry = {**row, "dealt": row["entry_dealt"]}
    dealt = bool(row["entry_dealt"])
    return WatchedEntry(
        id=row["entry_id"],
        player=row["name"],
        bot=row["bot"],
        state=entry_state(entry, challenge, now),
        disqualified=row["disqualified_at"] is not None,
        attempt=row["entry_dealt"] if dealt else None,
        cards_up=row["cards_up"],
        actions=row["moves"] + row["redeals"] if dealt else None,
    )


def _event(row: Mapping[Any, Any]) -> Event:
    return Event(
        number=row["number"],
        kind=row["kind"],
        at=row["at"],
        somebody=row["bot"] is not None,
        player=row["name"],
        bot=bool(row["bot"]),
        facts=json.loads(row["facts"]),
    )


def _poll_after_ms(state: ChallengeState, challenge: Columns, now: int) -> int:
    """Say when it is worth asking again: nothing happens by the clock before the start."""
    if state is ChallengeState.SCHEDULED:
        left = int(challenge["starts_at"]) - now
        return next((ms for ms in _BEFORE_START_MS if ms <= left), _BEFORE_START_MS[-1])
    if state is ChallengeState.RUNNING:
        return _RACE_MS if challenge["clock"] == SHARED else _RUNNING_MS
    return _AT_REST_MS
