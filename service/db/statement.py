"""Statements that are compiled once, for who runs them straight on a driver."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Update
from sqlalchemy.engine import Dialect


class Compiled(NamedTuple):
    """What a database gets: its text, and which value goes to which place.

    ``columns``: those of the answer with the Python type of each; none where it is an UPDATE.
    """

    text: str
    places: tuple[str, ...]
    columns: tuple[tuple[str, type], ...]


class Statement:
    """A SELECT, or an UPDATE that sets ``columns`` beside what it says itself, with ``bindparam``s.

    Its values and the columns of its answer are texts, whole numbers, truth values, bytes and None.
    """

    def __init__(self, core: Select[Any] | Update, *columns: str) -> None:
        self._core = core
        self._columns = columns
        self._compiled: dict[str, Compiled] = {}
        self._named: tuple[str, ...] = ()

    def run(self, connection: Connection, values: Mapping[str, object]) -> int:
        """Run an UPDATE within a transaction; give how many rows it changed."""
        if not self._named:
            # Not of `compiled`: here SQLAlchemy runs it, whose own dialect may number no places.
            self._named = tuple(self._core.compile(column_keys=self._columns or None).params)
        given = {name: values[name] for name in self._named}
        return connection.execute(self._core, given).rowcount

    def compiled(self, dialect: Dialect) -> Compiled:
        """Give it as a dialect that numbers its places writes it."""
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = self._compile(dialect)
        return found

    def _compile(self, dialect: Dialect) -> Compiled:
        made: Any = self._core.compile(dialect=dialect, column_keys=self._columns or None)
        answer = self._core.selected_columns if isinstance(self._core, Select) else ()
        columns = tuple((str(column.key), column.type.python_type) for column in answer)
        return Compiled(str(made), tuple(made.positiontup), columns)
