"""The dailies of nine days over HTTP, and all rankings over them, across a week and a month."""

from itertools import product

from tests.dailies import daily_seed, set_key, stored_key
from tests.hosting import commitment
from tests.season.dailies import PERIODS, Dailies, bounds, standings
from tests.season.programme import DAILY_KEY, DAILY_VARIANTS, DATES
from tests.season.test_season import AROUND, LIMITS
from tests.season.walks import Walker


class Inspector:
    """Compares the rankings over the dailies with the model; ``ties`` counts shared ranks."""

    def __init__(self, around):
        self.around = around
        self.ties = 0
        self.firsts = set()

    def __call__(self, dailies, *, noon=False, whole=False):
        league, now = dailies.league, dailies.clock.ms
        counted = dailies.counted(now)
        limits = (200,) if noon else LIMITS if whole else (3,)
        around = () if noon else self.around if whole else (2,)
        for variant, period in product((*DAILY_VARIANTS, "cruel-strict"), PERIODS):
            walker = Walker(league.client, f"/v1/leaderboards/{variant}", period=period)
            wanted, people = standings(counted, league.people, variant, period, now)
            self._head(walker, period, now)
            for limit in limits:
                walker.walk(wanted, limit)
            for limit in around:
                for place, who in enumerate(people):
                    if league.people[who].name is not None:
                        token = league.people[who].token
                        walker.around(wanted, place, token, limit, full=False)
            for who, person in league.people.items():
                if person.name is None:
                    walker.nobody(person.token, "unauthenticated")
                elif who not in people:
                    walker.nobody(person.token, "not_entered")
            ranks = [item["rank"] for item in wanted]
            self.ties += len(ranks) - len(set(ranks))

    def _head(self, walker, period, now):
        page = walker.page()
        first, after = bounds(period, now)
        self.firsts.add(first)
        told = (page["starts_at"], page["ends_at"])
        if period == "all":
            assert told == (None, None)
        else:
            assert told == (f"{first}T00:00:00.000Z", f"{after}T00:00:00.000Z")


def check_revealed(dailies, db):
    """Check that each day's seed hangs on the key of the database, and is what was promised."""
    key = stored_key(db)
    assert key == DAILY_KEY
    for variant, day in product(DAILY_VARIANTS, DATES):
        course = dailies.course(variant, day)
        told = dailies.league.read(course.path)
        assert told["seed"] == daily_seed(key, variant, day)
        promised = dailies.told[course.id]
        assert promised == told["commitment"] == commitment(told["seed"], told["terms"])
    assert len(set(dailies.told.values())) == len(DAILY_VARIANTS) * len(DATES)


@AROUND
def test_the_rankings_over_nine_days_are_those_of_the_records(client, clock, db, around):
    set_key(db, DAILY_KEY)
    inspector = Inspector(around)
    dailies = Dailies(client, clock, inspector)
    dailies.play()
    check_revealed(dailies, db)
    # Two weeks and two months.
    assert {str(first) for first in inspector.firsts} == {
        "None",
        "2026-01-26",
        "2026-02-02",
        "2026-01-01",
        "2026-02-01",
    }
    assert inspector.ties > 50
    assert len({course.id for course in dailies.league.courses.values()}) == 18
