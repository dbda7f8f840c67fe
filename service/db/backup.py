"""Copies of a database to keep."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from service.db.engine import DatabaseDown, Engine
from service.db.migrations import MigrationRefused, current_revision


def back_up(engine: Engine, file: Path) -> None:
    """Copy an SQLite database as it is at one moment; who writes to it goes on meanwhile.

    The file appears when all of it is on the disk, and only this user may read it. Raises
    ``MigrationRefused`` for a database that is not SQLite or holds nothing, ``OSError`` where the
    file is there already or cannot be written.
    """
    if engine.dialect.name != "sqlite":
        detail = "this copies SQLite: pg_dump -Fc copies a PostgreSQL database"
        raise MigrationRefused(detail)
    if current_revision(engine) is None:
        detail = "there is no schema, so there is nothing to copy"
        raise MigrationRefused(detail)
    if file.exists():
        raise FileExistsError(None, "it is there already")
    part = file.with_name(f"{file.name}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        with engine.connect() as connection, closing(sqlite3.connect(part)) as copy:
            source = connection.connection.driver_connection
            if not isinstance(source, sqlite3.Connection):
                raise DatabaseDown
            # In one step: what is written after it began is not in the copy.
            source.backup(copy)
        part.rename(file)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    finally:
        part.unlink(missing_ok=True)
