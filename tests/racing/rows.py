"""Everything that is stored about challenges, to be compared and put back.

Straight on the driver: it is done some thousand times.
"""

from service.db.engine import write_transaction
from service.db.tables import challenges, entries, events, former_terms, games

# Those that others refer to come first.
_TABLES = (challenges, former_terms, entries, events, games)


def stored_rows(db):
    """Give the rows of each table, in one order."""
    with db.connect() as connection:
        return {
            table.name: sorted(
                map(tuple, connection.exec_driver_sql(f"SELECT * FROM {table.name}")),  # noqa: S608
                key=repr,
            )
            for table in _TABLES
        }


def put_back(db, rows):
    """Store these rows, and no others."""
    names = [table.name for table in _TABLES]
    place = "?" if db.dialect.name == "sqlite" else "%s"
    with write_transaction(db) as connection:
        for name in reversed(names):
            connection.exec_driver_sql(f"DELETE FROM {name}")  # noqa: S608
        for name in names:
            if rows[name]:
                places = ", ".join([place] * len(rows[name][0]))
                insert = f"INSERT INTO {name} VALUES ({places})"  # noqa: S608
                connection.exec_driver_sql(insert, rows[name])
