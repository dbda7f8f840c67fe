"""What an operator does to a player, whom they name as ``find_named`` does, or ``NotFound``."""

from sqlalchemy import Engine, update

from service.db.engine import write_transaction
from service.db.tables import players
from service.usecases import players as own
from service.usecases.players import find_named
from service.usecases.tokens import hash_token, new_player_token


def give_token(db: Engine, name: str) -> str:
    """Give a player a new token, which voids the one before and lets a disabled one in again."""
    token = new_player_token()
    with write_transaction(db) as connection:
        player_id = find_named(connection, name, lock=True).id
        fresh = {"token_hash": hash_token(token), "disabled_at": None}
        connection.execute(update(players).where(players.c.id == player_id).values(fresh))
    return token


def rename(db: Engine, name: str, new_name: str) -> None:
    """Give a player another name; raises what ``players.rename`` raises too."""
    with write_transaction(db) as connection:
        own.rename(connection, find_named(connection, name, lock=True).id, new_name)


def disable(db: Engine, name: str, now: int) -> None:
    """Void a player's token: there is no way in until ``give_token``."""
    with write_transaction(db) as connection:
        player_id = find_named(connection, name, lock=True).id
        out = {"token_hash": None, "disabled_at": now}
        connection.execute(update(players).where(players.c.id == player_id).values(out))
