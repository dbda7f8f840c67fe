"""The application factory: what a process needs, and nothing before it is needed."""

import importlib
import sys
import time

import pytest
from flask import Flask

from service.api.context import Services
from service.app import create_app, wall_clock_ms
from service.config import Config
from service.db.migrations import upgrade
from tests.conftest import NOON, Clock

# The routes of the contract that this release has.
ROUTES = {
    "/v1/variants": {"GET"},
    "/v1/variants/<variant>": {"GET"},
    "/v1/deals/<variant>/<seed>": {"GET"},
    "/v1/deals/<variant>/<seed>/board.svg": {"GET"},
    "/v1/deals/<variant>/<seed>/board.png": {"GET"},
    "/v1/evaluate": {"POST"},
    "/v1/games": {"GET", "POST"},
    "/v1/games/<game_id>": {"GET"},
    "/v1/games/<game_id>.svg": {"GET"},
    "/v1/games/<game_id>.png": {"GET"},
    "/v1/games/<game_id>/moves": {"GET", "POST"},
    "/v1/games/<game_id>/redeal": {"GET", "POST"},
    "/v1/games/<game_id>/undo": {"POST"},
    "/v1/games/<game_id>/resign": {"POST"},
    "/v1/games/<game_id>/record": {"GET"},
    "/v1/games/<game_id>/hint": {"GET"},
    "/v1/solve": {"POST"},
    "/v1/challenges/<challenge_id>/entries": {"GET"},
    "/v1/challenges/<challenge_id>/entries/me": {"GET", "PUT", "DELETE"},
    "/v1/challenges/<challenge_id>/entries/me/attempts/<attempt>": {"PUT"},
    "/v1/challenges/<challenge_id>/entries/<name:player>": {"PATCH"},
    "/v1/challenges/<challenge_id>/leaderboard": {"GET"},
    "/v1/challenges/<challenge_id>/leaderboard.csv": {"GET"},
    "/v1/players": {"POST"},
    "/v1/players/me": {"GET", "PATCH", "DELETE"},
    "/v1/players/me/token": {"POST"},
    "/v1/players/<name>": {"GET"},
    "/v1/players/<name>/history": {"GET"},
    "/v1/challenges": {"GET", "POST"},
    "/v1/challenges/<challenge_id>": {"GET", "PATCH"},
    "/v1/challenges/<challenge_id>/cancel": {"POST"},
    "/v1/challenges/<challenge_id>/par": {"POST"},
    "/v1/games/<game_id>/par": {"POST"},
    "/v1/daily/<variant>": {"GET"},
    "/v1/leaderboards/<variant>": {"GET"},
    "/v1/challenges/<challenge_id>/events": {"GET"},
    "/v1/challenges/<challenge_id>/record": {"GET"},
    "/v1/challenges/<challenge_id>/statistics": {"GET"},
    "/": {"GET"},
    "/games/<game_id>": {"GET"},
    "/games/<game_id>/replay": {"GET"},
    "/deals/<variant>/<seed>": {"GET"},
    "/challenges": {"GET"},
    "/challenges/new": {"GET"},
    "/challenges/<challenge_id>": {"GET"},
    "/daily/<variant>": {"GET"},
    "/players/me": {"GET"},
    "/players/<name>": {"GET"},
    "/preview.png": {"GET"},
    "/page/<built>/<path:name>": {"GET"},
    "/livez": {"GET"},
    "/readyz": {"GET"},
    "/metrics": {"GET"},
    "/openapi.yaml": {"GET"},
    "/docs": {"GET"},
    "/docs/": {"GET"},
    "/docs/<name>": {"GET"},
}


@pytest.fixture
def make(tmp_path):
    """Make applications on databases of their own, and close them in the end."""
    made = []

    def make(name="one", *, migrated=True, clock=None, **settings):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        config = Config(data=folder, **settings)
        app = create_app(config) if clock is None else create_app(config, clock)
        made.append(app)
        if migrated:
            upgrade(services_of(app).db)
        return app

    yield make
    for app in made:
        services_of(app).db.dispose()


def services_of(app) -> Services:
    return app.extensions["semilla"]


def test_the_routes_are_those_of_the_contract(make):
    found = {}
    for rule in make(migrated=False).url_map.iter_rules():
        found.setdefault(rule.rule, set()).update(rule.methods - {"HEAD", "OPTIONS"})
    assert found == ROUTES


def test_no_database_is_opened_before_it_is_needed(make, tmp_path):
    client = make(migrated=False).test_client()
    assert list((tmp_path / "one").iterdir()) == []
    assert client.get("/livez").status_code == 200
    assert client.get("/v1/variants").status_code == 200
    assert client.get("/v1/deals/cruel/semilla").status_code == 200
    assert list((tmp_path / "one").iterdir()) == []
    assert client.get("/readyz").status_code == 503
    assert [path.name for path in (tmp_path / "one").glob("*.db")] == ["semilla.db"]


def test_no_migration_is_run_by_serving(make):
    client = make(migrated=False).test_client()
    assert client.post("/v1/games").status_code == 503
    assert client.get("/readyz").status_code == 503


def test_two_applications_in_a_process_share_nothing(make):
    one, other = make("one", clock=Clock(NOON)), make("other", clock=Clock(NOON + 1_000))
    game = one.test_client().post("/v1/games").json
    path = f"/v1/games/{game['id']}"
    assert one.test_client().get(path).status_code == 200
    assert other.test_client().get(path).status_code == 404
    assert other.test_client().post("/v1/games").json["now"] == "2026-01-01T12:00:01.000Z"


def test_two_applications_on_one_database_share_its_games(make):
    one, other = make("one"), make("one", migrated=False)
    game = one.test_client().post("/v1/games").json
    headers = {"Authorization": f"Bearer {game['token']}"}
    path = f"/v1/games/{game['id']}"
    assert other.test_client().post(f"{path}/resign", headers=headers).status_code == 200
    assert one.test_client().get(path).json["status"] == "resigned"


def test_the_clock_is_the_wall_clock_unless_another_is_given(make):
    before = time.time_ns() // 1_000_000
    assert before <= wall_clock_ms() <= before + 10_000
    app = make()
    assert services_of(app).now_ms is wall_clock_ms
    started = app.test_client().post("/v1/games").json["started_at"]
    year = time.gmtime().tm_year
    assert int(started[:4]) in (year, year + 1)


@pytest.mark.parametrize(("setting", "number"), [("FULL", 2), ("NORMAL", 1)])
def test_the_database_is_as_durable_as_it_is_configured(make, setting, number):
    app = make(sqlite_synchronous=setting)
    with services_of(app).db.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == number
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"


def test_another_database_file_may_be_named(make, tmp_path):
    app = make(database_url=f"sqlite:///{tmp_path / 'other.db'}")
    assert app.test_client().post("/v1/games").status_code == 201
    assert (tmp_path / "other.db").exists()
    assert not (tmp_path / "one" / "semilla.db").exists()


def test_the_longest_body_and_the_public_url_are_as_configured(make):
    app = make(max_body_bytes=4_096, public_url="https://example.org")
    assert app.config["MAX_CONTENT_LENGTH"] == 4_096
    reply = app.test_client().post("/v1/games")
    assert reply.headers["Location"].startswith("https://example.org/v1/games/")


def test_no_folder_is_served_as_it_is(make):
    app = make(migrated=False)
    assert app.static_folder is None
    assert app.test_client().get("/static/x").status_code == 404


def test_bugs_are_hidden_from_clients_by_default(make):
    app = make(migrated=False)
    assert not app.debug
    assert not app.testing


def test_what_gunicorn_loads_is_the_application_of_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SEMILLA_DATA", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("PUBLIC_URL", "https://example.org")
    monkeypatch.delitem(sys.modules, "service.wsgi", raising=False)
    app = importlib.import_module("service.wsgi").app
    sys.modules.pop("service.wsgi")
    assert isinstance(app, Flask)
    assert services_of(app).public_url == "https://example.org"
    assert not (tmp_path / "elsewhere").exists()
    services_of(app).db.dispose()
