"""The rows of the ranking of a challenge, in its order: by standing, the best first, then by entry.

Each range of rows that is asked for here is one stretch of the index ``ix_games_standing``,
however many rows are tied.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Integer,
    RowMapping,
    ScalarSelect,
    Select,
    bindparam,
    case,
    func,
    select,
    true,
    union_all,
)

from service.db.tables import challenges, entries, games, players

_shown = games.alias("shown")
_ranked_entry = entries.alias("ranked_entry")
# Only the index orders and bounds the rows, and what else is told is looked up for those that are
# left. The disqualified are left out one by one, by what PostgreSQL takes for rarely false: for a
# join it would go through all entries, and sort them all where it took it for rarely true.
_RANKED = select(
    games.c.challenge_id,
    games.c.owner,
    games.c.standing,
    games.c.entry_id,
    # Of equal standings the one that was reached first stays.
    case(
        (games.c.standing == games.c.earlier_standing, games.c.earlier_attempt),
        else_=games.c.attempt,
    ).label("best_attempt"),
).where(
    games.c.challenge_id == bindparam("challenge_id"),
    games.c.ranks,
    select(func.count())
    .where(_ranked_entry.c.id == games.c.entry_id, _ranked_entry.c.disqualified_at.is_not(None))
    .scalar_subquery()
    != 1,
)
# Not as a value: without it in sight PostgreSQL may plan for a tenth of the ranking.
_LIMIT = bindparam("limit", type_=Integer, literal_execute=True)

# The rows by where they stand to the spot that is asked for.
_BETTER = games.c.standing > bindparam("standing")
_TIED = games.c.standing == bindparam("standing")
_WORSE = games.c.standing < bindparam("standing")
_TIED_BEFORE = _TIED & (games.c.entry_id < bindparam("entry_id"))
_TIED_FROM_IT = _TIED & (games.c.entry_id >= bindparam("entry_id"))
_TIED_AFTER = _TIED & (games.c.entry_id > bindparam("entry_id"))


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a row stands: how good, and whose it is."""

    standing: str
    entry_id: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows before a spot and from it on, in the order of the ranking.

    ``better`` and ``ahead``: how many are better than the spot, and how many stand before it; 0
    where they are not counted.
    """

    before: list[RowMapping]
    rest: list[RowMapping]
    better: int = 0
    ahead: int = 0


def fetch_first(connection: Connection, challenge_id: str, limit: int) -> Stretch:
    """Fetch the best rows: one SELECT, as each of these."""
    return Stretch([], _fetch(connection, _FIRST, challenge_id, limit))


def fetch_after(connection: Connection, challenge_id: str, spot: Spot, limit: int) -> Stretch:
    """Fetch so many rows after a spot."""
    return Stretch([], _fetch(connection, _AFTER, challenge_id, limit, spot))


def fetch_before(connection: Connection, challenge_id: str, spot: Spot, limit: int) -> Stretch:
    """Fetch so many rows that end before a spot."""
    return Stretch(_fetch(connection, _BEFORE, challenge_id, limit, spot), [])


def fetch_around(connection: Connection, challenge_id: str, spot: Spot, limit: int) -> Stretch:
    """Fetch so many rows before a spot, and as many from it on, and count those before it."""
    found = _fetch(connection, _AROUND, challenge_id, limit, spot)
    split = sum(_stands_before(row, spot) for row in found)
    # None are found where the last one was disqualified in the meantime.
    better, tied = (found[0]["better"], found[0]["tied"]) if found else (0, 0)
    return Stretch(found[:split], found[split:], better, better + tied)


def count_better(connection: Connection, challenge_id: str, standing: str) -> int:
    """Count the rows that are better than a standing: one SELECT."""
    of = {"challenge_id": challenge_id, "standing": standing}
    return int(connection.execute(_COUNT_BETTER, of).scalar_one())


def ranked() -> ColumnElement[int]:
    """Count all rows of a challenge, in a SELECT of ``challenges``."""
    in_index = (
        select(func.count())
        .where(games.c.challenge_id == challenges.c.id, games.c.ranks)
        .correlate(challenges)
        .scalar_subquery()
    )
    disqualified = (
        select(func.count())
        .where(
            entries.c.challenge_id == challenges.c.id,
            entries.c.disqualified_at.is_not(None),
            entries.c.dealt > 0,
        )
        .correlate(challenges)
        .scalar_subquery()
    )
    # Of one attempt each they are counted already.
    attempted = case((challenges.c.attempts == 1, challenges.c.dealt), else_=in_index)
    return attempted - disqualified


def _counts(**conditions: ColumnElement[bool]) -> CTE:
    """Count the rows of each condition: those in the index without the disqualified among them.

    All of it once: SQLite would do it again for each part of a SELECT of several.
    """
    of_entry = (
        (games.c.challenge_id == entries.c.challenge_id)
        & (games.c.owner == entries.c.player_id)
        & (games.c.attempt == entries.c.dealt)
    )
    # Not in the WHERE, where it would lead SQLite to go through all games instead.
    disqualified = (
        select(*(func.count(case((each, 1))).label(name) for name, each in conditions.items()))
        .join_from(entries, games, of_entry)
        .where(
            entries.c.challenge_id == bindparam("challenge_id"),
            entries.c.disqualified_at.is_not(None),
            entries.c.dealt > 0,
        )
        .subquery()
    )
    counted = [
        (_in_index(each) - disqualified.c[name]).label(name) for name, each in conditions.items()
    ]
    return select(*counted).cte("counts").prefix_with("MATERIALIZED")


def _in_index(condition: ColumnElement[bool]) -> ScalarSelect[int]:
    return (
        select(func.count())
        .where(games.c.challenge_id == bindparam("challenge_id"), games.c.ranks, condition)
        .scalar_subquery()
    )


def _forwards(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Ask for the first rows of which one of some conditions holds."""
    return _stretch(conditions, lambda of: (of.standing.desc(), of.entry_id.asc()))


def _backwards(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Ask for the last rows of which one of some conditions holds."""
    return _stretch(conditions, lambda of: (of.standing.asc(), of.entry_id.desc()))


def _stretch(
    conditions: Iterable[ColumnElement[bool]], order: Callable[[Any], tuple[Any, ...]]
) -> Select[Any]:
    """Ask for a stretch, for each condition by itself: one of both would leave the index."""
    parts = [_RANKED.where(each).order_by(*order(games.c)).limit(_LIMIT) for each in conditions]
    found = union_all(*(select(part.subquery()) for part in parts)).subquery()
    return select(select(found).order_by(*order(found.c)).limit(_LIMIT).subquery())


def _rows(*stretches: Select[Any], counts: CTE | None = None) -> Select[Any]:
    """Ask for the rows of some stretches, in the order of the ranking, with counts beside each."""
    found = union_all(*stretches).subquery()
    of_best = (
        (_shown.c.challenge_id == found.c.challenge_id)
        & (_shown.c.owner == found.c.owner)
        & (_shown.c.attempt == found.c.best_attempt)
    )
    asked = (
        select(
            found.c.standing,
            found.c.entry_id,
            entries.c.dealt,
            entries.c.deadline,
            entries.c.attempt_ended_at,
            entries.c.forfeited_at,
            _shown.c.id.label("game_id"),
            _shown.c.attempt,
            _shown.c.status,
            _shown.c.deadline.label("shown_deadline"),
            players.c.name,
            players.c.bot,
        )
        .join_from(found, entries, entries.c.id == found.c.entry_id)
        .join(players, players.c.id == found.c.owner)
        .join(_shown, of_best)
        .order_by(found.c.standing.desc(), found.c.entry_id)
    )
    return asked if counts is None else asked.add_columns(*counts.c).join(counts, true())


# Built once: to build one takes longer than to run it.
_FIRST = _rows(_forwards(true()))
_BEFORE = _rows(_backwards(_TIED_BEFORE, _BETTER))
_AFTER = _rows(_forwards(_TIED_AFTER, _WORSE))
_AROUND = _rows(
    _backwards(_TIED_BEFORE, _BETTER),
    _forwards(_TIED_FROM_IT, _WORSE),
    counts=_counts(better=_BETTER, tied=_TIED_BEFORE),
)
_COUNT_BETTER = select(_counts(better=_BETTER))


def _fetch(
    connection: Connection,
    asked: Select[Any],
    challenge_id: str,
    limit: int,
    spot: Spot | None = None,
) -> list[RowMapping]:
    values = {"challenge_id": challenge_id, "limit": limit}
    if spot is not None:
        values |= {"standing": spot.standing, "entry_id": spot.entry_id}
    return [*connection.execute(asked, values).mappings().all()]


def _stands_before(row: RowMapping, spot: Spot) -> bool:
    standing: str = row["standing"]
    if standing == spot.standing:
        return bool(row["entry_id"] < spot.entry_id)
    return standing > spot.standing
