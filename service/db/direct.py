"""Statements on the hot path, run straight on the driver.

SQLAlchemy builds and compiles them, once, and its pool keeps the connections. But it takes several
times as long to execute one as SQLite or PostgreSQL does, and a move is one or two statements.
``docs/performance.md`` has the figures. Everything else goes through ``Engine.connect``.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine

from service.db.engine import DIALECTS, DatabaseDown, failure
from service.db.statement import Statement

if TYPE_CHECKING:
    from sqlalchemy.pool import PoolProxiedConnection

__all__ = ["DirectConnection", "Row", "Statement", "connect_directly"]

Row = dict[str, Any]


class DirectConnection:
    """A connection of the pool; each statement commits by itself."""

    def __init__(self, engine: Engine, pooled: "PoolProxiedConnection") -> None:
        self._engine = engine
        self._dialect: Any = DIALECTS[engine.dialect.name]
        self._pooled = pooled

    def first(self, statement: Statement, values: Mapping[str, object]) -> Row | None:
        """Run a SELECT; give its first row, None where there is none."""
        compiled = statement.compiled(self._dialect.NUMBERED)
        given = [values[name] for name in compiled.places]
        row: Row | None = self._dialect.first(self._pooled, compiled, given)
        return row

    def change(self, statement: Statement, values: Mapping[str, object]) -> int:
        """Run an UPDATE; give how many rows it changed."""
        compiled = statement.compiled(self._dialect.NUMBERED)
        given = [values[name] for name in compiled.places]
        count: int = self._dialect.change(self._engine, self._pooled, compiled, given)
        return count


@contextmanager
def connect_directly(engine: Engine) -> Iterator[DirectConnection]:
    """Take a connection from the pool; raises what ``Engine.connect`` and its statements raise."""
    dialect = engine.dialect
    pooled: PoolProxiedConnection | None = None
    try:
        pooled = engine.raw_connection()
        yield DirectConnection(engine, pooled)
    except dialect.loaded_dbapi.Error as error:
        found = failure(dialect.name, error)
        if isinstance(found, DatabaseDown) and pooled is not None:
            # What cut this connection, if that was it, has most likely cut them all.
            pooled.invalidate(error)
            engine.dispose()
        if found is None:
            raise
        raise found from error
    finally:
        if pooled is not None:
            pooled.close()
