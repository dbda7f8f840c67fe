"""The write-ahead log of SQLite, and how what is in it comes to the disk."""

import os
import sqlite3
from threading import Lock

# SQLite's numbers for the levels of ``synchronous``.
_NORMAL, _FULL = 1, 2


class WriteAheadLog:
    """The log that a connection writes to, and what of it is known to be on the disk.

    ``turns``: how often it has been written to. Only who has the turn to write counts it on, and
    only after that: what is being written may come too late for a sync that has begun.
    """

    def __init__(self) -> None:
        self.turns = 0
        self._sure = 0
        self._path: str | None = None
        self._file: int | None = None
        self._syncing = Lock()

    def take_over(self, connection: sqlite3.Connection) -> None:
        """Make what a connection commits durable in SQLite's stead, if it is to be.

        With ``NORMAL`` SQLite itself waits for the disk only where it must, to keep the database
        whole: https://www.sqlite.org/pragma.html#pragma_synchronous.
        """
        (level,) = connection.execute("PRAGMA synchronous").fetchone()
        if level == _FULL:
            connection.execute(f"PRAGMA synchronous = {_NORMAL}")
            _, _, database = connection.execute("PRAGMA database_list").fetchone()
            self._path = f"{database}-wal"

    def make_sure(self, turn: int) -> None:
        """Wait until what was written up to a turn survives a power cut.

        Who waits while others are made sure of finds that they are, mostly. Raises
        ``sqlite3.OperationalError``, as SQLite would, where the disk fails.
        """
        if self._path is None:
            return
        with self._syncing:
            if self._sure >= turn:
                return
            turns = self.turns
            try:
                if self._file is None:
                    self._file = os.open(self._path, os.O_RDONLY)
                os.fdatasync(self._file)
            except OSError as error:
                message = f"disk I/O error: {error.strerror}"
                raise sqlite3.OperationalError(message) from error
            self._sure = turns

    def close(self) -> None:
        """Let go of the file, before the connection: the last one to close deletes it."""
        with self._syncing:
            if self._file is not None:
                os.close(self._file)
                self._file = None
