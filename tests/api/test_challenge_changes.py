"""PATCH of a challenge: what may change when, under which revision, and what is recorded of it."""

import json

import pytest
from sqlalchemy import select

from service.db.tables import entries, events, former_terms
from tests.api.problems import assert_problem
from tests.conftest import NOON
from tests.hosting import (
    DAY,
    HOUR,
    SECOND,
    Host,
    change_row,
    check_published,
    commitment,
    rfc,
    stored,
)

RACE = {"clock": "shared", "starts_at": rfc(NOON + HOUR)}
NOTHING = [
    {},
    {"title": "Weekend"},
    {"title": " Weekend "},
    {"visibility": "public"},
    {"variant": "cruel", "clock": "own", "order": "actions", "attempts": 1},
    {"options": {}},
    {"options": {"redeal_limit": None, "build": "suit_down"}},
    {"seed": None, "time_limit_ms": None},
    {"starts_at": rfc(NOON), "ends_at": rfc(NOON + DAY)},
    {"starts_at": "2026-01-01T13:00:00+01:00"},
]


@pytest.fixture
def host(client, db):
    """Give a host without a challenge yet."""
    return Host(client, db)


@pytest.fixture
def guest(client, db):
    """Give another player."""
    return Host(client, db, "Bea")


def events_of(db, host):
    with db.connect() as connection:
        asked = select(events).where(events.c.challenge_id == host.id).order_by(events.c.number)
        return [
            (row.kind, row.number, row.at, json.loads(row.facts))
            for row in connection.execute(asked)
        ]


def without_now(reply):
    return {name: value for name, value in reply.json.items() if name != "now"}


# ---- revisions ----


def test_a_change_names_the_revision_that_it_changes(host):
    host.create()
    assert_problem(host.patch(None, title="x"), "precondition_required", says='If-Match: "0"')
    assert_problem(host.patch("", title="x"), "precondition_required")
    for seen in ('"1"', 'W/"0"', '"00"', '""', '"-0"', '"x"', '"1", "2"', '"9999999999"', '"٠"'):
        assert_problem(host.patch(seen, title="x"), "stale_revision", revision=0, says="revision 0")
    first = host.patch('"0"', title="x")
    assert (first.status_code, first.headers["ETag"], first.json["revision"]) == (200, '"1"', 1)
    assert_problem(host.patch('"0"', title="y"), "stale_revision", revision=1)
    assert host.patch('"7", "1"', title="y").json["title"] == "y"
    assert host.patch("*", title="z").headers["ETag"] == '"3"'
    assert host.get().headers["ETag"] == '"3"'


def test_whoever_enters_in_the_meantime_makes_a_revision_stale(host, guest):
    tag = f'"{host.create()["revision"]}"'
    guest.enter(host)
    assert_problem(host.patch(tag, title="x"), "stale_revision", revision=1)


def test_who_may_is_looked_at_before_the_revision(host, guest, client):
    host.create()
    guest.id = host.id
    assert_problem(guest.patch(None, title="x"), "forbidden", says="host")
    body = {"json": {"title": "x"}}
    assert_problem(client.patch(host.path, **body), "unauthenticated")
    unknown = {"Authorization": "Bearer sp_nobody"}
    assert_problem(client.patch(host.path, headers=unknown, **body), "unauthenticated")
    guest.id = "none"
    assert_problem(guest.patch(None, title="x"), "not_found")


# ---- nothing and something ----


@pytest.mark.parametrize("body", NOTHING)
def test_what_changes_nothing_records_nothing(host, db, body):
    host.create()
    before = host.get().json
    for _ in range(2):
        reply = host.patch('"0"', **body)
        assert (reply.status_code, reply.json) == (200, before)
    assert events_of(db, host) == []


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"variant": "royal-family"}, ["variant", "options"]),
        ({"options": {"redeal_limit": 3}}, ["options"]),
        ({"seed": "semilla"}, ["seed_public", "require_winnable", "seed"]),
        (
            {"seed": "pysol-1"},
            ["deal_algorithm", "seed_public", "require_winnable", "seed"],
        ),
        (RACE, ["clock", "starts_at"]),
        ({"starts_at": rfc(NOON + 1)}, ["starts_at"]),
        ({"ends_at": rfc(NOON + DAY + 1)}, ["ends_at"]),
        ({"time_limit_ms": 1_000}, ["time_limit_ms"]),
        ({"attempts": 2}, ["attempts"]),
        (
            {"attempts": 2, "title": "x", "visibility": "unlisted"},
            ["title", "visibility", "attempts"],
        ),
    ],
)
def test_another_term_draws_another_seed_and_both_are_recorded(host, db, clock, body, fields):
    before = host.create()
    old = stored(db, host.id)
    clock.tick(0)
    reply = host.patch('"0"', **body)
    assert reply.status_code == 200, reply.text
    after = reply.json
    check_published(after)
    new = stored(db, host.id)
    assert new["seed"] != old["seed"]
    assert new["commitment"] == commitment(new["seed"], new["terms"])
    assert after["commitment"] != before["commitment"]
    facts = {
        "fields": fields,
        "former_commitment": before["commitment"],
        "commitment": after["commitment"],
    }
    assert events_of(db, host) == [("changed", 1, NOON, facts)]
    former = {"revision": 1, "terms": before["terms"], "commitment": before["commitment"]}
    assert after["former_terms"] == [former]
    with db.connect() as connection:
        (kept,) = connection.execute(select(former_terms.c.seed)).scalars()
    assert kept == old["seed"]
    clock.tick(3 * DAY)
    (told,) = host.get().json["former_terms"]
    assert told == {**former, "seed": kept}
    assert commitment(told["seed"], told["terms"]) == told["commitment"]


@pytest.mark.parametrize("body", [{"title": "Año"}, {"visibility": "unlisted"}])
def test_title_and_visibility_leave_the_terms_alone(host, db, body):
    before = host.create()
    after = host.patch('"0"', **body).json
    assert after == {**before, **body, "revision": 1}
    assert events_of(db, host) == [("changed", 1, NOON, {"fields": [*body]})]


def test_a_named_seed_stays_until_another_is_named_or_drawn(host, db):
    host.create(seed="semilla")
    after = host.patch(attempts=2).json
    assert (after["seed"], after["attempts"]) == ("semilla", 2)
    assert after["former_terms"][0]["seed"] == "semilla"  # it is public
    other = host.patch(seed="32").json
    assert (other["seed"], other["seed_public"]) == ("32", True)
    assert other["commitment"] == commitment("32", other["terms"])
    assert events_of(db, host)[-1][3]["fields"] == ["seed"]
    drawn = host.patch(seed=None).json
    assert "seed" not in drawn
    assert drawn["seed_public"] is False
    assert len(stored(db, host.id)["seed"]) == 64
    assert [former["revision"] for former in drawn["former_terms"]] == [1, 2, 3]


def test_naming_the_seed_that_is_named_already_changes_nothing(host):
    before = host.create(seed="semilla")
    assert host.patch(seed="semilla").json == before


def test_options_that_are_not_named_stay(host):
    host.create(variant="limited-cruel", options={"redeal_limit": 5})
    after = host.patch(options={"redeal": "fans"}).json
    assert (after["options"]["redeal_limit"], after["options"]["redeal"]) == (5, "fans")
    other = host.patch(variant="cruel").json
    assert other["options"] == host.client.get("/v1/deals/cruel/1").json["options"]


def test_bases_that_nobody_chose_follow_the_seed(host, client):
    host.create(variant="calculation")
    after = host.patch(seed="pysol-24").json
    assert after["options"] == client.get("/v1/deals/calculation/pysol-24").json["options"]
    assert host.patch(seed=None).json["options"] == {"bases": ["AC", "2D", "3H", "4S"]}
    chosen = {"bases": ["AS", "2S", "3S", "4S"]}
    assert host.patch(options=chosen).json["options"] == chosen
    assert host.patch(seed="pysol-24").json["options"] == chosen


def test_null_is_the_default_again(host):
    host.create(starts_at=rfc(NOON + HOUR), ends_at=rfc(NOON + 2 * HOUR), time_limit_ms=5_000)
    after = host.patch(starts_at=None, ends_at=None, time_limit_ms=None).json
    times = (after["starts_at"], after["ends_at"], after["time_limit_ms"])
    assert times == (rfc(NOON), rfc(NOON + DAY), None)
    assert host.patch(ends_at=None).json["revision"] == 1


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"title": " "}, "/title"),
        ({"clock": "shared"}, "/starts_at"),
        ({"starts_at": rfc(NOON + 2 * DAY)}, "/ends_at"),
        ({"ends_at": rfc(NOON)}, "/ends_at"),
        ({"order": "time"}, "/order"),
        ({**RACE, "attempts": 2}, "/attempts"),
        ({"variant": "calculation", "attempts": 2}, "/attempts"),
        ({"options": {"bases": ["AC", "2D", "3H", "4S"]}}, "/options/bases"),
        ({"seed": "-"}, "/seed"),
        ({"starts_at": rfc(NOON - HOUR)}, "/starts_at"),
        ({"starts_at": "x"}, "/starts_at"),
        ({"attempts": None}, "/attempts"),
        ({"hidden": True}, "/hidden"),
    ],
)
def test_a_change_that_makes_no_sense_changes_nothing(host, db, body, place):
    host.create()
    before = stored(db, host.id)
    assert_problem(host.patch(**{"title": "x", **body}), "validation_failed", pointers=[place])
    assert stored(db, host.id) == before
    assert events_of(db, host) == []


def test_attempts_that_no_longer_fit_are_named(host):
    host.create(attempts=3)
    assert_problem(host.patch(**RACE), "validation_failed", pointers=["/attempts"])
    assert_problem(host.patch(variant="calculation"), "validation_failed", pointers=["/attempts"])
    assert host.patch(**RACE, attempts=1).status_code == 200


def test_a_race_finishes_by_its_new_terms(host, db):
    host.create(**RACE)
    host.enter(host)
    host.patch(time_limit_ms=HOUR)
    assert stored(db, host.id)["finishes_at"] == NOON + 2 * HOUR
    host.patch(starts_at=rfc(NOON + 3 * HOUR))
    assert stored(db, host.id)["finishes_at"] == NOON + 4 * HOUR
    host.patch(clock="own")
    assert stored(db, host.id)["finishes_at"] == NOON + HOUR + DAY


def test_a_start_that_has_passed_may_stay(host, clock):
    host.create()
    clock.tick(2 * HOUR)
    after = host.patch(attempts=2, starts_at=rfc(NOON)).json
    assert (after["attempts"], after["starts_at"]) == (2, rfc(NOON))
    reply = host.patch(ends_at=rfc(NOON + 2 * HOUR + SECOND - 1))
    assert_problem(reply, "validation_failed", pointers=["/ends_at"])
    assert host.patch(ends_at=rfc(NOON + 2 * HOUR + SECOND)).status_code == 200


def test_the_terms_before_are_never_more_than_everybody_can_read(host):
    host.create(starts_at=rfc(NOON + HOUR))
    for count in range(100):
        assert host.patch(attempts=2 + count % 2).status_code == 200
    assert len(host.get().json["former_terms"]) == 100
    assert_problem(host.patch(attempts=4), "history_full", says="100 times")
    assert host.patch(title="y", attempts=3).json["revision"] == 101
    assert len(host.get().json["former_terms"]) == 100


# ---- when the terms stand ----


def others_enter(host, guest, _clock):
    guest.enter(host)


def host_enters_too(host, guest, _clock):
    guest.enter(host)
    host.enter(host)


def host_is_dealt(host, _guest, _clock):
    host.enter(host, dealt=1, deadline=NOON + DAY)


def end(_host, _guest, clock):
    clock.tick(DAY)


def cancel(host, _guest, _clock):
    host.cancel()


def race_begins(host, _guest, clock):
    host.create(**RACE)
    host.enter(host)
    clock.tick(HOUR)


def race_begins_with_nobody(host, _guest, clock):
    host.create(**RACE)
    clock.tick(HOUR)


@pytest.mark.parametrize(
    ("happens", "code"),
    [
        (others_enter, "has_entries"),
        (host_enters_too, "has_entries"),
        (host_is_dealt, "already_started"),
        (race_begins, "already_started"),
        (race_begins_with_nobody, "already_started"),
        (end, "not_running"),
        (cancel, "not_running"),
    ],
)
def test_terms_that_stand_are_not_changed_but_title_and_visibility_are(
    host, guest, clock, db, happens, code
):
    host.create()
    happens(host, guest, clock)
    before = stored(db, host.id)
    for body in (
        {"attempts": 2},
        {"seed": "semilla"},
        {"ends_at": rfc(NOON + 2 * DAY)},
        {"options": {"redeal_limit": 3}},
        {"variant": "royal-family", "title": "y"},
        {"order": "time"},
    ):
        assert_problem(host.patch(**body), code)
    assert stored(db, host.id) == before
    same = {name: host.get().json[name] for name in ("attempts", "clock", "starts_at", "ends_at")}
    after = host.patch(title="x", visibility="unlisted", **same)
    assert after.status_code == 200
    assert (after.json["title"], after.json["visibility"]) == ("x", "unlisted")
    assert after.json["commitment"] == before["commitment"]
    assert after.json["former_terms"] == []


def test_the_host_alone_in_it_still_changes_the_terms(host):
    host.create()
    host.enter(host)
    assert host.patch(attempts=2).json["attempts"] == 2


def test_who_has_left_binds_nobody(host, guest, db):
    host.create()
    guest.enter(host)
    with db.connect() as connection:
        connection.execute(entries.delete())
    change_row(db, host.id, entered=0)
    assert host.patch(attempts=2).status_code == 200
