"""The bearer token of a request."""

from flask import g, request

from service.api.context import services
from service.usecases.errors import Unauthenticated
from service.usecases.tokens import PLAYER_PREFIX, UNKNOWN_TOKEN, hash_token, token_is_known


def bearer() -> bytes | None:
    """Give the hash of the request's token, None without one.

    Whether anybody has the token is not checked: who calls this does, and where the token is a
    player's the rate limits learn from the answer. Raises ``Unauthenticated`` for a header of
    another kind.
    """
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    token = _token_in(header)
    if not token:
        detail = "send the token as Authorization: Bearer sg_… or sp_…"
        raise Unauthenticated(detail)
    token_hash = hash_token(token)
    if token.startswith(PLAYER_PREFIX):
        g.looked_up = token_hash
    return token_hash


def players_token() -> bytes | None:
    """Give the hash of the request's token where it looks like a player's, without checking it."""
    token = _token_in(request.environ.get("HTTP_AUTHORIZATION", ""))
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
