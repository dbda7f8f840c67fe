"""How the service answers, whatever the route: media types, HEAD, OPTIONS, CORS, unknown paths."""

import re
from collections import defaultdict

import pytest
from sqlalchemy import select
from werkzeug.test import create_environ, run_wsgi_app

from service.db.tables import games
from tests.api.problems import assert_problem
from tests.api.routes import BODIES, FOR_BROWSERS, end_another, routes_of

JSON, TEXT = "application/json", "text/plain; charset=utf-8"
SVG = "image/svg+xml; charset=utf-8"
CSV = "text/csv; charset=utf-8"
PNG = "image/png"
ORIGIN = {"Origin": "https://example.org"}
# What else a client might try; TRACE and CONNECT no server passes on.
VERBS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
# The routes of the contract that also answer in plain text.
IN_TEXT = {
    "games.create_game",
    "games.get_game",
    "games.play_moves",
    "games.redeal",
    "games.undo",
    "games.resign",
    "games.get_record",
    "entries.deal_attempt",
    "dailies.get_daily",
    "dailies.get_daily_leaderboard",
    "leaderboards.get_leaderboard",
    "challenges.create_challenge",
    "challenges.get_challenge",
    "challenges.change_challenge",
    "challenges.cancel_challenge",
}
# The routes of the contract that answer in pictures only.
PICTURES = {"pictures.get_game_picture", "pictures.get_deal_picture"}
PNGS = {"pictures.get_game_png", "pictures.get_deal_png"}
# The routes of the contract that answer in tables for spreadsheets only.
TABLES = {"leaderboards.get_leaderboard_table"}
WITHOUT_A_BODY = {"players.delete_me", "entries.leave"}
BROWSER = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/html, application/xhtml+xml, image/jxr, */*",
    "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
)


def api_routes(app, player):
    """Give every route but those for browsers, which serve files as they are."""
    found = [
        route for route in routes_of(app, player.id) if not route.endpoint.startswith(FOR_BROWSERS)
    ]
    assert len(found) > 10
    return found


def stored(db):
    with db.connect() as connection:
        return connection.execute(select(games)).all()


# ---- media types ----


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("application/json", JSON),
        ("APPLICATION/JSON", JSON),
        ("application/*", JSON),
        ("application/json; charset=utf-8", JSON),
        ("application/json;indent=2;q=0.5", JSON),
        ("text/plain", TEXT),
        ("text/plain; charset=utf-8", TEXT),
        ("text/plain;charset=UTF-8, */*;q=0.1", TEXT),
        ("text/*", TEXT),
        ("text/plain, application/json;q=0.9", TEXT),
        ("text/plain;q=0.9, application/json", JSON),
        ("text/plain;q=0.5, application/json;q=0.5", JSON),
        ("text/plain, */*;q=0.1", TEXT),
        ("application/json;q=0, */*", TEXT),
        ("application/xml, text/plain;q=0.1", TEXT),
        *((browser, JSON) for browser in BROWSER),
        ("text/html", None),
        ("application/xml", None),
        ("image/*", None),
        ("application/json;q=0", None),
        ("*/*;q=0", None),
        ("application/jsonp", None),
        ("json", None),
        ("garbage;;;", None),
    ],
)
def test_accept_chooses_between_json_and_text(player, accept, chosen):
    player.start()
    headers = {} if accept is None else {"Accept": accept}
    reply = player.get(**headers)
    if chosen is None:
        assert_problem(reply, "not_acceptable", says="application/json or text/plain")
    else:
        assert reply.status_code == 200
        assert reply.content_type == chosen
        assert reply.headers["Vary"] == "Accept"


def started(player):
    """Start a game that answers every route with its body in ``BODIES``."""
    player.start("cruel-semicolon")
    player.play("R")


def endpoints(app, player):
    """Name every route but that of the metrics, which have one format, whatever is asked for."""
    player.start()
    named = [route.endpoint for route in api_routes(app, player)]
    named.remove("operations.get_metrics")
    return named


def send(app, player, endpoint, accept):
    """Send the request of an endpoint to a new game."""
    started(player)
    route = next(route for route in api_routes(app, player) if route.endpoint == endpoint)
    headers = {**player.auth, **({"Accept": accept} if accept else {})}
    return route.send(player.client, headers=headers)


def test_text_is_given_where_the_contract_offers_it_and_refused_elsewhere(app, player):
    assert set(endpoints(app, player)) > IN_TEXT
    for endpoint in endpoints(app, player):
        reply = send(app, player, endpoint, "text/plain")
        if endpoint in IN_TEXT:
            assert reply.status_code in (200, 201), endpoint
            assert reply.content_type == TEXT
            assert reply.text.endswith("\n")
        else:
            kind = kind_of(endpoint)[0].partition(";")[0]
            assert_problem(reply, "not_acceptable", says=f"this answers in {kind}:")


def kind_of(endpoint):
    """Give the one type besides text in which an endpoint answers, and how such answers end."""
    if endpoint in PICTURES:
        return SVG, b"</svg>\n"
    if endpoint in PNGS:
        return PNG, b"IEND\xaeB`\x82"
    return (CSV, b"\r\n") if endpoint in TABLES else (JSON, b"}\n")


def test_whoever_names_no_type_or_any_type_gets_json_a_picture_or_a_table(app, player):
    assert set(endpoints(app, player)) > PICTURES | PNGS | TABLES
    for endpoint in endpoints(app, player):
        kind, end = kind_of(endpoint)
        for accept in (None, "*/*", kind.partition(";")[0], *BROWSER):
            reply = send(app, player, endpoint, accept)
            if endpoint in WITHOUT_A_BODY:
                assert (reply.status_code, reply.content_type, reply.data) == (204, None, b"")
                continue
            assert reply.status_code in (200, 201), (endpoint, accept)
            assert reply.content_type == kind
            assert reply.data.endswith(end)


def test_a_request_with_an_unacceptable_accept_changes_nothing(app, player, db):
    started(player)
    end_another(db)
    before = stored(db)
    posts = [route for route in api_routes(app, player) if route.verb in ("POST", "PATCH")]
    assert {route.endpoint for route in posts} == set(BODIES)
    for route in posts:
        for accept in ("text/html", "application/xml", "*/*;q=0"):
            headers = {**player.auth, "Accept": accept}
            assert_problem(route.send(player.client, headers=headers), "not_acceptable")
            assert stored(db) == before


def test_an_unacceptable_accept_is_refused_on_every_route(app, player):
    player.start()
    for route in api_routes(app, player):
        reply = route.send(player.client, headers={**player.auth, "Accept": "application/xml"})
        assert_problem(reply, "not_acceptable", says="Accept")


def test_errors_are_problems_also_where_text_was_asked_for(player):
    player.start()
    headers = {**player.auth, "Accept": "text/plain"}
    reply = player.client.post(
        f"/v1/games/{player.id}/moves", json={"moves": ["1>2"]}, headers=headers
    )
    assert_problem(reply, "illegal_move", index=0, move="1>2", reason="wrong_suit", at=0)
    reply = player.client.get("/v1/games/none", headers=headers)
    assert_problem(reply, "not_found")


def test_json_is_utf_8_and_not_escaped(client):
    reply = client.get("/v1/variants", headers={"Accept-Language": "es"})
    assert "Preparación" in reply.data.decode("utf-8")
    assert b"\\u" not in reply.data


# ---- HEAD ----


def test_head_answers_like_get_without_a_body(app, player):
    player.start("calculation", "pysol-1")
    for route in routes_of(app, player.id):
        if route.verb != "GET":
            continue
        changing = {"X-Request-ID", "Date"}
        if route.endpoint == "operations.get_metrics":
            # They hold the request before.
            changing.add("Content-Length")
        get = route.send(player.client, headers=player.auth)
        head = route._replace(verb="HEAD").send(player.client, headers=player.auth)
        assert head.status_code == get.status_code
        assert head.data == b""
        for name, value in get.headers:
            if name not in changing:
                assert head.headers[name] == value, (route, name)


def test_head_of_an_error_is_that_error_without_its_body(client):
    assert_problem(client.head("/v1/games/none"), "not_found")
    assert_problem(client.head("/nowhere"), "not_found")
    assert_problem(client.head("/v1/evaluate"), "method_not_allowed")


# ---- OPTIONS, CORS ----


def verbs_by_path(app, game_id):
    allowed = defaultdict(set)
    for route in routes_of(app, game_id):
        allowed[route.path].add(route.verb)
    return allowed


def with_implied(verbs):
    """Add what Flask answers by itself."""
    return {*verbs, "OPTIONS", *(["HEAD"] if "GET" in verbs else [])}


def test_options_names_the_verbs_of_every_path(app, player):
    player.start()
    for path, verbs in verbs_by_path(app, player.id).items():
        reply = player.client.options(path)
        assert reply.status_code == 200
        assert set(re.split(", *", reply.headers["Allow"])) == with_implied(verbs)
        assert reply.data == b""


def test_any_page_may_ask_before_it_sends_a_token(app, player):
    player.start()
    asks = {
        **ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type, if-match",
    }
    for path in verbs_by_path(app, player.id):
        reply = player.client.options(path, headers=asks)
        assert reply.status_code == 200
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert "POST" in reply.headers["Access-Control-Allow-Methods"]
        assert "GET" in reply.headers["Access-Control-Allow-Methods"]
        granted = re.split(", *", reply.headers["Access-Control-Allow-Headers"].lower())
        assert {"authorization", "content-type", "if-match"} <= set(granted)
        assert reply.headers["Access-Control-Max-Age"] == "86400"
        assert "Access-Control-Allow-Credentials" not in reply.headers


def test_every_reply_may_be_read_by_any_page_and_sets_no_cookie(app, player):
    player.start("cruel-semicolon")
    for route in routes_of(app, player.id):
        reply = route.send(player.client, headers={**player.auth, **ORIGIN})
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        exposed = reply.headers["Access-Control-Expose-Headers"]
        assert {"Location", "ETag", "Retry-After", "X-Request-ID"} <= set(exposed.split(", "))
        assert {"RateLimit", "RateLimit-Policy"} <= set(exposed.split(", "))
        assert "Access-Control-Allow-Credentials" not in reply.headers
        assert "Set-Cookie" not in reply.headers


# ---- paths and verbs ----


def test_a_verb_that_a_path_does_not_have_is_refused_with_those_that_it_has(app, player):
    player.start()
    before = player.get().json
    for path, verbs in verbs_by_path(app, player.id).items():
        for verb in VERBS - verbs:
            reply = player.client.open(path, method=verb, json={}, headers=player.auth)
            assert_problem(reply, "method_not_allowed", says=verb)
            assert set(reply.headers["Allow"].split(", ")) == with_implied(verbs)
    assert player.get().json == before


@pytest.mark.parametrize("verb", ["FROB", "TRACE", "LINK"])
def test_a_verb_that_nobody_knows_is_not_allowed(client, verb):
    assert_problem(client.open("/v1/variants", method=verb), "method_not_allowed", says=verb)


def test_a_slash_too_many_is_not_found(app, player):
    player.start()
    for route in api_routes(app, player):
        asked = route._replace(path=f"{route.path}/")
        reply = asked.send(player.client, headers=player.auth)
        assert_problem(reply, "not_found", says=reply.request.path)
    assert player.get().json["ply"] == 0


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v2/games",
        "/games",
        "/V1/variants",
        "/v1/Variants",
        "/v1/deals",
        "/v1/deals/cruel",
        "/v1/deals/cruel/a/b",
        "/v1/deals/cruel/a%2Fb",
        "/v1/games/x/y",
        "/v1/games/x/moves/1",
        "/favicon.ico",
        "/robots.txt",
        "/.env",
        "/%00",
        "/%ff%fe",
        "/ñ",
        "/<script>",
    ],
)
def test_a_path_that_leads_nowhere_is_not_found(client, path):
    assert_problem(client.get(path), "not_found", says="there is nothing at")


def test_a_doubled_slash_is_another_path(client):
    assert_problem(client.get("/v1//variants"), "not_found")


@pytest.mark.parametrize(
    "host", ["xn--a", "a b", "", "x:99999999", "ñ", "a/b", "a@b", "<b>", "[::1", "xn--a:80"]
)
@pytest.mark.parametrize("accept", ["application/json", "text/plain"])
def test_no_host_that_a_client_names_breaks_anything_or_misleads(app, host, accept):
    # Without a client of werkzeug's, which breaks on such a host itself.
    environ = create_environ("/v1/games", method="POST", headers={"Accept": accept})
    environ["HTTP_HOST"] = host.encode().decode("latin-1")
    _, status, headers = run_wsgi_app(app, environ)
    assert status == "201 CREATED"
    start, _, game_id = headers["Location"].partition("/v1/games/")
    assert start in ("", "http://xn--a", "http://xn--a:80")
    assert len(game_id) == 26


@pytest.mark.parametrize("host", ["semilla.example", "127.0.0.1:8000", "[::1]:8000"])
def test_links_lead_to_the_host_that_the_client_named(client, host):
    reply = client.post("/v1/games", headers={"Host": host})
    assert reply.headers["Location"].startswith(f"http://{host}/v1/games/")


@pytest.mark.parametrize("path", ["/v1/variants", "/v1/deals/cruel/semilla"])
def test_what_may_be_kept_is_answered_whatever_if_match_says(client, path):
    reply = client.get(path, headers={"If-Match": '"x"'})
    assert (reply.status_code, reply.is_json) == (200, True)


def test_a_query_parameter_that_a_route_does_not_have_is_refused(app, player):
    started(player)
    for route in api_routes(app, player):
        asked = route._replace(path=f"{route.path}?x=1")
        reply = asked.send(player.client, headers=player.auth)
        assert_problem(reply, "validation_failed", parameters=["x"])


def test_a_query_of_broken_utf_8_breaks_nothing(client):
    assert_problem(
        client.get("/v1/deals/cruel/semilla?x=%ff"), "validation_failed", parameters=["x"]
    )
    assert_problem(
        client.get("/v1/deals/cruel/semilla?deal=%ff%00"), "validation_failed", parameters=["deal"]
    )


# ---- request ids ----


def test_every_reply_has_an_id_of_its_own_that_no_client_chooses(app, player):
    player.start()
    seen = set()
    for route in routes_of(app, player.id):
        for _ in range(2):
            reply = route.send(player.client, headers={"X-Request-ID": "mine"})
            seen.add(reply.headers["X-Request-ID"])
    assert len(seen) == 2 * len(routes_of(app, player.id))
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in seen)


# ---- Flask's own JSON ----


def test_flasks_json_keeps_the_order_of_keys_and_refuses_what_is_no_json(app):
    text = '{"b":1,"a":["é"]}'
    assert app.json.dumps(app.json.loads(text)) == text
    for wrong in ("NaN", "[Infinity]", '"\\ud800"', "[" * 10_000, "'a'"):
        with pytest.raises(ValueError, match=r"line 1 column|depth"):
            app.json.loads(wrong)


def test_no_name_has_a_nul(client):
    for path in ("/v1/games/a%00b", "/v1/games/%00/moves", "/v1/games/%00.svg"):
        assert_problem(client.get(path), "not_found")
