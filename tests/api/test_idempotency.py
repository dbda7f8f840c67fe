"""``Idempotency-Key`` over HTTP: what may be sent again, and what is answered then."""

import pytest

from tests.api.problems import assert_problem

KEY = {"Idempotency-Key": "7f8a1c52-0c1f-4d5e-9a3b-2f6f3c9d1e20"}
CRUEL = {"variant": "cruel"}


def test_a_request_may_be_sent_again_and_makes_one_game(client, clock):
    first = client.post("/v1/games", json=CRUEL, headers=KEY)
    clock.tick(1_000)
    again = client.post("/v1/games", json=CRUEL, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    changed = {name for name in first.json if first.json[name] != again.json[name]}
    assert changed == {"token", "now", "elapsed_ms"}


def test_the_fresh_token_plays_and_the_old_one_is_void(client):
    first, again = (client.post("/v1/games", json=CRUEL, headers=KEY).json for _ in range(2))
    path = f"/v1/games/{first['id']}/resign"
    old, fresh = ({"Authorization": f"Bearer {game['token']}"} for game in (first, again))
    assert_problem(client.post(path, headers=old), "unauthenticated")
    assert client.post(path, headers=fresh).json["status"] == "resigned"


def test_a_game_that_was_played_comes_back_as_it_is_without_a_token(client):
    first = client.post("/v1/games", json=CRUEL, headers=KEY).json
    auth = {"Authorization": f"Bearer {first['token']}"}
    client.post(f"/v1/games/{first['id']}/resign", headers=auth)
    again = client.post("/v1/games", json=CRUEL, headers=KEY)
    assert "token" not in again.json
    assert (again.json["id"], again.json["status"]) == (first["id"], "resigned")


def test_another_body_with_the_same_key_is_refused(client):
    client.post("/v1/games", json=CRUEL, headers=KEY)
    reply = client.post("/v1/games", json={"variant": "calculation"}, headers=KEY)
    assert_problem(reply, "key_reused", says="take a new key")


@pytest.mark.parametrize("body", [None, {}, {"options": {}}, {"variant": "cruel"}])
def test_what_is_left_out_is_the_same_as_its_default(client, body):
    first = client.post("/v1/games", json={}, headers=KEY).json
    again = client.post("/v1/games", json=body, headers=KEY)
    assert again.json["id"] == first["id"]


def test_a_request_that_was_refused_uses_no_key_up(client):
    wrong = client.post("/v1/games", json={"variant": "bridge"}, headers=KEY)
    assert_problem(wrong, "validation_failed", pointers=["/variant"])
    right = client.post("/v1/games", json=CRUEL, headers=KEY)
    assert right.status_code == 201
    assert "Idempotent-Replayed" not in right.headers


@pytest.mark.parametrize(
    "key", ["x" * 22, "x" * 255, '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "!" * 30]
)
def test_keys_of_22_to_255_visible_characters_are_taken(client, key):
    headers = {"Idempotency-Key": key}
    ids = [client.post("/v1/games", json=CRUEL, headers=headers).json["id"] for _ in range(2)]
    assert ids[0] == ids[1]


@pytest.mark.parametrize("key", ["", "x" * 21, "x" * 256, "x" * 21 + " y", "é" * 30])
def test_other_keys_are_refused_with_the_name_of_the_header(client, key):
    reply = client.post("/v1/games", json=CRUEL, headers={"Idempotency-Key": key})
    says = "22 to 255 characters"
    assert_problem(reply, "validation_failed", says=says, parameters=["Idempotency-Key"])


def test_keys_of_different_callers_are_different_keys(client):
    auth = {"Authorization": f"Bearer {client.post('/v1/games').json['token']}"}
    mine = client.post("/v1/games", json=CRUEL, headers={**KEY, **auth}).json
    yours = client.post("/v1/games", json=CRUEL, headers=KEY).json
    assert mine["id"] != yours["id"]


def test_a_board_for_a_terminal_is_replayed_as_one(client):
    headers = {**KEY, "Accept": "text/plain"}
    first, again = (client.post("/v1/games", json=CRUEL, headers=headers) for _ in range(2))
    assert again.headers["Idempotent-Replayed"] == "true"
    assert first.text.splitlines()[0] == again.text.splitlines()[0]
    assert "shown this once" in again.text
