"""The first writes to a daily challenge, at once and refused, and what they take of statements."""

import multiprocessing
from collections import Counter
from contextlib import suppress
from functools import partial

import pytest
from sqlalchemy import func, select

from service.db.engine import open_engine
from service.db.tables import challenges as table
from service.rules.errors import UnknownVariant
from service.usecases import challenge_changes, challenges, entries, operated_challenges
from service.usecases.challenge_changes import ANY_REVISION
from service.usecases.errors import NotFound, Refused
from service.usecases.pages import Place
from tests.challenges import kinds_of_events
from tests.conftest import NOON
from tests.hosting import HOUR, stored
from tests.statements import count_statements
from tests.usecases.entering import Entrant, outcome
from tests.usecases.test_races import at_once

ROUNDS = 6
ID = "daily-cruel-2026-01-01"
BEGIN, COMMIT = "BEGIN", "COMMIT"
FIRST = Place(None, None, 5)


@pytest.fixture
def ada(db, clock):
    """Give somebody who is about to enter today's challenge."""
    return Entrant(db, clock, ID, "ada")


def rows(db):
    with db.connect() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def spent(db, act):
    """Give the verbs of the statements that an act takes, refused or not."""
    with count_statements(db) as seen, suppress(Refused):
        act()
    return seen.verbs


def test_twins_who_enter_first_make_one_row(db, clock, ada):
    for day in range(ROUNDS):
        clock.ms = NOON + day * 24 * HOUR
        ada.challenge_id = f"daily-cruel-2026-01-0{day + 1}"
        given = at_once(*[lambda: outcome(ada.enter)] * 4)
        assert Counter(given) == {"new": 1, "same": 3}
        assert kinds_of_events(db, ada.challenge_id) == ["entered"]
        assert rows(db) == day + 1


def test_all_who_enter_first_are_in(db, clock):
    several = [Entrant(db, clock, ID, f"ada{number}") for number in range(4)]
    assert at_once(*[partial(outcome, each.enter) for each in several]) == ["new"] * 4
    assert kinds_of_events(db, ID) == ["entered"] * 4
    assert (stored(db, ID)["entered"], stored(db, ID)["revision"]) == (4, 4)
    assert rows(db) == 1


def _enter(url, barrier, token_hash):
    db = open_engine(url)
    barrier.wait(60)
    entries.enter(db, ID, token_hash, NOON)
    db.dispose()


def test_processes_that_enter_first_make_one_row(db, clock):
    several = [Entrant(db, clock, ID, f"ada{number}") for number in range(3)]
    before = challenges.read(db, ID, None, NOON)
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(len(several))
    url = db.url.render_as_string(hide_password=False)
    asked = [spawn.Process(target=_enter, args=(url, barrier, each.hash)) for each in several]
    for process in asked:
        process.start()
    for process in asked:
        process.join(60)
    assert [process.exitcode for process in asked] == [0, 0, 0]
    after = challenges.read(db, ID, None, NOON)
    assert (rows(db), after.entered) == (1, 3)
    assert (after.published, after.commitment) == (before.published, before.commitment)


def test_what_is_stored_is_what_was_there_before(db, ada):
    before = challenges.read(db, ID, ada.hash, NOON)
    operated_challenges.hide(db, ID, NOON)
    with pytest.raises(NotFound):
        challenges.read(db, ID, ada.hash, NOON)
    ada.challenge_id = "daily-calculation-2026-01-01"
    before = challenges.read(db, ada.challenge_id, ada.hash, NOON)
    assert ada.leave() is None
    assert rows(db) == 2
    assert challenges.read(db, ada.challenge_id, ada.hash, NOON) == before


@pytest.mark.parametrize(
    "act",
    [
        lambda db, ada: challenge_changes.change(db, ID, ada.hash, {}, ANY_REVISION, NOON),
        lambda db, ada: challenges.cancel(db, ID, ada.hash, NOON),
        lambda _db, ada: ada.deal(),
        lambda _db, ada: ada.read(),
    ],
)
def test_what_is_refused_stores_nothing(db, ada, act):
    with pytest.raises(Refused):
        act(db, ada)
    assert rows(db) == 0


def test_an_unknown_variant_has_no_daily(db):
    with pytest.raises(UnknownVariant):
        challenges.read_daily(db, "patience", None, NOON)


def test_to_read_one_that_is_not_stored_is_a_select_more(db, ada):
    assert spent(db, lambda: challenges.read_daily(db, "cruel", None, NOON)) == ["SELECT"] * 3
    assert spent(db, lambda: challenges.read(db, ID, ada.hash, NOON)) == ["SELECT"] * 4
    listed = {"place": FIRST, "now": NOON}
    assert spent(db, lambda: entries.list_entries(db, ID, None, **listed)) == ["SELECT"] * 3
    ada.enter()
    assert spent(db, lambda: challenges.read_daily(db, "cruel", None, NOON)) == ["SELECT"] * 2
    assert spent(db, lambda: challenges.read(db, "daily-x", None, NOON)) == ["SELECT"]


def test_the_first_to_enter_stores_it_in_their_own_transaction(db, clock, ada):
    bea = Entrant(db, clock, ID, "bea")
    locked, entered = [BEGIN, "SELECT", "SELECT"], ["INSERT", "UPDATE", "INSERT"]
    # Before that its deal is drawn, unless it is stored; with it the win that was found is kept.
    drawn, there = ["SELECT", "SELECT"], ["SELECT"]
    stores = ["SELECT", "INSERT", "INSERT", "SELECT", "SELECT"]
    shown = ["SELECT", "SELECT", COMMIT]
    assert spent(db, ada.enter) == [*drawn, *locked, *stores, "SELECT", *entered, *shown]
    assert spent(db, bea.enter) == [*there, *locked, "SELECT", *entered, *shown]
