"""Opaque cursors: where a page of a list begins or ends."""

import base64
import binascii
import re

from service.api.errors import Problem

_PLACE = re.compile(r"(after|before):([0-9]{1,9})")


def write_cursor(side: str, number: int) -> str:
    """Write the cursor of the page ``after`` or ``before`` a number."""
    return base64.urlsafe_b64encode(f"{side}:{number}".encode()).decode().rstrip("=")


def read_cursor(cursor: str | None) -> dict[str, int | None]:
    """Read a cursor as ``{"after": n, "before": None}`` or the reverse; both None without one."""
    place: dict[str, int | None] = {"after": None, "before": None}
    if cursor is not None:
        side, number = _decode(cursor)
        place[side] = number
    return place


def _decode(cursor: str) -> tuple[str, int]:
    padded = cursor + "=" * (-len(cursor) % 4)
    try:
        text = base64.urlsafe_b64decode(padded).decode()
    except (binascii.Error, ValueError):
        text = ""
    match = _PLACE.fullmatch(text)
    if not match:
        detail = "this is no cursor of this list: take next or prev of a page as it is"
        raise Problem(code="bad_cursor", detail=detail)
    return match[1], int(match[2])
