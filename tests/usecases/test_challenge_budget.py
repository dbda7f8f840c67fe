"""How many statements a challenge takes, and that its writes are one transaction each."""

from contextlib import suppress

import pytest

from service.usecases import (
    challenge_changes,
    challenge_lists,
    challenges,
    disqualifications,
    entries,
    operated_challenges,
)
from service.usecases.challenge_changes import ANY_REVISION
from service.usecases.errors import Refused
from service.usecases.idempotency import Key
from service.usecases.pages import Place
from service.usecases.tokens import hash_token
from tests.conftest import NOON, SQLITE_ONLY
from tests.players import new_player
from tests.statements import count_statements

BODY = {"title": "x", "variant": "cruel"}
BEGIN, COMMIT = "BEGIN", "COMMIT"
FIRST = Place(None, None, 5)


@pytest.fixture
def host(db):
    """Give the hash of a host's token."""
    return hash_token(new_player(db, "Ana"))


@pytest.fixture
def made(db, host):
    """Give the id of a challenge."""
    return challenges.create(db, host, BODY, NOON).view.id


def spent(db, act):
    """Give the verbs of the statements that an act takes, refused or not."""
    with count_statements(db) as seen, suppress(Refused):
        act()
    return seen.verbs


def page(db, token, *, mine=False, status=None, host=None):
    filters = {"status": status, "variant": None, "host": host, "mine": mine}
    return challenge_lists.list_challenges(db, token, **filters, place=FIRST, now=NOON)


def test_to_set_one_up_is_one_insert(db, host):
    # With the win that was found of its deal, which is kept in the same transaction.
    kept = ["INSERT", "SELECT"]
    insert = ["SELECT", BEGIN, "INSERT", *kept, COMMIT, "SELECT", "SELECT"]
    assert spent(db, lambda: challenges.create(db, host, BODY, NOON)) == insert
    key = Key.of("x" * 22, "challenge", host, BODY)
    # Whether the key has made one is asked before a deal is drawn, which takes longer.
    once = [BEGIN, "DELETE", "SELECT", "INSERT", "INSERT", *kept, COMMIT, "SELECT", "SELECT"]
    assert spent(db, lambda: challenges.create(db, host, BODY, NOON, key)) == ["SELECT"] * 2 + once
    again = spent(db, lambda: challenges.create(db, host, BODY, NOON, key))
    assert again == ["SELECT"] * 4
    unproven = spent(
        db, lambda: challenges.create(db, host, {**BODY, "require_winnable": False}, NOON)
    )
    assert unproven == ["SELECT", BEGIN, "INSERT", COMMIT, "SELECT", "SELECT"]


def test_to_read_one_is_a_select_and_one_for_its_former_terms(db, host, made):
    assert spent(db, lambda: challenges.read(db, made, None, NOON)) == ["SELECT"] * 2
    assert spent(db, lambda: challenges.read(db, made, host, NOON)) == ["SELECT"] * 3


@pytest.mark.parametrize("many", [0, 1, 9])
def test_a_page_is_one_select_and_one_for_the_caller(db, host, many):
    for _ in range(many):
        challenges.create(db, host, BODY, NOON)
    assert spent(db, lambda: page(db, None)) == ["SELECT"]
    assert spent(db, lambda: page(db, host)) == ["SELECT"] * 2
    assert spent(db, lambda: page(db, host, mine=True)) == ["SELECT"] * 2
    assert spent(db, lambda: page(db, None, status="running", host="Ana")) == ["SELECT"]


def test_a_write_takes_the_lock_first_and_is_one_transaction(db, host, made):
    def change(**asked):
        return spent(
            db, lambda: challenge_changes.change(db, made, host, asked, ANY_REVISION, NOON)
        )

    locked, shown = [BEGIN, "SELECT", "SELECT"], ["SELECT", "SELECT", COMMIT]
    assert change() == [*locked, *shown]
    assert change(title="y") == [*locked, "UPDATE", "INSERT", *shown]
    # A first transaction finds that a deal is to be drawn, which is done while nothing is locked.
    found = [*locked, "SELECT", "SELECT", "ROLLBACK"]
    kept = ["INSERT", "SELECT"]
    terms = [*locked, "SELECT", "SELECT", *kept, "INSERT", "UPDATE", "INSERT", *shown]
    changed = [verb for verb in change(attempts=2) if verb != "DEALLOCATE"]
    assert changed == [*found, *terms]
    cancel = spent(db, lambda: challenges.cancel(db, made, host, NOON))
    assert cancel == [*locked, "UPDATE", "INSERT", *shown]


def test_what_is_refused_is_rolled_back(db, made):
    other = hash_token(new_player(db, "Bea"))
    # After them psycopg forgets the statements that it had prepared.
    refused = spent(db, lambda: challenges.cancel(db, made, other, NOON))[:6]
    assert refused == [BEGIN, "SELECT", "SELECT", "SELECT", "SELECT", "ROLLBACK"]


def test_the_operators_hand_is_one_transaction_too(db, made):
    hide = spent(db, lambda: operated_challenges.hide(db, made, NOON))
    assert hide == [BEGIN, "SELECT", "UPDATE", COMMIT]
    cancel = spent(db, lambda: operated_challenges.cancel(db, made, NOON))
    assert cancel == [BEGIN, "SELECT", "UPDATE", "INSERT", "UPDATE", "UPDATE", COMMIT]


def plans(db, act):
    """Give how SQLite finds the rows of the SELECTs that an act takes."""
    with count_statements(db) as seen:
        act()
    asked = [statement for statement in seen if statement.startswith("SELECT")]
    with db.connect() as connection:
        found = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {each}").all() for each in asked]
    return [row[3] for rows in found for row in rows]


@SQLITE_ONLY
@pytest.mark.parametrize("status", ["scheduled", "running"])
def test_what_goes_on_is_found_among_all_that_is_over_by_an_index(db, host, status):
    steps = plans(db, lambda: page(db, host, status=status))
    assert not [step for step in steps if step.startswith("SCAN")]
    assert any("ix_challenges_finishes_at (finishes_at>?)" in step for step in steps)


@SQLITE_ONLY
def test_a_page_of_entries_is_read_in_the_order_of_an_index(db, host, made):
    steps = plans(db, lambda: entries.list_entries(db, made, host, place=FIRST, now=NOON))
    assert not [step for step in steps if "SCAN" in step or "TEMP" in step]


@SQLITE_ONLY
@pytest.mark.parametrize("player", ["Bea", "01kdwpvng0ejmgqcah9tynr8c4"])
def test_whom_the_host_judges_is_not_looked_for_among_all_entries(db, host, made, player):
    def judge():
        with suppress(Refused):
            judged = {"disqualified": True, "reason": "x", "now": NOON}
            disqualifications.disqualify(db, made, player, host, **judged)

    steps = plans(db, judge)
    assert not [step for step in steps if "SCAN" in step]
    by_challenge_alone = [step for step in steps if step.endswith("(challenge_id=?)")]
    assert not by_challenge_alone
