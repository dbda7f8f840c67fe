"""Statements on the hot path, run straight on the driver.

SQLAlchemy builds and compiles them, once, and its pool keeps the connections. But it takes several
times as long to execute one as SQLite or PostgreSQL does, and a move is two statements.
``docs/performance.md`` has the figures. Everything else goes through ``Engine.connect``.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Engine, Select, Update
from sqlalchemy.engine import Dialect

from service.db.engine import BUSY_TIMEOUT_MS, DIALECTS, failure

if TYPE_CHECKING:
    from sqlalchemy.pool import PoolProxiedConnection

Row = dict[str, Any]


class _Compiled(NamedTuple):
    """What the driver gets: text, its places by name (None: it takes names), and the answer's.

    ``bools``: the columns of truth values, which SQLite keeps as numbers.
    """

    text: str
    places: tuple[str, ...] | None
    names: tuple[str, ...]
    bools: tuple[str, ...]


class Statement:
    """A SELECT, or an UPDATE that sets ``columns`` beside what it says itself, with ``bindparam``s.

    Its values are texts, numbers, bytes and None, as they are.
    """

    def __init__(self, core: Select[Any] | Update, *columns: str) -> None:
        self._core = core
        self._columns = columns
        self._compiled: dict[str, _Compiled] = {}

    def compiled(self, dialect: Dialect) -> _Compiled:
        """Give it as a dialect writes it."""
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = self._compile(dialect)
        return found

    def _compile(self, dialect: Dialect) -> _Compiled:
        made: Any = self._core.compile(dialect=dialect, column_keys=self._columns or None)
        answer = self._core.selected_columns if isinstance(self._core, Select) else ()
        return _Compiled(
            text=str(made),
            places=tuple(made.positiontup) if made.positional else None,
            names=tuple(str(column.key) for column in answer),
            bools=tuple(str(column.key) for column in answer if column.type.python_type is bool),
        )


class DirectConnection:
    """A connection of the pool; each statement commits by itself."""

    def __init__(self, dialect: Dialect, cursor: Any) -> None:
        self._dialect = dialect
        self._cursor = cursor

    def first(self, statement: Statement, values: Mapping[str, object]) -> Row | None:
        """Run a SELECT; give its first row, None where there is none."""
        compiled = statement.compiled(self._dialect)
        found = self._run(compiled, values).fetchone()
        if found is None:
            return None
        row = dict(zip(compiled.names, found, strict=True))
        for name in compiled.bools:
            row[name] = bool(row[name])
        return row

    def change(self, statement: Statement, values: Mapping[str, object]) -> int:
        """Run an UPDATE; give how many rows it changed."""
        compiled = statement.compiled(self._dialect)
        with DIALECTS[self._dialect.name].turn_to_write(BUSY_TIMEOUT_MS):
            count: int = self._run(compiled, values).rowcount
        return count

    def _run(self, compiled: _Compiled, values: Mapping[str, object]) -> Any:
        if compiled.places is None:
            return self._cursor.execute(compiled.text, values)
        return self._cursor.execute(compiled.text, [values[name] for name in compiled.places])


@contextmanager
def connect_directly(engine: Engine) -> Iterator[DirectConnection]:
    """Take a connection from the pool; raises what ``Engine.connect`` and its statements raise."""
    dialect = engine.dialect
    pooled: PoolProxiedConnection | None = None
    try:
        pooled = engine.raw_connection()
        cursor = pooled.info.get("direct")
        if cursor is None:
            cursor = pooled.info["direct"] = pooled.cursor()
        yield DirectConnection(dialect, cursor)
    except dialect.loaded_dbapi.Error as error:
        if pooled is not None and dialect.is_disconnect(error, pooled.dbapi_connection, None):
            # What cut this connection has most likely cut them all.
            pooled.invalidate(error)
            engine.dispose()
        found = failure(dialect.name, error)
        if found is None:
            raise
        raise found from error
    finally:
        if pooled is not None:
            pooled.close()
