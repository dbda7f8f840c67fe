"""The database connection: one autocommitting engine, and write transactions where they are needed.

SQLite runs with a write-ahead log and, by default, ``synchronous=FULL``: what was acknowledged
survives a power cut. ``NORMAL`` is faster and may lose the last moments then, never consistency.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import OperationalError

__all__ = ["DatabaseBusy", "DatabaseDown", "Engine", "open_engine", "write_transaction"]

BUSY_TIMEOUT_MS = 5_000


class DatabaseBusy(Exception):  # noqa: N818 - a state, not a bug
    """Others held the database's lock for too long; the same request may go through later."""


class DatabaseDown(Exception):  # noqa: N818 - a state, not a bug
    """The database cannot be used: away, without its schema, read-only, or its disk is full."""


def open_engine(url: str, *, synchronous: str = "FULL") -> Engine:
    """Make the engine of a database URL; no connection is opened before the first statement.

    Each statement commits by itself. Parameters stay out of error messages, since they may be
    secrets. ``synchronous`` is SQLite's setting of that name.
    """
    engine = create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        pool_reset_on_return=None,
        connect_args={"timeout": BUSY_TIMEOUT_MS / 1000},
    )

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        for pragma in (
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            "journal_mode = WAL",
            f"synchronous = {synchronous}",
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "handle_error", _translate)
    return engine


def _translate(context: ExceptionContext) -> None:
    """Tell the two failures that no caller can help apart from bugs."""
    error = context.sqlalchemy_exception
    if isinstance(error, OperationalError):
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
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")
