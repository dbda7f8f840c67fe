"""The ``Idempotency-Key`` of a request that makes something."""

import re
from collections.abc import Mapping

from flask import request

from service.api.errors import InvalidRequest
from service.api.tokens import bearer
from service.usecases.idempotency import Key

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"

# Whoever has the key may get a token, so it must be as hard to guess: 22 characters have 128 bits.
_KEY = re.compile(r"[!-~]{22,255}")


def idempotency_key(kind: str, body: Mapping[str, object]) -> Key | None:
    """Give the request's key, for a ``kind`` of resource and a body; None where it names none."""
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        detail = "22 to 255 characters of ASCII without spaces, such as a random UUID"
        raise InvalidRequest([{"parameter": HEADER, "detail": detail}])
    return Key.of(key, kind, bearer(), body)
