"""Players over HTTP: what is asked, what is answered, and what never is."""

import logging

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.db.tables import players
from tests.api.problems import assert_problem
from tests.conftest import NOON
from tests.player_rows import HOUR, SEED, add_challenge, add_entry, add_game, player_id
from tests.statements import count_statements

KEY = {"Idempotency-Key": "7f8a1c52-0c1f-4d5e-9a3b-2f6f3c9d1e20"}
AT_NOON = "2026-01-01T12:00:00.000Z"
ME = "/v1/players/me"


def register(client, name="Ana", **body):
    reply = client.post("/v1/players", json={"name": name, **body})
    assert reply.status_code == 201, reply.text
    return reply


def auth(reply):
    return {"Authorization": f"Bearer {reply.json['token']}"}


@pytest.fixture
def ana(client):
    """Give the headers of a player called Ana."""
    return auth(register(client))


def test_who_registers_is_told_who_they_are_and_their_token_once(client):
    reply = register(client, bot=True)
    assert reply.headers["Location"] == "http://localhost/v1/players/Ana"
    assert reply.headers["Cache-Control"] == "no-store"
    token = reply.json.pop("token")
    assert token.startswith("sp_")
    assert {**reply.json, "token": 0} == {
        "name": "Ana",
        "bot": True,
        "created_at": AT_NOON,
        "token": 0,
    }
    assert client.get(reply.headers["Location"]).json["name"] == "Ana"


def test_a_bot_is_who_says_so(client):
    assert register(client).json["bot"] is False


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/name"]),
        ({"name": None}, ["/name"]),
        ({"name": 7}, ["/name"]),
        ({"name": "ab"}, ["/name"]),
        ({"name": "x\0x"}, ["/name"]),
        ({"name": "x" * 9_999}, ["/name"]),
        ({"name": ["ana"]}, ["/name"]),
        ({"name": "ana", "bot": 1}, ["/bot"]),
        ({"name": "ana", "bot": None}, ["/bot"]),
        ({"name": "ana", "token": "sp_mine", "id": "1"}, ["/token", "/id"]),
    ],
)
def test_a_registration_that_makes_no_sense_is_refused_with_the_place(client, body, pointers):
    assert_problem(client.post("/v1/players", json=body), "validation_failed", pointers=pointers)


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"name": None}, ["/name"]),
        ({"name": "a b"}, ["/name"]),
        ({"bot": "yes"}, ["/bot"]),
        ({"created_at": AT_NOON}, ["/created_at"]),
    ],
)
def test_a_change_that_makes_no_sense_is_refused_with_the_place(client, ana, body, pointers):
    reply = client.patch(ME, json=body, headers=ana)
    assert_problem(reply, "validation_failed", pointers=pointers)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(name=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_no_name_breaks_anything(client, name):
    assert client.post("/v1/players", json={"name": name}).status_code in (201, 409, 422)


def test_a_taken_and_a_reserved_name_are_told_apart(client, ana):
    for sent in (
        lambda body: client.post("/v1/players", json=body),
        lambda body: client.patch(ME, json=body, headers=ana),
    ):
        register(client, f"bea-{id(sent)}"[:24])
        assert_problem(sent({"name": f"BEA-{id(sent)}"[:24]}), "name_taken", says="take another")
        assert_problem(sent({"name": "Admin"}), "name_reserved", says="take another")


# ---- registering again ----


def test_a_registration_may_be_sent_again(client, clock):
    first = client.post("/v1/players", json={"name": "Ana"}, headers=KEY)
    clock.tick(1_000)
    again = client.post("/v1/players", json={"name": "Ana", "bot": False}, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert {name for name in first.json if first.json[name] != again.json[name]} == {"token"}
    assert_problem(client.get(ME, headers=auth(first)), "unauthenticated")
    assert client.get(ME, headers=auth(again)).json["name"] == "Ana"


def test_who_has_done_something_comes_back_as_they_are_without_a_token(client):
    first = client.post("/v1/players", json={"name": "Ana"}, headers=KEY)
    client.patch(ME, json={"name": "Bea"}, headers=auth(first))
    again = client.post("/v1/players", json={"name": "Ana"}, headers=KEY)
    assert again.json == {"name": "Bea", "bot": False, "created_at": AT_NOON}
    assert again.headers["Location"].endswith("/v1/players/Bea")
    assert client.get(ME, headers=auth(first)).json["name"] == "Bea"


def test_a_key_with_another_name_is_refused_and_one_of_a_refused_name_is_free(client):
    assert_problem(client.post("/v1/players", json={"name": "host"}, headers=KEY), "name_reserved")
    assert client.post("/v1/players", json={"name": "Ana"}, headers=KEY).status_code == 201
    assert_problem(client.post("/v1/players", json={"name": "Bea"}, headers=KEY), "key_reused")


# ---- oneself ----


def test_one_sees_oneself_with_all_that_is_in_play(client, db, ana):
    player = player_id(db, "Ana")
    challenge = add_challenge(db, player)
    add_entry(db, challenge, player, dealt=1, deadline=NOON + HOUR)
    attempt = {"challenge_id": challenge, "attempt": 1, "deadline": NOON + HOUR}
    games = [add_game(db, player), add_game(db, player, **attempt)]
    one_pm = "2026-01-01T13:00:00.000Z"
    assert client.get(ME, headers=ana).json == {
        "name": "Ana",
        "bot": False,
        "created_at": AT_NOON,
        "games": [
            {
                "id": games[1],
                "variant": "cruel",
                "challenge_id": challenge,
                "attempt": 1,
                "started_at": AT_NOON,
                "deadline": one_pm,
            },
            {
                "id": games[0],
                "variant": "cruel",
                "challenge_id": None,
                "attempt": None,
                "started_at": AT_NOON,
                "deadline": None,
            },
        ],
        "challenges": [
            {
                "id": challenge,
                "title": "Friday",
                "variant": "cruel",
                "clock": "own",
                "state": "running",
                "starts_at": AT_NOON,
                "ends_at": one_pm,
                "hosting": True,
                "entry": "playing",
            }
        ],
        "now": AT_NOON,
    }


def test_one_changes_name_and_flag_together_or_each_alone(client, ana):
    for body, after in (
        ({"name": "Bea", "bot": True}, ("Bea", True)),
        ({"bot": False}, ("Bea", False)),
        ({"name": "Ana"}, ("Ana", False)),
        ({}, ("Ana", False)),
    ):
        reply = client.patch(ME, json=body, headers=ana)
        assert reply.json == {"name": after[0], "bot": after[1], "created_at": AT_NOON}
        assert client.get(ME, headers=ana).json["name"] == after[0]


def test_another_token_takes_the_place_of_the_one_that_asks_for_it(client, ana):
    reply = client.post(f"{ME}/token", headers=ana)
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.json.keys() == {"name", "bot", "created_at", "token"}
    for path in (ME, "/v1/players/ana", "/v1/games/none"):
        assert_problem(client.get(path, headers=ana), "unauthenticated", says="nobody has")
    assert client.get(ME, headers=auth(reply)).status_code == 200
    assert_problem(
        client.post(f"{ME}/token", json={"token": "sp_x"}, headers=auth(reply)),
        "validation_failed",
        pointers=["/token"],
    )


def test_a_new_name_shows_in_the_reply_to_the_next_move(client, ana):
    game = client.post("/v1/games", json={"seed": "semilla"}, headers=ana).json
    moves = f"/v1/games/{game['id']}/moves"
    played = client.post(moves, json={"moves": ["12>2"], "at": 0}, headers=ana).json
    assert (game["player"], played["player"]) == ("Ana", "Ana")
    client.patch(ME, json={"name": "Bea"}, headers=ana)
    played = client.post(moves, json={"moves": ["R"], "at": 1}, headers=ana)
    assert (played.status_code, played.json["player"]) == (200, "Bea")
    assert played.json["recorded"] == 0


def test_who_leaves_is_nobody_any_more_and_the_name_is_not_free(client, ana):
    reply = client.delete(ME, headers=ana)
    assert (reply.status_code, reply.data) == (204, b"")
    assert_problem(client.delete(ME, headers=ana), "unauthenticated")
    assert_problem(client.get("/v1/players/Ana"), "not_found")
    assert_problem(client.post("/v1/players", json={"name": "ana"}), "name_taken")


@pytest.mark.parametrize(
    ("verb", "path"),
    [("GET", ME), ("PATCH", ME), ("DELETE", ME), ("POST", f"{ME}/token")],
)
def test_these_need_a_players_token_and_say_where_one_is_had(client, player, verb, path):
    player.start()

    def send(headers):
        body = {} if verb in ("POST", "PATCH") else None
        return client.open(path, method=verb, json=body, headers=headers)

    assert_problem(send({}), "unauthenticated", says="POST /v1/players")
    assert_problem(send({"Authorization": "Bearer sp_nobody"}), "unauthenticated")
    assert_problem(send(player.auth), "forbidden", says="POST /v1/players")


def test_a_players_token_is_good_where_none_is_needed(client, player, ana):
    player.start()
    for path in (f"/v1/games/{player.id}", f"/v1/games/{player.id}/record", "/v1/players/ana"):
        assert client.get(path, headers=ana).status_code == 200
    assert client.post("/v1/evaluate", json={"variant": "cruel", "seed": "a"}, headers=ana).json
    reply = client.post(f"/v1/games/{player.id}/resign", headers=ana)
    assert_problem(reply, "forbidden")


# ---- others ----


def test_anybody_may_look_at_a_players_statistics(client, db):
    register(client, bot=True)
    player = player_id(db, "Ana")
    attempt = {"challenge_id": "c", "deadline": NOON}
    for number, actions in enumerate((118, 124, 121)):
        add_game(db, player, status="won", cards_up=52, actions=actions, attempt=number, **attempt)
    add_game(db, player, cards_up=9, attempt=7, **attempt)
    add_game(db, player, status="resigned", cards_up=30, variant="calculation")
    add_game(db, player, variant="perseverance", cards_up=50)
    reply = client.get("/v1/players/aNA")
    assert reply.headers["Cache-Control"] == "no-store"
    nothing = dict.fromkeys(("started", "finished", "won", "lost", "resigned", "timed_out"), 0)
    assert reply.json == {
        "name": "Ana",
        "bot": True,
        "created_at": AT_NOON,
        "total": {**nothing, "started": 6, "finished": 5, "won": 3, "resigned": 1, "timed_out": 1},
        "variants": [
            {
                "variant": "calculation",
                **nothing,
                "started": 1,
                "finished": 1,
                "resigned": 1,
                "best": {"cards_up": 30, "actions": None},
                "actions": [],
            },
            {
                "variant": "cruel",
                **nothing,
                "started": 4,
                "finished": 4,
                "won": 3,
                "timed_out": 1,
                "best": {"cards_up": 52, "actions": 118},
                "actions": [
                    {"low": 110, "high": 119, "games": 1},
                    {"low": 120, "high": 129, "games": 2},
                ],
            },
            {"variant": "perseverance", **nothing, "started": 1, "best": None, "actions": []},
        ],
        "streak": {"current": 0, "longest": 3},
    }


@pytest.mark.parametrize(
    "name", ["nobody-here", "ab", "a%20b", "%C3%B1and%C3%BA", "x" * 5_000, "an%25", "a%FFa", "Ana'"]
)
def test_a_name_that_nobody_has_or_could_have_is_not_found(client, ana, name):
    for headers in ({}, ana):
        assert_problem(client.get(f"/v1/players/{name}", headers=headers), "not_found")


def test_a_former_name_leads_nowhere(client, ana):
    client.patch(ME, json={"name": "Bea"}, headers=ana)
    assert_problem(client.get("/v1/players/Ana"), "not_found", says="nobody has this name")
    assert client.get("/v1/players/bea").json["name"] == "Bea"


# ---- what is never told ----


def test_no_reply_and_no_line_tells_an_id_a_seed_or_a_used_token(client, db, ana, caplog):
    caplog.set_level(logging.DEBUG)
    player = player_id(db, "Ana")
    challenge = add_challenge(db, player)
    add_game(db, player, challenge_id=challenge, attempt=1, deadline=NOON + HOUR)
    replies = [
        client.get(ME, headers=ana),
        client.get("/v1/players/ana", headers=ana),
        client.get("/v1/players/ana"),
        client.patch(ME, json={"name": "Bea"}, headers=ana),
        client.patch(ME, json={"name": "host"}, headers=ana),
        client.post("/v1/players", json={"name": "BEA"}),
        client.get("/v1/players/ana"),
        client.post(f"{ME}/token", headers=ana),
        client.get(ME, headers=ana),
    ]
    token = ana["Authorization"].removeprefix("Bearer ")
    for text in (*(f"{reply.headers}{reply.text}" for reply in replies), caplog.text):
        for secret in (player, SEED, token, "token_hash"):
            assert secret not in text


def test_statements_over_http_are_few(client, db, ana):
    for path, number in ((ME, 3), ("/v1/players/ana", 4)):
        with count_statements(db) as seen:
            client.get(path, headers=ana)
        assert seen.verbs == ["SELECT"] * number
    with db.connect() as connection:
        assert len(connection.execute(players.select()).all()) == 1
