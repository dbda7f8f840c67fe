"""What each player has done in the dailies of some days: the days that are over added up once.

Each process keeps the sums of the days before today, and adds today's to them for whoever asks. The
revisions of these dailies, which everything that counts raises, tell whether one has changed since,
and then all is added up anew: so it never tells less than the database has.
"""

from collections import OrderedDict
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    func,
    select,
    true,
)

from service.db.per_engine import PerEngine
from service.db.tables import challenges, entries, games
from service.rules.family import Status
from service.usecases.challenge_terms import DAY_MS

# Of each process: sums over some days of one variant, some 300 bytes for each who has played.
_MOST = 16


class Total(NamedTuple):
    """What a player has done in some dailies; the lesser stands before the greater.

    ``behind``: how many they solved, negative; ``actions``: all actions in these together;
    ``entry_id``: the first of their entries; ``played``: how many dailies were dealt to them.
    """

    behind: int
    actions: int
    entry_id: str
    player_id: str
    played: int

    def plus(self, other: "Total") -> "Total":
        """Add what the same player has done in others."""
        return Total(
            self.behind + other.behind,
            self.actions + other.actions,
            min(self.entry_id, other.entry_id),
            self.player_id,
            self.played + other.played,
        )


class _Kept(NamedTuple):
    """The sums of some days, in their order, and which they are of."""

    of: tuple[int, ...]
    totals: list[Total]


class _Slot:
    """What is kept of one variant and period, and the lock of who adds it up anew."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.kept: _Kept | None = None


class DailyTotals:
    """The sums that are kept of one database, for any number of threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._slots: OrderedDict[tuple[str, str], _Slot] = OrderedDict()

    def read(
        self, connection: Connection, variant: str, period: str, starts_at: int, now: int
    ) -> list[Total]:
        """Give everybody's sums from ``starts_at`` on, ms since 1970 UTC, the best first.

        One SELECT, and one more where a day has passed since, or has changed. ``period`` names what
        they are kept under.
        """
        midnight = now - now % DAY_MS
        days = {"variant": variant, "starts_at": starts_at, "midnight": midnight}
        of, today = _fetch(connection, _TODAY, days)
        slot = self._slot(variant, period)
        with slot.lock:
            kept = slot.kept
            if kept is None or kept.of != of:
                kept = slot.kept = _Kept(*_fetch(connection, _OVER, days))
        return _added(kept.totals, today)

    def clear(self) -> None:
        """Forget them all."""
        self._slots.clear()

    def _slot(self, variant: str, period: str) -> _Slot:
        with self._lock:
            slot = self._slots.setdefault((variant, period), _Slot())
            self._slots.move_to_end((variant, period))
            if len(self._slots) > _MOST:
                self._slots.popitem(last=False)
            return slot


# What this process keeps of a database.
daily_totals = PerEngine(DailyTotals)


def _added(over: list[Total], today: list[Total]) -> list[Total]:
    if not today:
        return over
    playing = {total.player_id: total for total in today}
    added = [total for total in over if total.player_id not in playing]
    changed = (total for total in over if total.player_id in playing)
    added += [total.plus(playing.pop(total.player_id)) for total in changed]
    added += playing.values()
    added.sort()
    return added


def _fetch(
    connection: Connection, asked: Select[Any], days: dict[str, Any]
) -> tuple[tuple[int, ...], list[Total]]:
    rows = connection.execute(asked, days).all()
    of = (days["starts_at"], days["midnight"], rows[0].dailies, rows[0].revisions)
    totals = [Total(*row[2:]) for row in rows if row.played is not None]
    return of, sorted(totals)


def _dailies(*days: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(
        challenges.c.host.is_(None),  # of all challenges only dailies have no host
        challenges.c.variant == bindparam("variant"),
        challenges.c.cancelled_at.is_(None),
        challenges.c.hidden_at.is_(None),
        *days,
    )


def _totals(dailies: ColumnElement[bool]) -> Subquery:
    """Ask for the sums over some dailies: of each player one row, as a ``Total``."""
    won = games.c.status == Status.WON
    attempts = and_(
        games.c.challenge_id == entries.c.challenge_id, games.c.owner == entries.c.player_id
    )
    return (
        select(
            (-func.sum(case((won, 1), else_=0))).label("behind"),
            func.sum(case((won, games.c.moves + games.c.redeals), else_=0)).label("actions"),
            func.min(entries.c.id).label("entry_id"),
            entries.c.player_id,
            func.count().label("played"),
        )
        .join_from(challenges, entries, entries.c.challenge_id == challenges.c.id)
        .join(games, attempts)
        .where(dailies, entries.c.disqualified_at.is_(None))
        .group_by(entries.c.player_id)
        .subquery()
    )


def _asked(dailies: ColumnElement[bool]) -> Select[Any]:
    """Ask for the sums over some dailies, and how those before today stand: of one moment."""
    revisions = func.coalesce(func.sum(challenges.c.revision), 0)
    state = (
        select(func.count().label("dailies"), revisions.label("revisions"))
        .where(_OVER_DAILIES)
        .subquery()
    )
    totals = _totals(dailies)
    return select(state, totals).join_from(state, totals, true(), isouter=True)


_STARTS_AT = bindparam("starts_at", type_=BigInteger)
_MIDNIGHT = bindparam("midnight", type_=BigInteger)
_OVER_DAILIES = _dailies(challenges.c.starts_at >= _STARTS_AT, challenges.c.starts_at < _MIDNIGHT)
_OVER = _asked(_OVER_DAILIES)
_TODAY = _asked(_dailies(challenges.c.starts_at >= _MIDNIGHT))
