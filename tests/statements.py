"""Which statements the database really runs: pragmas and the marks of transactions included."""

from contextlib import contextmanager

from sqlalchemy import event


class Statements(list):
    """The statements as SQLite saw them, parameters filled in."""

    @property
    def verbs(self):
        """Their first words."""
        return [statement.split(maxsplit=1)[0].upper() for statement in self]


@contextmanager
def count_statements(db):
    """Give the ``Statements`` that run on any connection of this engine inside the block.

    SQLite itself reports them, so nothing that SQLAlchemy, a hook or the driver adds stays hidden.
    """
    seen = Statements()
    traced = []

    def trace(connection, *_):
        connection.set_trace_callback(seen.append)
        traced.append(connection)

    # Before the engine's own listeners, which run pragmas on a new connection.
    event.listen(db, "connect", trace, insert=True)
    event.listen(db, "checkout", trace)
    try:
        yield seen
    finally:
        event.remove(db, "connect", trace)
        event.remove(db, "checkout", trace)
        for connection in traced:
            connection.set_trace_callback(None)
