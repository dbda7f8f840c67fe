"""Statements that are compiled once, run the other way: within a transaction."""

from sqlalchemy import bindparam, select, update

from service.db.engine import write_transaction
from service.db.statement import Statement
from service.db.tables import players
from tests.players import new_player, player_id


def test_a_statement_that_was_never_run_straight_runs_in_a_transaction(db):
    """As where the first move that a process records is one that ends an attempt."""
    ana = player_id(db, new_player(db, "Ana"))
    renamed = Statement(update(players).where(players.c.id == bindparam("player_id")), "name")
    with write_transaction(db) as connection:
        values = {"player_id": ana, "name": "Bea", "more": "is left out"}
        assert renamed.run(connection, values) == 1
    with db.connect() as connection:
        assert connection.execute(select(players.c.name)).scalar_one() == "Bea"
