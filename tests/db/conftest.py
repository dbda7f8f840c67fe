"""Engines on files of a test's own."""

from pathlib import Path

import pytest

from service.db import engine
from tests import postgres


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Name a database file that does not exist yet."""
    return tmp_path / "games.db"


@pytest.fixture
def open_file(file):
    """Give a function that opens engines on that file (or another URL) and closes them later."""
    opened = []

    def open_one(url=f"sqlite:///{file}", **settings):
        opened.append(engine.open_engine(url, **settings))
        return opened[-1]

    yield open_one
    for one in opened:
        one.dispose()


@pytest.fixture
def impatient(monkeypatch):
    """Make the engines that this test opens give a lock up after a moment."""
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 50)


@pytest.fixture
def database_url(database, file):
    """Give the URL of an empty database of the kind that the test runs on."""
    if database == "sqlite":
        yield f"sqlite:///{file}"
        return
    with postgres.new_database(postgres.server_url()) as url:
        yield url


@pytest.fixture
def open_any(open_file, database_url):
    """Give a function that opens engines on that database and closes them later."""
    return lambda: open_file(database_url)
