"""Pages of the ranking of a challenge, and the ranks in them: equal standings share the best.

Ranks are not counted from the start where the key of the page tells where it begins.
"""

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping

from service.usecases.pages import Key, Place
from service.usecases.rankings import (
    Spot,
    Stretch,
    count_better,
    fetch_after,
    fetch_around,
    fetch_before,
    fetch_first,
)


class Mark(NamedTuple):
    """A row by its key: its place, from 1 and shared by nobody, its rank, and where it stands."""

    place: int
    rank: int
    standing: str
    entry_id: str

    @property
    def spot(self) -> Spot:
        """Where it stands."""
        return Spot(self.standing, self.entry_id)


@dataclass(frozen=True, slots=True)
class RankingPage:
    """Rows of a ranking with their ranks; ``next`` and ``prev`` as in ``pages.Page``: marks."""

    rows: list[RowMapping]
    ranks: list[int]
    next: Key | None
    prev: Key | None


class _Window(NamedTuple):
    """The rows of a page, and ``first``, the place of the first of them.

    ``mark``: a row whose rank is known, in the page or just before or after it; ``above``: the row
    before the page, where it was fetched.
    """

    rows: list[RowMapping]
    first: int
    mark: Mark | None
    above: RowMapping | None
    has_prev: bool
    has_next: bool


def fetch_page(
    connection: Connection, challenge_id: str, place: Place, around: Spot | None
) -> RankingPage:
    """Fetch a page: one SELECT, and one more where its first row is tied with rows before it.

    ``place``: its keys are marks; ``around``: the page that has this row in its middle, as far as
    there are rows on both sides.
    """
    window = _window(connection, challenge_id, place, around)
    rows = window.rows
    if not rows:
        return RankingPage([], [], None, None)
    ranks = [_first_rank(connection, challenge_id, window)]
    marks = [Mark(window.first, ranks[0], rows[0]["standing"], rows[0]["entry_id"])]
    for row in rows[1:]:
        before = marks[-1]
        tied = row["standing"] == before.standing
        rank = before.rank if tied else before.place + 1
        marks.append(Mark(before.place + 1, rank, row["standing"], row["entry_id"]))
    return RankingPage(
        rows,
        [mark.rank for mark in marks],
        tuple(marks[-1]) if window.has_next else None,
        tuple(marks[0]) if window.has_prev else None,
    )


def _window(
    connection: Connection, challenge_id: str, place: Place, around: Spot | None
) -> _Window:
    limit = place.limit
    # One row more tells whether the ranking goes on.
    many = limit + 1
    if around is not None:
        found = fetch_around(connection, challenge_id, around, many)
        mark = Mark(found.ahead + 1, found.better + 1, around.standing, around.entry_id)
        return _split(found, mark, max((limit - 1) // 2, limit - len(found.rest)), limit)
    if place.before is not None:
        mark = Mark(*place.before)
        found = fetch_before(connection, challenge_id, mark.spot, many)
        return _split(found, mark, limit, limit)._replace(has_next=True)
    if place.after is not None:
        mark = Mark(*place.after)
        rest = fetch_after(connection, challenge_id, mark.spot, many).rest
        return _Window(
            rest[:limit], mark.place + 1, mark, None, has_prev=True, has_next=len(rest) > limit
        )
    rest = fetch_first(connection, challenge_id, many).rest
    return _Window(rest[:limit], 1, None, None, has_prev=False, has_next=len(rest) > limit)


def _split(found: Stretch, mark: Mark, room: int, limit: int) -> _Window:
    """Take at most ``room`` rows before a mark, and from it on as many as there is place for."""
    before, rest = found.before, found.rest
    kept = min(len(before), room)
    # Where the start is in sight the places are known whatever the mark says: rows may have moved.
    ahead = len(before) if len(before) <= limit else mark.place - 1
    above = before[-kept - 1] if len(before) > kept else None
    rows = before[len(before) - kept :] + rest[: limit - kept]
    more = len(rest) > limit - kept
    return _Window(rows, max(ahead - kept + 1, 1), mark, above, above is not None, more)


def _first_rank(connection: Connection, challenge_id: str, window: _Window) -> int:
    standing, mark, above = window.rows[0]["standing"], window.mark, window.above
    if mark is not None and mark.standing == standing:
        return min(mark.rank, window.first)
    if above is not None and above["standing"] == standing:
        return min(count_better(connection, challenge_id, standing) + 1, window.first)
    return window.first
