"""Periods of the calendar: days, weeks from Monday on, and months, all in UTC.

Instants are ms since 1970 UTC; a period lasts until before the instant when it ends.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from service.usecases.challenge_terms import DAY_MS

PERIODS = DAY, WEEK, MONTH = "day", "week", "month"

_EPOCH = date(1970, 1, 1)


class Span(NamedTuple):
    """When a period began and when it ends."""

    starts_at: int
    ends_at: int


def period_of(period: str, at: int) -> Span:
    """Give the period of a kind in which an instant lies."""
    day = _EPOCH + timedelta(days=at // DAY_MS)
    if period == WEEK:
        first = day - timedelta(days=day.weekday())
        after = first + timedelta(days=7)
    elif period == MONTH:
        first = day.replace(day=1)
        after = (first + timedelta(days=31)).replace(day=1)
    else:
        first, after = day, day + timedelta(days=1)
    return Span(_midnight(first), _midnight(after))


def periods_back(period: str, since: int, until: int) -> Iterator[Span]:
    """Give all periods of a kind from that of one instant back to that of another, none left out.

    Where ``since`` is the later one there is the period of ``until`` alone.
    """
    span = period_of(period, until)
    yield span
    while span.starts_at > since:
        span = period_of(period, span.starts_at - 1)
        yield span


def _midnight(day: date) -> int:
    return (day - _EPOCH).days * DAY_MS
