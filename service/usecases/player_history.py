"""What a player has done over time: by the day, the week or the month in which it ended.

A game counts in the period in which it ended, as soon as it has, and a challenge in that in which
it finished. Of what runs nothing is told.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, case, exists, func, select

from service.db.tables import challenges, entries, games
from service.usecases.challenge_terms import DAY_MS
from service.usecases.outcomes import ACTIONS, NO_ENDS, RUNNING, WON, Ends, outcome
from service.usecases.pages import Key, Place
from service.usecases.periods import Span, period_of, periods_back
from service.usecases.players import find_named

_better = games.alias("better")
_others = entries.alias("others")


@dataclass(frozen=True, slots=True)
class VariantEnds:
    """The games of one variant that ended in a period.

    ``fewest_actions``: of those that were won, None where none was; ``actions``: of all of these
    together.
    """

    ends: Ends
    fewest_actions: int | None
    actions: int


@dataclass(frozen=True, slots=True)
class Period:
    """What a player has done in a period.

    ``challenges``: how many finished that they are in; ``first``: in how many of them nobody is
    ranked before them.
    """

    span: Span
    variants: dict[str, VariantEnds]
    challenges: int
    first: int

    @property
    def ends(self) -> Ends:
        """The games of all variants together."""
        return sum((variant.ends for variant in self.variants.values()), start=NO_ENDS)


@dataclass(frozen=True, slots=True)
class History:
    """Some periods, the latest first; ``next`` and ``prev`` as in ``pages.Page``: their starts."""

    items: list[Period]
    next: Key | None
    prev: Key | None


@dataclass
class _Count:
    """What is added up of a variant in a period, day by day."""

    ends: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    fewest: list[int] = field(default_factory=list)
    actions: int = 0


def read_history(db: Engine, name: str, *, period: str, place: Place, now: int) -> History:
    """Read a page of the history of a player, or ``NotFound``, as ``find_named``: three SELECTs.

    There is every period from that in which they registered to that of now, also those in which
    nothing ended. ``place``: its keys are the starts of periods.
    """
    with db.connect() as connection:
        found = find_named(connection, name)
        spans = [*periods_back(period, found.created_at, now)]
        shown = _page(spans, place)
        if not shown:
            return History([], None, None)
        whole = Span(shown[-1].starts_at, shown[0].ends_at)
        variants = _variants(_ended_games(connection, found.id, whole, now), period)
        finished: dict[Span, list[int]] = defaultdict(lambda: [0, 0])
        for row in _finished_challenges(connection, found.id, whole, now):
            counts = finished[period_of(period, row.day)]
            counts[0] += row.challenges
            counts[1] += row.first
    items = [Period(span, variants.get(span, {}), *finished[span]) for span in shown]
    return History(
        items,
        None if shown[-1] == spans[-1] else (shown[-1].starts_at,),
        None if shown[0] == spans[0] else (shown[0].starts_at,),
    )


def _page(spans: list[Span], place: Place) -> list[Span]:
    if place.after is not None:
        spans = [span for span in spans if span.starts_at < place.after[0]]
    if place.before is not None:
        return [span for span in spans if span.starts_at > place.before[0]][-place.limit :]
    return spans[: place.limit]


def _day(at: ColumnElement[Any]) -> ColumnElement[Any]:
    """Give the midnight before an instant."""
    return at - at % DAY_MS


def _ended_games(connection: Connection, player_id: str, whole: Span, now: int) -> Iterable[Any]:
    """Count the games that ended, by day, variant and outcome."""
    # A game without an end has run out of time.
    ended_at = func.coalesce(games.c.finished_at, games.c.deadline)
    ended = (
        select(
            _day(ended_at).label("day"),
            games.c.variant,
            outcome(now).label("outcome"),
            ACTIONS.label("actions"),
        )
        .where(
            games.c.owner == player_id,
            outcome(now) != RUNNING,
            ended_at >= whole.starts_at,
            ended_at < whole.ends_at,
        )
        .subquery()
    )
    groups = ended.c.day, ended.c.variant, ended.c.outcome
    asked = (
        select(
            *groups,
            func.count().label("games"),
            func.min(ended.c.actions).label("fewest"),
            func.sum(ended.c.actions).label("actions"),
        )
        .group_by(*groups)
        .order_by(*groups)
    )
    return connection.execute(asked)


def _variants(rows: Iterable[Any], period: str) -> dict[Span, dict[str, VariantEnds]]:
    """Add days up to periods, with their variants in the order of the alphabet."""
    counts: dict[Span, dict[str, _Count]] = defaultdict(lambda: defaultdict(_Count))
    for row in rows:
        count = counts[period_of(period, row.day)][row.variant]
        count.ends[row.outcome] += row.games
        if row.outcome == WON:
            count.fewest.append(row.fewest)
            count.actions += int(row.actions)
    return {
        span: {
            variant: VariantEnds(
                Ends.of(count.ends), min(count.fewest, default=None), count.actions
            )
            for variant, count in sorted(found.items())
        }
        for span, found in counts.items()
    }


def _finished_challenges(
    connection: Connection, player_id: str, whole: Span, now: int
) -> Iterable[Any]:
    """Count the challenges that a player is in and not out of the ranking, by the day they ended.

    Those that are cancelled or hidden count for nothing.
    """
    ahead = exists().where(
        _better.c.challenge_id == games.c.challenge_id,
        _better.c.ranks,
        _better.c.standing > games.c.standing,
        _others.c.id == _better.c.entry_id,
        _others.c.disqualified_at.is_(None),
    )
    own = (
        (games.c.challenge_id == entries.c.challenge_id)
        & (games.c.owner == entries.c.player_id)
        & (games.c.attempt == entries.c.dealt)
    )
    entered = (
        select(
            _day(challenges.c.finishes_at).label("day"),
            case((games.c.id.is_not(None) & ~ahead, 1), else_=0).label("first"),
        )
        .join_from(entries, challenges, challenges.c.id == entries.c.challenge_id)
        .join(games, own, isouter=True)
        .where(
            entries.c.player_id == player_id,
            entries.c.disqualified_at.is_(None),
            challenges.c.cancelled_at.is_(None),
            challenges.c.hidden_at.is_(None),
            challenges.c.finishes_at >= whole.starts_at,
            challenges.c.finishes_at < whole.ends_at,
            challenges.c.finishes_at <= now,
        )
        .subquery()
    )
    asked = select(
        entered.c.day, func.count().label("challenges"), func.sum(entered.c.first).label("first")
    ).group_by(entered.c.day)
    return connection.execute(asked)
