"""Statements of the hot path, in the order in which a process may first need them."""

import pytest
from sqlalchemy import bindparam, update

from service.db.direct import Statement, connect_directly
from service.db.engine import write_transaction
from service.db.tables import games
from service.usecases import new_games
from tests.conftest import NOON


@pytest.fixture
def game(db):
    """Give the id of a game."""
    terms = {"variant": "cruel", "options": {}, "seed": "semilla", "undo": None, "now": NOON}
    return new_games.create(db, **terms).view.id


@pytest.mark.parametrize("first", ["in a transaction", "straight"])
def test_an_update_runs_in_a_transaction_and_straight_whichever_comes_first(db, game, first):
    changed = update(games).where(
        games.c.id == bindparam("game_id"), games.c.ply == bindparam("at")
    )
    longer = changed.values(history=games.c.history + bindparam("entries"))
    statement = Statement(longer, "ply")
    ways = ["in a transaction", "straight"]
    for at, way in enumerate(ways if first == ways[0] else ways[::-1]):
        values = {"game_id": game, "at": at, "entries": "x", "ply": at + 1, "unused": 9}
        for count in (1, 0):  # once more it is not there any more
            if way == "straight":
                with connect_directly(db) as direct:
                    assert direct.change(statement, values) == count
            else:
                with write_transaction(db) as connection:
                    assert statement.run(connection, values) == count
