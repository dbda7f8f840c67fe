"""Statements on the hot path, run straight on the driver.

SQLAlchemy builds and compiles them, once, and its pool keeps the connections. But it takes several
times as long to execute one as SQLite or PostgreSQL does, and a move is one or two statements.
``docs/performance.md`` has the figures. Everything else goes through ``Engine.connect``.
"""

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Engine

from service.db.engine import DIALECTS, DatabaseDown, failure
from service.db.statement import Statement

if TYPE_CHECKING:
    from sqlalchemy.pool import PoolProxiedConnection

__all__ = ["DirectConnection", "Row", "Statement", "connect_directly"]

Row = dict[str, Any]


class DirectConnection:
    """What runs statements on an engine within a block; each commits by itself."""

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Give back what was taken from the pool; raise what ``Engine.connect`` would."""
        found = None
        if isinstance(error, self._engine.dialect.loaded_dbapi.Error):
            found = failure(self._engine.dialect.name, error)
        if self._pooled is not None:
            if isinstance(found, DatabaseDown):
                self._pooled.invalidate(error)
            self._pooled.close()
        if isinstance(found, DatabaseDown):
            # What cut this connection, if that was it, has most likely cut them all.
            self._engine.dispose()
        if found is not None:
            raise found from error


def connect_directly(engine: Engine) -> DirectConnection:
    """Run statements directly; raises what ``Engine.connect`` and its statements raise."""
    return DirectConnection(engine)
