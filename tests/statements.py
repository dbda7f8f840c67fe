"""Which statements the database really runs: pragmas and the marks of transactions included."""

import re
import tempfile
from contextlib import contextmanager

from sqlalchemy import event

from service.db.sqlite_writers import writers_of


class Statements(list):
    """The statements that ran, as the database itself tells them.

    SQLite tells their texts, parameters filled in; PostgreSQL their first words, once each has
    ended well.
    """

    @property
    def verbs(self):
        """Their first words; where a SELECT begins with what it is made of, SELECT."""
        first = [statement.split(maxsplit=1)[0].upper() for statement in self]
        return ["SELECT" if word == "WITH" else word for word in first]


@contextmanager
def count_statements(db):
    """Give the ``Statements`` that run on any connection of this engine inside the block.

    They are whole only after it. The database itself reports them, so nothing that SQLAlchemy, a
    hook or the driver adds stays hidden.
    """
    seen = Statements()
    traced = []
    watch = {"sqlite": _watch_sqlite, "postgresql": _watch_postgresql}[db.dialect.name]

    def trace(connection, *_):
        if not any(connection is other for other, _ in traced):
            traced.append((connection, watch(connection, seen)))

    if db.dialect.name == "sqlite":
        trace(writers_of(db).connection(db))
    # Before the engine's own listeners, which run pragmas on a new connection.
    event.listen(db, "connect", trace, insert=True)
    event.listen(db, "checkout", trace)
    try:
        yield seen
    finally:
        event.remove(db, "connect", trace)
        event.remove(db, "checkout", trace)
        told = sorted(entry for _, leave in traced for entry in leave())
        seen.extend(statement for _, statement in told)


def _watch_sqlite(connection, seen):
    connection.set_trace_callback(seen.append)

    def leave():
        connection.set_trace_callback(None)
        return []

    return leave


def _watch_postgresql(connection, _seen):
    protocol = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the watch ends
    connection.pgconn.trace(protocol.fileno())

    def leave():
        connection.pgconn.untrace()
        protocol.seek(0)
        with protocol:
            return re.findall(
                r'^(.*?)\t.*CommandComplete\t "(\w+)', protocol.read().decode(), re.MULTILINE
            )

    return leave
