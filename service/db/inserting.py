"""INSERTs that leave a row alone which somebody else has inserted meanwhile."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

_INSERTS: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def insert_once(connection: Connection, table: Table, row: Mapping[str, object]) -> None:
    """Insert a row unless there is one with its key; wait for whoever is inserting that one."""
    insert = _INSERTS[connection.dialect.name]
    connection.execute(insert(table).values(row).on_conflict_do_nothing())
