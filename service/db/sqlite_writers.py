"""Turns to write in SQLite: those who wait for one are written in one transaction.

One connection writes at a time, and a commit waits for the disk. So while one thread commits, the
others of its process line up; whoever is next then writes for all who wait. Processes meet only
in SQLite itself, where whoever finds the lock taken sleeps for 1, 2, 5, 10, … ms, then looks again.
"""

import sqlite3
from collections import deque
from dataclasses import dataclass
from threading import Lock

from service.db.per_engine import PerEngine

# What a transaction holds at most: there are rarely more threads.
_MOST = 32


@dataclass(slots=True, eq=False)
class _Change:
    """An UPDATE that waits for its turn, then how many rows it has changed, or its error."""

    text: str
    values: list[object]
    rows: int = 0
    error: sqlite3.Error | None = None
    done: bool = False

    def run(self, cursor: sqlite3.Cursor) -> None:
        self.rows = cursor.execute(self.text, self.values).rowcount


class Writers:
    """The threads of a process that write to one database."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._waiting: deque[_Change] = deque()

    def change(self, cursor: sqlite3.Cursor, text: str, values: list[object]) -> int:
        """Run an UPDATE, which is committed then; give how many rows it changed.

        Raises what SQLite would raise for it alone. However long the disk takes, the wait for a
        turn has no limit of its own: each turn is bounded by SQLite's busy timeout.
        """
        mine = _Change(text, values)
        self._waiting.append(mine)
        with self._turn:
            if not mine.done:
                self._write(cursor)
        if mine.error:
            raise mine.error
        return mine.rows

    def _write(self, cursor: sqlite3.Cursor) -> None:
        """Write for all who wait; where that fails, each by itself."""
        taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), _MOST))]
        if len(taken) == 1 or not _together(cursor, taken):
            for change in taken:
                try:
                    change.run(cursor)
                except sqlite3.Error as error:
                    change.error = error
        for change in taken:
            change.done = True


def _together(cursor: sqlite3.Cursor, taken: list[_Change]) -> bool:
    """Run changes in one transaction; tell whether they are committed."""
    try:
        cursor.execute("BEGIN IMMEDIATE")
        for change in taken:
            change.run(cursor)
        cursor.execute("COMMIT")
    except sqlite3.Error:
        if cursor.connection.in_transaction:
            cursor.execute("ROLLBACK")
        return False
    return True


# The writers of an engine.
writers_of = PerEngine(Writers)
