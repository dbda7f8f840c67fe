"""What the views work with, and how they answer."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

import orjson
from flask import Flask, Response, current_app, request
from flask.json.provider import JSONProvider
from werkzeug.datastructures import MIMEAccept

from service.api.errors import Problem, write_json
from service.db.engine import Engine
from service.usecases.instants import write_instant

JSON = "application/json"
TEXT = "text/plain"
PNG = "image/png"
SVG = "image/svg+xml"
# What a reply has that is true for a moment, or for its caller alone.
NO_STORE = {"Cache-Control": "no-store"}

_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")

View = Callable[..., Response]

# The instants of replies are written as those in the terms of challenges, which lie below the API.
instant = write_instant


@dataclass(frozen=True, slots=True)
class Services:
    """What the application hands to its views.

    ``now_ms``: the one clock, in ms since 1970 UTC; ``public_url``: where clients reach the
    service, empty for the address that they used; ``solver_max_ms``: what one search may take, in
    ms.
    """

    db: Engine
    now_ms: Callable[[], int]
    public_url: str
    solver_max_ms: int


def provide(app: Flask, services: Services) -> None:
    """Hand the services to an application's views."""
    app.extensions["semilla"] = services


def services_of(app: Flask) -> Services:
    """Give the services of an application."""
    return cast("Services", app.extensions["semilla"])


def services() -> Services:
    """Give the services of the application that answers the request."""
    return services_of(current_app)


def base_url() -> str:
    """Give the URL before ``/v1``, without a slash at its end; empty where a client named no host.

    A Host header may hold anything; what is no host never reaches a reply.
    """
    host = request.headers.get("Host", "")
    called = f"{request.scheme}://{host}" if _HOST.fullmatch(host) else ""
    return services().public_url or called


class OrjsonProvider(JSONProvider):
    """Flask's JSON by orjson: keys in their order, no NaN, no lone surrogates, bounded nesting."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        """Write JSON; the options that Flask's own JSON takes are ignored."""
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        """Read JSON."""
        return orjson.loads(s)


def answer(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with JSON as it is: the schemas of replies document, and tests hold views to them."""
    return Response(write_json(data), status, headers, content_type=JSON)


def answer_text(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with text for a terminal."""
    return Response(text, status, headers, mimetype=TEXT)


def answer_nothing() -> Response:
    """Answer 204: done, and there is nothing to tell of it."""
    response = Response(status=204, headers=NO_STORE)
    del response.headers["Content-Type"]
    return response


def instant_or_null(ms: int | None) -> str | None:
    """Write an instant, in ms since 1970 UTC, as RFC 3339; None where there is none."""
    return None if ms is None else instant(ms)


def person(name: str | None, *, bot: bool) -> dict[str, object]:
    """Give somebody as replies name them; ``name`` is None once they are deleted."""
    return {"name": name, "bot": bot}


def answer_once(response: Response) -> Response:
    """Answer with what a client may keep: 304 where ``If-None-Match`` shows that it has it."""
    response.add_etag()
    environ = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}
    response.make_conditional(environ)
    return response


def chosen_type(*offered: str) -> str:
    """Choose the answer's media type by ``Accept``; where none fits, ``not_acceptable``."""
    header = request.environ.get("HTTP_ACCEPT")
    if header is None or header == "*/*" or header == offered[0]:
        return offered[0]
    # Parameters, such as a charset, narrow nothing here.
    ranges = [(text.partition(";")[0].rstrip(), q) for text, q in request.accept_mimetypes]
    accepted = MIMEAccept(ranges)
    chosen = accepted.best_match(offered) if accepted else offered[0]
    if chosen is None:
        which = "that" if len(offered) == 1 else "one of them"
        detail = f"this answers in {' or '.join(offered)}: allow {which} in Accept"
        raise Problem(code="not_acceptable", detail=detail)
    return chosen


def answers_in(*offered: str) -> Callable[[View], View]:
    """Refuse a request whose ``Accept`` fits none of these types before the view does anything."""

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Response:
            chosen_type(*offered)
            return view(*args, **kwargs)

        return checked

    return decorate
