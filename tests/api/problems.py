"""What every error must look like: checked as a whole, wherever a test provokes one."""

import math
import re

# Every code of the contract that the service can answer so far, with its status.
CODES = {
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

_FIELDS = ["type", "title", "status", "detail", "code", "request_id"]


def assert_problem(reply, code, **expected):
    """Check that a reply is this problem and nothing else.

    ``says``: words that its sentence must hold; ``pointers`` or ``parameters``: the places of all
    its faults; everything else in ``expected`` is a field that it has beside the usual ones, and it
    has no others.
    """
    status = CODES[code]
    assert reply.status_code == status, reply.text[:500]
    assert reply.content_type == "application/problem+json"
    _check_headers(reply, status)
    if not reply.data:  # as after HEAD
        return
    problem = reply.json
    says = expected.pop("says", "")
    assert list(problem)[: len(_FIELDS)] == _FIELDS
    assert problem["type"] == f"urn:semilla:problem:{code}"
    assert problem["title"] == code.replace("_", " ").capitalize()
    assert problem["status"] == status
    assert problem["code"] == code
    assert problem["request_id"] == reply.headers["X-Request-ID"]
    assert says in problem["detail"]
    assert problem["detail"].strip()
    if "pointers" in expected or "parameters" in expected:
        _check_faults(problem, expected.pop("pointers", []), expected.pop("parameters", []))
        expected["errors"] = problem["errors"]
    extra = {name: value for name, value in problem.items() if name not in _FIELDS}
    assert extra == expected
    _check_retry(reply, extra.get("retry_after"))


def _check_headers(reply, status):
    headers = reply.headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert re.fullmatch(r"[0-9a-f]{16}", headers["X-Request-ID"])
    assert headers.get("WWW-Authenticate") == ("Bearer" if status == 401 else None)
    assert ("Allow" in headers) == (status == 405)
    assert "Set-Cookie" not in headers


def _check_faults(problem, pointers, parameters):
    faults = problem["errors"]
    assert sorted(fault["pointer"] for fault in faults if "pointer" in fault) == sorted(pointers)
    named = [fault["parameter"] for fault in faults if "parameter" in fault]
    assert sorted(named) == sorted(parameters)
    assert all(len(fault) == 2 and fault["detail"].strip() for fault in faults)
    first = faults[0]
    where = first.get("pointer", first.get("parameter"))
    assert problem["detail"] == (f"{where}: {first['detail']}" if where else first["detail"])


def _check_retry(reply, seconds):
    """Check that ``Retry-After`` has whole seconds, never fewer than the field."""
    header = reply.headers.get("Retry-After")
    assert header == (None if seconds is None else str(math.ceil(seconds)))
    assert (reply.status_code in (429, 503)) == (seconds is not None)
