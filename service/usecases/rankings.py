"""The rows of the ranking of a challenge, in its order: by standing, the best first, then by entry.

Each range of rows that is asked for here is one stretch of the index ``ix_games_standing``,
however many rows are tied.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    ScalarSelect,
    Select,
    case,
    func,
    select,
    union_all,
)

from service.db.tables import challenges, entries, games, players

_shown = games.alias("shown")
_entry_columns = ("dealt", "deadline", "attempt_ended_at", "forfeited_at")
# Without the attempt that is shown and the player: PostgreSQL cannot tell that each row has one of
# them, and would sort the whole ranking for a page of it.
_RANKED = (
    select(
        games.c.challenge_id,
        games.c.owner,
        games.c.standing,
        games.c.entry_id,
        # Of equal standings the one that was reached first stays.
        case(
            (games.c.standing == games.c.earlier_standing, games.c.earlier_attempt),
            else_=games.c.attempt,
        ).label("best_attempt"),
        *(entries.c[name] for name in _entry_columns),
    )
    .join_from(games, entries, entries.c.id == games.c.entry_id)
    .where(games.c.ranks, entries.c.disqualified_at.is_(None))
)
_FORWARDS = (games.c.standing.desc(), games.c.entry_id.asc())
_BACKWARDS = (games.c.standing.asc(), games.c.entry_id.desc())


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
    asked = _of(challenge_id).order_by(*_FORWARDS).limit(limit)
    return Stretch([], _fetch(connection, [asked]))


def fetch_after(connection: Connection, challenge_id: str, spot: Spot, limit: int) -> Stretch:
    """Fetch so many rows after a spot."""
    tied = games.c.entry_id > spot.entry_id
    found = _fetch(connection, _worse(challenge_id, spot, tied, limit))
    return Stretch([], found[:limit])


def fetch_before(connection: Connection, challenge_id: str, spot: Spot, limit: int) -> Stretch:
    """Fetch so many rows that end before a spot."""
    found = _fetch(connection, _better(challenge_id, spot, limit))
    return Stretch(found[-limit:], [])


def fetch_around(connection: Connection, challenge_id: str, spot: Spot, limit: int) -> Stretch:
    """Fetch so many rows before a spot, and as many from it on, and count those before it."""
    from_it = games.c.entry_id >= spot.entry_id
    parts = _better(challenge_id, spot, limit) + _worse(challenge_id, spot, from_it, limit)
    better = count_ranked(challenge_id, games.c.standing > spot.standing)
    tied = (games.c.standing == spot.standing) & (games.c.entry_id < spot.entry_id)
    counts = (better.label("better"), count_ranked(challenge_id, tied).label("tied"))
    found = _fetch(connection, parts, *counts)
    split = sum(_stands_before(row, spot) for row in found)
    # None are found where the last one was disqualified in the meantime.
    ahead, level = (found[0]["better"], found[0]["tied"]) if found else (0, 0)
    return Stretch(found[:split][-limit:], found[split:][:limit], ahead, ahead + level)


def count_better(connection: Connection, challenge_id: str, standing: str) -> int:
    """Count the rows that are better than a standing: one SELECT."""
    asked = select(count_ranked(challenge_id, games.c.standing > standing))
    return int(connection.execute(asked).scalar_one())


def count_ranked(challenge_id: str, condition: ColumnElement[bool]) -> ColumnElement[int]:
    """Count the rows of a condition: those in the index without the disqualified among them."""
    in_index = select(func.count()).where(
        games.c.challenge_id == challenge_id, games.c.ranks, condition
    )
    return in_index.scalar_subquery() - _disqualified(challenge_id, condition)


def ranked() -> ColumnElement[int]:
    """Count all rows of a challenge, in a SELECT of ``challenges``."""
    in_index = (
        select(func.count())
        .where(games.c.challenge_id == challenges.c.id, games.c.ranks)
        .correlate(challenges)
        .scalar_subquery()
    )
    # Of one attempt each they are counted already.
    attempted = case((challenges.c.attempts == 1, challenges.c.dealt), else_=in_index)
    return attempted - _disqualified(challenges.c.id)


def _disqualified(
    challenge_id: str | ColumnElement[str], condition: ColumnElement[bool] | None = None
) -> ScalarSelect[int]:
    of_entry = (
        (games.c.challenge_id == entries.c.challenge_id)
        & (games.c.owner == entries.c.player_id)
        & (games.c.attempt == entries.c.dealt)
    )
    # Not in the WHERE, where it would lead SQLite to go through all games instead.
    counted = func.count() if condition is None else func.count(case((condition, 1)))
    return (
        select(counted)
        .select_from(entries)
        .join(games, of_entry)
        .where(entries.c.challenge_id == challenge_id, entries.c.disqualified_at.is_not(None))
        .correlate(challenges)
        .scalar_subquery()
    )


def _of(challenge_id: str) -> Select[Any]:
    return _RANKED.where(games.c.challenge_id == challenge_id)


def _better(challenge_id: str, spot: Spot, limit: int) -> list[Select[Any]]:
    """Ask for the rows that end before a spot: the tied, and the better."""
    tied = _of(challenge_id).where(
        games.c.standing == spot.standing, games.c.entry_id < spot.entry_id
    )
    better = _of(challenge_id).where(games.c.standing > spot.standing)
    return [asked.order_by(*_BACKWARDS).limit(limit) for asked in (tied, better)]


def _worse(
    challenge_id: str, spot: Spot, of_tied: ColumnElement[bool], limit: int
) -> list[Select[Any]]:
    """Ask for rows from a spot on: the tied of which a condition holds, and the worse."""
    tied = _of(challenge_id).where(games.c.standing == spot.standing, of_tied)
    worse = _of(challenge_id).where(games.c.standing < spot.standing)
    return [asked.order_by(*_FORWARDS).limit(limit) for asked in (tied, worse)]


def _fetch(
    connection: Connection, parts: Sequence[Select[Any]], *counts: ColumnElement[int]
) -> list[RowMapping]:
    found = union_all(*(select(part.subquery()) for part in parts)).subquery()
    of_best = (
        (_shown.c.challenge_id == found.c.challenge_id)
        & (_shown.c.owner == found.c.owner)
        & (_shown.c.attempt == found.c.best_attempt)
    )
    asked = (
        select(
            found.c.standing,
            found.c.entry_id,
            *(found.c[name] for name in _entry_columns),
            _shown.c.id.label("game_id"),
            _shown.c.attempt,
            _shown.c.status,
            _shown.c.deadline.label("shown_deadline"),
            players.c.name,
            players.c.bot,
            *counts,
        )
        .join_from(found, players, players.c.id == found.c.owner)
        .join(_shown, of_best)
        .order_by(found.c.standing.desc(), found.c.entry_id)
    )
    return [*connection.execute(asked).mappings().all()]


def _stands_before(row: RowMapping, spot: Spot) -> bool:
    standing: str = row["standing"]
    if standing == spot.standing:
        return bool(row["entry_id"] < spot.entry_id)
    return standing > spot.standing
