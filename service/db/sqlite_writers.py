"""How the threads of a process write to SQLite: one after the other, over one connection.

Processes meet only in SQLite itself. Whoever finds the lock taken would sleep there for 1, 2, 5, …
ms, with every thread behind it, while an UPDATE takes some 20 µs: so it looks again sooner.

The lock is held as shortly as can be. Each UPDATE is a transaction: in a longer one other threads
could run between two statements. And where a commit is to survive a power cut
(``synchronous=FULL``) SQLite does not wait for the disk here, as it would while it holds the lock:
what was written is in the write-ahead log by then, and the log is made sure of before anybody is
told, for all who wait at once.
"""

import sqlite3
import time
from threading import Lock

from sqlalchemy import Engine

from service.db.per_engine import PerEngine
from service.db.sqlite_log import WriteAheadLog

# How soon to look again whether the lock is free, at first and at last, in seconds.
_SOON, _LATER = 0.0001, 0.005
# The bits of an error that say its kind; the others are details, such as that somebody has just
# written (SQLITE_BUSY_SNAPSHOT).
_KIND = 0xFF


class Writers:
    """The threads of a process that write to one database."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._cursor: sqlite3.Cursor | None = None
        self._patience = 0.0
        self._log = WriteAheadLog()

    def change(self, engine: Engine, text: str, values: list[object]) -> int:
        """Run an UPDATE, which is committed then; give how many rows it changed.

        Raises what SQLite would raise for it alone. However long the disk takes, the wait for a
        turn has no limit of its own: each turn is bounded by SQLite's busy timeout.
        """
        with self._turn:
            rows = self._run(self._connected(engine), text, values)
            self._log.turns += 1
            turn = self._log.turns
        if rows:
            self._log.make_sure(turn)
        return rows

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

    def _run(self, cursor: sqlite3.Cursor, text: str, values: list[object]) -> int:
        """Run an UPDATE as soon as no other process holds the lock."""
        pause, until = _SOON, 0.0
        while True:
            try:
                return cursor.execute(text, values).rowcount
            except sqlite3.OperationalError as error:
                now = time.monotonic()
                until = until or now + self._patience
                if error.sqlite_errorcode & _KIND != sqlite3.SQLITE_BUSY or now >= until:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, _LATER)

    def _connected(self, engine: Engine) -> sqlite3.Cursor:
        if self._cursor is None:
            # Set up as those of the pool are, and not one of those that it allows.
            pooled = engine.pool.recreate().connect()
            pooled.detach()
            connection: sqlite3.Connection = pooled.dbapi_connection  # type: ignore[assignment]
            self._log.take_over(connection)
            (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
            connection.execute("PRAGMA busy_timeout = 0")
            self._patience = patience / 1_000
            self._cursor = connection.cursor()
        return self._cursor


# The writers of an engine.
writers_of = PerEngine(Writers)
