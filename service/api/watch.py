"""Every request watched: one line in the log, counted in the metrics."""

import logging
from time import perf_counter
from typing import cast

from flask import Flask, Response, current_app, g, request

from service.api.addresses import client_address
from service.logs import log_request, truncated
from service.metrics import Metrics

# What clients make up never becomes a label or a line: one word stands for all of it.
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OTHER_METHOD = "OTHER"
NO_ROUTE = "none"
# Asked every few seconds by machines; their failures are worth a line.
_QUIET = {"/livez", "/readyz", "/metrics"}
_FAILURE = 400


def register(app: Flask, metrics: Metrics) -> None:
    """Watch an application; before other hooks are registered, so that it sees them all."""
    app.extensions["semilla_metrics"] = metrics
    app.before_request(_begin)
    app.after_request(_end)


def metrics() -> Metrics:
    """Give the metrics of the application that answers the request."""
    return cast("Metrics", current_app.extensions["semilla_metrics"])


def _begin() -> None:
    g.began = perf_counter()


def _end(response: Response) -> Response:
    asked, context = request, g
    seconds = perf_counter() - context.began
    method = asked.method if asked.method in METHODS else OTHER_METHOD
    route = asked.url_rule.rule if asked.url_rule else NO_ROUTE
    status = response.status_code
    code = context.get("code")
    counted = metrics()
    counted.answered(method, route, status, seconds)
    about = {} if code is None else {"code": code}
    if code is not None:
        counted.problems.labels(code).inc()
    log_request(
        logging.DEBUG if route in _QUIET and status < _FAILURE else logging.INFO,
        request_id=context.get("request_id"),
        method=method,
        route=route,
        status=status,
        ms=round(seconds * 1_000, 3),
        address=truncated(str(client_address() or "")),
        **about,
    )
    return response
