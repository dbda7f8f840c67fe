"""A season over HTTP alone: every ranking against the naive model, on the way and at the end."""

from types import SimpleNamespace

import pytest

from service.usecases.verify_challenge import verify_challenge
from tests.api.problems import assert_problem
from tests.naive.variants import CRUEL_VARIANTS
from tests.season.echoes import echo
from tests.season.records import exported, pages
from tests.season.story import PLAYERS, Season
from tests.season.walks import Walker

LIMITS = range(1, 8)
# At which limits each player asks for the page around them when all is over.
AROUND = pytest.mark.parametrize("around", [(1, 4), pytest.param(LIMITS, marks=pytest.mark.slow)])


@pytest.fixture
def draws(monkeypatch):
    """Give the list of the seeds that the server draws next."""
    seeds = []
    drawn = SimpleNamespace(token_hex=lambda _count: seeds.pop(0))
    monkeypatch.setattr("service.usecases.drawing.secrets", drawn)
    return seeds


class Inspector:
    """Compares rankings page by page; ``ties`` and ``asked`` count what it has seen."""

    def __init__(self, around):
        self.around = around
        self.ties = self.provisional = 0

    def on_the_way(self, league, course):
        """Compare a ranking with what the test itself has played, or with the record."""
        now = league.clock.ms
        wanted = course.board(now)["items"]
        if course.over(now):
            assert exported(league.client, course.path, now)[0] == wanted
        else:
            self.provisional += 1
            assert_problem(league.client.get(f"{course.path}/record"), "still_secret")
        self.pages(league, course, wanted, (3,), (2,))

    def at_the_end(self, league, course):
        """Compare a ranking with the record and nothing else, every page of it."""
        echo(league, course)
        self.par(league, course)
        wanted, recorded = exported(league.client, course.path, league.clock.ms)
        assert wanted == course.board(league.clock.ms)["items"]
        lists = (
            pages(league.client, f"{course.path}/{end}", 5) for end in ("record", "leaderboard")
        )
        assert verify_challenge(*lists).faults == ()
        self.pages(league, course, wanted, LIMITS, self.around)
        ranks = [item["rank"] for item in wanted]
        self.ties += len(ranks) - len(set(ranks))
        self.events(league, course)
        return recorded

    @staticmethod
    def par(league, course):
        """Ask for the par, which is not known before; from then on nobody is better."""
        assert league.read(course.path)["par"] is None
        reply = league.client.post(f"{course.path}/par", json={"budget_ms": 1})
        assert reply.status_code == 200, reply.text
        course.par = reply.json["par"]
        won = [item for item in course.board(league.clock.ms)["items"] if item["won"]]
        assert all(item["to_par"] >= 0 for item in won)

    def pages(self, league, course, wanted, limits, around):
        walker = Walker(league.client, f"{course.path}/leaderboard")
        walker.table(wanted)
        places = {item.id: place for place, item in self.in_order(course, wanted)}
        for limit in limits:
            walker.walk(wanted, limit)
        for limit in around:
            for who, entry in course.entries.items():
                if entry.player is not None:
                    token = league.people[who].token
                    walker.around(wanted, places.get(entry.id), token, limit)
        for who in PLAYERS:
            person = league.people[who]
            if person.name is None:
                walker.nobody(person.token, "unauthenticated")
            elif who not in course.entries:
                walker.nobody(person.token, "not_entered")

    @staticmethod
    def in_order(course, wanted):
        """Tell whose item stands in each place: of the deleted nobody asks."""
        named = {entry.player: entry for entry in course.entries.values()}
        return [
            (place, named[item["player"]["name"]])
            for place, item in enumerate(wanted)
            if item["player"]["name"] is not None
        ]

    @staticmethod
    def events(league, course):
        told = league.read(f"{course.path}/events", after=0)
        assert [event["kind"] for event in told["events"]] == course.kinds
        assert [event["number"] for event in told["events"]] == [
            number + 1 for number in range(len(course.kinds))
        ]


@AROUND
def test_every_ranking_of_a_season_is_that_of_the_records(client, clock, draws, around):
    inspector = Inspector(around)
    season = Season(client, clock, draws, inspector.on_the_way)
    season.play()
    courses = season.league.courses
    recorded = [
        item for course in courses.values() for item in inspector.at_the_end(season.league, course)
    ]
    # All that the season is about has really happened.
    assert draws == []
    assert {course.terms["variant"] for course in courses.values()} == {
        *CRUEL_VARIANTS,
        "calculation",
    }
    assert {item["status"] for item in recorded} == {"won", "lost", "resigned", "timed_out"}
    states = {
        item["state"]
        for course in courses.values()
        for item in season.league.read(f"{course.path}/entries", limit=200)["items"]
    }
    assert states == {"finished", "forfeited", "timed_out", "no_show"}
    assert any(item["disqualified"] for item in recorded)
    assert any(item["player"]["name"] is None for item in recorded)
    assert courses["early"].finished < courses["early"].ends
    assert inspector.ties > 40
    assert inspector.provisional > len(courses)
