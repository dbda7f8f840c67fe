"""Entries of challenges over HTTP: bodies, statuses, headers, and who is told what."""

import base64
import json

import pytest

from tests.api.problems import assert_problem
from tests.api.routes import VALUES, routes_of
from tests.challenges import (
    HOUR_MS,
    SECRET_SEED,
    change_challenge,
    kinds_of_events,
    new_challenge,
)
from tests.conftest import NOON, Player, limited
from tests.contract.replies import assert_documented
from tests.entrants import new_entrant
from tests.test_metrics import value

NOON_TEXT = "2026-01-01T12:00:00.000Z"
END_TEXT = "2026-01-02T12:00:00.000Z"


class Entrant:
    """Somebody with a client and a player's token."""

    def __init__(self, client, db, challenge_id, name, **about):
        self.client = client
        self.name = name
        self.path = f"/v1/challenges/{challenge_id}/entries"
        self.id, token = new_entrant(db, name, **about)
        self.auth = {"Authorization": f"Bearer {token}"}

    def send(self, verb, below="/me", **options):
        headers = {**self.auth, **options.pop("headers", {})}
        reply = self.client.open(f"{self.path}{below}", method=verb, headers=headers, **options)
        assert_documented(reply)
        return reply

    def enter(self):
        return self.send("PUT")

    def deal(self, number=1, **headers):
        return self.send("PUT", f"/me/attempts/{number}", headers=headers)

    def judge(self, player, **body):
        return self.send("PATCH", f"/{player}", json=body)


@pytest.fixture
def make(client, db):
    """Give a function that makes a challenge, with its host and others: ``make("ada")``."""

    def make_challenge(*names, **terms):
        host = Entrant(client, db, None, "host")
        challenge_id = new_challenge(db, host.id, **terms)
        host.path = f"/v1/challenges/{challenge_id}/entries"
        host.challenge_id = challenge_id
        return [host, *(Entrant(client, db, challenge_id, name) for name in names)]

    return make_challenge


# ---- entering, reading, leaving ----


def test_entering_is_201_the_first_time_and_200_after(make):
    _, ada = make("Ada")
    first, again = ada.enter(), ada.enter()
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json == again.json
    entry = dict(first.json)
    assert len(entry.pop("id")) == 26
    assert entry == {
        "player": {"name": "Ada", "bot": False},
        "state": "registered",
        "entered_at": NOON_TEXT,
        "dealt": 0,
        "deadline": None,
        "forfeited_at": None,
        "disqualified": None,
        "attempts": [],
        "revision": 1,
        "now": NOON_TEXT,
    }
    assert ada.send("GET").json == first.json
    assert first.headers["Cache-Control"] == "no-store"


def test_leaving_is_204_as_often_as_it_is_asked(make, db):
    host, ada = make("ada")
    ada.enter()
    for _ in range(2):
        reply = ada.send("DELETE")
        assert (reply.status_code, reply.data) == (204, b"")
        assert reply.headers["Cache-Control"] == "no-store"
    assert_problem(ada.send("GET"), "not_entered", says="PUT")
    assert kinds_of_events(db, host.challenge_id) == ["entered", "left"]


def test_forfeiting_is_200_as_often_as_it_is_asked(make, clock):
    _, ada = make("ada")
    ada.enter()
    game = ada.deal().json
    clock.tick(1_000)
    for _ in range(2):
        reply = ada.send("DELETE")
        assert reply.status_code == 200
        assert (reply.json["state"], reply.json["forfeited_at"]) == (
            "forfeited",
            "2026-01-01T12:00:01.000Z",
        )
        assert reply.json["attempts"] == [
            {
                "attempt": 1,
                "game_id": game["id"],
                "status": "resigned",
                "started_at": NOON_TEXT,
                "deadline": END_TEXT,
                "finished_at": "2026-01-01T12:00:01.000Z",
            }
        ]
    assert_problem(ada.enter(), "entries_closed", says="forfeited")


# ---- dealing ----


def test_dealing_is_201_the_first_time_and_200_after(make, clock):
    _, ada = make("ada")
    ada.enter()
    first = ada.deal()
    clock.tick(25 * HOUR_MS)
    again = ada.deal()
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json["id"] == first.json["id"]
    assert (first.json["status"], first.json["undo"]) == ("in_progress", False)
    assert "seed" not in first.json
    assert again.json["seed"] == SECRET_SEED
    assert first.headers["Cache-Control"] == "no-store"
    assert "token" not in first.json


def test_a_dealt_game_is_drawn_for_a_terminal(make):
    _, ada = make("ada")
    ada.enter()
    for status in (201, 200):
        reply = ada.deal(Accept="text/plain")
        assert (reply.status_code, reply.mimetype) == (status, "text/plain")
        assert SECRET_SEED not in reply.text


@pytest.mark.parametrize(
    "number", ["0", "-1", "01", "one", "1.0", "1e1", "²", "١", "%00", "1" * 10, "9" * 5_000]
)
def test_what_is_no_number_of_an_attempt_is_not_found(make, number):
    _, ada = make("ada")
    ada.enter()
    path = f"{ada.path}/me/attempts/{number}"
    assert_problem(ada.client.put(path, headers=ada.auth), "not_found")


def test_only_new_deals_are_counted(make, client):
    _, ada = make("ada")
    ada.enter()

    def created():
        return value(client.get("/metrics").text, "semilla_games_created_total", variant="cruel")

    ada.deal()
    before = created()
    for _ in range(3):
        ada.deal()
    assert created() == before


# ---- the list ----


def test_the_list_tells_nothing_of_anybodys_cards(make, client):
    host, ada, bea = make("ada", "bea", attempts=2)
    ada.enter()
    bea.enter()
    game = ada.deal().json
    for reply in (client.get(ada.path), ada.send("GET", ""), host.send("GET", "")):
        assert_documented(reply)
        assert reply.json.keys() == {"items", "next", "prev"}
        found = {item["player"]["name"]: item for item in reply.json["items"]}
        assert (found["ada"]["state"], found["bea"]["state"]) == ("playing", "registered")
        assert found["ada"].keys() == {
            "id",
            "player",
            "state",
            "entered_at",
            "dealt",
            "deadline",
            "forfeited_at",
            "disqualified",
        }
        assert game["id"] not in reply.text


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 200])
def test_pages_lead_to_the_end_and_back(make, client, clock, limit):
    _, *entrants = make(*[f"player{number}" for number in range(7)])
    for entrant in entrants:
        clock.tick(1)
        entrant.enter()

    def page(cursor=None):
        query = {"limit": limit, **({"cursor": cursor} if cursor else {})}
        reply = client.get(entrants[0].path, query_string=query)
        assert_documented(reply)
        return [item["player"]["name"] for item in reply.json["items"]], reply.json

    names, here = page()
    assert here["prev"] is None
    seen = list(names)
    while here["next"]:
        names, here = page(here["next"])
        seen += names
    assert seen == [entrant.name for entrant in entrants]
    while here["prev"]:
        earlier, here = page(here["prev"])
        assert earlier == seen[seen.index(names[0]) - len(earlier) : seen.index(names[0])]
        names = earlier
    assert names[0] == "player0"


def cursor(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "given",
    ["", "x", "ñ", "====", cursor("after:1"), cursor("after:" + "A" * 26), cursor("\0" * 32)],
)
def test_a_cursor_of_ones_own_is_refused(make, client, given):
    host, *_ = make()
    assert_problem(client.get(host.path, query_string={"cursor": given}), "bad_cursor")


# ---- disqualifying ----


def test_everybody_sees_who_is_disqualified_and_why(make, client, clock):
    host, ada = make("ada")
    ada.enter()
    clock.tick(1)
    reason = "a solver: 40 moves in 2 s – sorry!"
    reply = host.judge("ada", disqualified=True, reason=reason)
    assert reply.status_code == 200
    assert "attempts" not in reply.json
    assert reply.json["revision"] == 2
    flag = {"at": "2026-01-01T12:00:00.001Z", "reason": reason}
    assert reply.json["disqualified"] == flag
    assert client.get(host.path).json["items"][0]["disqualified"] == flag
    assert ada.send("GET").json["disqualified"] == flag
    reply = host.judge("ada", disqualified=False, reason="my mistake")
    assert (reply.json["disqualified"], reply.json["revision"]) == (None, 3)


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/disqualified", "/reason"]),
        ({"disqualified": True}, ["/reason"]),
        ({"disqualified": "true", "reason": "x"}, ["/disqualified"]),
        ({"disqualified": None, "reason": None}, ["/disqualified", "/reason"]),
        ({"disqualified": 1, "reason": 1}, ["/disqualified", "/reason"]),
        ({"disqualified": True, "reason": ""}, ["/reason"]),
        ({"disqualified": True, "reason": "  "}, ["/reason"]),
        ({"disqualified": True, "reason": "x" * 201}, ["/reason"]),
        ({"disqualified": True, "reason": "a\0b"}, ["/reason"]),
        ({"disqualified": True, "reason": "two\nlines"}, ["/reason"]),
        ({"disqualified": True, "reason": "\u202egnip"}, ["/reason"]),
        ({"disqualified": True, "reason": "x", "by": "host"}, ["/by"]),
    ],
)
def test_a_judgement_needs_a_reason_that_can_be_read(make, db, body, pointers):
    host, ada = make("ada")
    ada.enter()
    assert_problem(host.judge("ada", **body), "validation_failed", pointers=pointers)
    assert kinds_of_events(db, host.challenge_id) == ["entered"]


def test_a_reason_has_200_characters_at_most_whatever_their_bytes(make):
    host, ada = make("ada")
    ada.enter()
    reason = "ñ" * 200
    reply = host.judge("ada", disqualified=True, reason=reason)
    assert reply.json["disqualified"]["reason"] == reason


def test_only_the_host_judges_and_nobody_is_called_me(make):
    host, ada = make("ada")
    ada.enter()
    body = {"disqualified": False, "reason": "me"}
    assert_problem(ada.judge("ada", **body), "forbidden", says="host")
    assert_problem(host.judge("nobody", **body), "not_found", says="nobody of this name")
    reply = host.client.patch(f"{host.path}/me", json=body, headers=host.auth)
    assert_problem(reply, "method_not_allowed", says="PATCH")


# ---- every route ----


def entry_routes(app, challenge_id):
    """Give each verb of each path, for Ada in a challenge of this id."""
    found = [route for route in routes_of(app, "none") if route.endpoint.startswith("entries.")]
    assert len(found) == 6
    known, player = VALUES["challenge_id"], VALUES["player"]
    return [
        route._replace(path=route.path.replace(known, challenge_id).replace(player, "ada"))
        for route in found
    ]


@pytest.fixture
def entered(make, app):
    """Give host, entrant and routes of a challenge."""
    host, ada = make("ada")
    ada.enter()
    return host, ada, entry_routes(app, host.challenge_id)


def test_each_route_answers_who_may_ask(entered):
    host, ada, routes = entered
    for route in sorted(routes, key=lambda route: route.verb == "DELETE"):
        auth = host.auth if route.verb == "PATCH" else ada.auth
        for kind in (None, "*/*", "application/json"):
            headers = {**auth, **({"Accept": kind} if kind else {})}
            reply = route.send(ada.client, headers=headers)
            assert_documented(reply)
            assert reply.status_code in (200, 201, 204), route


def test_each_route_refuses_other_media_types_before_it_does_anything(entered, db):
    host, ada, routes = entered
    for route in routes:
        for kind in ("text/html", "image/svg+xml", "text/plain"):
            if (route.endpoint, kind) != ("entries.deal_attempt", "text/plain"):
                reply = route.send(ada.client, headers={**ada.auth, "Accept": kind})
                assert_problem(reply, "not_acceptable", says="application/json")
    assert kinds_of_events(db, host.challenge_id) == ["entered"]


def test_each_route_refuses_a_query_that_it_does_not_have(entered):
    _, ada, routes = entered
    for route in routes:
        asked = route._replace(path=f"{route.path}?x=1")
        reply = asked.send(ada.client, headers=ada.auth)
        assert_problem(reply, "validation_failed", parameters=["x"])


def test_no_route_finds_a_challenge_that_is_not_there_or_is_hidden(entered, app, db, clock):
    host, ada, routes = entered
    stranger = Entrant(ada.client, db, host.challenge_id, "bea")
    change_challenge(db, host.challenge_id, hidden_at=clock.ms)
    for route in (*routes, *entry_routes(app, "nothing"), *entry_routes(app, "x" * 5_000)):
        reply = route.send(stranger.client, headers=stranger.auth)
        assert_problem(reply, "not_found", says="no challenge")


def test_what_is_ones_own_needs_the_token_of_a_player(entered, client, db):
    host, _, routes = entered
    for route in routes:
        reply = route.send(client)
        if route.endpoint == "entries.list_entries":
            assert reply.status_code == 200
        else:
            assert_problem(reply, "unauthenticated")
    player = Player(client)
    player.start()
    for route in routes:
        reply = client.open(route.path, method=route.verb, headers=player.auth, json={})
        if route.endpoint == "entries.list_entries":
            assert reply.status_code == 200
        elif route.verb != "PATCH":
            assert_problem(reply, "forbidden", says="sp_")
    assert kinds_of_events(db, host.challenge_id) == ["entered"]


def test_a_seed_that_the_server_drew_is_in_no_reply_before_the_reveal(entered, caplog, clock):
    caplog.set_level("DEBUG")
    host, ada, routes = entered
    for hours in (0, 24):
        clock.tick(hours * HOUR_MS)
        for route in routes:
            for auth in (host.auth, ada.auth, {}):
                reply = route.send(ada.client, headers=auth)
                if clock.ms == NOON:
                    assert SECRET_SEED not in f"{reply.text}{reply.headers}"
    assert SECRET_SEED not in caplog.text


def test_each_route_is_limited(entered, app):
    _, ada, routes = entered
    with limited(app, address=1):
        ada.client.get("/v1/variants")
        for route in routes:
            reply = route.send(ada.client, headers=ada.auth)
            assert reply.status_code == 429
            assert json.loads(reply.data)["code"] == "rate_limited"
