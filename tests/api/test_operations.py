"""What operators ask for."""

import pytest
from sqlalchemy import text

from service.app import create_app
from service.config import Config
from service.db.engine import write_transaction
from service.db.migrations import downgrade, upgrade
from tests.api.problems import assert_problem


@pytest.fixture
def without_database(tmp_path, clock):
    """Give a client of an application whose database is in a folder that does not exist."""
    app = create_app(Config(data=tmp_path / "nowhere"), clock)
    yield app.test_client()
    app.extensions["semilla"].db.dispose()


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
def test_a_service_that_is_well_says_so_and_the_answer_is_not_kept(client, path):
    reply = client.get(path)
    assert reply.status_code == 200
    assert reply.json == {"status": "ok"}
    assert reply.headers["Cache-Control"] == "no-store"


def test_a_live_process_without_a_database_is_live_and_not_ready(without_database):
    assert without_database.get("/livez").json == {"status": "ok"}
    assert_problem(without_database.get("/readyz"), "not_ready", retry_after=5)


def test_a_service_is_ready_once_its_database_has_the_schema_of_this_release_or_a_later_one(
    tmp_path, clock
):
    app = create_app(Config(data=tmp_path), clock)
    client, db = app.test_client(), app.extensions["semilla"].db
    assert_problem(client.get("/readyz"), "not_ready", retry_after=5)
    upgrade(db)
    assert client.get("/readyz").status_code == 200
    downgrade(db, "base")
    assert_problem(client.get("/readyz"), "not_ready", retry_after=5)
    upgrade(db)
    with write_transaction(db) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
    assert client.get("/readyz").status_code == 200  # a later release's schema serves this one too
    db.dispose()


def test_a_file_that_is_no_database_is_not_ready(tmp_path, clock):
    config = Config(data=tmp_path)
    (tmp_path / "semilla.db").write_bytes(b"no database at all, " * 1_000)
    app = create_app(config, clock)
    client = app.test_client()
    assert client.get("/livez").status_code == 200
    assert_problem(client.get("/readyz"), "not_ready", retry_after=5)
    assert_problem(client.post("/v1/games"), "not_ready", retry_after=5)
    app.extensions["semilla"].db.dispose()


def test_the_operator_finds_in_the_log_why_it_is_not_ready(without_database, caplog):
    reply = without_database.get("/readyz")
    (record,) = caplog.records
    assert record.fields == {"request_id": reply.json["request_id"]}
    assert "unable to open database file" in record.getMessage()
