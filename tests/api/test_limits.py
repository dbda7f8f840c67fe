"""Limits: what is counted for whom, what replies tell, and what becomes of who sends more."""

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from redis import Redis

from service.api import counters
from service.api.counters import MemoryCounters, RedisCounters, Window
from service.api.limits import FILES, UNLIMITED
from service.app import create_app
from service.config import Config
from service.db.migrations import upgrade
from tests.api.problems import assert_problem
from tests.api.routes import answer_by, routes_of
from tests.conftest import limited
from tests.redis_server import running_redis
from tests.servers import free_port
from tests.statements import count_statements

# The clock of the tests starts with a minute.
MINUTE = 60_000
NEW_GAME = {"variant": "cruel", "seed": "semilla"}
ORIGIN = {"Origin": "https://example.org"}
# A list of strings with whole numbers as parameters, as RFC 9651 writes it.
MEMBER = r'"[a-z]+"(?:;[a-z]+=[0-9]{1,15})+'


def told(reply):
    """Give what the headers say, as one list: name, quota, window, left, seconds."""
    policy, left = reply.headers.get("RateLimit-Policy"), reply.headers.get("RateLimit")
    if policy is None and left is None:
        return []
    assert re.fullmatch(f"{MEMBER}(?:, {MEMBER})*", policy)
    assert re.fullmatch(f"{MEMBER}(?:, {MEMBER})*", left)
    quotas = re.findall(r'"([a-z]+)";q=(\d+);w=(\d+)', policy)
    shares = re.findall(r'"([a-z]+)";r=(\d+);t=(\d+)', left)
    assert [name for name, *_ in quotas] == [name for name, *_ in shares]
    return [
        (name, int(quota), int(window), int(left), int(seconds))
        for (name, quota, window), (_, left, seconds) in zip(quotas, shares, strict=True)
    ]


def is_limited(route):
    return route.path not in UNLIMITED and route.endpoint not in FILES


# ---- what replies tell ----


def test_by_default_an_address_may_send_600_requests_a_minute_and_create_with_120(tmp_path, clock):
    app = create_app(Config(data=tmp_path), clock)
    upgrade(app.extensions["semilla"].db)
    client = app.test_client()
    reply = client.get("/v1/variants")
    assert reply.headers["RateLimit-Policy"] == '"address";q=600;w=60'
    assert reply.headers["RateLimit"] == '"address";r=599;t=60'
    reply = client.post("/v1/games")
    assert reply.headers["RateLimit-Policy"] == '"address";q=600;w=60, "create";q=120;w=60'
    assert reply.headers["RateLimit"] == '"address";r=598;t=60, "create";r=119;t=60'
    app.extensions["semilla"].db.dispose()


def test_creating_evaluating_solving_and_drawing_count_together_and_nothing_else_does(app, player):
    player.start("cruel-semicolon")
    with limited(app, create=100):
        counting = [
            route.endpoint
            for route in routes_of(app, player.id)
            if told(route.send(player.client, headers=player.auth))
        ]
        assert sorted(counting) == [
            "challenges.create_challenge",
            "evaluate.evaluate",
            "games.create_game",
            "pars.improve_challenge_par",
            "pars.improve_game_par",
            "pictures.get_deal_png",
            "pictures.get_game_png",
            "solver.solve",
        ]
        assert told(player.client.post("/v1/evaluate", json=NEW_GAME)) == [
            ("create", 100, 60, 91, 60)
        ]


def test_seconds_are_rounded_up_to_the_end_of_the_minute(app, client, clock):
    with limited(app, address=9):
        for ms, seconds in [(0, 60), (999, 60), (1, 59), (58_000, 1), (999, 1), (1, 60)]:
            clock.tick(ms)
            ((*_, told_seconds),) = told(client.get("/v1/variants"))
            assert told_seconds == seconds


def test_every_reply_tells_whatever_it_is(app, player, monkeypatch):
    player.start("cruel-semicolon")
    client = player.client
    with limited(app, address=1_000, create=1_000):
        replies = [
            route.send(client, headers=player.auth)
            for route in routes_of(app, player.id)
            if is_limited(route)
        ]
        known = client.get("/v1/variants").headers["ETag"]
        replies += [
            client.get("/v1/variants", headers={"If-None-Match": known}),
            client.head("/v1/variants"),
            player.get(Accept="text/plain"),
            player.get(Accept="image/png"),
            client.get("/v1/nothing"),
            client.get("/nothing"),
            client.delete("/v1/games"),
            client.post("/v1/games", data="{", content_type="application/json"),
            client.post("/v1/games", data="x" * 2**17, content_type="application/json"),
            client.post("/v1/games", data="x"),
            client.post("/v1/games", json={"seed": 1}),
            client.post("/v1/games", headers={"Authorization": "Bearer sg_nobody"}),
            player.play("1>1"),
        ]
        with monkeypatch.context() as patch:
            answer_by(patch, app, "games.get_game", lambda *_, **__: 1 / 0)
            replies.append(player.get())
    statuses = {reply.status_code for reply in replies}
    assert statuses >= {200, 201, 304, 308, 400, 401, 404, 405, 406, 413, 415, 422, 500}
    shares = [share for reply in replies for share in told(reply) if share[0] == "address"]
    assert {share[1:3] + share[4:] for share in shares} == {(1_000, 60, 60)}
    # One reply was not kept.
    assert min(left for _, _, _, left, _ in shares) == 1_000 - len(replies) - 1
    assert len({left for _, _, _, left, _ in shares}) == len(replies)


def test_without_limits_no_reply_tells_of_any(app, player):
    player.start()
    with limited(app):
        for route in routes_of(app, player.id):
            assert told(route.send(player.client, headers=player.auth)) == []


@pytest.mark.parametrize(
    ("quotas", "names"),
    [({"address": 5}, ["address"]), ({"create": 5}, ["create"])],
)
def test_each_limit_can_be_switched_off_by_itself(app, client, quotas, names):
    with limited(app, **quotas):
        reply = client.post("/v1/evaluate", json=NEW_GAME)
        assert [name for name, *_ in told(reply)] == names


# ---- beyond a limit ----


def test_who_sends_more_is_refused_until_the_next_minute(app, client, clock):
    with limited(app, address=3):
        for left in (2, 1, 0):
            reply = client.get("/v1/variants")
            assert reply.status_code == 200
            assert told(reply) == [("address", 3, 60, left, 60)]
        clock.tick(17_400)
        reply = client.get("/v1/variants")
        assert_problem(
            reply, "rate_limited", says="wait 43 seconds", policy="address", retry_after=43
        )
        assert reply.headers["Retry-After"] == "43"
        assert told(reply) == [("address", 3, 60, 0, 43)]
        clock.tick(42_599)
        reply = client.get("/v1/variants")
        assert_problem(reply, "rate_limited", says="3 requests", policy="address", retry_after=1)
        clock.tick(1)
        assert told(client.get("/v1/variants")) == [("address", 3, 60, 2, 60)]


def test_who_has_created_enough_may_do_everything_else(app, player, clock):
    with limited(app, address=100, create=2):
        player.start()
        assert player.client.post("/v1/evaluate", json=NEW_GAME).status_code == 200
        for path in ("/v1/games", "/v1/evaluate"):
            reply = player.client.post(path, json=NEW_GAME)
            assert_problem(reply, "rate_limited", says="'create'", policy="create", retry_after=60)
            assert [left for _, _, _, left, _ in told(reply)][1:] == [0]
        assert player.play("12>2").status_code == 200
        assert told(player.get()) == [("address", 100, 60, 94, 60)]
        clock.tick(MINUTE)
        assert player.client.post("/v1/games").status_code == 201


def test_a_batch_of_moves_counts_once(app, player):
    player.start("cruel-semicolon")
    with limited(app, address=10):
        assert player.play(*["R"] * 50).status_code == 200
        assert told(player.get()) == [("address", 10, 60, 8, 60)]


def test_a_refused_request_is_neither_read_nor_looked_up(app, db, player):
    player.start()
    with limited(app, address=1):
        player.get()
        with count_statements(db) as statements:
            broken = {"data": "{", "content_type": "application/json"}
            for options in ({}, broken, {"data": "x" * 2**17}):
                url = f"/v1/games/{player.id}/moves"
                reply = player.client.post(url, headers=player.auth, **options)
                assert_problem(reply, "rate_limited", policy="address", retry_after=60)
        assert list(statements) == []
    assert player.get().json["ply"] == 0


def test_every_limited_route_refuses(app, player):
    player.start()
    with limited(app, address=1):
        player.get()
        for route in routes_of(app, player.id):
            reply = route.send(player.client, headers=player.auth)
            if not is_limited(route):
                assert reply.status_code == 200
            else:
                assert_problem(reply, "rate_limited", policy="address", retry_after=60)
        assert_problem(player.client.get("/x"), "rate_limited", policy="address", retry_after=60)


def test_health_checks_are_never_limited(app, client):
    with limited(app, address=1):
        for _ in range(3):
            for path in ("/livez", "/readyz"):
                reply = client.get(path)
                assert reply.status_code == 200
                assert told(reply) == []
        assert told(client.get("/v1/variants")) == [("address", 1, 60, 0, 60)]


def test_what_browsers_ask_by_themselves_is_not_counted(app, client):
    asks = {**ORIGIN, "Access-Control-Request-Method": "POST"}
    with limited(app, address=1):
        for _ in range(3):
            reply = client.options("/v1/games", headers=asks)
            assert reply.status_code == 200
            assert told(reply) == []
        assert client.get("/v1/variants", headers=ORIGIN).status_code == 200
        refused = client.get("/v1/variants", headers=ORIGIN)
        assert_problem(refused, "rate_limited", policy="address", retry_after=60)
        assert refused.headers["Access-Control-Allow-Origin"] == "*"
        exposed = refused.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"RateLimit", "RateLimit-Policy", "Retry-After"} <= {*exposed}


def test_a_clock_that_is_set_back_keeps_nobody_waiting_longer(app, client, clock):
    with limited(app, address=1):
        client.get("/v1/variants")
        clock.tick(-60 * MINUTE)
        assert told(client.get("/v1/variants")) == [("address", 1, 60, 0, 60)]
        reply = client.get("/v1/variants")
        assert_problem(reply, "rate_limited", policy="address", retry_after=60)


# ---- for whom ----


def ask_from(client, address, **headers):
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    overrides = {"REMOTE_ADDR": address}
    return client.get("/v1/variants", headers=sent, environ_overrides=overrides)


def test_each_address_is_counted_by_itself_and_a_network_of_ipv6_as_one(app, client):
    with limited(app, address=9):
        for address, left in [
            ("203.0.113.7", 8),
            ("203.0.113.8", 8),
            ("203.0.113.7", 7),
            ("::ffff:203.0.113.7", 6),
            ("2001:db8:1:2::1", 8),
            ("2001:db8:1:2:ffff::9", 7),
            ("2001:db8:1:3::1", 8),
            ("", 8),
            ("", 7),
        ]:
            assert told(ask_from(client, address)) == [("address", 9, 60, left, 60)], address


def test_what_a_client_says_of_itself_changes_nothing(app, player):
    player.start()
    other = {"Authorization": "Bearer sg_nobody"}
    with limited(app, address=9):
        for left, headers in enumerate(
            [player.auth, other, {"X-Forwarded-For": "203.0.113.7"}, {"Forwarded": "for=1.2.3.4"}]
        ):
            reply = player.client.get("/v1/variants", headers=headers)
            assert told(reply) == [("address", 9, 60, 8 - left, 60)]


def test_behind_a_trusted_proxy_its_clients_are_told_apart(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "TRUSTED_PROXIES", 1)
    with limited(app, address=9):
        for forwarded, left in [("203.0.113.7", 8), ("1.1.1.1, 203.0.113.7", 7), ("1.1.1.1", 8)]:
            reply = ask_from(client, "10.0.0.1", X_Forwarded_For=forwarded)
            assert told(reply) == [("address", 9, 60, left, 60)]


# ---- counting in memory ----


def test_threads_that_count_at_once_lose_no_count():
    memory, window = MemoryCounters(), Window("address", 1, 60)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: memory.count(window, "who"), range(4_000)))
    assert sorted(found) == list(range(1, 4_001))


def test_memory_keeps_one_window_of_each_policy_and_so_many_clients(monkeypatch):
    monkeypatch.setattr(counters, "MOST_CLIENTS", 3)
    memory = MemoryCounters()

    def hit(number, who, policy="address"):
        return memory.count(Window(policy, number, 60), who)

    assert [hit(1, who) for who in "abcabc"] == [1, 1, 1, 2, 2, 2]
    assert hit(1, "a", policy="create") == 1
    # One client too many: the others start anew, and those of another policy do not.
    assert [hit(1, who) for who in "daa"] == [1, 1, 2]
    assert hit(1, "a", policy="create") == 2
    assert [hit(2, who) for who in "aa"] == [1, 2]
    assert hit(1, "a") == 1


# ---- counting in Redis ----


@pytest.fixture
def redis(tmp_path):
    with running_redis(tmp_path) as server:
        yield server


def test_all_that_count_in_one_redis_count_together(app, client, clock, redis):
    one, other = RedisCounters(redis.url), RedisCounters(redis.url)
    for left, storage in [(4, one), (3, other), (2, other), (1, one)]:
        with limited(app, address=5, create=2, counters=storage):
            assert told(client.get("/v1/variants")) == [("address", 5, 60, left, 60)]
    with limited(app, address=5, create=2, counters=one):
        reply = client.post("/v1/evaluate", json=NEW_GAME)
        assert told(reply) == [("address", 5, 60, 0, 60), ("create", 2, 60, 1, 60)]
        reply = client.get("/v1/variants")
        assert_problem(reply, "rate_limited", policy="address", retry_after=60)
        clock.tick(MINUTE)
        assert told(client.get("/v1/variants")) == [("address", 5, 60, 4, 60)]


def test_what_is_counted_in_redis_is_forgotten_there_too(redis):
    RedisCounters(redis.url).count(Window("address", 7, 60), "203.0.113.7")
    with Redis.from_url(redis.url) as looking:
        assert looking.keys() == [b"semilla:address/203.0.113.7/7"]
        assert 0 < looking.ttl("semilla:address/203.0.113.7/7") <= 60


def test_without_redis_requests_go_on_and_are_counted_as_unlimited(app, client, caplog):
    unlimited = []
    nowhere = RedisCounters(f"redis://:hunter2@127.0.0.1:{free_port()}/0")
    noted = {"counters": nowhere, "on_unavailable": lambda: unlimited.append(1)}
    with limited(app, address=1, create=1, **noted):
        for _ in range(3):
            for reply in (client.get("/v1/variants"), client.post("/v1/evaluate", json=NEW_GAME)):
                assert reply.status_code == 200
                assert told(reply) == []
        client.get("/livez")
    assert len(unlimited) == 6
    (record,) = caplog.records
    assert "not limited" in record.getMessage()
    assert "hunter2" not in caplog.text


def test_a_redis_that_hangs_comes_back_by_itself(redis, monkeypatch, caplog):
    monkeypatch.setattr(counters, "REST", 0.0)
    storage, window = RedisCounters(redis.url), Window("address", 1, 60)
    assert storage.count(window, "who") == 1
    with redis.hanging():
        assert [storage.count(window, "who") for _ in range(3)] == [None] * 3
    found = None
    while found is None:
        found = storage.count(window, "who")
    # What it was sent while it hung it may have counted afterwards.
    assert found >= 2
    said = [record.getMessage() for record in caplog.records]
    assert ["cannot be used" in line for line in said] == [True, False]
    assert "can be used again" in said[1]


def test_one_thread_tries_a_redis_that_hung_and_the_others_let_it_rest(monkeypatch):
    monkeypatch.setattr(counters, "PATIENCE", 0.1)
    monkeypatch.setattr(counters, "REST", 0.0)
    window = Window("address", 1, 60)
    with socket.create_server(("127.0.0.1", 0)) as silent, ThreadPoolExecutor(8) as pool:
        storage = RedisCounters(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        assert storage.count(window, "who") is None
        monkeypatch.setattr(counters, "REST", 60.0)
        assert {*pool.map(lambda _: storage.count(window, "who"), range(8))} == {None}
        silent.settimeout(0.1)
        tries = []
        with suppress(TimeoutError):
            while True:
                tries.append(silent.accept()[0].close())
        assert len(tries) == 2
