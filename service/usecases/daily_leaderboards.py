"""Who has solved the most daily challenges of a variant: this week, this month, or ever.

The ranking is computed when it is asked for, today's dailies included as they stand.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, Subquery, and_, case, func, select

from service.db.tables import challenges, entries, games, players
from service.rules import find_variant
from service.rules.family import Status
from service.usecases.callers import identify, require_caller
from service.usecases.errors import NotEntered
from service.usecases.pages import Key, Place, fetch_page
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
    that are disqualified count for nothing, nor do challenges that are cancelled or hidden. One
    SELECT, and one for the caller. Raises ``Unauthenticated`` and ``UnknownVariant``; around the
    caller also ``Forbidden``, and ``NotEntered`` for who has played none.
    """
    starts_at, ends_at = (None, None) if period == ALL else period_of(period, now)
    with db.connect() as connection:
        caller = (require_caller if around_me else identify)(connection, token_hash)
        find_variant(variant)
        ranked = _ranked(variant, starts_at)
        asked = select(ranked, players.c.name, players.c.bot).join(
            players, players.c.id == ranked.c.player_id
        )
        if around_me and caller is not None:
            asked = asked.where(ranked.c.number >= _first_around(ranked, caller.id, place.limit))
            place = Place(None, None, place.limit)
        key = (ranked.c.behind, ranked.c.actions, ranked.c.entry_id)
        page = fetch_page(connection, asked, key, place)
    if around_me and not page.rows:
        detail = (
            "you have played no daily of this variant in this time: today's is "
            f"GET /v1/daily/{variant}"
        )
        raise NotEntered(detail)
    # A page around somebody begins after no key, and yet others may stand before it.
    prev = None
    if page.rows and page.rows[0]["number"] > 1:
        prev = tuple(page.rows[0][column.name] for column in key)
    items = [
        DailyRank(*(row[name] for name in ("rank", "name", "bot", "solved", "actions", "played")))
        for row in page.rows
    ]
    return DailyRanking(starts_at, ends_at, items, page.next, prev)


def _ranked(variant: str, starts_at: int | None) -> Subquery:
    """Ask for every player with their ``rank``, and their ``number`` in the list."""
    won = games.c.status == Status.WON
    solved = func.sum(case((won, 1), else_=0))
    actions = func.sum(case((won, games.c.moves + games.c.redeals), else_=0))
    counted: Select[Any] = (
        select(
            entries.c.player_id,
            func.min(entries.c.id).label("entry_id"),
            func.count().label("played"),
            solved.label("solved"),
            (-solved).label("behind"),
            actions.label("actions"),
        )
        .join_from(challenges, entries, entries.c.challenge_id == challenges.c.id)
        .join(
            games,
            and_(
                games.c.challenge_id == entries.c.challenge_id,
                games.c.owner == entries.c.player_id,
            ),
        )
        .where(
            challenges.c.host.is_(None),  # of all challenges only dailies have no host
            challenges.c.variant == variant,
            challenges.c.cancelled_at.is_(None),
            challenges.c.hidden_at.is_(None),
            entries.c.disqualified_at.is_(None),
        )
        .group_by(entries.c.player_id)
    )
    if starts_at is not None:
        counted = counted.where(challenges.c.starts_at >= starts_at)
    totals = counted.subquery()
    order = (totals.c.behind, totals.c.actions)
    return select(
        totals,
        func.rank().over(order_by=order).label("rank"),
        func.row_number().over(order_by=(*order, totals.c.entry_id)).label("number"),
    ).subquery()


def _first_around(ranked: Subquery, player_id: str, limit: int) -> Any:
    theirs = ranked.alias()
    own = select(theirs.c.number).where(theirs.c.player_id == player_id).scalar_subquery()
    return own - (limit - 1) // 2
