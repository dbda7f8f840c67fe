"""Databases of a measurement's own: migrated, and removed at the end."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, make_url

from service.db.engine import Engine, open_engine
from service.db.migrations import upgrade


@contextmanager
def folder() -> Iterator[Path]:
    """Give a folder that is removed at the end; ``TMPDIR`` says where, and so on which disk."""
    # Not /tmp, which is often in memory: there nothing is durable, and to say so costs nothing.
    where = os.environ.get("TMPDIR", "/var/tmp")  # noqa: S108 - the folder in it has a drawn name
    path = Path(tempfile.mkdtemp(prefix="semilla-bench-", dir=where))
    try:
        yield path
    finally:
        shutil.rmtree(path)


@contextmanager
def new_database(server: str | None) -> Iterator[URL]:
    """Give the URL of a migrated database: on a PostgreSQL server, or without one an SQLite file.

    It is removed at the end, whoever is in it.
    """
    if server is None:
        with folder() as path:
            url = URL.create("sqlite", database=str(path / "semilla.db"))
            _migrate(url)
            yield url
        return
    name = f"semilla_bench_{secrets.token_hex(6)}"
    _order(server, f"CREATE DATABASE {name}")
    try:
        url = make_url(server).set(database=name)
        _migrate(url)
        yield url
    finally:
        _order(server, f"DROP DATABASE {name} WITH (FORCE)")


def server_pids(engine: Engine) -> list[int]:
    """List the processes that serve a database: none of SQLite, nor those of a far server."""
    if engine.dialect.name == "sqlite":
        return []
    query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
    with engine.connect() as connection:
        pids = connection.exec_driver_sql(query).scalars().all()
    return [pid for pid in pids if _is_postgres(pid)]


def _is_postgres(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text("utf-8").startswith("postgres")
    except OSError:
        return False


def _migrate(url: URL) -> None:
    engine = open_engine(url)
    upgrade(engine)
    engine.dispose()


def _order(server: str, statement: str) -> None:
    engine = open_engine(server)
    with engine.connect() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()
