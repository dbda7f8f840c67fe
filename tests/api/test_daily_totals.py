"""The days that are over, which each process adds up once: and yet it tells what is so."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from service.db.engine import open_engine
from service.db.tables import challenges, entries, games
from service.usecases import daily_totals, operated_challenges
from service.usecases.daily_leaderboards import rank_dailies
from service.usecases.pages import Place
from tests.hosting import DAY, Host
from tests.statements import count_statements

# A Tuesday: the next day is of the same week.
NOON = int(datetime(2026, 3, 3, 12, tzinfo=UTC).timestamp() * 1000)
DAILY = "daily-cruel-2026-03-03"


@pytest.fixture
def other(db):
    """Give the database as another process has it."""
    engine = open_engine(db.url)
    yield engine
    engine.dispose()


@pytest.fixture
def play(client, db, clock):
    """Give a function by which somebody has today's daily dealt, and perhaps wins it."""
    clock.ms = NOON

    def play(name, *, actions=None):
        player = Host(client, db, name)
        path = f"/v1/challenges/daily-cruel-{datetime.fromtimestamp(clock.ms / 1000, UTC):%Y-%m-%d}"
        client.put(f"{path}/entries/me", headers=player.auth)
        game = client.put(f"{path}/entries/me/attempts/1", headers=player.auth)
        assert game.status_code == 201
        if actions:
            won = update(games).where(games.c.id == game.json["id"])
            with db.connect() as connection:
                connection.execute(won.values(status="won", moves=actions))

    return play


def told(db, now, period="week"):
    """Give of each player: name, rank, solved, actions, played."""
    place = Place(None, None, 50)
    asked = {"period": period, "around_me": False, "place": place, "now": now}
    found = rank_dailies(db, "cruel", None, **asked)
    return [(item.name, item.rank, item.solved, item.actions, item.played) for item in found.items]


def test_what_is_over_and_what_is_played_today_are_added(play, db, clock):
    play("ada", actions=90)
    play("bob")
    assert told(db, NOON) == [("ada", 1, 1, 90, 1), ("bob", 2, 0, 0, 1)]
    clock.ms = NOON + DAY
    assert told(db, NOON + DAY) == [("ada", 1, 1, 90, 1), ("bob", 2, 0, 0, 1)]
    play("cyd", actions=80)
    assert told(db, NOON + DAY)[0] == ("cyd", 1, 1, 80, 1)
    assert told(db, NOON + DAY)[1] == ("ada", 2, 1, 90, 1)


def test_whose_clock_goes_back_is_told_what_is_so_then(play, db):
    play("ada", actions=90)
    for now in (NOON + DAY, NOON, NOON + 2 * DAY, NOON + DAY):
        assert told(db, now) == [("ada", 1, 1, 90, 1)]


def test_what_another_process_records_of_a_day_that_is_over_counts_at_the_next_request(play, other):
    play("ada", actions=90)
    assert told(other, NOON + DAY) == [("ada", 1, 1, 90, 1)]
    # The clock of this one is behind.
    play("bob")
    assert told(other, NOON + DAY) == [("ada", 1, 1, 90, 1), ("bob", 2, 0, 0, 1)]


def test_a_day_that_is_over_counts_no_more_once_it_is_hidden(play, db, other, clock):
    play("ada", actions=90)
    clock.ms = NOON + DAY
    play("bob")
    both = [("ada", 1, 1, 90, 1), ("bob", 2, 0, 0, 1)]
    assert told(db, clock.ms) == told(other, clock.ms) == both
    operated_challenges.hide(db, DAILY, clock.ms)
    assert told(db, clock.ms) == told(other, clock.ms) == [("bob", 1, 0, 0, 1)]


def test_who_is_disqualified_in_a_day_that_is_over_counts_no_more(play, db, other):
    play("ada", actions=90)
    assert told(other, NOON + DAY)
    with db.connect() as connection:
        connection.execute(update(entries).values(disqualified_at=NOON, disqualified_reason="x"))
        # As every event does.
        connection.execute(update(challenges).values(revision=challenges.c.revision + 1))
    assert told(other, NOON + DAY) == []


def test_they_are_added_up_once(play, db, clock):
    play("ada", actions=90)
    for now, first in ((NOON, 3), (NOON + DAY, 3)):
        clock.ms = now
        for selects in (first, 2, 2):
            with count_statements(db) as seen:
                told(db, now)
            assert seen.verbs == ["SELECT"] * selects
    play("bob")
    with count_statements(db) as seen:
        told(db, clock.ms)
    assert seen.verbs == ["SELECT"] * 2


def test_a_process_keeps_only_so_many(play, db, monkeypatch):
    monkeypatch.setattr(daily_totals, "_MOST", 1)
    play("ada", actions=90)
    for selects in ([3, 3], [3, 3]):
        found = []
        for period in ("week", "month"):
            with count_statements(db) as seen:
                assert told(db, NOON, period) == [("ada", 1, 1, 90, 1)]
            found.append(len(seen))
        assert found == selects
