"""Daily challenges: there for everybody without anybody having made them, and only for today."""

import base64

import pytest
from sqlalchemy import func, select

from service.app import create_app
from service.db.tables import challenges
from service.rules import VARIANTS
from service.usecases import operated_challenges
from tests.api.problems import assert_problem
from tests.conftest import NOON
from tests.dailies import candidate, daily_seed, is_lost, is_won_soon, set_key, stored_key
from tests.hosting import DAY, HOUR, SECOND, Host, check_published, commitment
from tests.test_logs import written

__all__ = ["written"]  # the fixture

MIDNIGHT = NOON + 12 * HOUR
TODAY, TOMORROW, YESTERDAY = "2026-01-01", "2026-01-02", "2025-12-31"
ID = f"daily-cruel-{TODAY}"
# What a request to each route of a challenge says beside its path.
BODIES = {
    "challenges.change_challenge": {"title": "Mine"},
    "challenges.cancel_challenge": {},
    "entries.judge_entry": {"disqualified": True, "reason": "a solver"},
}
# How each answers who has not entered today's challenge, which nobody has entered.
ANSWERS = {
    ("challenges.get_challenge", "GET"): 200,
    ("challenges.change_challenge", "PATCH"): "forbidden",
    ("challenges.cancel_challenge", "POST"): "forbidden",
    ("entries.list_entries", "GET"): 200,
    ("entries.get_entry", "GET"): "not_entered",
    ("entries.deal_attempt", "PUT"): "not_entered",
    ("entries.judge_entry", "PATCH"): "forbidden",
    ("entries.leave", "DELETE"): 204,
    ("entries.enter", "PUT"): 201,
    ("leaderboards.get_leaderboard", "GET"): 200,
    ("leaderboards.get_leaderboard_table", "GET"): 200,
    ("events.watch_challenge", "GET"): 200,
    ("challenge_records.get_challenge_record", "GET"): "still_secret",
    ("challenge_statistics.get_challenge_statistics", "GET"): "still_secret",
}
# What stores today's challenge, and is asked last: the others must find it without that.
STORES = ("entries.enter", "entries.leave")


@pytest.fixture
def ada(client, db):
    """Somebody who registered."""
    return Host(client, db, "Ada")


def daily(client, variant="cruel", **headers):
    reply = client.get(f"/v1/daily/{variant}", headers=headers)
    assert reply.status_code == 200, reply.text
    return reply.json


def rows(db):
    with db.connect() as connection:
        return connection.execute(select(func.count()).select_from(challenges)).scalar_one()


def ask_every_route(ada, challenge_id):
    """Give the reply of each verb of each route of a challenge, those that enter it last."""
    rules = ada.client.application.url_map.iter_rules()
    urls = ada.client.application.url_map.bind("localhost")
    asked = [
        (rule, verb)
        for rule in rules
        if "challenge_id" in rule.arguments
        for verb in rule.methods - {"HEAD", "OPTIONS"}
    ]
    replies = {}
    for rule, verb in sorted(asked, key=lambda ask: ask[0].endpoint in STORES):
        values = {"challenge_id": challenge_id, "player": "ada", "attempt": "1"}
        path = urls.build(rule.endpoint, {name: values[name] for name in rule.arguments})
        replies[rule.endpoint, verb] = ada.client.open(
            path,
            method=verb,
            json=BODIES.get(rule.endpoint),
            headers={**ada.auth, "If-Match": "*"},
        )
    return replies


def assert_no_route_has(ada, challenge_id):
    """Check that each route, the page's too, finds no such challenge."""
    for (endpoint, _), reply in ask_every_route(ada, challenge_id).items():
        if endpoint.startswith("pages."):
            assert reply.status_code == 404
        else:
            assert_problem(reply, "not_found")


def test_every_variant_has_one_today_whose_seed_follows_from_the_key(client, db, clock, ada):
    key = stored_key(db)
    assert len(key) == 32
    for variant in VARIANTS:
        found = daily(client, variant)
        assert found["id"] == f"daily-{variant}-{TODAY}"
        assert found["commitment"] == commitment(daily_seed(key, variant, TODAY), found["terms"])
        assert "seed" not in found
        check_published(found)
        ada.client.put(f"/v1/challenges/{found['id']}/entries/me", headers=ada.auth)
    clock.ms = MIDNIGHT
    for variant in VARIANTS:
        revealed = client.get(f"/v1/challenges/daily-{variant}-{TODAY}").json
        assert revealed["seed"] == daily_seed(key, variant, TODAY)
        assert daily(client, variant)["id"] == f"daily-{variant}-{TOMORROW}"


def test_deals_that_are_lost_at_the_opening_are_passed_over(client, db):
    key = (4972).to_bytes(32, "big")
    seeds = [candidate(key, "cruel", TODAY, n) for n in range(3)]
    assert [is_lost("cruel", seed) for seed in seeds] == [True, True, False]
    assert is_won_soon("cruel", seeds[2])
    set_key(db, key)
    found = daily(client)
    assert found["commitment"] == commitment(seeds[2], found["terms"])


def test_it_is_a_public_challenge_of_one_attempt_over_the_day_in_utc(client):
    found = daily(client)
    told = {
        "title": f"Daily cruel, {TODAY}",
        "host": None,
        "visibility": "public",
        "state": "running",
        "variant": "cruel",
        "deal_algorithm": "deal/1",
        "clock": "own",
        "starts_at": f"{TODAY}T00:00:00.000Z",
        "ends_at": f"{TOMORROW}T00:00:00.000Z",
        "time_limit_ms": None,
        "attempts": 1,
        "order": "actions",
        "seed_public": False,
        "require_winnable": True,
        "revealed_at": None,
        "par": None,
        "former_terms": [],
        "created_at": f"{TODAY}T00:00:00.000Z",
        "cancelled_at": None,
        "entered": 0,
        "dealt": 0,
        "me": None,
        "revision": 0,
        "now": f"{TODAY}T12:00:00.000Z",
    }
    assert {name: found[name] for name in told} == told


def test_it_is_the_same_under_its_id_before_and_after_it_is_stored(client, ada, db):
    for shown in ({}, ada.auth):
        assert client.get(f"/v1/challenges/{ID}", headers=shown).json == daily(client, **shown)
    before = daily(client)
    assert rows(db) == 0
    assert client.put(f"/v1/challenges/{ID}/entries/me", headers=ada.auth).status_code == 201
    assert rows(db) == 1
    after = daily(client)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"entered", "revision"}
    mine = daily(client, **ada.auth)
    assert mine["me"] == {"state": "registered", "dealt": 0, "disqualified": False}
    assert mine == client.get(f"/v1/challenges/{ID}", headers=ada.auth).json
    reply = client.get("/v1/daily/cruel")
    assert reply.headers["ETag"] == '"1"'
    assert reply.headers["Cache-Control"] == "no-store"


def test_it_is_drawn_for_a_terminal(client):
    text = client.get("/v1/daily/cruel", headers={"Accept": "text/plain"}).text
    assert text == client.get(f"/v1/challenges/{ID}", headers={"Accept": "text/plain"}).text
    assert "the service itself" in text
    assert f"/v1/challenges/{ID}/entries/me" in text


@pytest.mark.parametrize("variant", ["patience", "CRUEL", "cruel-", "a%00b", "%ff", "x" * 3_000])
def test_an_unknown_variant_has_none(client, variant):
    assert_problem(client.get(f"/v1/daily/{variant}"), "not_found")


@pytest.mark.parametrize("path", ["/v1/daily/cruel", "/v1/daily/patience", f"/v1/challenges/{ID}"])
def test_an_unknown_token_is_told_of_first(client, path):
    shown = {"Authorization": "Bearer sp_nobody"}
    assert_problem(client.get(path, headers=shown), "unauthenticated")


def test_every_route_of_a_challenge_finds_todays_before_it_is_stored(ada, db):
    replies = ask_every_route(ada, ID)
    assert set(ANSWERS) <= set(replies)
    for asked, reply in replies.items():
        wanted = ANSWERS.get(asked, reply.status_code)
        if isinstance(wanted, str):
            assert_problem(reply, wanted)
        else:
            assert reply.status_code == wanted, asked
        assert reply.status_code != 404, asked
    assert rows(db) == 1


def test_what_only_looks_or_is_refused_stores_nothing(ada, client, db):
    path = f"/v1/challenges/{ID}"
    for asked, reply in ask_every_route(ada, f"daily-perseverance-{TODAY}").items():
        if asked not in (("entries.enter", "PUT"), ("entries.leave", "DELETE")):
            assert reply.status_code in (200, 403, 409), asked
    before = rows(db)
    for below in ("", "/entries", "/leaderboard", "/leaderboard.csv", "/events"):
        assert client.get(path + below).status_code == 200
    text = client.get(f"{path}/leaderboard", headers={"Accept": "text/plain"}).text
    assert "ranked     0 of 0, provisional\n" in text
    around = client.get(f"{path}/leaderboard?around=me", headers=ada.auth)
    assert_problem(around, "not_entered")
    assert_problem(client.get(f"{path}/leaderboard?around=me"), "unauthenticated")
    wrong = {"Authorization": "Bearer sp_nobody"}
    assert_problem(client.get(f"{path}/leaderboard", headers=wrong), "unauthenticated")
    assert_problem(client.get(f"{path}/entries/me", headers=ada.auth), "not_entered")
    assert_problem(client.put(f"{path}/entries/me/attempts/1", headers=ada.auth), "not_entered")
    change = {"json": {"title": "x"}, "headers": {**ada.auth, "If-Match": "*"}}
    assert_problem(client.patch(path, **change), "forbidden")
    assert_problem(client.post(f"{path}/cancel", headers=ada.auth), "forbidden")
    assert client.get("/v1/games", query_string={"challenge": ID}).json["items"] == []
    assert rows(db) == before


@pytest.mark.parametrize("variant", ["cruel", "cruel-pysol", "calculation"])
def test_no_route_has_tomorrows(ada, client, db, clock, variant):
    for ms in (NOON, MIDNIGHT - 1):
        clock.ms = ms
        for date in (TOMORROW, "2026-01-03", "2027-01-01", "9999-12-31"):
            assert_no_route_has(ada, f"daily-{variant}-{date}")
        asked = {"challenge": f"daily-{variant}-{TOMORROW}"}
        assert client.get("/v1/games", query_string=asked).json["items"] == []
    assert rows(db) == 0
    clock.ms = MIDNIGHT
    found = client.get(f"/v1/challenges/daily-{variant}-{TOMORROW}")
    assert found.json == daily(client, variant)


@pytest.mark.parametrize(
    "name",
    [
        f"daily-cruel-{YESTERDAY}",
        "daily-cruel-2026-1-1",
        "daily-cruel-20260101",
        f"daily-cruel-{TODAY} ",
        f"Daily-cruel-{TODAY}",
        f"daily-patience-{TODAY}",
        f"daily--{TODAY}",
        f"daily-{TODAY}",
        "daily-cruel-",
        "daily-",
        "daily-cruel-\u0662026-01-01",
    ],
)
def test_other_ids_are_those_of_no_daily(ada, name):
    assert_no_route_has(ada, name)


def test_at_midnight_an_attempt_ends_and_another_day_begins(ada, client, clock, db):
    clock.ms = MIDNIGHT - 1
    path = f"/v1/challenges/{ID}"
    assert client.put(f"{path}/entries/me", headers=ada.auth).status_code == 201
    dealt = client.put(f"{path}/entries/me/attempts/1", headers=ada.auth)
    assert dealt.status_code == 201
    assert dealt.json["started_at"] == f"{TODAY}T23:59:59.999Z"
    assert dealt.json["deadline"] == f"{TOMORROW}T00:00:00.000Z"
    move = {"moves": [dealt.json["legal_moves"][0]], "at": 0}
    clock.tick(1)
    late = client.post(f"/v1/games/{dealt.json['id']}/moves", json=move, headers=ada.auth)
    assert_problem(late, "time_expired", at=0)
    over = client.get(path, headers=ada.auth).json
    assert (over["state"], over["revealed_at"]) == ("finished", f"{TOMORROW}T00:00:00.000Z")
    assert over["me"]["state"] == "timed_out"
    assert over["seed"] == daily_seed(stored_key(db), "cruel", TODAY)
    assert_problem(
        client.put(f"{path}/entries/me", headers=Host(client, db, "Bea").auth), "entries_closed"
    )
    new = daily(client, **ada.auth)
    assert (new["id"], new["state"], new["me"]) == (f"daily-cruel-{TOMORROW}", "running", None)
    assert new["commitment"] != over["commitment"]
    clock.tick(DAY)
    assert client.get(path).json["seed"] == over["seed"]
    # Nobody wrote to that of the second day.
    assert_problem(client.get(f"/v1/challenges/daily-cruel-{TOMORROW}"), "not_found")


def test_another_process_gives_the_same(client, config, clock, ada):
    other = create_app(config, clock)
    try:
        for variant in VARIANTS:
            assert daily(other.test_client(), variant) == daily(client, variant)
        other.test_client().put(f"/v1/challenges/{ID}/entries/me", headers=ada.auth)
        assert daily(client)["entered"] == 1
        assert daily(other.test_client()) == daily(client)
    finally:
        other.extensions["semilla"].db.dispose()


def test_another_key_gives_other_deals(client, db):
    before = {variant: daily(client, variant)["commitment"] for variant in VARIANTS}
    assert len(set(before.values())) == len(VARIANTS)
    set_key(db, bytes(32))
    for variant in VARIANTS:
        assert daily(client, variant)["commitment"] != before[variant]


def test_lists_have_those_that_somebody_has_entered(client, ada):
    assert client.get("/v1/challenges").json["items"] == []
    client.put(f"/v1/challenges/{ID}/entries/me", headers=ada.auth)
    for query in ("", "?variant=cruel", "?status=running"):
        assert [item["id"] for item in client.get(f"/v1/challenges{query}").json["items"]] == [ID]
    mine = client.get("/v1/challenges?mine=true", headers=ada.auth).json["items"]
    assert [item["id"] for item in mine] == [ID]
    (playing,) = client.get("/v1/players/me", headers=ada.auth).json["challenges"]
    assert playing["id"] == ID


def test_the_operator_cancels_or_hides_one_that_nobody_has_entered(client, db, clock, ada):
    assert operated_challenges.cancel(db, ID, clock.ms) == 0
    assert daily(client)["state"] == "cancelled"
    entry = client.put(f"/v1/challenges/{ID}/entries/me", headers=ada.auth)
    assert_problem(entry, "entries_closed")
    operated_challenges.hide(db, f"daily-calculation-{TODAY}", clock.ms)
    assert_problem(client.get("/v1/daily/calculation"), "not_found")
    clock.tick(DAY)
    assert "seed" not in client.get(f"/v1/challenges/{ID}").json


def test_neither_key_nor_seed_is_in_a_reply_or_the_log_before_the_reveal(
    client, db, clock, ada, written
):
    key = stored_key(db)
    secrets = [daily_seed(key, "cruel", date) for date in (TODAY, TOMORROW)]
    known = [key.hex(), base64.b64encode(key).decode().rstrip("="), repr(key)[2:-1]]
    replies = [reply.text for reply in ask_every_route(ada, ID).values()]
    path = f"/v1/challenges/{ID}/entries/me"
    replies.append(client.put(f"{path}/attempts/1", headers=ada.auth).text)
    for query in ("/v1/daily/cruel", "/v1/challenges", "/v1/games?player=ada", "/metrics"):
        replies += [
            client.get(query, headers={**ada.auth, "Accept": kind}).text
            for kind in ("application/json", "text/plain")
        ]
    clock.ms = MIDNIGHT - SECOND
    replies.append(client.get("/v1/daily/cruel").text)
    for text in [*replies, written.text]:
        assert not [secret for secret in [*secrets, *known] if secret in text]
    clock.ms = MIDNIGHT
    after = [reply.text for reply in ask_every_route(ada, ID).values()]
    assert any(secrets[0] in text for text in after)
    for text in [*after, client.get("/v1/daily/cruel").text, written.text]:
        assert not [secret for secret in [secrets[1], *known] if secret in text]
