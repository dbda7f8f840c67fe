"""Pages of lists whose rows come and go: a page begins after a row's key, or ends before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, tuple_

Key = tuple[Any, ...]


class Place(NamedTuple):
    """Which page: at most ``limit`` rows after one of a key, or just before one, or the first."""

    after: Key | None
    before: Key | None
    limit: int


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a list in its order.

    ``next``: the key after which the next page begins; ``prev``: the key before which the one
    before it ends. Each is None where there is no such page, and both for a page without rows.
    """

    rows: list[RowMapping]
    next: Key | None
    prev: Key | None


def fetch_page(
    connection: Connection,
    asked: Select[Any],
    key: Sequence[ColumnElement[Any]],
    place: Place,
    *,
    descending: bool = False,
) -> Page:
    """Fetch a page: one SELECT.

    ``key``: the columns that order the list and tell its rows apart; ``asked`` has them all.
    """
    back = place.before is not None
    falls = descending is not back
    bound = place.before if back else place.after
    if bound is not None:
        keys = tuple_(*key)
        asked = asked.where(keys < bound if falls else keys > bound)
    order = [column.desc() if falls else column.asc() for column in key]
    found = connection.execute(asked.order_by(*order).limit(place.limit + 1)).mappings().all()
    more, rows = len(found) > place.limit, [*found[: place.limit]]
    if not rows:
        return Page([], None, None)
    if back:
        rows.reverse()
    first, last = (tuple(row[column.name] for column in key) for row in (rows[0], rows[-1]))
    has_next, has_prev = (True, more) if back else (more, bound is not None)
    return Page(rows, last if has_next else None, first if has_prev else None)
