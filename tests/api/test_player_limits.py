"""Limits of players: whose token counts for them, and how many may register."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.api import good_tokens
from service.api.good_tokens import GoodTokens
from service.app import create_app
from service.config import Config
from service.db.migrations import upgrade
from tests.api.problems import assert_problem
from tests.api.test_limits import NEW_GAME, told
from tests.conftest import limited
from tests.statements import count_statements

ME = "/v1/players/me"
# Where nobody looks at tokens.
OPEN = "/nowhere"
HOUR = 3_600_000


@pytest.fixture
def ana(client):
    """Give the headers of a player whose token no request has shown yet."""
    return bearer(client.post("/v1/players", json={"name": "Ana"}))


def bearer(reply):
    return {"Authorization": f"Bearer {reply.json['token']}"}


def names_of(reply):
    return [name for name, *_ in told(reply)]


def test_by_default_a_player_may_send_600_a_minute_and_20_register_in_an_hour(tmp_path, clock):
    app = create_app(Config(data=tmp_path), clock)
    upgrade(app.extensions["semilla"].db)
    client = app.test_client()
    reply = client.post("/v1/players", json={"name": "Ana"})
    assert reply.headers["RateLimit-Policy"] == '"address";q=600;w=60, "register";q=20;w=3600'
    assert reply.headers["RateLimit"] == '"address";r=599;t=60, "register";r=19;t=3600'
    ana = bearer(reply)
    client.get(ME, headers=ana)
    reply = client.get(ME, headers=ana)
    assert reply.headers["RateLimit-Policy"] == '"player";q=600;w=60'
    assert reply.headers["RateLimit"] == '"player";r=599;t=60'
    app.extensions["semilla"].db.dispose()


# ---- for whom ----


def test_a_token_counts_for_its_player_once_it_was_found_good(app, client, ana):
    with limited(app, address=9, create=9, player=9):
        assert told(client.get(ME, headers=ana)) == [("address", 9, 60, 8, 60)]
        assert told(client.get(ME, headers=ana)) == [("player", 9, 60, 8, 60)]
        # Also where nobody looks at it, and where it creates.
        assert told(client.get(OPEN, headers=ana)) == [("player", 9, 60, 7, 60)]
        reply = client.post("/v1/evaluate", json=NEW_GAME, headers=ana)
        assert told(reply) == [("player", 9, 60, 6, 60)]
        assert told(client.get("/v1/variants")) == [("address", 9, 60, 7, 60)]


def test_each_player_is_counted_by_themselves_from_wherever_they_ask(app, client, ana):
    bea = bearer(client.post("/v1/players", json={"name": "Bea"}))
    with limited(app, player=3):
        for headers in (ana, bea):
            client.get(ME, headers=headers)
        for headers, left in ((ana, 2), (ana, 1), (bea, 2)):
            overrides = {"REMOTE_ADDR": f"203.0.113.{left}"}
            reply = client.get("/v1/variants", headers=headers, environ_overrides=overrides)
            assert told(reply) == [("player", 3, 60, left, 60)]
        client.get("/v1/variants", headers=ana)
        reply = client.get("/v1/variants", headers=ana)
        assert_problem(reply, "rate_limited", says="'player'", policy="player", retry_after=60)
        assert client.get("/v1/variants", headers=bea).status_code == 200


@pytest.mark.parametrize("token", ["sp_nobody", "sg_nobody", "nonsense", "sp_", ""])
def test_any_other_token_counts_for_the_address(app, client, token):
    with limited(app, address=9, player=9):
        for left in (8, 7, 6):
            reply = client.get(ME, headers={"Authorization": f"Bearer {token}"})
            assert told(reply) == [("address", 9, 60, left, 60)]


def test_a_games_token_counts_for_the_address(app, player):
    player.start()
    with limited(app, address=9, player=9):
        for left in (8, 7):
            assert told(player.get()) == [("address", 9, 60, left, 60)]


def test_a_token_that_no_view_has_looked_up_is_not_taken_for_good(app, client, ana):
    with limited(app, address=9, player=9):
        for left in (8, 7):
            reply = client.get(OPEN, headers=ana)
            assert told(reply) == [("address", 9, 60, left, 60)]
        made_up = {"Authorization": "Bearer sp_nobody"}
        for left in (6, 5):
            reply = client.get(OPEN, headers=made_up)
            assert told(reply) == [("address", 9, 60, left, 60)]


@pytest.mark.parametrize(
    "sent",
    [
        {"method": "PATCH", "path": ME, "json": {"name": "host"}},
        {"method": "PATCH", "path": ME, "json": {"nick": "x"}},
        {"method": "GET", "path": "/v1/players/nobody-here"},
        {"method": "GET", "path": ME, "query_string": "x=1"},
    ],
)
def test_a_refused_request_makes_no_token_good(app, client, ana, sent):
    with limited(app, address=9, player=9):
        for left in (8, 7):
            reply = client.open(**sent, headers=ana)
            assert reply.status_code >= 400
            assert told(reply) == [("address", 9, 60, left, 60)]


def test_a_token_that_is_void_counts_for_the_address_again(app, client, ana):
    with limited(app, address=9, player=9):
        client.get(ME, headers=ana)
        fresh = bearer(client.post(f"{ME}/token", headers=ana))
        for left in (7, 6):
            reply = client.get(OPEN, headers=ana)
            assert told(reply) == [("address", 9, 60, left, 60)]
        client.get(ME, headers=fresh)
        assert client.delete(ME, headers=fresh).status_code == 204
        assert names_of(client.get(OPEN, headers=fresh)) == ["address"]


def test_a_token_that_turns_out_to_be_void_is_forgotten(app, client, db, ana):
    with limited(app, address=9, player=9):
        client.get(ME, headers=ana)
        with db.connect() as connection:
            connection.exec_driver_sql("UPDATE players SET token_hash = NULL")
        reply = client.get(ME, headers=ana)
        assert_problem(reply, "unauthenticated")
        assert names_of(reply) == ["player"]
        assert names_of(client.get(OPEN, headers=ana)) == ["address"]


def test_to_tell_players_apart_takes_no_statement(app, client, db, ana):
    with limited(app, address=9, player=2):
        client.get(ME, headers=ana)
        with count_statements(db) as seen:
            client.get(OPEN, headers=ana)
            client.get(OPEN, headers=ana)
            assert client.get(ME, headers=ana).status_code == 429
        assert seen == []


def test_the_limit_of_players_can_be_switched_off_by_itself(app, client, ana):
    with limited(app, address=9):
        client.get(ME, headers=ana)
        assert told(client.get(ME, headers=ana)) == []


# ---- registering ----


def register(client, name, **options):
    return client.post("/v1/players", json={"name": name}, **options)


def test_an_address_registers_so_many_in_an_hour(app, client, clock):
    with limited(app, register=2):
        for number, left in enumerate((1, 0)):
            reply = register(client, f"ana-{number}")
            assert told(reply) == [("register", 2, 3_600, left, 3_600)]
        clock.tick(HOUR - 1_500)
        reply = register(client, "ana-2")
        assert_problem(reply, "rate_limited", says="3600 seconds", policy="register", retry_after=2)
        assert register(client, "x", environ_overrides={"REMOTE_ADDR": "203.0.113.7"}).json
        assert client.get("/v1/variants").status_code == 200
        clock.tick(1_500)
        assert register(client, "ana-2").status_code == 201


def test_what_takes_a_name_counts_for_the_address_whoever_asks(app, client, ana):
    with limited(app, player=9, register=5):
        client.get(ME, headers=ana)
        assert told(register(client, "bea", headers=ana)) == [
            ("player", 9, 60, 8, 60),
            ("register", 5, 3_600, 4, 3_600),
        ]
        reply = client.patch(ME, json={"name": "Cleo"}, headers=ana)
        assert told(reply)[1:] == [("register", 5, 3_600, 3, 3_600)]
        # A refused one counts too.
        assert told(register(client, "host"))[0][3] == 2
        assert names_of(client.delete(ME, headers=ana)) == ["player"]


# ---- the set of good tokens ----


def test_another_token_brings_more_requests_20_times_an_hour_only(app, client, ana):
    with limited(app, player=2, register=20):
        for _ in range(20):
            reply = client.post("/v1/players/me/token", headers=ana)
            ana = bearer(reply)
        refused = client.post("/v1/players/me/token", headers=ana)
        assert_problem(refused, "rate_limited", policy="register", retry_after=3_600)


def test_it_knows_what_it_has_learned_and_has_not_forgotten():
    good = GoodTokens()
    for _ in range(2):
        good.learn(b"a")
        good.learn(b"b")
    good.forget(b"a")
    good.forget(b"c")
    assert (b"a" in good, b"b" in good) == (False, True)


def test_it_is_bounded_and_learns_again(monkeypatch):
    monkeypatch.setattr(good_tokens, "MOST_TOKENS", 3)
    good = GoodTokens()
    for token in (b"a", b"b", b"c", b"a", b"d"):
        good.learn(token)
    assert [token in good for token in (b"a", b"b", b"c", b"d")] == [False, False, False, True]
    good.learn(b"a")
    assert b"a" in good


def test_threads_may_learn_and_forget_at_once():
    good = GoodTokens()

    def use(number):
        good.learn(bytes([number]))
        return bytes([number]) in good or good.forget(bytes([number]))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(use, range(200)))
