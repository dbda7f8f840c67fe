"""What is SQLite's own.

It runs with a write-ahead log and, by default, ``synchronous=FULL``: what was acknowledged
survives a power cut. ``NORMAL`` is faster and may lose the last moments then, never consistency.
"""

import sqlite3
import time
from collections.abc import Callable

from sqlalchemy import URL, Engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.pool import PoolProxiedConnection

from service.db.sqlite_writers import writers_of
from service.db.statement import Compiled

# How it writes a statement with numbered places.
NUMBERED = sqlite.dialect()

# Takes the write lock at once.
BEGIN = "BEGIN IMMEDIATE"


def connect_args(_url: URL, busy_timeout_ms: int) -> dict[str, object]:
    """Give the driver's arguments for a connection."""
    return {"timeout": busy_timeout_ms / 1_000}


def configure(connection: sqlite3.Connection, busy_timeout_ms: int, synchronous: str) -> None:
    """Set a new connection up."""
    connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms}")
    _write_ahead(connection, busy_timeout_ms)
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute("PRAGMA foreign_keys = ON")


def disposed(engine: Engine) -> None:
    """Close what an engine has opened beside its pool."""
    writers_of(engine).close()


def first(
    pooled: PoolProxiedConnection, compiled: Compiled, values: list[object]
) -> dict[str, object] | None:
    """Run a SELECT; give its first row by column, None where there is none."""
    found = _cursor(pooled).execute(compiled.text, values).fetchone()
    if found is None:
        return None
    return {
        # It keeps truth values as numbers.
        name: bool(value) if kind is bool else value
        for (name, kind), value in zip(compiled.columns, found, strict=True)
    }


def change(
    engine: Engine,
    _take: Callable[[], PoolProxiedConnection],
    compiled: Compiled,
    values: list[object],
) -> int:
    """Run an UPDATE; give how many rows it changed. It needs no connection of the pool."""
    return writers_of(engine).change(engine, compiled.text, values)


def make_sure(engine: Engine) -> None:
    """Wait until all that can be read by now survives a power cut, as far as that is asked for."""
    writers_of(engine).make_sure(engine)


def _cursor(pooled: PoolProxiedConnection) -> sqlite3.Cursor:
    if "cursor" not in pooled.info:
        pooled.info["cursor"] = pooled.cursor()
    cursor: sqlite3.Cursor = pooled.info["cursor"]
    return cursor


def message(error: BaseException) -> str:
    """Say what an error of the driver is."""
    return str(error)


def is_busy(error: BaseException) -> bool:
    """Tell whether others held the lock for too long."""
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def is_down(error: BaseException) -> bool:
    """Tell whether the database cannot be used."""
    # A DatabaseError of no kind of its own: the file is no database, or a broken one.
    return isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError


def _write_ahead(connection: sqlite3.Connection, busy_timeout_ms: int) -> None:
    """Switch the file to the write-ahead log, where it is not there yet.

    The busy timeout does not hold for this statement, so a new file that several processes open
    at once needs another try.
    """
    deadline = time.monotonic() + busy_timeout_ms / 1_000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
