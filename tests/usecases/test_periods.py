"""Periods of the calendar against the calendar of the standard library."""

import calendar
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from service.usecases.periods import DAY, MONTH, WEEK, period_of, periods_back
from tests.conftest import NOON

DAY_MS = 86_400_000


def at(year, month, day, hour=0):
    return int(datetime(year, month, day, hour, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("period", "instant", "starts_at", "ends_at"),
    [
        (DAY, at(2026, 1, 1, 12), at(2026, 1, 1), at(2026, 1, 2)),
        (DAY, at(2026, 1, 2), at(2026, 1, 2), at(2026, 1, 3)),
        (DAY, at(2026, 1, 2) - 1, at(2026, 1, 1), at(2026, 1, 2)),
        # The first of January 2026 is a Thursday.
        (WEEK, at(2026, 1, 1, 12), at(2025, 12, 29), at(2026, 1, 5)),
        (WEEK, at(2026, 1, 5), at(2026, 1, 5), at(2026, 1, 12)),
        (WEEK, at(2026, 1, 5) - 1, at(2025, 12, 29), at(2026, 1, 5)),
        (MONTH, at(2026, 1, 31, 23), at(2026, 1, 1), at(2026, 2, 1)),
        (MONTH, at(2026, 2, 1) - 1, at(2026, 1, 1), at(2026, 2, 1)),
        (MONTH, at(2028, 2, 29), at(2028, 2, 1), at(2028, 3, 1)),
        (MONTH, at(2026, 12, 31), at(2026, 12, 1), at(2027, 1, 1)),
    ],
)
def test_an_instant_lies_in_a_period(period, instant, starts_at, ends_at):
    assert period_of(period, instant) == (starts_at, ends_at)


def test_periods_are_what_the_calendar_says_on_every_day_of_five_years():
    for number in range(5 * 366):
        day = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)
        instant = int(day.timestamp() * 1000) + number
        lasts = {
            DAY: (day, 1),
            WEEK: (day - timedelta(days=calendar.weekday(day.year, day.month, day.day)), 7),
            MONTH: (day.replace(day=1), calendar.monthrange(day.year, day.month)[1]),
        }
        for period, (first, days) in lasts.items():
            starts_at = int(first.timestamp() * 1000)
            assert period_of(period, instant) == (starts_at, starts_at + days * DAY_MS)


@pytest.mark.parametrize("period", [DAY, WEEK, MONTH])
def test_none_is_left_out_on_the_way_back(period):
    spans = [*periods_back(period, NOON - 400 * DAY_MS, NOON)]
    assert spans[0] == period_of(period, NOON)
    assert spans[-1] == period_of(period, NOON - 400 * DAY_MS)
    for later, earlier in pairwise(spans):
        assert earlier.ends_at == later.starts_at


def test_a_clock_that_was_set_back_leaves_the_period_of_now():
    assert [*periods_back(DAY, NOON + DAY_MS, NOON)] == [period_of(DAY, NOON)]
