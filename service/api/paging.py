"""Opaque cursors: where a page of a list begins or ends."""

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import orjson

from service.api.errors import Problem
from service.usecases.pages import Key, Place


class Ends(Protocol):
    """A page that knows where the next one begins and the one before it ends."""

    @property
    def next(self) -> Key | None:
        """The key of its last row, None where there is no page after it."""

    @property
    def prev(self) -> Key | None:
        """The key of its first row, None where there is no page before it."""


_LONGEST = 2**63
_PLACE = re.compile(r"(after|before):([0-9]{1,9})")


def write_cursor(side: str, number: int) -> str:
    """Write the cursor of the page ``after`` or ``before`` a number."""
    return _encode(f"{side}:{number}".encode())


def read_cursor(cursor: str | None) -> dict[str, int | None]:
    """Read a cursor as ``{"after": n, "before": None}`` or the reverse; both None without one."""
    place: dict[str, int | None] = {"after": None, "before": None}
    if cursor is not None:
        match = _PLACE.fullmatch(_decode(cursor).decode("ascii", "replace"))
        if not match:
            raise _no_cursor()
        place[match[1]] = int(match[2])
    return place


def read_place(query: Mapping[str, Any], *kinds: type) -> Place:
    """Read which page a query asks for by ``cursor`` and ``limit``; ``kinds`` as below."""
    return Place(**read_key_cursor(query.get("cursor"), *kinds), limit=query["limit"])


def page_json(items: Iterable[object], page: Ends) -> dict[str, object]:
    """Give a page of a list: its items, and the cursors of the pages beside it."""
    return {
        "items": [*items],
        "next": write_key_cursor("after", page.next),
        "prev": write_key_cursor("before", page.prev),
    }


def write_key_cursor(side: str, key: Key | None) -> str | None:
    """Write the cursor of the page ``after`` or ``before`` a key; None where there is none."""
    return None if key is None else _encode(orjson.dumps([side, *key]))


def read_key_cursor(cursor: str | None, *kinds: type) -> dict[str, Key | None]:
    """Read a cursor as ``{"after": key, "before": None}`` or the reverse; both None without one.

    ``kinds``: the type of each part of the key, ``int`` or ``str``.
    """
    place: dict[str, Key | None] = {"after": None, "before": None}
    if cursor is not None:
        try:
            side, *key = orjson.loads(_decode(cursor))
        except (ValueError, TypeError) as error:
            raise _no_cursor() from error
        fits = [type(part) for part in key] == [*kinds] and all(map(_is_storable, key))
        if side not in ("after", "before") or not fits:
            raise _no_cursor()
        place[side] = tuple(key)
    return place


def _is_storable(part: int | str) -> bool:
    """Tell whether a database takes it: none has longer integers, nor all a NUL in a text."""
    return "\0" not in part if isinstance(part, str) else abs(part) < _LONGEST


def _encode(place: bytes) -> str:
    return base64.urlsafe_b64encode(place).decode().rstrip("=")


def _decode(cursor: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except (binascii.Error, ValueError) as error:
        raise _no_cursor() from error


def _no_cursor() -> Problem:
    detail = "this is no cursor of this list: take next or prev of a page as it is"
    return Problem(code="bad_cursor", detail=detail)
