"""Players for tests, straight in the tables."""

from sqlalchemy import Engine, insert, select

from service.db.tables import player_names, players
from service.usecases.ids import new_id
from service.usecases.tokens import hash_token, new_player_token
from tests.conftest import NOON


def new_player(db: Engine, name: str, *, bot: bool = False, now: int = NOON) -> str:
    """Insert a player; give their token."""
    token, player_id = new_player_token(), new_id(now)
    row = {"id": player_id, "name": name, "bot": bot, "token_hash": hash_token(token)}
    with db.connect() as connection:
        connection.execute(insert(players), {**row, "created_at": now})
        connection.execute(insert(player_names), {"folded": name.lower(), "player_id": player_id})
    return token


def player_id(db: Engine, token: str) -> str:
    """Give the id of the player with a token."""
    asked = select(players.c.id).where(players.c.token_hash == hash_token(token))
    with db.connect() as connection:
        found: str = connection.execute(asked).scalar_one()
    return found
