"""The database connection: one autocommitting engine, and write transactions where they are needed.

Where SQLite and PostgreSQL differ, each has a module of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from service.db import postgresql, sqlite

__all__ = [
    "DatabaseBusy",
    "DatabaseDown",
    "Engine",
    "PoolExhausted",
    "failure",
    "open_engine",
    "write_transaction",
]

# How long a statement waits for a lock, and a request for a connection.
BUSY_TIMEOUT_MS = 5_000

DIALECTS: dict[str, ModuleType] = {"sqlite": sqlite, "postgresql": postgresql}


class DatabaseBusy(Exception):  # noqa: N818 - a state, not a bug
    """Others held a lock, or every connection, for too long; the same request may pass later."""


class DatabaseDown(Exception):  # noqa: N818 - a state, not a bug
    """The database cannot be used: away, broken, without its schema, read-only, or out of disk."""


def open_engine(url: str | URL, *, synchronous: str = "FULL", pool_size: int = 0) -> Engine:
    """Make the engine of a database URL; no connection is opened before the first statement.

    Each statement commits by itself. Parameters stay out of error messages, since they may be
    secrets. ``synchronous`` is SQLite's setting of that name. ``pool_size`` is how many connections
    it has at most, 0 for no limit: a thread holds one at most, so the threads are the limit then.
    Who waits too long for one gets ``PoolExhausted``.
    """
    url = make_url(url)
    dialect = DIALECTS[url.get_backend_name()]
    engine = create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        pool_reset_on_return=None,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=BUSY_TIMEOUT_MS / 1_000,
        connect_args=dialect.connect_args(url, BUSY_TIMEOUT_MS),
    )

    @event.listens_for(engine, "connect")
    def _configure(connection: object, _record: object) -> None:
        dialect.configure(connection, BUSY_TIMEOUT_MS, synchronous)

    @event.listens_for(engine, "engine_disposed")
    def _dispose(_engine: Engine) -> None:
        dialect.disposed(engine)

    @event.listens_for(engine, "handle_error")
    def _translate(context: ExceptionContext) -> None:
        """Tell the two failures that no caller can help apart from bugs."""
        error, cause = context.sqlalchemy_exception, context.original_exception
        if isinstance(error, DBAPIError):
            found = failure(engine.dialect.name, cause)
            error.args = (f"({type(cause).__name__}) {cause}",)
            if found:
                raise found from error

    return engine


def failure(dialect_name: str, error: BaseException) -> DatabaseBusy | DatabaseDown | None:
    """Say which failure an error of the driver is; None for a bug.

    What a server adds to an error, such as a whole row, may hold secrets: it is taken out of it.
    """
    dialect = DIALECTS[dialect_name]
    words = dialect.message(error)
    error.args = (words,)
    if dialect.is_busy(error):
        return DatabaseBusy(words)
    return DatabaseDown(words) if dialect.is_down(error) else None


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that writes: all of it is committed, or nothing after an exception.

    In SQLite it takes the write lock at once. A transaction that reads first and writes later can
    fail with SQLITE_BUSY_SNAPSHOT, which no time-out cures.
    """
    begin: str = DIALECTS[engine.dialect.name].BEGIN
    with engine.connect() as connection:
        connection.exec_driver_sql(begin)
        try:
            yield connection
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            # The driver's own: it does nothing where the database rolled back itself, as on a full
            # disk. A connection that broke has nothing to roll back.
            if not connection.invalidated:
                connection.connection.rollback()
            raise
