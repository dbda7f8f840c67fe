"""Every request watched: one line in the log, counted in the metrics."""

import logging
import secrets
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, cast

from flask import Flask, Response, current_app, g, request

from service.api.addresses import client_address
from service.logs import log_request, truncated
from service.metrics import Metrics

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

# What clients make up never becomes a label or a line: one word stands for all of it.
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OTHER_METHOD = "OTHER"
NO_ROUTE = "none"
# Asked every few seconds by machines; their failures are worth a line.
_QUIET = {"/livez", "/readyz", "/metrics"}
_FAILURE = 400

REQUEST_ID = "X-Request-ID"


class Answered(NamedTuple):
    """How a request was answered: by which route, and with which code where with a problem."""

    method: str
    route: str
    status: int
    code: str | None = None


def register(app: Flask, metrics: Metrics) -> None:
    """Watch an application; before other hooks are registered, so that it sees them all."""
    app.extensions["semilla_metrics"] = metrics
    app.before_request(_begin)
    app.after_request(_end)


def new_request_id() -> str:
    """Draw what names a request in the log and in its reply."""
    return secrets.token_hex(8)


def metrics_of(app: Flask) -> Metrics:
    """Give the metrics of an application."""
    return cast("Metrics", app.extensions["semilla_metrics"])


def metrics() -> Metrics:
    """Give the metrics of the application that answers the request."""
    return metrics_of(current_app)


def watch(
    app: Flask, environ: "WSGIEnvironment", request_id: str, seconds: float, answered: Answered
) -> None:
    """Count a request and write its line; ``seconds``: what it took."""
    method, route, status, code = answered
    counted = metrics_of(app)
    counted.answered(method, route, status, seconds)
    about = {} if code is None else {"code": code}
    if code is not None:
        counted.problems.labels(code).inc()
    log_request(
        logging.DEBUG if route in _QUIET and status < _FAILURE else logging.INFO,
        request_id=request_id,
        method=method,
        route=route,
        status=status,
        ms=round(seconds * 1_000, 3),
        address=truncated(str(client_address(app, environ) or "")),
        **about,
    )


def _begin() -> None:
    g.began = perf_counter()
    g.request_id = new_request_id()


def _end(response: Response) -> Response:
    asked, context = request, g
    response.headers.add(REQUEST_ID, context.request_id)
    method = asked.method if asked.method in METHODS else OTHER_METHOD
    route = asked.url_rule.rule if asked.url_rule else NO_ROUTE
    answered = Answered(method, route, response.status_code, context.get("code"))
    seconds = perf_counter() - context.began
    watch(current_app, asked.environ, context.request_id, seconds, answered)
    return response
