"""Turns to write in SQLite: those who wait for one are written in one transaction.

One connection writes at a time. So while one thread of a process writes, the others line up;
whoever is next then writes for all who wait, over a connection that the process keeps for this.
Processes meet only in SQLite itself, where whoever finds the lock taken sleeps for 1, 2, 5, 10, …
ms, then looks again: the shorter it is held the better.

So where a commit is to survive a power cut (``synchronous=FULL``) SQLite does not wait for the disk
here, as it would while it holds the lock. What the process has written is in the write-ahead log by
then, and the log is made sure of before anybody is told, for all who wait at once.
"""

import sqlite3
from collections import deque
from dataclasses import dataclass
from threading import Lock

from sqlalchemy import Engine

from service.db.per_engine import PerEngine
from service.db.sqlite_log import WriteAheadLog

# What a transaction holds at most: there are rarely more threads.
_MOST = 32


@dataclass(slots=True, eq=False)
class _Change:
    """An UPDATE that waits for its turn, then how many rows it has changed, or its error.

    ``turn``: the number of the turn in which it was written, 0 before.
    """

    text: str
    values: list[object]
    rows: int = 0
    error: sqlite3.Error | None = None
    turn: int = 0

    def run(self, cursor: sqlite3.Cursor) -> None:
        self.rows = cursor.execute(self.text, self.values).rowcount


class Writers:
    """The threads of a process that write to one database."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._waiting: deque[_Change] = deque()
        self._cursor: sqlite3.Cursor | None = None
        self._log = WriteAheadLog()

    def change(self, engine: Engine, text: str, values: list[object]) -> int:
        """Run an UPDATE, which is committed then; give how many rows it changed.

        Raises what SQLite would raise for it alone. However long the disk takes, the wait for a
        turn has no limit of its own: each turn is bounded by SQLite's busy timeout.
        """
        mine = _Change(text, values)
        self._waiting.append(mine)
        with self._turn:
            # Of many who wait, those before it may fill a transaction or two.
            while not mine.turn:
                self._write(engine)
        if mine.error:
            raise mine.error
        if mine.rows:
            self._log.make_sure(mine.turn)
        return mine.rows

    def make_sure(self, engine: Engine) -> None:
        """Wait until what others have written by now survives a power cut, where that is wanted."""
        with self._turn:
            self._connected(engine)
            self._log.turns += 1
            turn = self._log.turns
        self._log.make_sure(turn)

    def connection(self, engine: Engine) -> sqlite3.Connection:
        """Give the connection that the process writes with."""
        with self._turn:
            return self._connected(engine).connection

    def close(self) -> None:
        """Close the connection; the next change opens another."""
        with self._turn:
            self._log.close()
            if self._cursor is not None:
                self._cursor.connection.close()
                self._cursor = None

    def _write(self, engine: Engine) -> None:
        """Write for all who wait; where that fails, each by itself."""
        taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), _MOST))]
        if len(taken) == 1 or not self._write_together(engine, taken):
            for change in taken:
                try:
                    change.run(self._connected(engine))
                except sqlite3.Error as error:
                    change.error = error
        self._log.turns += 1
        for change in taken:
            change.turn = self._log.turns

    def _write_together(self, engine: Engine, taken: list[_Change]) -> bool:
        """Run changes in one transaction; tell whether they are committed."""
        try:
            cursor = self._connected(engine)
            cursor.execute("BEGIN IMMEDIATE")
            for change in taken:
                change.run(cursor)
            cursor.execute("COMMIT")
        except sqlite3.Error:
            if self._cursor is not None and self._cursor.connection.in_transaction:
                self._cursor.execute("ROLLBACK")
            return False
        return True

    def _connected(self, engine: Engine) -> sqlite3.Cursor:
        if self._cursor is None:
            # Set up as those of the pool are, and not one of those that it allows.
            pooled = engine.pool.recreate().connect()
            pooled.detach()
            connection: sqlite3.Connection = pooled.dbapi_connection  # type: ignore[assignment]
            self._log.take_over(connection)
            self._cursor = connection.cursor()
        return self._cursor


# The writers of an engine.
writers_of = PerEngine(Writers)
