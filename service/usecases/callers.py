"""Who sends a request: the player whose token it shows."""

from typing import NamedTuple

from sqlalchemy import Connection, select

from service.db.tables import players
from service.usecases.errors import Unauthenticated


class Caller(NamedTuple):
    """A player who shows their token."""

    id: str
    name: str


def find_caller(connection: Connection, token_hash: bytes | None) -> Caller | None:
    """Find the player of a token, None where no player has it: one SELECT."""
    if token_hash is None:
        return None
    asked = select(players.c.id, players.c.name).where(players.c.token_hash == token_hash)
    found = connection.execute(asked).first()
    return None if found is None else Caller(found.id, found.name)


def require_caller(connection: Connection, token_hash: bytes | None) -> Caller:
    """Find the player of a token; ``Unauthenticated`` where no player has it: one SELECT."""
    caller = find_caller(connection, token_hash)
    if caller is None:
        detail = "this needs a player's token: register with POST /v1/players"
        raise Unauthenticated(detail)
    return caller
