"""How a challenge stands, for those who watch it: one query, however many ask at once.

Each process keeps what it has found for a second at most. What the clock alone changes it works out
anew for whoever asks.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Connection,
    Integer,
    RowMapping,
    Select,
    Text,
    cast,
    null,
    select,
    true,
    union_all,
)

from service.db.per_engine import PerEngine
from service.db.tables import challenges, entries, events, games, players
from service.usecases.dailies import find_daily

# How old what is told may be, in ms.
FRESH_MS = 1_000
# Of the entries those with the best standings; of the events the latest: others are asked for.
MOST_ENTRIES = 200
MOST_EVENTS = 500
# Of each process, up to some 200 KB each.
_MOST_CHALLENGES = 64
# Of each challenge beside its latest events, up to some 200 KB each.
_MOST_BLOCKS = 8

_CHALLENGE = (
    *("id", "host", "cancelled_at", "hidden_at", "starts_at", "finishes_at", "clock", "attempts"),
    *("entered", "dealt", "ended", "revision"),
)
# The columns of the parts, which stand in one answer: each part has nulls for those of the others.
_ENTRY: dict[str, tuple[Any, Any]] = {
    "entry_id": (entries.c.id, Text),
    "entry_dealt": (entries.c.dealt, Integer),
    "deadline": (entries.c.deadline, BigInteger),
    "attempt_ended_at": (entries.c.attempt_ended_at, BigInteger),
    "forfeited_at": (entries.c.forfeited_at, BigInteger),
    "disqualified_at": (entries.c.disqualified_at, BigInteger),
}
_GAME: dict[str, tuple[Any, Any]] = {
    "standing": (games.c.standing, Text),
    "cards_up": (games.c.cards_up, Integer),
    "moves": (games.c.moves, Integer),
    "redeals": (games.c.redeals, Integer),
}
_EVENT: dict[str, tuple[Any, Any]] = {
    "number": (events.c.number, Integer),
    "kind": (events.c.kind, Text),
    "at": (events.c.at, BigInteger),
    "facts": (events.c.facts, Text),
}
_PLAYER: dict[str, tuple[Any, Any]] = {
    "name": (players.c.name, Text),
    "bot": (players.c.bot, Boolean),
}
_ALL = {**_ENTRY, **_GAME, **_EVENT, **_PLAYER}


class Snapshot(NamedTuple):
    """How a challenge stood at ``at``, in ms since 1970 UTC; rows by column.

    ``entries``: the first ``MOST_ENTRIES``, the best standings first and last who has none;
    ``events``: the latest ``MOST_EVENTS`` in their order.
    """

    at: int
    challenge: Mapping[str, Any]
    entries: Sequence[RowMapping]
    events: Sequence[RowMapping]


class _Slot:
    """What is kept of one challenge, and the lock of who finds it anew.

    ``blocks``: of events from long ago, the one that was read first in front: as old as the
    snapshot at most.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.found: Snapshot | None = None
        self.blocks: dict[int, Sequence[RowMapping]] = {}


class Snapshots:
    """The snapshots of one database, for any number of threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._slots: OrderedDict[str, _Slot] = OrderedDict()

    def take(self, connection: Connection, challenge_id: str, now: int) -> Snapshot | None:
        """Give how a challenge stands, a second ago at most; None where there is none.

        Whoever comes while another looks waits for what that one finds.
        """
        slot = self._slot(challenge_id)
        with slot.lock:
            # The clock may go back, by as much as it likes.
            if slot.found is None or abs(now - slot.found.at) >= FRESH_MS:
                slot.found = _look(connection, challenge_id, now)
                slot.blocks.clear()
            found = slot.found
        if found is None:
            with self._lock:
                self._slots.pop(challenge_id, None)
        return found

    def events_after(
        self, connection: Connection, found: Snapshot, after: int
    ) -> Sequence[RowMapping]:
        """Give the first events after a number that a snapshot knows of: ``MOST_EVENTS`` at most.

        Those from long ago are read in blocks, each once while the snapshot is kept, however many
        ask. A block ends before the latest events begin, or among them: nothing is there that the
        snapshot does not know. Who comes near the end of a block gets fewer.
        """
        if after >= found.challenge["revision"]:
            return []
        late = after + 1 >= found.events[0]["number"]
        rows = found.events if late else self._block(connection, found.challenge["id"], after)
        return [row for row in rows if row["number"] > after]

    def _block(self, connection: Connection, challenge_id: str, after: int) -> Sequence[RowMapping]:
        number = after // MOST_EVENTS
        slot = self._slot(challenge_id)
        with slot.lock:
            if number not in slot.blocks:
                asked = _events_of(challenge_id, number * MOST_EVENTS)
                rows = connection.execute(asked).mappings().all()
                if len(slot.blocks) == _MOST_BLOCKS:
                    del slot.blocks[next(iter(slot.blocks))]
                slot.blocks[number] = rows
            return slot.blocks[number]

    def _slot(self, challenge_id: str) -> _Slot:
        with self._lock:
            slot = self._slots.setdefault(challenge_id, _Slot())
            self._slots.move_to_end(challenge_id)
            if len(self._slots) > _MOST_CHALLENGES:
                self._slots.popitem(last=False)
            return slot


# What this process keeps of a database.
snapshots = PerEngine(Snapshots)


def _look(connection: Connection, challenge_id: str, now: int) -> Snapshot | None:
    """Look how a challenge stands: one SELECT, so that all of it is of one moment.

    One of today's that nobody has entered yet is there before it is stored.
    """
    parts = union_all(
        select(_dealt(challenge_id).subquery()),
        select(_undealt(challenge_id).subquery()),
        select(_events_of(challenge_id, None).subquery()),
    ).subquery()
    about = [challenges.c[name].label(f"challenge_{name}") for name in _CHALLENGE]
    asked = (
        select(*about, parts)
        .join_from(challenges, parts, true(), isouter=True)
        .where(challenges.c.id == challenge_id)
    )
    rows = connection.execute(asked).mappings().all()
    if not rows:
        daily = find_daily(connection, challenge_id, now)
        about_daily = daily and {name: daily[name] for name in _CHALLENGE}
        return Snapshot(now, about_daily, [], []) if about_daily else None
    dealt = [row for row in rows if row["standing"] is not None]
    dealt.sort(key=lambda row: row["entry_id"])
    dealt.sort(key=lambda row: row["standing"], reverse=True)
    others = [row for row in rows if row["standing"] is None and row["entry_id"] is not None]
    others.sort(key=lambda row: row["entry_id"])
    return Snapshot(
        at=now,
        challenge={name: rows[0][f"challenge_{name}"] for name in _CHALLENGE},
        entries=[*dealt, *others][:MOST_ENTRIES],
        events=sorted(
            (row for row in rows if row["number"] is not None), key=lambda row: row["number"]
        ),
    )


def _columns(*parts: Mapping[str, tuple[Any, Any]]) -> list[ColumnElement[Any]]:
    """Give all columns by their names: those of the others are null, of their own type."""
    own = {name: column for part in parts for name, (column, _) in part.items()}
    return [
        own[name].label(name) if name in own else cast(null(), kind).label(name)
        for name, (_, kind) in _ALL.items()
    ]


def _dealt(challenge_id: str) -> Select[Any]:
    """Ask for the entries with a deal: the latest attempt of each has its standing."""
    return (
        select(*_columns(_ENTRY, _GAME, _PLAYER))
        .join_from(games, entries, entries.c.id == games.c.entry_id)
        .join(players, players.c.id == entries.c.player_id)
        .where(games.c.challenge_id == challenge_id, games.c.ranks.is_(true()))
        .order_by(games.c.standing.desc(), games.c.entry_id)
        .limit(MOST_ENTRIES)
    )


def _undealt(challenge_id: str) -> Select[Any]:
    return (
        select(*_columns(_ENTRY, _PLAYER))
        .join_from(entries, players, players.c.id == entries.c.player_id)
        .where(entries.c.challenge_id == challenge_id, entries.c.dealt == 0)
        .order_by(entries.c.id)
        .limit(MOST_ENTRIES)
    )


def _events_of(challenge_id: str, after: int | None) -> Select[Any]:
    """Ask for the first events after a number; or for the latest, the last one first."""
    asked = (
        select(*_columns(_EVENT, _PLAYER))
        .join_from(events, players, players.c.id == events.c.player_id, isouter=True)
        .where(events.c.challenge_id == challenge_id)
        .limit(MOST_EVENTS)
    )
    if after is None:
        return asked.order_by(events.c.number.desc())
    return asked.where(events.c.number > after).order_by(events.c.number)
