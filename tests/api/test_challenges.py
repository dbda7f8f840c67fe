"""Challenges over HTTP: what may be asked for, what is published, and what is never told."""

import json
import re

import pytest
from sqlalchemy import select, update

from service.db.tables import challenges, entries, events, former_terms, players
from tests.api.problems import assert_problem
from tests.conftest import NOON, Player, limited
from tests.hosting import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    Host,
    change_row,
    check_published,
    commitment,
    rfc,
    stored,
)
from tests.naive.deals import opening
from tests.players import new_player

KEY = {"Idempotency-Key": "0123456789-0123456789-0123456789"}
TEXT = {"Accept": "text/plain"}
LOST = ["s268", "s400", "s486", "s835"]  # deals of cruel that are lost at the opening
FIELDS = [
    "id",
    "title",
    "host",
    "visibility",
    "state",
    "variant",
    "options",
    "deal_algorithm",
    "clock",
    "starts_at",
    "ends_at",
    "time_limit_ms",
    "attempts",
    "order",
    "seed_public",
    "require_winnable",
    "terms",
    "commitment",
    "revealed_at",
    "par",
    "former_terms",
    "created_at",
    "cancelled_at",
    "entered",
    "dealt",
    "me",
    "revision",
    "now",
]
RACE = {"clock": "shared", "starts_at": rfc(NOON + HOUR)}


@pytest.fixture
def host(client, db):
    """Give a host without a challenge yet."""
    return Host(client, db)


@pytest.fixture
def guest(client, db):
    """Give another player, a bot."""
    return Host(client, db, "Bea", bot=True)


def count(db, table=challenges):
    with db.connect() as connection:
        return len(connection.execute(select(table)).all())


# ---- defaults, and what is published ----


def test_a_title_is_enough(host):
    reply = host.post(title="Weekend")
    assert reply.status_code == 201
    found = reply.json
    assert list(found) == FIELDS
    assert {name: found[name] for name in FIELDS if name not in ("id", "terms", "commitment")} == {
        "title": "Weekend",
        "host": {"name": "Ana", "bot": False},
        "visibility": "public",
        "state": "running",
        "variant": "cruel",
        "options": {
            "deal": "by_pile",
            "build": "suit_down",
            "redeal": "packets",
            "redeal_when": "if_changes",
            "redeal_limit": None,
        },
        "deal_algorithm": "deal/1",
        "clock": "own",
        "starts_at": "2026-01-01T12:00:00.000Z",
        "ends_at": "2026-01-02T12:00:00.000Z",
        "time_limit_ms": None,
        "attempts": 1,
        "order": "actions",
        "seed_public": False,
        "require_winnable": True,
        "revealed_at": None,
        "par": None,
        "former_terms": [],
        "created_at": "2026-01-01T12:00:00.000Z",
        "cancelled_at": None,
        "entered": 0,
        "dealt": 0,
        "me": None,
        "revision": 0,
        "now": "2026-01-01T12:00:00.000Z",
    }
    assert re.fullmatch("[0-9a-z]{26}", found["id"])
    check_published(found)
    assert reply.headers["Location"] == f"http://localhost/v1/challenges/{found['id']}"
    assert reply.headers["ETag"] == '"0"'
    assert reply.headers["Cache-Control"] == "no-store"
    host.id = found["id"]
    assert host.get().json == found


def test_the_published_terms_are_this_very_text(host):
    found = host.create(
        variant="calculation", seed="semilla", time_limit_ms=90_000, ends_at="2026-01-01T12:00:02Z"
    )
    assert found["terms"] == (
        '{"v":1,"variant":"calculation","options":{"bases":["AC","2D","3H","4S"]},'
        '"deal_algorithm":"deal/1","clock":"own","starts_at":"2026-01-01T12:00:00.000Z",'
        '"ends_at":"2026-01-01T12:00:02.000Z","time_limit_ms":90000,"attempts":1,'
        '"order":"actions","seed_public":true,"require_winnable":false}'
    )
    assert found["commitment"] == commitment("semilla", found["terms"])


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"attempts": 100, "time_limit_ms": 1_000, "visibility": "unlisted"},
        {"variant": "limited-cruel", "options": {"redeal_limit": 7, "build": "alternate_up"}},
        {"variant": "calculation", "options": {"bases": ["AS", "2S", "3S", "4S"]}},
        {**RACE, "order": "time", "time_limit_ms": 600_000},
    ],
)
def test_a_commitment_is_recomputed_once_the_seed_is_revealed(host, clock, body):
    before = host.create(**body)
    check_published(before)
    assert "seed" not in before
    clock.tick(2 * DAY)
    after = host.get().json
    assert after["state"] == "finished"
    deadline = rfc(NOON + HOUR + 600_000)
    assert after["revealed_at"] == (deadline if body.get("clock") else before["ends_at"])
    assert (after["terms"], after["commitment"]) == (before["terms"], before["commitment"])
    assert re.fullmatch("[0-9a-f]{64}", after["seed"])
    assert commitment(after["seed"], after["terms"]) == after["commitment"]
    # A changed term or seed shows.
    other = after["terms"].replace('"attempts":', '"attempts":1')
    assert commitment(after["seed"], other) != after["commitment"]
    assert commitment(after["seed"][::-1], after["terms"]) != after["commitment"]
    # The deal is that of the seed, as in any language.
    deal = host.client.get(f"/v1/deals/{after['variant']}/{after['seed']}").json
    family = "calculation" if "bases" in deal["options"] else "cruel"
    assert (
        opening(family, deal["options"], after["seed"]).items()
        <= {**deal, **deal["options"]}.items()
    )


@pytest.mark.parametrize("seed", ["semilla", "pysol-1", "pysol-ms7", "0" * 64])
def test_a_seed_that_the_host_names_is_public_at_once(host, client, seed):
    found = host.create(seed=seed)
    assert (found["seed"], found["seed_public"]) == (seed, True)
    assert found["deal_algorithm"] == ("pysol" if seed.startswith("pysol") else "deal/1")
    assert client.get(host.path).json["seed"] == seed
    assert found["commitment"] == commitment(seed, found["terms"])


def test_calculation_takes_the_bases_of_a_named_deal_of_pysolfc(host, client):
    found = host.create(variant="calculation", seed="pysol-24")
    assert found["options"] == client.get("/v1/deals/calculation/pysol-24").json["options"]


def test_a_deal_that_need_not_be_winnable_is_yet_not_lost_at_the_opening(host, monkeypatch, db):
    drawn = [*LOST, "semilla", "32"]
    monkeypatch.setattr("service.usecases.drawing.secrets.token_hex", lambda _: drawn.pop(0))
    assert host.create(require_winnable=False)["require_winnable"] is False
    assert stored(db, host.id)["seed"] == "semilla"


def test_a_game_that_cannot_but_be_lost_is_dealt_all_the_same(host, monkeypatch, db):
    monkeypatch.setattr("service.usecases.drawing.secrets.token_hex", lambda _: LOST[0])
    host.create(require_winnable=False)
    assert stored(db, host.id)["seed"] == LOST[0]


def test_instants_are_read_in_any_time_zone_and_to_the_millisecond(host):
    for text, read in (
        ("2026-01-01T13:00:00Z", "2026-01-01T13:00:00.000Z"),
        ("2026-01-01t13:00:00z", "2026-01-01T13:00:00.000Z"),
        ("2026-01-01T14:30:00.5+01:30", "2026-01-01T13:00:00.500Z"),
        ("2026-01-01T08:00:00.123999-05:00", "2026-01-01T13:00:00.123Z"),
        ("2026-01-02T00:00:00.000000001+00:00", "2026-01-02T00:00:00.000Z"),
    ):
        assert host.create(starts_at=text)["starts_at"] == read


@pytest.mark.parametrize(
    "value",
    [
        "",
        "now",
        "2026-01-01",
        "2026-01-01T13:00:00",
        "2026-01-01T13:00Z",
        "2026-01-01 13:00:00Z",
        "2026-13-01T13:00:00Z",
        "2026-02-30T13:00:00Z",
        "2026-01-01T24:00:01Z",
        "2026-01-01T13:00:60Z",
        "2026-01-01T13:00:00.Z",
        "2026-01-01T13:00:00.1234567890Z",
        "2026-01-01T13:00:00+99:99",
        "2026-01-01T13:00:00Z\n",
        "0000-01-01T13:00:00Z",
        "٢٠٢٦-01-01T13:00:00Z",
        "2026-01-01T13:00:00\x00Z",
        1_767_272_400_000,
        1.5,
        True,
        [],
        {},
    ],
)
def test_what_is_no_instant_is_refused(host, db, value):
    for name in ("starts_at", "ends_at"):
        assert_problem(host.post(**{name: value}), "validation_failed", pointers=[f"/{name}"])
    assert count(db) == 0


# ---- the bounds of every term ----

OK = [
    {"starts_at": rfc(NOON - MINUTE)},
    {"starts_at": rfc(NOON)},
    {"starts_at": None, "ends_at": None, "time_limit_ms": None, "seed": None},
    {"starts_at": rfc(NOON + 365 * DAY)},
    {"ends_at": rfc(NOON + SECOND)},
    {"ends_at": rfc(NOON + 90 * DAY)},
    {"time_limit_ms": 1_000},
    {"time_limit_ms": 90 * DAY},
    {"attempts": 1},
    {"attempts": 100},
    {"clock": "shared", "starts_at": rfc(NOON + 1)},
    {"clock": "shared", "starts_at": rfc(NOON + 365 * DAY)},
    {**RACE, "order": "time"},
    {**RACE, "attempts": 1},
    {"variant": "calculation", "attempts": 1},
    {"title": "x" * 100},
    {"title": "¡Año nuevo! \U0001f468\u200d\U0001f469 خوش\u200cآمدید"},
]
REFUSED = [
    ({"title": ""}, "/title"),
    ({"title": " "}, "/title"),
    ({"title": "x" * 101}, "/title"),
    ({"title": "a\nb"}, "/title"),
    ({"title": "a\x00b"}, "/title"),
    ({"title": "a\x1b[31mb"}, "/title"),
    ({"title": "a\u202eb"}, "/title"),
    ({"title": "a\u2066b"}, "/title"),
    ({"title": "a\u2028b"}, "/title"),
    ({"title": "a\ufeffb"}, "/title"),
    ({"title": "a\ue000b"}, "/title"),
    ({"title": "\u200d"}, "/title"),
    ({"title": "\u0301"}, "/title"),
    ({"title": None}, "/title"),
    ({"title": 7}, "/title"),
    ({"visibility": "hidden"}, "/visibility"),
    ({"variant": "patience"}, "/variant"),
    ({"variant": None}, "/variant"),
    ({"options": {"redeal": "never"}}, "/options/redeal"),
    ({"options": {"bases": ["AC", "2D", "3H", "4S"]}}, "/options/bases"),
    (
        {"variant": "calculation", "options": {"bases": ["AC", "2D", "3H", "3S"]}},
        "/options/bases/3",
    ),
    ({"seed": "-"}, "/seed"),
    ({"seed": "pysol-0"}, "/seed"),
    ({"seed": "a\x00"}, "/seed"),
    ({"seed": 7}, "/seed"),
    ({"clock": "wall"}, "/clock"),
    ({"clock": "shared"}, "/starts_at"),
    ({"clock": "shared", "starts_at": None}, "/starts_at"),
    ({"clock": "shared", "starts_at": rfc(NOON)}, "/starts_at"),
    ({"clock": "shared", "starts_at": rfc(NOON + 365 * DAY + 1)}, "/starts_at"),
    ({"starts_at": rfc(NOON - MINUTE - 1)}, "/starts_at"),
    ({"starts_at": "0001-01-01T00:00:00+23:59"}, "/starts_at"),
    ({"starts_at": "9999-12-31T23:59:59-23:59"}, "/starts_at"),
    ({"starts_at": rfc(NOON + 365 * DAY + 1)}, "/starts_at"),
    ({"ends_at": rfc(NOON + SECOND - 1)}, "/ends_at"),
    ({"ends_at": rfc(NOON - MINUTE)}, "/ends_at"),
    ({"ends_at": rfc(NOON + 90 * DAY + 1)}, "/ends_at"),
    ({"starts_at": rfc(NOON + DAY), "ends_at": rfc(NOON + DAY)}, "/ends_at"),
    ({**RACE, "ends_at": rfc(NOON + HOUR)}, "/ends_at"),
    ({"time_limit_ms": 999}, "/time_limit_ms"),
    ({"time_limit_ms": 90 * DAY + 1}, "/time_limit_ms"),
    ({"time_limit_ms": 2**63}, "/time_limit_ms"),
    ({"time_limit_ms": 1000.0}, "/time_limit_ms"),
    ({"attempts": 0}, "/attempts"),
    ({"attempts": 101}, "/attempts"),
    ({"attempts": None}, "/attempts"),
    ({**RACE, "attempts": 2}, "/attempts"),
    ({"variant": "calculation", "attempts": 2}, "/attempts"),
    ({"order": "score"}, "/order"),
    ({"order": "time"}, "/order"),
    ({"require_winnable": None}, "/require_winnable"),
    ({"require_winnable": 1}, "/require_winnable"),
    ({"require_winnable": True, "seed": "semilla"}, "/require_winnable"),
    ({"require_winnable": True, "options": {"redeal_limit": 2}}, "/require_winnable"),
    ({"seed_public": True}, "/seed_public"),
    ({"undo": True}, "/undo"),
    ({"id": "x"}, "/id"),
]


@pytest.mark.parametrize("body", OK)
def test_what_lies_within_its_bounds_is_accepted(host, body):
    check_published(host.create(**body))


@pytest.mark.parametrize(("body", "place"), REFUSED)
def test_what_does_not_is_refused_with_its_place(host, db, body, place):
    assert_problem(host.post(**body), "validation_failed", pointers=[place])
    assert count(db) == 0


def test_a_title_is_needed(host):
    reply = host.client.post("/v1/challenges", headers=host.auth)
    assert_problem(reply, "validation_failed", pointers=["/title"])


def test_a_start_that_has_just_passed_on_the_clients_clock_is_now(host):
    found = host.create(starts_at=rfc(NOON - MINUTE))
    assert found["starts_at"] == rfc(NOON)
    assert found["state"] == "running"
    assert found["ends_at"] == rfc(NOON + DAY)


def test_a_title_is_kept_without_the_spaces_around_it(host):
    assert host.create(title=" \t Fin de semana \n")["title"] == "Fin de semana"


# ---- who may, and how often ----


def test_hosting_needs_a_players_token(client, db):
    game = Player(client)
    game.start()

    def post(**headers):
        return client.post("/v1/challenges", json={"title": "x"}, headers=headers)

    assert_problem(post(), "unauthenticated")
    assert_problem(post(Authorization="Bearer sp_nobody"), "unauthenticated")
    assert_problem(post(**game.auth), "forbidden", says="player")
    assert count(db) == 0


def test_a_key_makes_one_challenge_also_once_its_start_has_passed(host, client, db, clock):
    body = {"starts_at": rfc(NOON + HOUR), "title": "Once"}
    first = host.post(KEY, **body)
    clock.tick(2 * HOUR)
    again = host.post(KEY, **body)
    assert (first.status_code, again.status_code) == (201, 201)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == {**first.json, "state": "running", "now": rfc(NOON + 2 * HOUR)}
    assert again.headers["Location"] == first.headers["Location"]
    assert_problem(host.post(KEY, title="Twice"), "key_reused")
    assert count(db) == 1
    other = Host(client, db, "Bea").post(KEY, **{**body, "starts_at": None})
    assert other.status_code == 201
    assert count(db) == 2


def test_a_refused_challenge_leaves_its_key_free(host, db):
    assert_problem(host.post(KEY, seed="-"), "validation_failed", pointers=["/seed"])
    assert host.post(KEY, seed="semilla").status_code == 201
    assert count(db) == 1


# ---- reading ----


def test_whoever_has_the_id_reads_it(host, guest, client):
    found = host.create(visibility="unlisted")
    game = Player(client)
    game.start()
    for headers in ({}, host.auth, guest.auth, game.auth):
        reply = client.get(host.path, headers=headers)
        assert reply.json == found
        assert reply.headers["ETag"] == '"0"'
    unknown = client.get(host.path, headers={"Authorization": "Bearer sp_nobody"})
    assert_problem(unknown, "unauthenticated")


@pytest.mark.parametrize("name", ["none", "a%00b", "%ff", "x" * 3_000, "daily-cruel-2026-01-02"])
def test_what_is_not_there_is_not_found(host, client, name):
    path = f"/v1/challenges/{name}"
    assert_problem(client.get(path), "not_found")
    change = {"json": {"title": "x"}, "headers": {**host.auth, "If-Match": "*"}}
    assert_problem(client.patch(path, **change), "not_found")
    assert_problem(client.post(f"{path}/cancel", headers=host.auth), "not_found")


def test_who_has_entered_sees_their_entry(host, guest, client, clock):
    host.create()
    guest.enter(host)
    assert client.get(host.path).json["me"] is None
    assert host.get().json["me"] is None
    assert guest.client.get(host.path, headers=guest.auth).json["me"] == {
        "state": "registered",
        "dealt": 0,
        "disqualified": False,
    }
    assert host.get().json["entered"] == 1
    clock.tick(2 * DAY)
    me = guest.client.get(host.path, headers=guest.auth).json["me"]
    assert me["state"] == "no_show"


def test_a_disqualified_entry_says_so(host, guest, client):
    host.create()
    guest.enter(host, dealt=1, deadline=NOON + HOUR, disqualified_at=NOON)
    me = client.get(host.path, headers=guest.auth).json["me"]
    assert me == {"state": "playing", "dealt": 1, "disqualified": True}


def test_a_deleted_host_has_no_name_and_the_services_own_no_host(host, guest, client, db):
    host.create()
    with db.connect() as connection:
        gone = update(players).where(players.c.id == host.player_id)
        connection.execute(gone.values(name=None))
    assert client.get(host.path).json["host"] == {"name": None, "bot": False}
    assert "a player who is gone" in client.get(host.path, headers=TEXT).text
    guest.create()
    assert client.get(guest.path).json["host"] == {"name": "Bea", "bot": True}
    assert "Bea, a bot" in client.get(guest.path, headers=TEXT).text
    change_row(db, guest.id, host=None)
    assert client.get(guest.path).json["host"] is None
    assert "the service itself" in client.get(guest.path, headers=TEXT).text
    assert_problem(guest.patch(title="mine"), "forbidden")


def test_a_hidden_challenge_is_there_for_its_host_and_who_has_entered(host, guest, client, db):
    host.create()
    guest.enter(host)
    stranger = Host(client, db, "Eva")
    stranger.id = host.id
    change_row(db, host.id, hidden_at=NOON)
    assert host.get().status_code == 200
    assert client.get(host.path, headers=guest.auth).status_code == 200
    for headers in ({}, stranger.auth):
        assert_problem(client.get(host.path, headers=headers), "not_found")
    assert_problem(stranger.patch(title="x"), "not_found")
    assert_problem(stranger.cancel(), "not_found")
    guest.id = host.id
    assert_problem(guest.patch(title="x"), "forbidden")
    assert host.patch(title="x").json["title"] == "x"


# ---- by the clock ----


def test_the_clock_alone_moves_a_challenge_on(host, clock):
    host.create(starts_at=rfc(NOON + HOUR), ends_at=rfc(NOON + 2 * HOUR))
    seen = []
    for ms in (0, HOUR - 1, 1, HOUR - 1, 1, DAY):
        clock.tick(ms)
        found = host.get()
        assert found.headers["ETag"] == '"0"'
        seen.append((found.json["state"], found.json["revealed_at"], "seed" in found.json))
    ended = ("finished", rfc(NOON + 2 * HOUR), True)
    scheduled, running = ("scheduled", None, False), ("running", None, False)
    assert seen == [scheduled, scheduled, running, running, ended, ended]


def test_a_race_that_somebody_is_in_ends_at_its_common_deadline(host, guest, clock):
    host.create(**RACE, time_limit_ms=600_000)
    guest.enter(host)
    for ms, state in (
        (HOUR - 1, "scheduled"),
        (1, "running"),
        (599_999, "running"),
        (1, "finished"),
    ):
        clock.tick(ms)
        assert host.get().json["state"] == state
    assert host.get().json["revealed_at"] == rfc(NOON + HOUR + 600_000)


def test_a_race_that_nobody_is_in_runs_to_its_end_as_any_other(host, clock):
    """So that nobody who enters in the last moment wakes up a race whose seed is told."""
    ends_at = host.create(**RACE)["ends_at"]
    clock.tick(HOUR)
    assert host.get().json["revealed_at"] is None
    clock.tick(2 * DAY)
    assert host.get().json["revealed_at"] == ends_at


# ---- cancelling ----


def test_a_host_cancels_once(host, clock, db):
    host.create()
    clock.tick(SECOND)
    first = host.cancel()
    assert first.status_code == 200
    assert (first.json["state"], first.json["cancelled_at"]) == ("cancelled", rfc(NOON + SECOND))
    assert (first.json["revision"], first.headers["ETag"]) == (1, '"1"')
    clock.tick(SECOND)
    assert host.cancel().json == {**first.json, "now": rfc(NOON + 2 * SECOND)}
    with db.connect() as connection:
        (event,) = connection.execute(select(events)).mappings()
    assert (event["kind"], event["number"], event["facts"]) == ("cancelled", 1, "{}")
    assert event["player_id"] == host.player_id
    clock.tick(90 * DAY)
    last = host.get().json
    assert (last["state"], last["revealed_at"]) == ("cancelled", None)
    assert "seed" not in last


def test_nobody_else_cancels(host, guest, client):
    host.create()
    guest.id = host.id
    assert_problem(guest.cancel(), "forbidden", says="host")
    assert_problem(client.post(f"{host.path}/cancel"), "unauthenticated")
    assert host.get().json["state"] == "running"


def test_what_has_entrants_is_cancelled_until_an_attempt_is_dealt(host, guest, db):
    host.create()
    guest.enter(host)
    assert host.cancel().status_code == 200
    host.create()
    guest.enter(host, dealt=1, deadline=NOON + DAY)
    assert_problem(host.cancel(), "already_started", says="dealt")
    assert count(db, entries) == 2


def test_what_has_finished_is_not_cancelled(host, clock):
    host.create()
    clock.tick(DAY)
    assert_problem(host.cancel(), "not_running", says="finished")


# ---- as text ----


def test_a_terminal_gets_a_few_lines_with_the_command_that_enters(host, guest, client, clock):
    host.create(title="Año nuevo", attempts=3, time_limit_ms=90_500, options={"redeal_limit": 3})
    reply = client.get(host.path, headers=TEXT)
    assert reply.content_type == "text/plain; charset=utf-8"
    assert reply.headers["ETag"] == '"0"'
    assert (
        reply.text
        == f"""\
challenge   {host.id}
title       Año nuevo
host        Ana
variant     cruel, redeal_limit=3
state       running, 0 in it
from        2026-01-01T12:00:00.000Z
to          2026-01-02T12:00:00.000Z
limit       90.5 s for each attempt
attempts    3, the best counts
order       the fewest actions
seed        secret until it has finished
commitment  {host.get().json["commitment"]}
now         2026-01-01T12:00:00.000Z

Enter:
curl -X PUT -H "Authorization: Bearer $TOKEN" \\
  http://localhost{host.path}/entries/me

Play:
curl -X PUT -H 'Accept: text/plain' -H "Authorization: Bearer $TOKEN" \\
  http://localhost{host.path}/entries/me/attempts/1
"""
    )
    guest.enter(host)
    mine = client.get(host.path, headers={**guest.auth, **TEXT}).text
    assert "\nyou         registered\n\nPlay:\n" in mine
    assert mine.endswith("/entries/me/attempts/1\n")
    assert mine.count("curl") == 1
    clock.tick(DAY)
    over = client.get(host.path, headers=TEXT).text
    assert "\nfinished    2026-01-02T12:00:00.000Z\n" in over
    assert f"\nseed        {host.get().json['seed']}\n" in over
    assert "curl" not in over


def test_a_race_and_a_cancelled_challenge_as_text(host, guest, client, clock):
    host.create(**RACE, order="time", seed="pysol-1")
    guest.enter(host)
    text = client.get(host.path, headers=TEXT).text
    assert "\nfrom        2026-01-01T13:00:00.000Z, all at once\n" in text
    assert "\nlimit       none\n" in text
    assert "\norder       the least time\n" in text
    assert "\nseed        pysol-1\n" in text
    assert "\nEnter:\n" in text
    assert "\nPlay, from 2026-01-01T13:00:00.000Z on:\n" in text
    clock.tick(HOUR)
    # It is too late to enter, but not for who is in.
    assert "curl" not in client.get(host.path, headers=TEXT).text
    assert "\nPlay:\n" in client.get(host.path, headers={**guest.auth, **TEXT}).text
    host.create()
    host.cancel()
    assert "\nseed        never told\n" in client.get(host.path, headers=TEXT).text


def test_who_has_played_finds_the_latest_attempt_and_who_is_through_none(host, guest, client):
    def shown():
        return client.get(host.path, headers={**guest.auth, **TEXT}).text

    host.create(attempts=3)
    guest.enter(host, dealt=2, deadline=NOON + HOUR)
    assert "\nyou         playing\n\nPlay:\n" in shown()
    assert shown().endswith("/entries/me/attempts/2\n")
    host.create()
    guest.enter(host, dealt=1, deadline=NOON + HOUR, attempt_ended_at=NOON)
    assert shown().endswith("\nyou         finished\n")


def test_every_reply_of_a_challenge_may_be_text_but_not_of_a_list(host, client):
    made = host.post(TEXT)
    assert made.status_code == 201
    assert made.text.startswith("challenge ")
    host.id = made.headers["Location"].rpartition("/")[2]
    headers = {**host.auth, **TEXT, "If-Match": "*"}
    changed = client.patch(host.path, json={"title": "x"}, headers=headers)
    assert "\ntitle       x\n" in changed.text
    assert "\nstate       cancelled" in client.post(f"{host.path}/cancel", headers=headers).text
    assert_problem(client.get("/v1/challenges", headers=TEXT), "not_acceptable")


# ---- secrets ----


def test_no_reply_nor_log_line_holds_the_seed_before_the_reveal(
    host, guest, client, db, clock, caplog
):
    caplog.set_level("DEBUG")
    host.create(starts_at=rfc(NOON + HOUR))
    host.patch(attempts=2)
    guest.enter(host)
    with db.connect() as connection:
        former = [row.seed for row in connection.execute(select(former_terms.c.seed))]
    secrets = [stored(db, host.id)["seed"], *former]
    assert len(set(secrets)) == 2
    guest.id = host.id

    def ask():
        for who in (host, guest):
            for headers in ({}, TEXT):
                yield who.get(**headers)
            yield who.client.get("/v1/challenges", headers=who.auth)
            yield who.client.get("/v1/challenges?mine=true", headers=who.auth)
            yield who.patch(attempts=3)
            yield who.patch(seed="-")
            yield who.patch('"99"', title="x")
            yield who.patch(None, title="x")
        yield client.get(host.path)
        yield client.get("/metrics")

    for ms in (0, HOUR, DAY - 1):
        clock.tick(ms)
        for reply in ask():
            told = f"{reply.text}\n{reply.headers}".lower()
            assert not any(seed in told or seed[::-1] in told for seed in secrets)
    assert not any(seed in caplog.text for seed in secrets)
    clock.tick(1)
    last = client.get(host.path).json
    assert [last["seed"], last["former_terms"][0]["seed"]] == secrets
    listed = client.get("/v1/challenges").json["items"][0]
    assert listed["seed"] == secrets[0]


def test_a_challenge_counts_as_creating_until_the_token_is_known_for_a_players(app, host, guest):
    with limited(app, create=1):
        assert host.post().status_code == 201
        assert_problem(guest.post(), "rate_limited", policy="create", retry_after=60)
        assert host.post().status_code == 201
        assert host.client.get("/v1/challenges").status_code == 200


def test_a_bot_hosts_too(client, db):
    token = new_player(db, "Robot", bot=True)
    headers = {"Authorization": f"Bearer {token}"}
    reply = client.post("/v1/challenges", json={"title": "x"}, headers=headers)
    assert reply.json["host"] == {"name": "Robot", "bot": True}
    assert json.loads(reply.json["terms"])["v"] == 1
