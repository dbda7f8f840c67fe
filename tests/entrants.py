"""Players, straight into the database."""

from sqlalchemy import insert

from service.db.tables import player_names, players
from service.usecases.ids import new_id
from service.usecases.tokens import hash_token, new_player_token
from tests.conftest import NOON


def new_entrant(db, name, *, bot=False):
    """Register a player; give the id and the token."""
    player_id, token = new_id(NOON), new_player_token()
    row = {"id": player_id, "name": name, "bot": bot, "created_at": NOON}
    with db.connect() as connection:
        connection.execute(insert(players), {**row, "token_hash": hash_token(token)})
        taken = {"folded": name.lower(), "player_id": player_id}
        connection.execute(insert(player_names), taken)
    return player_id, token
