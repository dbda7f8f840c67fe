"""What tests of the service share: an application on a database of its own, and players."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from service.app import create_app
from service.config import Config
from service.db.migrations import upgrade

NOON = 1_767_268_800_000  # 2026-01-01T12:00:00Z


@dataclass
class Clock:
    """The one clock of the application, moved by hand."""

    ms: int = NOON

    def __call__(self) -> int:
        return self.ms

    def tick(self, ms: int) -> None:
        """Let some milliseconds pass (or come back)."""
        self.ms += ms


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


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """Give a configuration whose database is in a folder of the test's own."""
    return Config(data=tmp_path)


@pytest.fixture
def app(config: Config, clock: Clock) -> Iterator[Flask]:
    """Give an application with an empty, migrated database."""
    app = create_app(config, clock)
    engine: Engine = app.extensions["semilla"].db
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
