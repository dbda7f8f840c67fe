"""Players with their ids, straight in the tables."""

from tests.players import new_player, player_id


def new_entrant(db, name, *, bot=False):
    """Insert a player; give the id and the token."""
    token = new_player(db, name, bot=bot)
    return player_id(db, token), token
