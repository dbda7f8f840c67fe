"""The deals of dailies: the same for all processes and engines, and drawn while nothing waits."""

import threading
from hashlib import sha256

import pytest
from sqlalchemy import func, select

from service.db.tables import challenges as table
from service.rules import VARIANTS
from service.solver import covers
from service.solver.engines import Engine
from service.usecases import challenges, dailies, drawing
from service.usecases.dailies import day_of, find_daily, prepare_daily
from service.usecases.drawing import too_slow
from service.usecases.errors import Busy
from service.usecases.solutions import find_known, key_of_seed
from tests.challenges import kinds_of_events, new_challenge
from tests.conftest import NOON
from tests.dailies import candidate, daily_seed, set_key, stored_key
from tests.hosting import DAY, stored
from tests.players import new_player, player_id
from tests.statements import count_statements
from tests.usecases.entering import Entrant
from tests.usecases.test_drawing import Watch, wins

KEY = bytes(range(32))
COVERED = [variant for variant, rules in VARIANTS.items() if covers(rules)]
TODAY, ID = "2026-01-01", "daily-cruel-2026-01-01"
CHRISTMAS = NOON + 357 * DAY
# How many seeds of a day are passed over under ``KEY``, and how the first begins that is not.
PINNED = [
    ("cruel", "2026-01-01", 0, "c8c9d3017ac94459"),
    ("cruel", "2026-12-24", 0, "17f3f154f894e75f"),
    ("cruel-semicolon", "2026-01-01", 0, "45a626f205fc8e3d"),
    ("cruel-semicolon", "2026-12-24", 0, "7d7296304fa3d7fc"),
    ("cruel-strict", "2026-01-01", 1, "be8006b2b745a268"),
    ("cruel-strict", "2026-12-24", 3, "b5cf5b845af483c6"),
    ("perseverance", "2026-01-01", 0, "f0e3fafe10481eb4"),
    ("perseverance", "2026-12-24", 3, "49104aea5d8cb041"),
    ("ripple-fan", "2026-01-01", 0, "0de1a3a1d5276e65"),
    ("ripple-fan", "2026-12-24", 0, "3fb913d05ab0cbf7"),
    ("royal-family", "2026-01-01", 0, "3cde0b12b8ba6312"),
    ("royal-family", "2026-12-24", 1, "05b91bd0872f0db1"),
    ("limited-cruel", "2026-01-01", 0, "2ad45b94f45e95b4"),
    ("limited-cruel", "2026-12-24", 2, "0c0b73858a6448bd"),
    ("cruel-pysol", "2026-01-01", 0, "b8532b4cc07c1147"),
    ("cruel-pysol", "2026-12-24", 0, "b89338b3ecd92b54"),
    ("calculation", "2026-01-01", 2, "8c725251f4a6831a"),
    ("calculation", "2026-12-24", 0, "a3b76aaee243cac0"),
]


@pytest.fixture
def fresh(db, request):
    """Give the database a key under which nobody has drawn anything yet."""
    key = sha256(request.node.name.encode()).digest()
    set_key(db, key)
    yield key
    day_of.cache_clear()


def daily_row(db, challenge_id=ID, now=NOON):
    with db.connect() as connection:
        return find_daily(connection, challenge_id, now)


def rows(db):
    with db.connect() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def test_every_variant_that_the_solver_covers_has_its_days_pinned():
    assert {variant for variant, *_ in PINNED} == set(COVERED)


@pytest.mark.parametrize(("variant", "date", "passed", "seed"), PINNED)
def test_the_seeds_of_days_are_these_for_ever(variant, date, passed, seed):
    now = NOON if date == TODAY else CHRISTMAS
    day = day_of(KEY, variant, now - now % DAY)
    assert day.drawn().seed[:16] == seed
    assert day.drawn().seed == candidate(KEY, variant, date, passed)


@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize("variant", COVERED)
def test_either_engine_draws_the_same_daily(variant, engine):
    day = day_of(KEY, variant, CHRISTMAS - CHRISTMAS % DAY)
    assert day.drawn().seed == daily_seed(KEY, variant, "2026-12-24", engine)


def test_the_win_that_was_found_is_kept_with_the_first_who_enters(db, clock):
    with db.connect() as connection:
        deal = key_of_seed(VARIANTS["cruel"], "deal/1", daily_row(db)["seed"])
        assert find_known(connection, deal) is None
    Entrant(db, clock, ID, "ada").enter()
    row = stored(db, ID)
    assert row["seed"] == daily_seed(stored_key(db), "cruel", TODAY)
    assert row["require_winnable"]
    with db.connect() as connection:
        known = find_known(connection, deal)
    assert known.verdict == "winnable"
    assert wins("cruel", row["seed"], known.line)


def test_what_is_stored_stays_whatever_would_be_drawn_today(db, clock):
    host = player_id(db, new_player(db, "Ana"))
    new_challenge(db, host, id=ID, seed="s268", title="As it was")
    Entrant(db, clock, ID, "ada").enter()
    assert (stored(db, ID)["seed"], rows(db)) == ("s268", 1)
    assert challenges.read(db, ID, None, NOON).title == "As it was"


@pytest.mark.usefixtures("fresh")
def test_it_is_drawn_once_in_a_process(db, monkeypatch):
    first = daily_row(db)
    monkeypatch.setattr(dailies, "find_win", None)
    assert daily_row(db) == first


@pytest.mark.usefixtures("fresh")
def test_no_search_is_made_in_the_transaction_that_stores_it(db, clock, monkeypatch):
    ada, other = (Entrant(db, clock, ID, name) for name in ("ada", "bea"))
    other.challenge_id = new_challenge(db, ada.id)
    find_win, entered = dailies.find_win, []

    def look_around(*arguments):
        if not entered:
            # It would wait for a lock, and fail.
            entered.append(other.enter())
        return find_win(*arguments)

    monkeypatch.setattr(dailies, "find_win", look_around)
    ada.enter()
    assert len(entered) == 1
    assert kinds_of_events(db, ID) == ["entered"]


def test_to_prepare_what_is_no_daily_of_today_takes_no_statement(db):
    for challenge_id in ("none", "daily-cruel-2026-01-02", "daily-patience-2026-01-01"):
        with count_statements(db) as seen:
            prepare_daily(db, challenge_id, NOON)
        assert seen == []


# ---- in time ----


def test_who_asks_again_goes_on_where_the_first_had_to_give_up(db, fresh, monkeypatch):
    judged, win = [], object()

    def find_win(_rules, _algorithm, seed, deadline):
        if dailies.monotonic() > deadline:
            raise too_slow()
        judged.append(seed)
        return win if len(judged) == 7 else None

    monkeypatch.setattr(dailies, "find_win", find_win)
    monkeypatch.setattr(dailies, "monotonic", Watch(1.0))
    with pytest.raises(Busy):
        daily_row(db)
    assert 1 < len(judged) < 7
    seed = daily_row(db)["seed"]
    assert judged == [candidate(fresh, "cruel", TODAY, n) for n in range(7)]
    assert seed == judged[-1]


@pytest.mark.usefixtures("fresh")
def test_no_reader_and_no_writer_waits_longer_than_the_time_there_is(db, clock, monkeypatch):
    ada = Entrant(db, clock, ID, "ada")
    monkeypatch.setattr(drawing, "monotonic", Watch(6.0))
    monkeypatch.setattr(dailies, "monotonic", Watch(0.0))
    for act in (ada.enter, lambda: challenges.read_daily(db, "cruel", None, NOON)):
        with pytest.raises(Busy) as caught:
            act()
        assert caught.value.extra == {"retry_after": 2}
    assert rows(db) == 0


@pytest.fixture
def slowly(monkeypatch):
    """Let a search go on until the second event is set; the first tells that it has begun."""
    find_win, started, go_on = dailies.find_win, threading.Event(), threading.Event()

    def search(*arguments):
        started.set()
        assert go_on.wait(30)
        return find_win(*arguments)

    monkeypatch.setattr(dailies, "find_win", search)
    yield started, go_on
    go_on.set()


def ask(db, found, count):
    threads = [threading.Thread(target=lambda: found.append(daily_row(db))) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def test_who_comes_while_it_is_drawn_waits_for_that(db, fresh, slowly):
    started, go_on = slowly
    found = []
    threads = ask(db, found, 3)
    assert started.wait(30)
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert [row["seed"] for row in found] == [daily_seed(fresh, "cruel", TODAY)] * 3


def test_who_has_waited_too_long_is_told_to_come_again(db, fresh, slowly, monkeypatch):
    started, go_on = slowly
    found = []
    (thread,) = ask(db, found, 1)
    assert started.wait(30)
    monkeypatch.setattr(dailies, "DRAWING_S", 0.01)
    with pytest.raises(Busy):
        daily_row(db)
    go_on.set()
    thread.join(30)
    assert [row["seed"] for row in found] == [daily_seed(fresh, "cruel", TODAY)]
    assert daily_row(db) == found[0]
