"""The database connection: one autocommitting engine, and write transactions where they are needed.

SQLite runs with a write-ahead log and, by default, ``synchronous=FULL``: what was acknowledged
survives a power cut. ``NORMAL`` is faster and may lose the last moments then, never consistency.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DatabaseError, OperationalError

__all__ = ["DatabaseBusy", "DatabaseDown", "Engine", "open_engine", "write_transaction"]

BUSY_TIMEOUT_MS = 5_000


class DatabaseBusy(Exception):  # noqa: N818 - a state, not a bug
    """Others held the database's lock for too long; the same request may go through later."""


class DatabaseDown(Exception):  # noqa: N818 - a state, not a bug
    """The database cannot be used: away, broken, without its schema, read-only, or out of disk."""


def open_engine(url: str | URL, *, synchronous: str = "FULL") -> Engine:
    """Make the engine of a database URL; no connection is opened before the first statement.

    Each statement commits by itself. Parameters stay out of error messages, since they may be
    secrets. ``synchronous`` is SQLite's setting of that name.
    """
    engine = create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        pool_reset_on_return=None,
        # A thread holds one connection at most, so the threads are the limit.
        max_overflow=-1,
        connect_args={"timeout": BUSY_TIMEOUT_MS / 1000},
    )

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        _write_ahead(connection)
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute("PRAGMA foreign_keys = ON")

    event.listen(engine, "handle_error", _translate)
    return engine


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file to the write-ahead log, where it is not there yet.

    The busy timeout does not hold for this statement, so a new file that several processes open
    at once needs another try.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1_000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _translate(context: ExceptionContext) -> None:
    """Tell the two failures that no caller can help apart from bugs."""
    error = context.sqlalchemy_exception
    # A DatabaseError of no kind of its own: the file is no database, or a broken one.
    if isinstance(error, OperationalError) or type(error) is DatabaseError:
        locked = "locked" in str(context.original_exception)
        raise (DatabaseBusy if locked else DatabaseDown)(str(context.original_exception)) from error


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that writes: all of it is committed, or nothing after an exception.

    It takes the write lock at once. A transaction that reads first and writes later can fail with
    SQLITE_BUSY_SNAPSHOT, which no time-out cures.
    """
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            # The driver's own: it does nothing where SQLite rolled back itself, as on a full disk.
            connection.connection.rollback()
            raise
