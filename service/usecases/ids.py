"""Ids of what people make."""

import secrets

from ulid import ULID


def new_id(now: int) -> str:
    """Draw an id that sorts by its ms and has 80 random bits.

    The library's own clock counts up within a millisecond: whoever has one id would guess the next.
    """
    return str(ULID.from_bytes(now.to_bytes(6, "big") + secrets.token_bytes(10))).lower()
