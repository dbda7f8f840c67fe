"""The two requests that clients send most, a move and a look at a game, answered without Flask.

What Flask and its hooks do for one takes as long as the move itself (``docs/performance.md``). So a
request that asks for nothing unusual is answered here, by the same parts as everywhere, and
everything else by Flask: a request of another kind before anything was done, and the error of one
that was begun here. To clients it is one route; tests compare the replies of both ways.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from flask import Flask, g, request

from service.api.context import JSON, services_of
from service.api.errors import write_json
from service.api.games import play
from service.api.limits import Shares, count, headers, learn, refuse_beyond
from service.api.requests import are_plain_moves
from service.api.states import OF_GAMES, played_json, read_json
from service.api.tokens import bearer_in, players_token
from service.api.watch import REQUEST_ID, Answered, metrics_of, new_request_id, watch
from service.usecases.games import read_with_par

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


class Route(NamedTuple):
    """A route of Flask that has a shorter way here."""

    method: str
    rule: str
    endpoint: str


MOVES = Route("POST", "/v1/games/<game_id>/moves", "games.play_moves")
GAME = Route("GET", "/v1/games/<game_id>", "games.get_game")

_PATH = re.compile("/v1/games/([0-9A-Za-z]+)(/moves)?")
# What a Host may be here; Flask refuses some others, and takes some.
_LABEL = "[0-9A-Za-z_-]{1,63}"
_HOST = re.compile(rf"({_LABEL}(\.{_LABEL})*|\[[0-9A-Fa-f:.]+\])(:[0-9]{{1,5}})?")
# Of a body, in bytes: some more than the most moves take.
_LONGEST = 8 * 1024
_ACCEPTS = {None, "*/*", JSON}
_HEADERS = [("Content-Type", JSON), *OF_GAMES.items()]
_FAILED = "semilla.plain_requests"


class _Request(NamedTuple):
    """Which route is asked for, and what makes the body of the reply for a caller's token."""

    route: Route
    answer: Callable[[Flask, bytes | None], dict[str, object]]


@dataclass(slots=True)
class _Begun:
    """What is known of a request that was begun here, by the names that Flask's hooks give it."""

    began: float
    request_id: str
    shares: Shares = field(default_factory=list)
    looked_up: bytes | None = None


class _Failed(NamedTuple):
    """A request that failed here."""

    begun: _Begun
    error: Exception


def register(app: Flask) -> None:
    """Answer plain requests before Flask sees them; call it before other hooks are registered."""
    app.before_request(_fail)
    others = app.wsgi_app
    app.wsgi_app = partial(_answer, app, others)  # type: ignore[method-assign] # meant for this


def _answer(
    app: Flask, others: "WSGIApplication", environ: "WSGIEnvironment", start: "StartResponse"
) -> Iterable[bytes]:
    """Answer a request by the application, or by ``others``: all that Flask does."""
    asked = _plain(environ, app.config["MAX_CONTENT_LENGTH"])
    if asked is None:
        return others(environ, start)
    begun = _Begun(perf_counter(), new_request_id())
    try:
        body = _body(app, environ, asked, begun)
    except Exception as error:  # noqa: BLE001 - whatever it is, Flask answers it as any other
        environ[_FAILED] = _Failed(begun, error)
        return others(environ, start)
    answered = Answered(asked.route.method, asked.route.rule, HTTPStatus.OK)
    watch(app, environ, begun.request_id, perf_counter() - begun.began, answered)
    own = [("Content-Length", str(len(body))), (REQUEST_ID, begun.request_id)]
    start("200 OK", [*_HEADERS, *own, *headers(begun.shares)])
    return [body]


def _body(app: Flask, environ: "WSGIEnvironment", asked: _Request, begun: _Begun) -> bytes:
    """Do what Flask's hooks and the view do, in the same order; give the body of the reply."""
    endpoint = asked.route.endpoint
    begun.shares = count(app, environ, endpoint)
    refuse_beyond(begun.shares)
    begun.looked_up = players_token(environ)
    body = write_json(asked.answer(app, bearer_in(environ)))
    learn(app, begun.looked_up, endpoint, HTTPStatus.OK)
    return body


def _plain(environ: "WSGIEnvironment", longest: int) -> _Request | None:
    """Read what is plainly one of these requests, and leave everything else as it is."""
    path = _PATH.fullmatch(environ["PATH_INFO"])
    if not path or environ.get("QUERY_STRING") or environ.get("HTTP_ACCEPT") not in _ACCEPTS:
        return None
    if "HTTP_UPGRADE" in environ or not _HOST.fullmatch(environ.get("HTTP_HOST", "localhost")):
        return None
    game_id, moves = path.groups()
    method = environ["REQUEST_METHOD"]
    if method == GAME.method and not moves:
        return _Request(GAME, partial(_read_game, game_id))
    if method == MOVES.method and moves:
        data = _flat_json(environ, min(longest, _LONGEST))
        if are_plain_moves(data):
            return _Request(MOVES, partial(_play_moves, game_id, data["moves"], data["at"]))
    return None


def _flat_json(environ: "WSGIEnvironment", longest: int) -> Any:
    """Give a short body of one object and one list, which is here as a whole; else None.

    The limits are not asked yet, so what would take a while to read must not be read.
    """
    source = environ["wsgi.input"]
    if environ.get("CONTENT_TYPE") != JSON or not isinstance(source, BytesIO):
        return None
    body = source.getvalue()
    if len(body) > longest or environ.get("CONTENT_LENGTH") != str(len(body)):
        return None
    if body.count(b"{") != 1 or body.count(b"[") != 1:
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None


def _read_game(game_id: str, app: Flask, token_hash: bytes | None) -> dict[str, object]:
    service = services_of(app)
    return read_json(read_with_par(service.db, game_id, token_hash, service.now_ms()))


def _play_moves(
    game_id: str, moves: list[str], at: int, app: Flask, token_hash: bytes | None
) -> dict[str, object]:
    played = play(services_of(app), metrics_of(app), game_id, token_hash, moves, at)
    return played_json(played.view, played.recorded)


def _fail() -> None:
    """Let Flask answer what has failed here, and not begin it again."""
    failed: _Failed | None = request.environ.pop(_FAILED, None)
    if failed is not None:
        begun = failed.begun
        g.began, g.request_id, g.shares = begun.began, begun.request_id, begun.shares
        g.looked_up = begun.looked_up
        try:
            raise failed.error
        finally:
            # By its traceback the error holds this frame, which must not hold the error: until the
            # next collection of garbage that would keep the whole request.
            del failed
