"""Moves and reads that Flask never sees: to clients, logs and metrics it is one route."""

import gc
import json
import weakref
from contextlib import contextmanager
from io import BytesIO

import pytest
from flask import Flask, request_started
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.api import reply_headers
from service.api.plain_requests import GAME, MOVES
from service.api.watch import metrics_of
from service.db.engine import DatabaseBusy, DatabaseDown
from tests.conftest import Player, limited
from tests.players import new_player

JSON = {"Content-Type": "application/json"}


class Asker:
    """Somebody who plays a game of their own, and what the service noted of it."""

    def __init__(self, app, db, monkeypatch, name):
        self.app, self.db, self.name = app, db, name
        self.client = app.test_client()
        self.player = Player(self.client)
        self.lines = []
        self.monkeypatch = monkeypatch
        monkeypatch.setattr("service.api.watch.log_request", self._line)

    def _line(self, level, **values):
        assert values.pop("request_id")
        assert values.pop("ms") >= 0
        self.lines.append((level, values))

    def start(self, **body):
        self.player.start(**body)

    def moves(self, moves, at=0, **asked):
        return self.ask(json.dumps({"moves": moves, "at": at}), **asked)

    def look(self, **asked):
        return self.ask(None, **{"path": "/v1/games/{}", "method": "GET", **asked})

    def ask(self, body, *, path="/v1/games/{}/moves", method="POST", query="", **headers):
        """Send a body; ``headers``: by their names with ``_``, None to leave a usual one out."""
        usual = {"Content_Type": "application/json", **self.player.auth, **headers}
        sent = {name.replace("_", "-"): value for name, value in usual.items() if value is not None}
        url = path.format(self.player.id) + query
        return self.client.open(url, method=method, data=body, headers=sent)

    def told(self, reply):
        """Give what a reply says, without what is drawn anew for each request and game."""
        text = reply.text.replace(reply.headers["X-Request-ID"], "request")
        text = text.replace(self.name, "player")
        headers = [(name, value) for name, value in reply.headers if name != "X-Request-ID"]
        length = {"Content-Length"} if reply.status_code >= 400 else set()
        kept = sorted((name, value) for name, value in headers if name not in length)
        return reply.status, kept, text.replace(self.player.id or "-", "game")

    def counted(self):
        """Give the metrics, but for the time that all took."""
        return {
            (sample.name, *sorted(sample.labels.items())): sample.value
            for metric in metrics_of(self.app).registry.collect()
            for sample in metric.samples
            if "duration" not in sample.name or sample.name.endswith("_count")
        }


@contextmanager
def seen_by_flask(app):
    """Collect the requests that Flask answers."""
    seen = []

    def note(_app, **_more):
        seen.append(1)

    with request_started.connected_to(note, app):
        yield seen


@pytest.fixture
def both_ways(app, db, monkeypatch):
    """Ask twice, in games that are alike: as ever, and by Flask alone; give what Flask saw."""
    short = app.wsgi_app

    def ask(case):
        told, counted, lines, seen_first = [], [], [], []
        for name in ("Short", "Flask"):
            if name == "Flask":
                app.wsgi_app = Flask.wsgi_app.__get__(app)
                reply_headers.register(app)
            try:
                asker = Asker(app, db, monkeypatch, name)
                before = asker.counted()
                with seen_by_flask(app) as seen:
                    asked = case(asker)
                    replies = [reply for reply in asked if reply is not None]
                after = asker.counted()
            finally:
                app.wsgi_app = short
            told.append([asker.told(reply) for reply in replies])
            counted.append({key: value - before.get(key, 0) for key, value in after.items()})
            lines.append(asker.lines)
            seen_first.append(len(seen) - asked.count(None))
        assert told[0] == told[1]
        assert lines[0] == lines[1]
        assert {k: v for k, v in counted[0].items() if v} == {
            k: v for k, v in counted[1].items() if v
        }
        assert seen_first[1] == len(told[1]), "the second way is not Flask's"
        return [status for status, *_ in told[0]], seen_first[0]

    return ask


def one(**started):
    """Make a case of one request after a game has been started."""

    def decorate(request):
        def case(asker):
            asker.start(**started)
            return [None, request(asker)]

        case.__name__ = request.__name__
        return case

    return decorate


@one()
def a_move(asker):
    return asker.moves(["12>2"])


@one()
def several_moves(asker):
    return asker.moves(["12>2", "R", "U"])


@one()
def giving_up(asker):
    return asker.moves(["Q"])


@one(variant="calculation", undo=False)
def a_move_of_calculation(asker):
    return asker.moves(["S>W1"])


@one()
def any_answer_will_do(asker):
    return asker.moves(["12>2"], Accept="*/*")


@one()
def json_is_asked_for(asker):
    return asker.moves(["12>2"], Accept="application/json")


@one()
def a_look(asker):
    return asker.look()


@one(variant="calculation")
def a_look_at_what_is_hidden(asker):
    return asker.look(Authorization=None)


def a_look_at_what_has_ended(asker):
    asker.start()
    asker.client.post("/v1/solve", json={"variant": "cruel", "seed": "semilla"})
    return [None, None, asker.moves(["Q"]), asker.look()]


@one()
def what_changes_nothing(asker):
    """Headers that a route without Flask might not look at as Flask does."""
    unread = {"Host": "example.org:8080", "If_Match": "*", "Range": "bytes=0-1"}
    return asker.moves(["12>2"], **unread, Idempotency_Key="0123456789abcdef012345")


def the_same_again(asker):
    asker.start()
    return [None, asker.moves(["12>2"]), asker.moves(["12>2", "R"]), asker.moves(["R"], 1)]


def a_players_game(asker):
    asker.player.token = new_player(asker.db, asker.name)
    made = asker.client.post("/v1/games", json={"seed": "semilla"}, headers=asker.player.auth)
    asker.player.id = made.json["id"]
    with limited(asker.app, address=9, player=9):
        return [None, asker.moves(["12>2"]), asker.look(), asker.moves(["R"], 1)]


PLAYED = [
    *(a_move, several_moves, giving_up, a_move_of_calculation, any_answer_will_do),
    *(a_look, a_look_at_what_is_hidden, a_look_at_what_has_ended),
    *(json_is_asked_for, what_changes_nothing, the_same_again, a_players_game),
]


@one()
def an_illegal_move(asker):
    return asker.moves(["1>2"])


@one()
def no_move(asker):
    return asker.moves(["R", "13>1"])


@one()
def a_gap(asker):
    return asker.moves(["R"], 3)


def another_move(asker):
    asker.start()
    return [None, asker.moves(["12>2"]), asker.moves(["1>11"])]


def an_ended_game(asker):
    asker.start()
    return [None, asker.moves(["Q"]), asker.moves(["R"], 1)]


@one()
def no_game(asker):
    return asker.moves(["R"], path="/v1/games/01arz3ndektsv4rrffq69g5fav/moves")


@one()
def a_look_at_no_game(asker):
    return asker.look(path="/v1/games/01arz3ndektsv4rrffq69g5fav")


@one()
def a_look_with_a_token_that_nobody_has(asker):
    return asker.look(Authorization="Bearer sg_nobody")


@one()
def a_look_with_a_token_of_another_kind(asker):
    return asker.look(Authorization="Token x")


@one()
def no_token(asker):
    return asker.moves(["R"], Authorization=None)


@one()
def a_token_of_another_kind(asker):
    return asker.moves(["R"], Authorization="Basic c2VtaWxsYQ==")


@one()
def a_token_that_nobody_has(asker):
    return asker.moves(["R"], Authorization="Bearer sg_nobody")


@one()
def a_players_token_that_nobody_has(asker):
    return asker.moves(["R"], Authorization="Bearer sp_nobody")


def too_many_requests(asker):
    asker.start()
    with limited(asker.app, address=2):
        return [None, *(asker.moves(["12>2"]) for _ in range(4))]


def failing(error):
    """Make a case in which the use case fails."""

    def play(*_):
        raise error

    def case(asker):
        asker.start()
        with asker.monkeypatch.context() as patched:
            patched.setattr("service.usecases.playing.play", play)
            return [None, asker.moves(["R"])]

    case.__name__ = type(error).__name__
    return case


REFUSED = [
    *(an_illegal_move, no_move, a_gap, no_game, no_token, a_token_of_another_kind),
    *(a_look_at_no_game, a_look_with_a_token_that_nobody_has, a_look_with_a_token_of_another_kind),
    *(a_token_that_nobody_has, a_players_token_that_nobody_has),
    *map(failing, [DatabaseDown("away"), DatabaseBusy("locked"), RuntimeError("a mistake")]),
]


def odd(name, body=b'{"moves":["R"],"at":0}', **asked):
    """Make a case of a request that is no plain one."""

    @one()
    def case(asker):
        return asker.ask(body, **asked)

    case.__name__ = name
    return case


ODD = [
    odd("no_ply", b'{"moves":["R"]}'),
    odd("no_ply_yet", b'{"moves":["R"],"at":null}'),
    odd("a_negative_ply", b'{"moves":["R"],"at":-1}'),
    odd("a_ply_that_is_none", b'{"moves":["R"],"at":true}'),
    odd("half_a_ply", b'{"moves":["R"],"at":0.0}'),
    odd("no_moves", b'{"moves":[],"at":0}'),
    odd("moves_that_are_none", b'{"moves":[7],"at":0}'),
    odd("moves_in_a_text", b'{"moves":"R","at":0}'),
    odd("too_many_moves", json.dumps({"moves": ["R"] * 501, "at": 0}).encode()),
    odd("more_than_moves", b'{"moves":["R"],"at":0,"seed":"x"}'),
    odd("a_list", b'["R"]'),
    odd("no_json", b'{"moves":["R"],"at":0'),
    odd("no_text", b"\xff"),
    odd("nothing", b""),
    odd("too_much", b'{"moves":["R"],"at":0}' + b" " * 70_000),
    odd("more_than_moves_need", b'{"moves":["R"],"at":0}' + b" " * 9_000),
    odd("a_deep_body", b'{"moves":[{"R":{}}],"at":0}'),
    odd("a_body_of_lists", b'{"moves":[["R"]],"at":0}'),
    odd("a_handshake", Upgrade="websocket", Connection="Upgrade"),
    odd("a_look_by_a_handshake", path="/v1/games/{}", method="GET", Upgrade="websocket"),
    *(odd(f"host_{host[:9]}", Host=host) for host in ("a..b", "..", "a b", "x" * 64, "[::g]")),
    odd("the_board_as_text", Accept="text/plain"),
    odd("json_before_text", Accept="application/json, text/plain;q=0.5"),
    odd("only_pictures", Accept="image/png"),
    odd("no_type", Content_Type=None),
    odd("another_type", Content_Type="text/json"),
    odd("a_charset", Content_Type="application/json; charset=utf-8"),
    odd("a_query", query="?at=0"),
    odd("a_slash_more", path="/v1/games/{}/moves/"),
    odd("two_slashes", path="/v1/games//moves"),
    odd("an_odd_id", path="/v1/games/%C3%B1{}/moves"),
    odd("another_method", method="PUT"),
    odd("what_may_be_done", method="OPTIONS"),
    odd("a_look_without_a_body", path="/v1/games/{}", method="HEAD"),
    odd("a_look_at_text", path="/v1/games/{}", method="GET", Accept="text/plain"),
    odd("a_look_by_a_query", path="/v1/games/{}", method="GET", query="?x=1"),
    odd("a_look_at_the_history", path="/v1/games/{}/moves", method="GET"),
    odd("a_look_at_a_picture", path="/v1/games/{}.svg", method="GET"),
    odd("a_look_by_post", path="/v1/games/{}", method="POST"),
    odd("another_action", path="/v1/games/{}/redeal", body=b'{"at":0}'),
]


def plain_environ(player):
    """Give a request without its length."""
    return {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": f"/v1/games/{player.id}/moves",
        "CONTENT_TYPE": "application/json",
        "HTTP_AUTHORIZATION": f"Bearer {player.token}",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(b'{"moves":["R"],"at":0}'),
    }


def names(cases):
    return [case.__name__ for case in cases]


@pytest.mark.parametrize("case", PLAYED, ids=names(PLAYED))
def test_plain_requests_never_reach_flask_and_nobody_can_tell(both_ways, case):
    statuses, seen = both_ways(case)
    assert set(statuses) == {"200 OK"}
    assert seen == 0


@pytest.mark.parametrize("case", REFUSED, ids=names(REFUSED))
def test_what_is_refused_is_answered_by_flask_and_begun_once(both_ways, case):
    (status,), seen = both_ways(case)
    assert status >= "4"
    assert seen == 1


@pytest.mark.parametrize("case", [another_move, an_ended_game, too_many_requests])
def test_what_is_refused_after_others_were_played_is_answered_by_flask(both_ways, case):
    statuses, seen = both_ways(case)
    refused = [status for status in statuses if status >= "4"]
    assert 0 < len(refused) == seen < len(statuses)


@pytest.mark.parametrize("case", ODD, ids=names(ODD))
def test_what_is_not_plain_is_left_to_flask(both_ways, case):
    _, seen = both_ways(case)
    assert seen == 1


def test_the_answer_names_the_request_as_the_line_does(monkeypatch, player):
    lines = []
    monkeypatch.setattr("service.api.watch.log_request", lambda _, **line: lines.append(line))
    player.start()
    reply = player.play("12>2", at=0)
    assert lines[-1]["request_id"] == reply.headers["X-Request-ID"]
    assert lines[-1]["route"] == MOVES.rule


@pytest.mark.parametrize("route", [MOVES, GAME])
def test_the_routes_are_those_that_are_documented(app, route):
    (rule,) = app.url_map.iter_rules(route.endpoint)
    assert rule.rule == route.rule
    assert route.method in rule.methods


def test_a_refused_request_is_not_kept(app, player):
    player.start()

    class Kept(BytesIO):
        """A body that can be watched."""

    body = Kept(b'{"moves":["1>2"],"at":0}')
    environ = {**plain_environ(player), "wsgi.input": body, "CONTENT_LENGTH": "24"}
    gone = weakref.ref(body)
    gc.disable()
    try:
        statuses = []
        b"".join(app(environ, lambda status, *_: statuses.append(status)))
        del body, environ
        assert statuses == ["422 UNPROCESSABLE ENTITY"]
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("length", ["", "3", "23", "x", "-1", None])
def test_a_length_that_does_not_fit_is_left_to_flask(app, player, length):
    player.start()
    environ = plain_environ(player)
    if length is not None:
        environ["CONTENT_LENGTH"] = length
    with seen_by_flask(app) as seen:
        b"".join(app(environ, lambda *_: None))
    assert len(seen) == 1


WORDS = st.sampled_from(["R", "U", "Q", "12>2", "1>F", "S>W1", "", "r", "13>1"])
ODDLY = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.floats(0, 3), st.text(max_size=3)
)
BODIES = st.one_of(
    st.fixed_dictionaries({"moves": st.lists(WORDS, max_size=3), "at": st.integers(-1, 3)}),
    st.dictionaries(st.sampled_from(["moves", "at", "ply"]), ODDLY | st.lists(ODDLY, max_size=2)),
    ODDLY,
)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "Accept": st.sampled_from(["*/*", "application/json", "text/plain", "image/png", "", "x"]),
        "Content_Type": st.sampled_from(["application/json", "application/json ", "text/plain"]),
        "Authorization": st.sampled_from(["Bearer sg_x", "bearer", "Bearer ", "Basic x"]),
        "Origin": st.just("https://example.org"),
        "Idempotency_Key": st.just("0123456789abcdef012345"),
        "If_Match": st.just("*"),
        "X_Forwarded_For": st.just("192.0.2.1"),
        "Upgrade": st.just("websocket"),
        "Host": st.sampled_from(["example.org", "a b", "<x>"]),
    },
)


@given(bodies=st.lists(BODIES, min_size=1, max_size=3), headers=HEADERS)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_whatever_is_sent_both_ways_answer_alike(both_ways, bodies, headers):
    def case(asker):
        asker.start()
        replies = [asker.ask(json.dumps(body), **headers) for body in bodies]
        return [None, *replies, asker.look(**headers)]

    both_ways(case)
