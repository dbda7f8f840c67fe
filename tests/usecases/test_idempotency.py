"""Games made once, however often and by however many the same request is sent."""

import hashlib
import threading
import time

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import IntegrityError

from service.db.tables import games, idempotency_keys
from service.usecases import new_games
from service.usecases.errors import KeyReused, Unauthenticated
from service.usecases.games import read
from service.usecases.idempotency import KEPT_MS, Key, make_once
from service.usecases.playing import play
from service.usecases.tokens import hash_token
from tests.conftest import NOON
from tests.statements import count_statements
from tests.usecases.sitting import before_updates

DAY_MS = 86_400_000
BODY = {"variant": "cruel", "options": {}, "seed": None, "undo": None}
WORDS = "7f8a1c52-0c1f-4d5e-9a3b-2f6f3c9d1e20"


def create(db, key=None, now=NOON, **changes):
    body = {**BODY, **changes}
    return new_games.create(db, **body, now=now, key=key or Key.of(WORDS, "game", None, body))


def counts(db):
    with db.connect() as connection:
        tables = (games, idempotency_keys)
        return tuple(
            connection.execute(select(func.count()).select_from(table)).scalar() for table in tables
        )


def test_a_key_makes_one_game(db):
    first = create(db)
    again = create(db, now=NOON + 1_000)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.view.id == first.view.id
    assert again.view.seed == first.view.seed
    assert counts(db) == (1, 1)


def test_another_key_makes_another_game(db):
    others = [Key.of(WORDS[::-1], "game", None, BODY), Key.of(WORDS, "game", b"someone", BODY)]
    assert len({create(db, key).view.id for key in (None, *others)}) == 3
    assert counts(db) == (3, 3)


def test_a_game_without_a_key_leaves_none(db):
    new_games.create(db, **BODY, now=NOON)
    assert counts(db) == (1, 0)


def test_a_replay_of_an_unused_game_gives_a_fresh_token_and_voids_the_old_one(db):
    first, again = create(db), create(db)
    assert again.token != first.token
    assert play(db, first.view.id, hash_token(again.token), ["Q"], 0, NOON).recorded == 0
    with pytest.raises(Unauthenticated):
        play(db, first.view.id, hash_token(first.token), ["Q"], 0, NOON)


def test_a_move_whose_token_is_voided_before_it_is_recorded_is_refused(db):
    first = create(db, seed="semilla")
    again = []
    with (
        before_updates(lambda: again.append(create(db, seed="semilla"))),
        pytest.raises(Unauthenticated),
    ):
        play(db, first.view.id, hash_token(first.token), ["6>9"], 0, NOON)
    played = play(db, first.view.id, hash_token(again[0].token), ["12>2"], 0, NOON)
    assert (played.recorded, played.view.game.ply) == (0, 1)


def test_a_replay_of_a_game_that_was_played_shows_it_as_it_is_now_without_a_token(db):
    first = create(db, seed="semilla")
    play(db, first.view.id, hash_token(first.token), ["6>9"], 0, NOON + 5)
    again = create(db, seed="semilla", now=NOON + 9)
    assert (again.token, again.view.game.ply, again.view.now) == (None, 1, NOON + 9)
    assert play(db, first.view.id, hash_token(first.token), ["Q"], 1, NOON).view.game.ply == 2


def test_a_replay_tells_no_secret_that_its_caller_may_not_know(db):
    first = create(db, variant="calculation", seed="semilla")
    assert first.view.seed == "semilla"
    play(db, first.view.id, hash_token(first.token), ["S>W1"], 0, NOON)
    assert create(db, variant="calculation", seed="semilla").view.seed is None


def test_a_key_with_another_body_is_refused_and_makes_nothing(db):
    key = Key.of(WORDS, "game", None, BODY)
    first = create(db, key)
    other = key._replace(body_hash=hashlib.sha256(b"another").digest())
    with pytest.raises(KeyReused):
        create(db, other)
    assert counts(db) == (1, 1)
    assert read(db, first.view.id, hash_token(first.token), NOON).id == first.view.id


def test_the_order_of_a_bodys_fields_does_not_matter():
    turned = dict(reversed(BODY.items()))
    assert list(turned) != list(BODY)
    assert Key.of(WORDS, "game", None, turned) == Key.of(WORDS, "game", None, BODY)


def test_what_belongs_to_another_kind_or_caller_has_another_key():
    keys = [
        Key.of(WORDS, "game", None, BODY),
        Key.of(WORDS, "player", None, BODY),
        Key.of(WORDS, "game", b"a", BODY),
        Key.of(WORDS, "game", b"b", BODY),
        Key.of(f"{WORDS}x", "game", None, BODY),
    ]
    assert len({key.key_hash for key in keys}) == len(keys)
    assert len({key.body_hash for key in keys}) == 1


def test_a_key_is_kept_for_24_hours_and_then_forgotten(db):
    assert KEPT_MS == DAY_MS
    first = create(db)
    assert create(db, now=NOON + DAY_MS).view.id == first.view.id
    later = create(db, now=NOON + DAY_MS + 1)
    assert not later.replayed
    assert later.view.id != first.view.id
    assert counts(db) == (2, 1)


def test_only_hashes_and_the_id_are_stored(db):
    first = create(db, seed="semilla")
    with db.connect() as connection:
        row = connection.execute(text("SELECT * FROM idempotency_keys")).mappings().one()
    assert set(row) == {"key_hash", "body_hash", "resource_id", "created_at"}
    assert (row["resource_id"], row["created_at"]) == (first.view.id, NOON)
    assert (len(row["key_hash"]), len(row["body_hash"])) == (32, 32)
    assert WORDS.encode() not in bytes(row["key_hash"])


def test_what_cannot_be_made_leaves_no_key(db):
    def fail(_connection):
        raise LookupError

    with pytest.raises(LookupError):
        make_once(db, Key.of(WORDS, "game", None, BODY), "any", NOON, fail)
    assert counts(db) == (0, 0)


def test_another_fault_of_what_is_made_is_no_race(db):
    twice = insert(idempotency_keys).values(
        key_hash=b"other", body_hash=b"", resource_id="any", created_at=NOON
    )

    def make(connection):
        connection.execute(twice)
        connection.execute(twice)

    with pytest.raises(IntegrityError):
        make_once(db, Key.of(WORDS, "game", None, BODY), "any", NOON, make)
    assert counts(db) == (0, 0)


def test_a_request_that_comes_while_its_twin_is_under_way_answers_with_what_that_one_makes(db):
    key, found = Key.of(WORDS, "game", None, BODY), []

    def send_its_twin(_connection):
        twin = threading.Thread(target=lambda: found.append(make_once(db, key, "2", NOON, fail)))
        twin.start()
        twins.append(twin)
        _wait_until_it_waits(db, twin)

    def fail(_connection):
        raise AssertionError

    twins = []
    assert make_once(db, key, "1", NOON, send_its_twin) == "1"
    twins[0].join(60)
    assert found == ["1"]


def _wait_until_it_waits(db, thread):
    """Wait until the other transaction waits for this one; SQLite does not tell when."""
    if db.dialect.name == "sqlite":
        return
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    with db.connect() as connection:
        while not connection.execute(waiting).scalar_one():
            assert thread.is_alive()
            time.sleep(0.01)


def test_the_same_request_at_the_same_moment_makes_one_game(db):
    barrier, made = threading.Barrier(8, timeout=60), []

    def send():
        barrier.wait()
        made.append(create(db))

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len({new.view.id for new in made}) == 1
    assert [new.replayed for new in made].count(False) == 1
    assert len({new.token for new in made}) == 8
    assert counts(db) == (1, 1)


@pytest.mark.parametrize("replayed", [False, True])
def test_a_key_costs_a_transaction_and_a_replay_another(db, replayed):
    if replayed:
        create(db)
    with db.connect():
        pass
    with count_statements(db) as seen:
        create(db)
    claim = ["BEGIN", "DELETE", "SELECT"]
    made = ["INSERT", "INSERT", "COMMIT"]
    again = ["COMMIT", "UPDATE", "SELECT"]
    assert seen.verbs == claim + (again if replayed else made)
