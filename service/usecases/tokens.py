"""Tokens: 256 random bits, handed out once and stored as their SHA-256 only."""

import hashlib
import secrets

from sqlalchemy import BindParameter, Engine, bindparam, exists, or_, select

from service.db.direct import DirectConnection, Statement, connect_directly
from service.db.tables import games, players

GAME_PREFIX = "sg_"
PLAYER_PREFIX = "sp_"

UNKNOWN_TOKEN = "nobody has this token: check it, or leave the Authorization header out"  # noqa: S105

_SHOWN: BindParameter[bytes] = bindparam("token_hash")
_KNOWN = Statement(
    select(
        or_(*(exists().where(table.c.token_hash == _SHOWN) for table in (games, players))).label(
            "known"
        )
    )
)


def new_game_token() -> str:
    """Draw a token that may play one game."""
    return GAME_PREFIX + secrets.token_urlsafe(32)


def new_player_token() -> str:
    """Draw a token that stands for a player."""
    return PLAYER_PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """Give the 32 bytes that are stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def is_known(connection: DirectConnection, token_hash: bytes) -> bool:
    """Tell whether a game or a player has this token: one SELECT."""
    found = connection.first(_KNOWN, {"token_hash": token_hash})
    return found is not None and bool(found["known"])


def token_is_known(db: Engine, token_hash: bytes) -> bool:
    """Tell whether anybody has this token, for requests that need none: one SELECT."""
    with connect_directly(db) as connection:
        return is_known(connection, token_hash)
