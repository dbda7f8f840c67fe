"""Who sends a request: the player whose token it shows."""

from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

from sqlalchemy import Connection, Select, select

from service.db.tables import games, players
from service.usecases.errors import Forbidden, Unauthenticated
from service.usecases.tokens import UNKNOWN_TOKEN


class Caller(NamedTuple):
    """A player who shows their token. ``created_at``: ms since 1970 UTC."""

    id: str
    name: str
    bot: bool
    created_at: int


def find_caller(connection: Connection, token_hash: bytes | None) -> Caller | None:
    """Find the player of a token, None where no player has it: one SELECT."""
    return None if token_hash is None else _found(connection, _holder(token_hash))


def require_caller(connection: Connection, token_hash: bytes | None) -> Caller:
    """Find the player of a token: one SELECT, two where no player has it.

    Raises ``Unauthenticated`` without a token and where nobody has it, ``Forbidden`` where a game
    has it.
    """
    return find_caller(connection, token_hash) or _refuse(connection, token_hash)


def identify(connection: Connection, token_hash: bytes | None) -> Caller | None:
    """Find the player who asks, None for anybody else: one SELECT, two where no player has it.

    Raises ``Unauthenticated`` where nobody has the token.
    """
    if token_hash is not None:
        with suppress(Forbidden):  # a game's token: good, but it stands for no player
            return require_caller(connection, token_hash)
    return None


def lock_caller(connection: Connection, token_hash: bytes | None) -> Caller:
    """Do as ``require_caller``, and keep others off until the write transaction ends.

    So of two requests at once that change the player or the token the second one finds the token as
    the first has left it.
    """
    found = token_hash and _found(connection, _holder(token_hash).with_for_update())
    return found or _refuse(connection, token_hash)


def _holder(token_hash: bytes) -> Select[Any]:
    columns = (players.c[name] for name in Caller._fields)
    return select(*columns).where(players.c.token_hash == token_hash)


def _found(connection: Connection, asked: Select[Any]) -> Caller | None:
    found = connection.execute(asked).first()
    return None if found is None else Caller(*found)


def _refuse(connection: Connection, token_hash: bytes | None) -> NoReturn:
    if token_hash is None:
        detail = (
            "this needs a player's token: send Authorization: Bearer sp_…, "
            "which POST /v1/players gives"
        )
        raise Unauthenticated(detail)
    of_a_game = select(games.c.id).where(games.c.token_hash == token_hash)
    if connection.execute(of_a_game).first() is None:
        raise Unauthenticated(UNKNOWN_TOKEN)
    detail = "this token plays one game: send a player's, sp_…, which POST /v1/players gives"
    raise Forbidden(detail)
