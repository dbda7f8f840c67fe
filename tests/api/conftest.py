"""The application of `tests/conftest.py` once more: made once, with a database for each test."""

import shutil
from collections.abc import Iterator

import pytest
from flask import Flask

from service.api.context import Services, provide
from service.app import create_app
from service.config import Config
from service.db.engine import open_engine
from service.db.migrations import upgrade
from service.solver.solution import Budget
from service.usecases.daily_totals import daily_totals
from tests.api.lives import NAMED, Life
from tests.conftest import UNLIMITED, Clock


@pytest.fixture(autouse=True)
def _quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hints of Calculation spend few nodes, and no time: the same on every machine."""
    monkeypatch.setattr("service.usecases.hints.CALCULATION_BUDGET", Budget(nodes=500))


@pytest.fixture(scope="session")
def migrated(tmp_path_factory) -> Config:
    """Give the configuration of an empty, migrated database that is there to be copied."""
    config = Config(data=tmp_path_factory.mktemp("migrated"), **UNLIMITED)
    engine = open_engine(config.url)
    upgrade(engine)
    engine.dispose()
    return config


@pytest.fixture(scope="session")
def made(migrated: Config) -> Flask:
    """Give an application that gets a database before it is used."""
    return create_app(migrated)


@pytest.fixture
def app(
    made: Flask,
    migrated: Config,
    config: Config,
    clock: Clock,
    request: pytest.FixtureRequest,
) -> Iterator[Flask]:
    """Give an application with an empty, migrated database of the test's own."""
    if config.embedded:
        shutil.copytree(migrated.data, config.data, dirs_exist_ok=True)
        # None of these databases has to survive a power cut.
        engine = open_engine(config.url, synchronous="OFF")
    else:
        engine = request.getfixturevalue("empty_postgres")
        # Its dailies are those of the test before.
        daily_totals(engine).clear()
    provide(made, Services(engine, clock, config.public_url, config.solver_max_ms))
    yield made
    if config.embedded:
        engine.dispose()


@pytest.fixture
def life(app, db, client):
    """Start a game whose seed the server draws."""
    return Life(app, db, client)


@pytest.fixture
def named(app, db, client):
    """Start a game whose seed its player names."""
    return Life(app, db, client, NAMED)
