"""What everybody may know of a player: how often they played what, and how it ended.

Of a game that runs it tells that it was started, and nothing else.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, case, func, select

from service.db.tables import games
from service.usecases.outcomes import ACTIONS, NO_ENDS, RUNNING, WON, Ends, in_bucket, outcome
from service.usecases.players import PlayerView, find_named, player_view


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games were started, and how many ended how; the rest are running."""

    started: int
    ends: Ends


@dataclass(frozen=True, slots=True)
class VariantStatistics:
    """The games of one variant.

    ``fewest_actions``: of those that were won, None where none was; ``most_cards_up``: of those
    that have ended, None where none has. ``actions``: for multiples of ``BUCKET``, lowest first,
    how many games were won with so many actions or more, but fewer than the next multiple.
    """

    tally: Tally
    fewest_actions: int | None
    most_cards_up: int | None
    actions: dict[int, int]


@dataclass(frozen=True, slots=True)
class Statistics:
    """A player with what they have played.

    ``current_streak``, ``longest_streak``: how many challenge games were won one after the other,
    in the order of their ends.
    """

    player: PlayerView
    variants: dict[str, VariantStatistics]
    current_streak: int
    longest_streak: int

    @property
    def tally(self) -> Tally:
        """The games of all variants together."""
        tallies = [variant.tally for variant in self.variants.values()]
        started = sum(tally.started for tally in tallies)
        return Tally(started, sum((tally.ends for tally in tallies), start=NO_ENDS))


def read_statistics(db: Engine, name: str, now: int) -> Statistics:
    """Read the statistics of a player, or ``NotFound``, as ``find_named``: three SELECTs."""
    with db.connect() as connection:
        found = find_named(connection, name)
        variants = _variants(connection, found.id, now)
        current, longest = _streaks(connection, found.id, now)
    return Statistics(player_view(found), variants, current, longest)


def _variants(connection: Connection, player_id: str, now: int) -> dict[str, VariantStatistics]:
    of_player = (
        select(
            games.c.variant,
            outcome(now).label("outcome"),
            case((games.c.status == WON, in_bucket(ACTIONS))).label("bucket"),
            ACTIONS.label("actions"),
            games.c.cards_up,
        )
        .where(games.c.owner == player_id)
        .subquery()
    )
    groups = of_player.c.variant, of_player.c.outcome, of_player.c.bucket
    counted = (
        select(
            *groups,
            func.count().label("games"),
            func.min(of_player.c.actions).label("fewest_actions"),
            func.max(of_player.c.cards_up).label("most_cards_up"),
        )
        .group_by(*groups)
        .order_by(*groups)
    )
    rows: dict[str, list[Any]] = {}
    for row in connection.execute(counted):
        rows.setdefault(row.variant, []).append(row)
    return {variant: _statistics(found) for variant, found in rows.items()}


def _statistics(rows: list[Any]) -> VariantStatistics:
    """Add up the groups of one variant."""
    count: Counter[str] = Counter()
    for row in rows:
        count[row.outcome] += row.games
    won = [row for row in rows if row.outcome == WON]
    ended = [row for row in rows if row.outcome != RUNNING]
    return VariantStatistics(
        tally=Tally(count.total(), Ends.of(count)),
        fewest_actions=min((row.fewest_actions for row in won), default=None),
        most_cards_up=max((row.most_cards_up for row in ended), default=None),
        actions={row.bucket: row.games for row in won},
    )


def _streaks(connection: Connection, player_id: str, now: int) -> tuple[int, int]:
    """Give the current streak and the longest: one SELECT, which counts in the database."""
    won = case((games.c.status == WON, 1), else_=0)
    # A game without an end has run out of time. Up to each game so many were not won: as many for
    # all the wins of one streak.
    order = func.coalesce(games.c.finished_at, games.c.deadline), games.c.id
    ended = (
        select(won.label("won"), func.sum(1 - won).over(order_by=order).label("broken"))
        .where(
            games.c.owner == player_id,
            games.c.challenge_id.is_not(None),
            outcome(now) != RUNNING,
        )
        .subquery()
    )
    streaks = (
        select(ended.c.broken, func.sum(ended.c.won).label("won"))
        .group_by(ended.c.broken)
        .subquery()
    )
    longest = func.max(streaks.c.won).over()
    asked = select(streaks.c.won, longest).order_by(streaks.c.broken.desc()).limit(1)
    found = connection.execute(asked).first()
    return (0, 0) if found is None else (found[0], found[1])
