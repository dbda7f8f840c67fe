"""Tokens: who may play, who may look, and that nobody sees a token twice."""

import hashlib
import logging

import pytest
from sqlalchemy import select

from service.db.tables import games
from tests.api.problems import assert_problem
from tests.api.routes import ENDED, PLAYERS_ONLY, end_another, routes_of
from tests.conftest import Player

PLAYING = {"games.play_moves", "games.redeal", "games.undo", "games.resign"}
GIVING = {"games.create_game", "players.register_player", "players.rotate_token"}
GOOD = (200, 201, 204)
MALFORMED = [
    "",
    " ",
    "Bearer",
    "Bearer ",
    "bearer  ",
    "sg_abc",
    "Basic c2dfYWJjOg==",
    "Token sg_abc",
    "BearerX sg_abc",
    "Bearer:sg_abc",
    "Digest username=x",
]
UNKNOWN = [
    "sg_" + "A" * 43,
    "sp_" + "A" * 43,
    "sg_",
    "x",
    "a b",
    "sg_\xe9",
    "x" * 4_000,
    "'; DROP TABLE games; --",
]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def v1_routes(app, game_id):
    found = [route for route in routes_of(app, game_id) if route.path.startswith("/v1/")]
    assert {route.endpoint for route in found} > PLAYING
    return found


@pytest.fixture
def started(player):
    """Somebody in a game that answers every route."""
    player.start("cruel-semicolon")
    player.play("R")
    return player


@pytest.fixture
def other(client):
    """Somebody else, in a game of their own."""
    other = Player(client)
    other.start()
    return other


def test_a_token_is_a_prefix_and_256_random_bits(player):
    token = player.start()["token"]
    assert token.startswith("sg_")
    assert len(token) == len("sg_") + 43  # base64 of 32 bytes
    assert player.start()["token"] != token


def test_only_the_reply_that_starts_a_game_or_gives_a_token_shows_one(app, started, caplog):
    caplog.set_level(logging.INFO)
    for route in routes_of(app, started.id):
        for headers in (started.auth, {}, {**started.auth, "Accept": "text/plain"}):
            reply = route.send(started.client, headers=headers)
            shown = reply.data + str(reply.headers).encode()
            assert started.token.encode() not in shown, route
            if route.endpoint not in GIVING and reply.is_json:
                assert "token" not in reply.json
    assert started.token not in caplog.text


def test_the_text_that_starts_a_game_shows_its_token_too(client):
    reply = client.post("/v1/games", headers={"Accept": "text/plain"})
    line = next(line for line in reply.text.splitlines() if line.startswith("token"))
    token = line.split()[1]
    game_id = reply.headers["Location"].rpartition("/")[2]
    assert client.post(f"/v1/games/{game_id}/resign", headers=bearer(token)).status_code == 200


def test_of_a_token_only_its_hash_is_stored(started, db, config):
    with db.connect() as connection:
        stored = connection.execute(select(games)).mappings().one()
    assert stored["token_hash"] == hashlib.sha256(started.token.encode()).digest()
    db.dispose()
    for path in config.data.iterdir():
        assert started.token.encode() not in path.read_bytes()


def test_playing_needs_a_token(app, started):
    before = started.get().json
    for route in v1_routes(app, started.id):
        reply = route.send(started.client)
        if route.endpoint in PLAYING | PLAYERS_ONLY:
            assert_problem(reply, "unauthenticated", says="Authorization: Bearer")
        else:
            assert reply.status_code in GOOD
    assert started.get().json == before


@pytest.mark.parametrize("header", MALFORMED)
def test_a_header_that_holds_no_bearer_token_is_refused_on_every_route(app, started, header):
    before = started.get().json
    for route in v1_routes(app, started.id):
        reply = route.send(started.client, headers={"Authorization": header})
        assert_problem(reply, "unauthenticated", says="Authorization: Bearer")
    assert started.get().json == before


@pytest.mark.parametrize("token", UNKNOWN)
def test_a_token_that_nobody_has_is_refused_on_every_route(app, started, db, token):
    before = started.get().json
    end_another(db)
    for route in v1_routes(app, started.id):
        reply = route.send(started.client, headers=bearer(token))
        assert_problem(reply, "unauthenticated", says="nobody has this token")
        if len(token) > 4:
            assert token not in reply.text
    assert started.get().json == before
    with db.connect() as connection:
        assert {*connection.execute(select(games.c.id)).scalars()} == {started.id, ENDED}


def test_a_token_that_nobody_has_is_refused_before_it_is_told_that_there_is_no_game(app, client):
    for route in v1_routes(app, "nothing"):
        assert_problem(route.send(client, headers=bearer("sg_x")), "unauthenticated")


def test_another_games_token_may_not_play_and_may_look(app, started, other):
    before = started.get().json
    for route in v1_routes(app, started.id):
        reply = route.send(started.client, headers=other.auth)
        if route.endpoint in PLAYING:
            assert_problem(reply, "forbidden", says="another game")
        else:
            assert reply.status_code in GOOD
    assert started.get().json == before


def test_a_good_token_for_a_game_that_does_not_exist_finds_nothing(app, started):
    for route in v1_routes(app, "nothing"):
        reply = route.send(started.client, headers=started.auth)
        if "/nothing" in route.path:
            assert_problem(reply, "not_found")
        else:
            assert reply.status_code in GOOD


def test_the_games_own_token_plays_it(app, started):
    for route in v1_routes(app, started.id):
        if route.endpoint != "games.resign":
            assert route.send(started.client, headers=started.auth).status_code in GOOD
    assert started.act("resign").status_code == 200


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer "])
def test_the_schemes_case_and_spaces_do_not_matter(started, scheme):
    headers = {"Authorization": f"{scheme} {started.token}"}
    reply = started.client.post(f"/v1/games/{started.id}/redeal", headers=headers)
    assert reply.status_code == 200


@pytest.mark.parametrize(
    "change", [str.lower, str.upper, lambda text: text[:-1], lambda t: t + "x"]
)
def test_a_token_counts_to_the_letter(started, change):
    headers = bearer(change(started.token))
    reply = started.client.post(f"/v1/games/{started.id}/redeal", headers=headers)
    assert_problem(reply, "unauthenticated")


def test_a_token_is_looked_for_in_the_header_only(started):
    path = f"/v1/games/{started.id}/resign"
    for name in ("token", "access_token"):
        reply = started.client.post(f"{path}?{name}={started.token}")
        assert_problem(reply, "validation_failed", parameters=[name])
        assert started.token not in reply.text
    for reply in (
        started.client.post(path, headers={"Cookie": f"token={started.token}"}),
        started.client.post(path, headers={"X-Token": started.token}),
    ):
        assert_problem(reply, "unauthenticated")
        assert started.token not in reply.text


def test_operations_documentation_and_pages_look_at_no_token(app, client, started):
    for route in routes_of(app, started.id):
        if not route.path.startswith("/v1/"):
            plain = route.send(client, headers={}).status_code
            assert plain in (200, 302, 308, 404)
            for headers in (bearer("sg_x"), {"Authorization": "nonsense"}):
                assert route.send(client, headers=headers).status_code == plain


def test_a_token_with_a_bad_body_shows_nothing_of_it(started):
    path = f"/v1/games/{started.id}/moves"
    body = {"moves": [started.token]}
    reply = started.client.post(path, json=body, headers=started.auth)
    assert_problem(reply, "validation_failed", pointers=["/moves/0"])
    assert started.token not in reply.text
