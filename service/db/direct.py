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
    """What runs statements on an engine; each commits by itself."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._dialect: Any = DIALECTS[engine.dialect.name]
        self._pooled: PoolProxiedConnection | None = None

    def first(self, statement: Statement, values: Mapping[str, object]) -> Row | None:
        """Run a SELECT; give its first row, None where there is none."""
        compiled = statement.compiled(self._dialect.NUMBERED)
        given = [values[name] for name in compiled.places]
        row: Row | None = self._dialect.first(self._take(), compiled, given)
        return row

    def change(self, statement: Statement, values: Mapping[str, object]) -> int:
        """Run an UPDATE; give how many rows it changed."""
        compiled = statement.compiled(self._dialect.NUMBERED)
        given = [values[name] for name in compiled.places]
        count: int = self._dialect.change(self._engine, self._take, compiled, given)
        return count

    def make_sure(self) -> None:
        """Wait until what was read survives a power cut, if changes here do; before telling of it.

        What somebody else writes at this moment can be read before it does.
        """
        self._dialect.make_sure(self._engine)

    def _take(self) -> "PoolProxiedConnection":
        """Take a connection from the pool, unless it has one."""
        if self._pooled is None:
            self._pooled = self._engine.raw_connection()
        return self._pooled

    def give_back(self, failure: BaseException | None = None) -> None:
        """Give back what was taken from the pool, closed where a connection has failed."""
        if self._pooled is not None:
            if failure is not None:
                self._pooled.invalidate(failure)
            self._pooled.close()


@contextmanager
def connect_directly(engine: Engine) -> Iterator[DirectConnection]:
    """Run statements directly; raises what ``Engine.connect`` and its statements raise."""
    dialect = engine.dialect
    taken = DirectConnection(engine)
    failed: BaseException | None = None
    try:
        yield taken
    except dialect.loaded_dbapi.Error as error:
        found = failure(dialect.name, error)
        if isinstance(found, DatabaseDown):
            # What cut this connection, if that was it, has most likely cut them all.
            failed = error
            engine.dispose()
        if found is None:
            raise
        raise found from error
    finally:
        taken.give_back(failed)
