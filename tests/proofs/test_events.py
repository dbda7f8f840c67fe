"""Watching a challenge over HTTP: snapshot, events, 304s, and what it costs."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from service.app import create_app
from service.db.engine import DatabaseBusy
from service.usecases import challenge_snapshots, operated_challenges, watching
from service.usecases.challenge_snapshots import Snapshots
from tests.api.problems import assert_problem
from tests.conftest import NOON
from tests.contract.replies import assert_documented
from tests.hosting import HOUR, MINUTE, SECOND, Host, rfc
from tests.proofs.world import END, OWN, RACE, World
from tests.racing.deal import SEED, WON
from tests.statements import count_statements

LATER = {"starts_at": rfc(NOON + HOUR), "ends_at": rfc(NOON + 2 * HOUR)}


@pytest.fixture
def racing(client, db, clock):
    """Give a race that is about to start, with three in it."""
    world = World(client, db, clock, **RACE)
    world.enter("ada", "bea", "cleo")
    return world


def look(world, after=None, **headers):
    query = {} if after is None else {"after": after}
    reply = world.client.get(f"{world.path}/events", query_string=query, headers=headers)
    assert_documented(reply)
    return reply


def entrants(reply):
    return {
        entry["player"]["name"]: (entry["state"], entry["cards_up"], entry["actions"])
        for entry in reply.json["snapshot"]["entries"]
    }


def kinds(reply):
    return [(event["number"], event["kind"]) for event in reply.json["events"]]


def test_a_race_is_watched_from_before_its_start_to_its_end(racing, clock):
    reply = look(racing)
    assert reply.headers["Cache-Control"] == "no-store"
    assert list(reply.json) == ["snapshot", "events", "revision", "poll_after_ms", "now"]
    assert NOON + SECOND - clock.ms < 1_000
    assert reply.json["poll_after_ms"] == 1_000
    assert reply.json["snapshot"]["state"] == "scheduled"
    assert entrants(reply) == dict.fromkeys(("ada", "bea", "cleo"), ("registered", None, None))
    assert kinds(reply) == [(1, "entered"), (2, "entered"), (3, "entered")]
    assert reply.json["events"][0] == {
        "number": 1,
        "kind": "entered",
        "at": rfc(NOON + 1),
        "player": {"name": "ada", "bot": False},
        "facts": {},
    }
    clock.ms = NOON + SECOND
    racing.deal("ada")
    racing.deal("bea")
    racing.play("bea", *WON[:5])
    reply = look(racing, after=3)
    assert reply.json["poll_after_ms"] == 1_000
    up = len([move for move in WON[:5] if move.endswith("F")]) + 4
    found = entrants(reply)
    assert found["bea"] == ("playing", up, 5)
    assert found["ada"] == ("playing", 4, 0)
    assert list(found) == ["bea", "ada", "cleo"]
    assert kinds(reply) == [(4, "attempt_dealt"), (5, "attempt_dealt")]
    assert reply.json["events"][0]["facts"] == {"attempt": 1}
    clock.tick(SECOND)
    racing.play("bea", *WON[5:])
    racing.send("ada", "DELETE", "/entries/me")
    racing.send("cleo", "DELETE", "/entries/me")
    clock.tick(SECOND)
    reply = look(racing, after=5)
    assert kinds(reply) == [(6, "attempt_ended"), (7, "forfeited"), (8, "forfeited")]
    assert reply.json["events"][0]["facts"] == {"attempt": 1, "status": "won"}
    snapshot = reply.json["snapshot"]
    assert (snapshot["state"], reply.json["poll_after_ms"]) == ("finished", 60_000)
    counts = {name: snapshot[name] for name in ("entered", "dealt", "ended")}
    assert counts == {"entered": 3, "dealt": 2, "ended": 3}


def test_nothing_of_seed_or_cards_is_in_it(racing, clock):
    clock.ms = NOON + SECOND
    racing.deal("ada")
    racing.play("ada", *WON[:9])
    clock.tick(SECOND)
    text = look(racing).text
    assert SEED not in text
    game, _ = racing.games["ada"]
    assert game not in text
    assert not {"piles", "foundations", "seed", "moves"} & {
        *look(racing).json["snapshot"],
        *look(racing).json["snapshot"]["entries"][0],
    }


@pytest.mark.parametrize(
    ("terms", "at", "state", "poll"),
    [
        ({"starts_at": rfc(NOON + HOUR), "ends_at": rfc(NOON + 2 * HOUR)}, 0, "scheduled", 60_000),
        (
            {"starts_at": rfc(NOON + HOUR), "ends_at": rfc(NOON + 2 * HOUR)},
            HOUR - 7,
            "scheduled",
            1_000,
        ),
        (OWN, 0, "running", 5_000),
        (RACE, SECOND, "running", 1_000),
        (OWN, HOUR, "finished", 60_000),
    ],
)
def test_when_to_ask_again_follows_from_the_state(client, db, clock, terms, at, state, poll):
    world = World(client, db, clock, **terms)
    clock.ms = NOON + at
    reply = look(world).json
    assert (reply["snapshot"]["state"], reply["poll_after_ms"]) == (state, poll)


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (120_000, [60_000, 60_000]),
        (60_001, [60_000, 1_000]),
        (59_999, [30_000, 15_000, 10_000, 2_000, 2_000, 1_000]),
        (1_999, [1_000, 1_000]),
        (1, [1_000]),
    ],
)
def test_before_a_start_one_asks_again_ever_sooner(client, db, clock, left, told):
    start, found = NOON + HOUR, []
    world = World(
        client, db, clock, **{**RACE, "starts_at": rfc(start), "ends_at": rfc(END + HOUR)}
    )
    clock.ms = start - left
    while clock.ms < start:
        found.append(look(world).json["poll_after_ms"])
        clock.tick(found[-1])
    assert found == told
    assert clock.ms - start < SECOND
    assert look(world).json["snapshot"]["state"] == "running"


def test_in_the_last_minute_before_a_start_few_polls_are_no_304(client, db, clock):
    world = World(client, db, clock, **{**RACE, "starts_at": rfc(NOON + MINUTE)})
    tags, statuses = {}, []
    for _ in range(240):
        reply = look(world, **tags)
        statuses.append(reply.status_code)
        tags = {"If-None-Match": reply.headers["ETag"]}
        clock.tick(249)
    assert clock.ms < NOON + MINUTE
    assert (statuses.count(200), statuses.count(304)) == (7, 233)
    clock.ms = NOON + MINUTE
    assert look(world, **tags).json["snapshot"]["state"] == "running"


def test_what_is_the_same_but_for_the_time_is_304(racing, clock):
    clock.ms = NOON + SECOND
    racing.deal("ada")
    tag = look(racing).headers["ETag"]
    for _ in range(3):
        reply = look(racing, **{"If-None-Match": tag})
        assert (reply.status_code, reply.data, reply.headers["ETag"]) == (304, b"", tag)
        clock.tick(SECOND)
    # Another question has another answer.
    assert look(racing, after=1, **{"If-None-Match": tag}).status_code == 200


def test_a_card_more_is_200_without_an_event(racing, clock):
    clock.ms = NOON + SECOND
    racing.deal("ada")
    first = look(racing, after=4)
    racing.play("ada", WON[0])
    reply = look(racing, after=4, **{"If-None-Match": first.headers["ETag"]})
    assert (reply.status_code, reply.json["events"]) == (200, [])
    assert entrants(reply)["ada"] == ("playing", 5, 1)
    assert reply.json["revision"] == first.json["revision"] == 4


def test_what_the_clock_changes_is_200_without_an_event(racing, clock):
    first = look(racing, after=3)
    clock.ms = NOON + SECOND
    reply = look(racing, after=3, **{"If-None-Match": first.headers["ETag"]})
    # Even within the second for which the snapshot is kept.
    assert (reply.status_code, reply.json["snapshot"]["state"]) == (200, "running")
    clock.ms = END
    again = look(racing, after=3, **{"If-None-Match": reply.headers["ETag"]})
    assert again.json["snapshot"]["state"] == "finished"
    assert {state for state, _, _ in entrants(again).values()} == {"no_show"}
    assert (again.status_code, again.json["events"]) == (200, [])


def test_the_deleted_the_judged_and_the_operator_are_told_of(client, db, clock):
    world = World(client, db, clock, **OWN)
    world.enter("ada", "bea")
    world.judge("bea")
    world.send("ada", "DELETE", "/v1/players/me")
    operated_challenges.cancel(db, world.host.id, clock.ms)
    reply = look(world)
    assert reply.json["snapshot"]["state"] == "cancelled"
    entries = reply.json["snapshot"]["entries"]
    assert [(entry["player"]["name"], entry["disqualified"]) for entry in entries] == [
        (None, False),
        ("bea", True),
    ]
    found = [(event["kind"], event["player"]) for event in reply.json["events"]]
    assert found == [
        ("entered", {"name": None, "bot": False}),
        ("entered", {"name": "bea", "bot": False}),
        ("disqualified", {"name": "bea", "bot": False}),
        ("cancelled", None),
    ]
    assert reply.json["events"][2]["facts"] == {"reason": "two accounts"}


def test_of_several_attempts_the_latest_is_shown_and_the_best_counts(client, db, clock):
    world = World(client, db, clock, **OWN)
    world.enter("ada", "bea")
    world.deal("ada")
    world.play("ada", *WON[:9], "Q")
    world.deal("ada", 2)
    world.deal("bea")
    world.play("bea", *WON[:4])
    entries = look(world).json["snapshot"]["entries"]
    found = [(e["player"]["name"], e["attempt"], e["actions"]) for e in entries]
    assert found == [("ada", 2, 0), ("bea", 1, 4)]


def test_long_lists_are_cut_and_events_are_had_in_turn(client, db, clock, monkeypatch):
    monkeypatch.setattr(challenge_snapshots, "MOST_ENTRIES", 3)
    monkeypatch.setattr(challenge_snapshots, "MOST_EVENTS", 4)
    world = World(client, db, clock, **OWN)
    world.enter("ada", "bea", "cleo", "dora", "eva")
    for name in ("eva", "dora"):
        world.deal(name)
    world.play("dora", WON[0])
    entries = look(world).json["snapshot"]["entries"]
    assert [entry["player"]["name"] for entry in entries] == ["dora", "eva", "ada"]
    seen, after = [], 0
    for left in (True, False):
        reply = look(world, after=after)
        assert (reply.json["poll_after_ms"] == 0) is left
        seen += kinds(reply)
        after = seen[-1][0]
    assert seen == [*((n, "entered") for n in range(1, 6)), *((n, "attempt_dealt") for n in (6, 7))]
    assert look(world, after=7).json["events"] == []
    assert look(world, after=999_999_999).json["events"] == []


def test_everybody_gets_all_events_in_turn_from_wherever_they_begin(client, db, clock, monkeypatch):
    monkeypatch.setattr(challenge_snapshots, "MOST_EVENTS", 3)
    world = World(client, db, clock, **OWN)
    world.enter(*(f"player{number}" for number in range(10)))
    for start in range(11):
        after, seen = start, []
        while True:
            reply = look(world, after=after).json
            seen += [event["number"] for event in reply["events"]]
            assert len(reply["events"]) <= 3
            assert (reply["poll_after_ms"] == 0) is (reply["events"] != [] and seen[-1] < 10)
            if reply["poll_after_ms"]:
                break
            after = seen[-1]
        assert seen == [*range(start + 1, 11)]


def test_who_asks_wrongly_is_told_so(racing):
    for query in ("after=-1", "after=x", "after=1e3", "after=9999999999", "after=", "after=%00"):
        reply = racing.client.get(f"{racing.path}/events?{query}")
        assert_problem(reply, "validation_failed", parameters=["after"])
    assert_problem(racing.client.get("/v1/challenges/none/events"), "not_found")
    nobody = {"Authorization": "Bearer sp_nobody"}
    assert_problem(look(racing, **nobody), "unauthenticated")


def test_a_hidden_challenge_is_watched_by_its_host_and_who_is_in_it(racing, client, db, clock):
    look(racing)
    operated_challenges.hide(db, racing.host.id, clock.ms)
    clock.tick(SECOND)
    other = Host(client, db, "other")
    for headers in ({}, other.auth):
        assert_problem(look(racing, **headers), "not_found")
    for headers in (racing.host.auth, racing.people["ada"].auth):
        assert look(racing, **headers).status_code == 200


# ---- what it costs ----


def test_a_thousand_who_watch_cost_one_query_a_second(racing, db, clock):
    clock.ms = NOON + MINUTE
    look(racing)
    clock.tick(SECOND)
    path = f"{racing.path}/events"
    with count_statements(db) as seen:
        for number in range(1_000):
            query = {"after": number % 5}
            assert racing.client.get(path, query_string=query).status_code == 200
            clock.ms += number % 500 == 0  # within the second
    assert seen.verbs == ["SELECT"]
    clock.tick(SECOND)
    with count_statements(db) as seen:
        racing.client.get(path)
    assert seen.verbs == ["SELECT"]


def test_a_thousand_who_ask_from_the_start_cost_one_query_more(client, db, clock, monkeypatch):
    """A challenge that has more events than a snapshot: those of long ago are read together."""
    monkeypatch.setattr(challenge_snapshots, "MOST_EVENTS", 3)
    world = World(client, db, clock, **OWN)
    world.enter("ada", "bea", "cleo", "dora", "eva")
    world.deal("ada")
    world.deal("bea")
    for _ in range(2):
        clock.tick(SECOND)
        with count_statements(db) as seen:
            for number in range(1_000):
                reply = client.get(f"{world.path}/events", query_string={"after": number % 3})
                assert [event for event, _ in kinds(reply)] == [*range(number % 3 + 1, 4)]
                assert reply.json["poll_after_ms"] == 0
        assert seen.verbs == ["SELECT"] * 2
    # Who is deleted has no name there a second later.
    world.send("ada", "DELETE", "/v1/players/me")
    clock.tick(SECOND)
    assert look(world).json["events"][0]["player"]["name"] is None


def test_only_so_many_events_are_kept(client, db, clock, monkeypatch):
    monkeypatch.setattr(challenge_snapshots, "MOST_EVENTS", 1)
    monkeypatch.setattr(challenge_snapshots, "_MOST_BLOCKS", 2)
    world = World(client, db, clock, **OWN)
    world.enter("ada", "bea", "cleo", "dora")
    look(world, after=3)
    for after, selects in ((0, 1), (1, 1), (0, 0), (2, 1), (1, 0), (0, 1)):
        with count_statements(db) as seen:
            assert kinds(look(world, after=after)) == [(after + 1, "entered")]
        assert seen.verbs == ["SELECT"] * selects, after


def test_those_who_ask_at_once_wait_for_one_query(racing, db, clock):
    clock.ms = NOON + MINUTE
    barrier = Barrier(8)

    def ask(_):
        barrier.wait()
        return watching.watch(db, racing.host.id, None, after=0, now=clock.ms).revision

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))  # each has its connection
        clock.tick(SECOND)
        with count_statements(db) as seen:
            assert list(pool.map(ask, range(8))) == [3] * 8
    assert seen.verbs.count("SELECT") == 1


def test_a_finish_in_one_process_is_seen_in_another_a_second_later(racing, config, clock):
    other = create_app(config, clock)
    try:
        clock.ms = NOON + SECOND
        for name in ("ada", "bea", "cleo"):
            racing.deal(name)
        there = other.test_client()
        before = there.get(f"{racing.path}/events")
        assert before.json["snapshot"]["state"] == "running"
        for name in ("ada", "bea", "cleo"):
            racing.play(name, "Q", after=0)
        clock.tick(SECOND)
        headers = {"If-None-Match": before.headers["ETag"]}
        after = there.get(f"{racing.path}/events", headers=headers)
        assert after.json["snapshot"]["state"] == "finished"
    finally:
        other.extensions["semilla"].db.dispose()


def test_a_clock_that_goes_back_hides_nothing(racing, clock):
    clock.ms = NOON + HOUR - 1
    look(racing)
    clock.ms = NOON + SECOND
    racing.deal("ada")
    assert look(racing).json["revision"] == 4


def test_a_failure_is_not_kept(racing, clock, monkeypatch):
    clock.ms = NOON + MINUTE

    def fail(*_):
        raise DatabaseBusy

    with monkeypatch.context() as patch:
        patch.setattr(challenge_snapshots, "_look", fail)
        assert_problem(look(racing), "busy", retry_after=1)
    assert look(racing).status_code == 200


def test_only_so_many_challenges_are_kept(clock, monkeypatch):
    monkeypatch.setattr(challenge_snapshots, "_MOST_CHALLENGES", 2)
    looked = []

    def note(_connection, challenge_id, _now):
        looked.append(challenge_id)
        return None if challenge_id == "none" else object.__new__(_Found)

    monkeypatch.setattr(challenge_snapshots, "_look", note)
    kept = Snapshots()
    for challenge_id in ("a", "b", "a", "c", "a", "b", "none", "none"):
        kept.take(None, challenge_id, clock.ms)
    assert looked == ["a", "b", "c", "b", "none", "none"]


class _Found:
    at = NOON
