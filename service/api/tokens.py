"""The bearer token of a request."""

from typing import TYPE_CHECKING

from flask import g, request

from service.api.context import services
from service.usecases.errors import Unauthenticated
from service.usecases.tokens import PLAYER_PREFIX, UNKNOWN_TOKEN, hash_token, token_is_known

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment


def bearer() -> bytes | None:
    """Give the hash of the token of the request that Flask answers, as ``bearer_in``.

    Where the token is a player's the rate limits learn from the answer.
    """
    g.looked_up = players_token(request.environ)
    return bearer_in(request.environ)


def bearer_in(environ: "WSGIEnvironment") -> bytes | None:
    """Give the hash of a request's token, None without one.

    Whether anybody has the token is not checked: who calls this does. Raises ``Unauthenticated``
    for a header of another kind.
    """
    header = environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    token = _token_in(header)
    if not token:
        detail = "send the token as Authorization: Bearer sg_… or sp_…"
        raise Unauthenticated(detail)
    return hash_token(token)


def players_token(environ: "WSGIEnvironment") -> bytes | None:
    """Give the hash of a request's token where it looks like a player's, without checking it."""
    token = _token_in(environ.get("HTTP_AUTHORIZATION", ""))
    return hash_token(token) if token.startswith(PLAYER_PREFIX) else None


def _token_in(header: str) -> str:
    """Give the text of the token in a header, empty where there is none."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def refuse_unknown_token() -> None:
    """Refuse a token that nobody has, on routes that need none."""
    token_hash = bearer()
    if token_hash is not None and not token_is_known(services().db, token_hash):
        raise Unauthenticated(UNKNOWN_TOKEN)
