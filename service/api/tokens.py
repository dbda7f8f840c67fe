"""The bearer token of a request."""

from flask import request

from service.api.context import services
from service.usecases.errors import Unauthenticated
from service.usecases.tokens import UNKNOWN_TOKEN, hash_token, token_is_known


def bearer() -> bytes | None:
    """Give the hash of the request's token, None without one.

    Whether anybody has the token is not checked. Raises ``Unauthenticated`` for a header of
    another kind.
    """
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        detail = "send the token as Authorization: Bearer sg_…"
        raise Unauthenticated(detail)
    return hash_token(token.strip())


def refuse_unknown_token() -> None:
    """Refuse a token that nobody has, on routes that need none."""
    token_hash = bearer()
    if token_hash is not None and not token_is_known(services().db, token_hash):
        raise Unauthenticated(UNKNOWN_TOKEN)
