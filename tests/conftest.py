"""What tests of the service share: an application on a database of its own, and players.

Whatever uses ``config``, ``app`` or ``db`` runs on SQLite and on PostgreSQL. A test of one alone
says ``@SQLITE_ONLY``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from service.api.counters import Counters, MemoryCounters
from service.api.limits import Limiter, policies, provide
from service.app import create_app
from service.config import Config
from service.db.engine import DatabaseDown, open_engine
from service.db.migrations import head_revision, upgrade
from service.db.tables import Base, daily_keys
from tests import postgres

# Settings for tests that send more than a client may.
UNLIMITED = {
    "rate_limit_address": 0,
    "rate_limit_create": 0,
    "rate_limit_player": 0,
    "rate_limit_register": 0,
}
NOON = 1_767_268_800_000  # 2026-01-01T12:00:00Z

DATABASES = ("sqlite", "postgresql")
SQLITE_ONLY = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@dataclass
class Clock:
    """The one clock of the application, moved by hand."""

    ms: int = NOON

    def __call__(self) -> int:
        return self.ms

    def tick(self, ms: int) -> None:
        """Let some milliseconds pass (or come back)."""
        self.ms += ms


@contextmanager
def limited(
    app: Flask,
    *,
    address: int = 0,
    create: int = 0,
    player: int = 0,
    register: int = 0,
    counters: Counters | None = None,
    **more: Any,
) -> Iterator[None]:
    """Limit an application by these quotas, of which nothing is used up."""
    before: Limiter = app.extensions["semilla-limits"]
    known = policies(address=address, create=create, player=player, register=register)
    provide(app, Limiter(known, counters or MemoryCounters(), **more))
    try:
        yield
    finally:
        provide(app, before)


class Player:
    """Somebody with a client who starts a game and plays it with its token."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.id = ""
        self.token = ""

    @property
    def auth(self) -> dict[str, str]:
        """The headers that show the token."""
        return {"Authorization": f"Bearer {self.token}"}

    def start(self, variant: str = "cruel", seed: str | None = "semilla", **body: Any) -> Any:
        """Start a game and keep its token; give the reply's JSON."""
        asked = {"variant": variant, **({"seed": seed} if seed else {}), **body}
        reply = self.client.post("/v1/games", json=asked)
        assert reply.status_code == 201, reply.text
        self.id, self.token = reply.json["id"], reply.json["token"]
        return reply.json

    def play(self, *moves: str, at: int | None = None) -> TestResponse:
        """Post moves."""
        body = {"moves": list(moves), **({} if at is None else {"at": at})}
        return self.client.post(f"/v1/games/{self.id}/moves", json=body, headers=self.auth)

    def act(self, verb: str, at: int | None = None) -> TestResponse:
        """Post to ``redeal``, ``undo`` or ``resign``."""
        body = {} if at is None else {"at": at}
        return self.client.post(f"/v1/games/{self.id}/{verb}", json=body, headers=self.auth)

    def get(self, path: str = "", *, token: bool = True, **headers: str) -> TestResponse:
        """Get the game or something below it, such as ``/record``."""
        shown = {**(self.auth if token else {}), **headers}
        return self.client.get(f"/v1/games/{self.id}{path}", headers=shown)


@pytest.fixture
def clock() -> Clock:
    """Give a clock that stands at noon until it is moved."""
    return Clock()


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str:
    """Name the kind of database that the test runs on."""
    kind: str = request.param
    return kind


@pytest.fixture(scope="session")
def shared_postgres() -> Iterator[Engine]:
    """Give a migrated PostgreSQL database of this process, dropped in the end."""
    with postgres.new_database(postgres.server_url()) as url:
        engine = open_engine(url)
        # None of it has to survive a power cut.
        with engine.connect() as connection:
            name = connection.exec_driver_sql("SELECT current_database()").scalar_one()
            connection.exec_driver_sql(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
        engine.dispose()
        upgrade(engine)
        yield engine
        engine.dispose()


@pytest.fixture
def empty_postgres(shared_postgres: Engine) -> Engine:
    """Give that database with the newest schema and no rows."""
    if not _emptied(shared_postgres):
        with shared_postgres.connect() as connection:
            connection.exec_driver_sql("DROP SCHEMA public CASCADE")
            connection.exec_driver_sql("CREATE SCHEMA public")
        upgrade(shared_postgres)
    return shared_postgres


def _emptied(engine: Engine) -> bool:
    """Delete every row; tell whether the schema is still the newest, as most tests leave it."""
    try:
        with engine.connect() as connection:
            version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
            for table in reversed(Base.metadata.sorted_tables):
                # The key comes with the schema.
                if table is not daily_keys:
                    connection.execute(table.delete())
    except DatabaseDown:
        return False
    return version == head_revision()


@pytest.fixture
def config(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> Config:
    """Give a configuration whose database is the test's own."""
    if database == "sqlite":
        return Config(data=tmp_path, **UNLIMITED)
    url = request.getfixturevalue("empty_postgres").url
    written = url.render_as_string(hide_password=False)
    return Config(data=tmp_path, database_url=written, **UNLIMITED)


@pytest.fixture
def app(config: Config, clock: Clock) -> Iterator[Flask]:
    """Give an application with an empty, migrated database."""
    app = create_app(config, clock)
    engine: Engine = app.extensions["semilla"].db
    if config.embedded:
        upgrade(engine)
    yield app
    engine.dispose()


@pytest.fixture
def db(app: Flask) -> Engine:
    """Give the application's database."""
    engine: Engine = app.extensions["semilla"].db
    return engine


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Give a client without a token."""
    return app.test_client()


@pytest.fixture
def player(client: FlaskClient) -> Player:
    """Give somebody who is about to start a game."""
    return Player(client)
