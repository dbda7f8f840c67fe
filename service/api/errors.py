"""Every error as problem+json (RFC 9457): the one place that knows HTTP statuses and codes."""

import logging
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from itertools import islice
from typing import NamedTuple

import orjson
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from service.api.watch import metrics
from service.db.engine import DatabaseBusy, DatabaseDown, PoolExhausted
from service.logs import fields
from service.rules.errors import Invalid, UnknownVariant, pointer
from service.usecases import errors as refused

PROBLEM = "application/problem+json"

# Every code with its status. Append-only: clients switch on the codes.
STATUSES: dict[str, int] = {
    "malformed_json": 400,
    "bad_cursor": 400,
    "bad_request": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "not_entered": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "not_acceptable": 406,
    "ply_conflict": 409,
    "ply_gap": 409,
    "game_over": 409,
    "history_full": 409,
    "undo_forbidden": 409,
    "nothing_to_undo": 409,
    "hint_forbidden": 409,
    "still_secret": 409,
    "not_running": 409,
    "entries_closed": 409,
    "time_expired": 409,
    "attempt_in_progress": 409,
    "attempts_exhausted": 409,
    "name_taken": 409,
    "name_reserved": 409,
    "already_started": 409,
    "has_entries": 409,
    "stale_revision": 412,
    "too_large": 413,
    "unsupported_media_type": 415,
    "validation_failed": 422,
    "illegal_move": 422,
    "key_reused": 422,
    "precondition_required": 428,
    "rate_limited": 429,
    "internal_error": 500,
    "not_ready": 503,
    "busy": 503,
}

# The code of every refusal of a use case.
REFUSALS: dict[type[refused.Refused], str] = {
    refused.Unauthenticated: "unauthenticated",
    refused.Forbidden: "forbidden",
    refused.NotFound: "not_found",
    refused.PlyConflict: "ply_conflict",
    refused.PlyGap: "ply_gap",
    refused.HistoryFull: "history_full",
    refused.IllegalMoves: "illegal_move",
    refused.GameOver: "game_over",
    refused.NothingToUndo: "nothing_to_undo",
    refused.UndoForbidden: "undo_forbidden",
    refused.HintForbidden: "hint_forbidden",
    refused.StillSecret: "still_secret",
    refused.TimeExpired: "time_expired",
    refused.KeyReused: "key_reused",
    refused.NotEntered: "not_entered",
    refused.NotRunning: "not_running",
    refused.AlreadyStarted: "already_started",
    refused.HasEntries: "has_entries",
    refused.StaleRevision: "stale_revision",
    refused.PreconditionRequired: "precondition_required",
    refused.EntriesClosed: "entries_closed",
    refused.AttemptInProgress: "attempt_in_progress",
    refused.AttemptsExhausted: "attempts_exhausted",
    refused.NameTaken: "name_taken",
    refused.NameReserved: "name_reserved",
    refused.Busy: "busy",
}

_HTTP_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
}

# Who sends more finds the others when these are mended.
MAX_FAULTS = 50

_log = logging.getLogger(__name__)


class Problem(Exception):  # noqa: N818 - the name of RFC 9457
    """An error that is HTTP's own: a code of ``STATUSES`` and a sentence."""

    def __init__(self, code: str, detail: str, **extra: object) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.extra = extra


class InvalidRequest(Problem):
    """A body, query or path that its schema refuses: every fault with its place."""

    def __init__(self, errors: list[dict[str, str]]) -> None:
        first = errors[0]
        where = first.get("pointer", first.get("parameter"))
        detail = f"{where}: {first['detail']}" if where else first["detail"]
        super().__init__("validation_failed", detail, errors=errors)


def register(app: Flask) -> None:
    """Make the application answer every error as a problem."""
    app.register_error_handler(Problem, _response)
    app.register_error_handler(refused.Refused, _refused)
    app.register_error_handler(UnknownVariant, _unknown_variant)
    app.register_error_handler(Invalid, _invalid)
    app.register_error_handler(DatabaseBusy, _busy)
    app.register_error_handler(PoolExhausted, _busy)
    app.register_error_handler(DatabaseDown, _down)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def faults(messages: Mapping[str, object]) -> list[dict[str, str]]:
    """Turn marshmallow's nested messages by location into ``errors`` with pointers."""
    found = []
    for location, tree in messages.items():
        for path, detail in islice(_leaves(tree, ()), MAX_FAULTS):
            if location == "json":
                found.append({"pointer": "".join(map(pointer, path))})
            else:
                found.append({"parameter": ".".join(path)})
            found[-1]["detail"] = detail
    return found


def _leaves(tree: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(tree, Mapping):
        for step, branch in tree.items():
            yield from _leaves(branch, path if step == "_schema" else (*path, str(step)))
    elif isinstance(tree, list):
        for message in tree:
            yield path, str(message)


def write_json(data: object) -> bytes:
    """Write JSON that ends with a newline, so that it reads well in a terminal too."""
    return orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE)


def _response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    status = STATUSES[problem.code]
    g.code = problem.code
    body = {
        "type": f"urn:semilla:problem:{problem.code}",
        "title": problem.code.replace("_", " ").capitalize(),
        "status": status,
        "detail": problem.detail,
        "code": problem.code,
        "request_id": g.get("request_id", ""),
        **problem.extra,
    }
    response = Response(write_json(body), status, headers, mimetype=PROBLEM)
    response.headers["Cache-Control"] = "no-store"
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    if "retry_after" in problem.extra:
        response.headers["Retry-After"] = str(problem.extra["retry_after"])
    return response


def _refused(error: refused.Refused) -> Response:
    return _response(Problem(REFUSALS[type(error)], error.detail, **error.extra))


def _invalid(error: Invalid) -> Response:
    return _response(InvalidRequest([{"pointer": error.place, "detail": error.detail}]))


def _unknown_variant(error: UnknownVariant) -> Response:
    """Answer 404 where the path named it, which is no place in a body."""
    return _invalid(error) if error.place else _response(Problem("not_found", error.detail))


def _busy(error: DatabaseBusy | PoolExhausted) -> Response:
    kind = "busy" if isinstance(error, DatabaseBusy) else "no_connection"
    metrics().database_failures.labels(kind).inc()
    _log.warning("database busy: %s", error, extra=fields(request_id=g.get("request_id")))
    detail = "the database is busy: send the same request again"
    return _response(Problem("busy", detail, retry_after=1))


def _down(error: DatabaseDown) -> Response:
    metrics().database_failures.labels("down").inc()
    _log.error("database down: %s", error, extra=fields(request_id=g.get("request_id")))
    detail = "the service cannot use its database now: try again, or ask the operator"
    return _response(Problem("not_ready", detail, retry_after=5))


def _http(error: HTTPException) -> Response:
    """Answer what Flask raises itself; no route of ours makes it redirect."""
    status = error.code or 500
    other = "bad_request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "internal_error"
    code = _HTTP_CODES.get(status, other)
    headers = {name: value for name, value in error.get_headers() if name == "Allow"}
    allowed = set(re.split(", *", headers.get("Allow", ""))) - {"HEAD", "OPTIONS"}
    verbs = " or ".join(sorted(allowed))
    detail = {
        "not_found": f"there is nothing at {request.path}: /docs lists what there is",
        "method_not_allowed": f"{request.path} does not answer {request.method}: send {verbs}",
        "too_large": "the body is longer than this service takes",
    }.get(code, error.description or error.name)
    return _response(Problem(code, detail), headers)


def _unexpected(error: Exception) -> Response:
    about = fields(request_id=g.get("request_id"))
    _log.error("request failed: %s", type(error).__name__, exc_info=error, extra=about)
    detail = "the service made a mistake: report it with the request_id"
    return _response(Problem("internal_error", detail))


class CodeGroup(NamedTuple):
    """The codes that one status may carry, for the documentation."""

    status: int
    codes: tuple[str, ...]


def by_status(codes: tuple[str, ...]) -> list[CodeGroup]:
    """Group codes by their status, lowest first."""
    statuses = sorted({STATUSES[code] for code in codes})
    return [
        CodeGroup(status, tuple(code for code in codes if STATUSES[code] == status))
        for status in statuses
    ]
