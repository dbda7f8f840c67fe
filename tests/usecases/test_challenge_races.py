"""Hosts and entrants who write to one challenge at the same moment."""

import json

import pytest
from sqlalchemy import func, insert, select

from service.db import tables
from service.db.engine import write_transaction
from service.db.tables import entries, events
from service.usecases import challenge_changes, challenges
from service.usecases.callers import require_caller
from service.usecases.challenge_changes import ANY_REVISION
from service.usecases.challenge_events import lock_challenge, record_event
from service.usecases.errors import HasEntries, Refused, StaleRevision
from service.usecases.idempotency import Key
from service.usecases.ids import new_id
from service.usecases.tokens import hash_token
from tests.conftest import NOON
from tests.hosting import commitment, stored
from tests.players import new_player
from tests.usecases.test_races import at_once

ROUNDS = 12
BODY = {"title": "x", "variant": "cruel"}


@pytest.fixture
def tokens(db):
    """Give the hashes of the tokens of a host and of a guest."""
    return [hash_token(new_player(db, name)) for name in ("Ana", "Bea")]


def player_id(db, token):
    with db.connect() as connection:
        return require_caller(connection, token).id


def tried(act):
    """Give an act that gives what it raises."""

    def run():
        try:
            return act()
        except Refused as error:
            return error

    return run


def change(db, challenge_id, token, seen=ANY_REVISION, **asked):
    return lambda: challenge_changes.change(db, challenge_id, token, asked, seen, NOON)


def enter(db, challenge_id, player):
    """Enter as the use case of entries does: the challenge locked, the entry counted."""

    def act():
        with write_transaction(db) as connection:
            challenge = lock_challenge(connection, challenge_id, NOON)
            row = {"id": new_id(NOON), "challenge_id": challenge_id, "player_id": player}
            connection.execute(insert(entries), {**row, "entered_at": NOON, "dealt": 0})
            counts = {"entered": challenge["entered"] + 1}
            record_event(connection, challenge, "entered", player, NOON, **counts)

    return act


def kinds(db, challenge_id):
    with db.connect() as connection:
        asked = select(events).where(events.c.challenge_id == challenge_id)
        rows = connection.execute(asked.order_by(events.c.number)).all()
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    return [row.kind for row in rows]


def test_terms_never_change_under_somebody_who_has_entered(db, tokens):
    host, guest = tokens
    bea = player_id(db, guest)
    seen = set()
    for _ in range(ROUNDS):
        view = challenges.create(db, host, BODY, NOON).view
        given, _ = at_once(tried(change(db, view.id, host, attempts=2)), enter(db, view.id, bea))
        row = stored(db, view.id)
        assert row["commitment"] == commitment(row["seed"], row["terms"])
        if isinstance(given, HasEntries):
            assert kinds(db, view.id) == ["entered"]
            assert row["terms"] == view.published
        else:
            assert kinds(db, view.id) == ["changed", "entered"]
            assert json.loads(row["terms"])["attempts"] == 2
        seen.add(type(given))
    assert seen


def test_of_two_changes_of_one_revision_one_is_stale(db, tokens):
    host, _ = tokens
    for _ in range(ROUNDS):
        made = challenges.create(db, host, BODY, NOON).view.id
        given = at_once(
            tried(change(db, made, host, [0], attempts=2)),
            tried(change(db, made, host, [0], attempts=3)),
        )
        (stale,) = [each for each in given if isinstance(each, Refused)]
        assert isinstance(stale, StaleRevision)
        (done,) = [each for each in given if not isinstance(each, Refused)]
        row = stored(db, made)
        assert (row["revision"], row["attempts"]) == (1, done.terms.attempts)
        assert kinds(db, made) == ["changed"]


def test_two_cancellations_are_one(db, tokens):
    host, _ = tokens
    for _ in range(ROUNDS):
        made = challenges.create(db, host, BODY, NOON).view.id
        act = lambda: challenges.cancel(db, made, host, NOON)  # noqa: E731, B023
        first, second = at_once(act, act)
        assert first == second
        assert kinds(db, made) == ["cancelled"]


def test_two_requests_with_one_key_make_one_challenge(db, tokens):
    host, _ = tokens
    for number in range(ROUNDS):
        key = Key.of(f"key-{number:030}", "challenge", host, BODY)
        act = lambda: challenges.create(db, host, BODY, NOON, key)  # noqa: E731, B023
        first, second = at_once(act, act)
        assert first.view == second.view
        assert {first.replayed, second.replayed} == {True, False}
    with db.connect() as connection:
        made = connection.execute(select(func.count()).select_from(tables.challenges)).scalar_one()
    assert made == ROUNDS
