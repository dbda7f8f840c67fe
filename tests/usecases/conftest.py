"""Games to play straight at the use cases, on databases without an application."""

import shutil

import pytest

from service.db.engine import open_engine
from service.db.migrations import upgrade
from tests.usecases.sitting import Sitting


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory):
    """Give a migrated database file to copy: migrating takes longer than most tests."""
    file = tmp_path_factory.mktemp("empty") / "games.db"
    engine = open_engine(f"sqlite:///{file}")
    upgrade(engine)
    engine.dispose()
    return file


@pytest.fixture
def file(empty_file, tmp_path):
    """Give the file of the test's own database."""
    return shutil.copy(empty_file, tmp_path / "games.db")


@pytest.fixture
def db(database, request):
    """Give an empty database that waits for no disk."""
    if database == "postgresql":
        yield request.getfixturevalue("empty_postgres")
        return
    engine = open_engine(f"sqlite:///{request.getfixturevalue('file')}", synchronous="NORMAL")
    yield engine
    engine.dispose()


@pytest.fixture
def sit(db, clock):
    """Give a function that starts games: ``sit("calculation", seed=None)``."""

    def start(*words, **terms):
        return Sitting(db, clock, *words, **terms)

    return start
