"""Who has solved the most daily challenges of a variant: this week, this month, or ever.

The ranking is computed when it is asked for, today's dailies included as they stand.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, Row, select

from service.db.tables import players
from service.rules import find_variant
from service.usecases.callers import identify, require_caller
from service.usecases.daily_totals import Total, daily_totals
from service.usecases.errors import NotEntered
from service.usecases.pages import Key, Place
from service.usecases.periods import MONTH, WEEK, period_of

ALL = "all"
PERIODS = WEEK, MONTH, ALL


@dataclass(frozen=True, slots=True)
class DailyRank:
    """What a player has done in the dailies of a period; ``name`` is None once they are deleted.

    ``played``: dailies of which they had an attempt dealt; ``solved``: those they won;
    ``actions``: all actions in these together. Who is equal in both shares a rank.
    """

    rank: int
    name: str | None
    bot: bool
    solved: int
    actions: int
    played: int


@dataclass(frozen=True, slots=True)
class DailyRanking:
    """A page of the ranking over a period, from ``starts_at`` until before ``ends_at``.

    Both are None where it is over all dailies; else ms since 1970 UTC. ``next`` and ``prev`` as in
    ``pages.Page``: the dailies solved, negative; the actions; the first of the player's entries.
    """

    starts_at: int | None
    ends_at: int | None
    items: list[DailyRank]
    next: Key | None
    prev: Key | None


def rank_dailies(
    db: Engine,
    variant: str,
    token_hash: bytes | None,
    *,
    period: str,
    around_me: bool,
    place: Place,
    now: int,
) -> DailyRanking:
    """Rank who has played dailies: by how many they solved, then by fewer actions in those.

    ``around_me``: the page has the caller in its middle, whatever the rest of ``place``. Entries
    that are disqualified count for nothing, nor do challenges that are cancelled or hidden. Two
    SELECTs, one for the caller, and one more where a day has passed since anybody asked. Raises
    ``Unauthenticated`` and ``UnknownVariant``; around the caller also ``Forbidden``, and
    ``NotEntered`` for who has played none.
    """
    starts_at, ends_at = (None, None) if period == ALL else period_of(period, now)
    with db.connect() as connection:
        caller = (require_caller if around_me else identify)(connection, token_hash)
        find_variant(variant)
        totals = daily_totals(db).read(connection, variant, period, starts_at or 0, now)
        if around_me and caller is not None:
            first = _first_around(totals, caller.id, place.limit)
            page = totals[first : first + place.limit]
        else:
            first, page = _page(totals, place)
        people = _find_players(connection, page)
    if around_me and not page:
        detail = (
            "you have played no daily of this variant in this time: today's is "
            f"GET /v1/daily/{variant}"
        )
        raise NotEntered(detail)
    items = [
        DailyRank(
            rank=bisect_left(totals, (total.behind, total.actions)) + 1,
            name=people[total.player_id].name,
            bot=people[total.player_id].bot,
            solved=-total.behind,
            actions=total.actions,
            played=total.played,
        )
        for total in page
    ]
    return DailyRanking(
        starts_at,
        ends_at,
        items,
        page[-1][:3] if page and first + len(page) < len(totals) else None,
        page[0][:3] if page and first else None,
    )


def _page(totals: list[Total], place: Place) -> tuple[int, list[Total]]:
    """Give where a page begins, from 0, and what is in it."""
    if place.before is not None:
        end = bisect_left(totals, place.before)
        first = max(end - place.limit, 0)
        return first, totals[first:end]
    after = place.after
    first = 0 if after is None else bisect_right(totals, after, key=lambda total: total[:3])
    return first, totals[first : first + place.limit]


def _first_around(totals: list[Total], player_id: str, limit: int) -> int:
    """Give where the page around a player begins: past the end where they are not among them."""
    places = (index for index, total in enumerate(totals) if total.player_id == player_id)
    return max(next(places, len(totals) + limit) - (limit - 1) // 2, 0)


def _find_players(
    connection: Connection, page: list[Total]
) -> Mapping[str, Row[str, str | None, bool]]:
    asked = select(players.c.id, players.c.name, players.c.bot)
    found = connection.execute(asked.where(players.c.id.in_([total.player_id for total in page])))
    return {row.id: row for row in found}
