import shutil
import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest

from service.db import engine, migrations
from tests.cli.operating import complaint, invoke
from tests.conftest import SQLITE_ONLY

HEAD = migrations.head_revision()
UP_TO_DATE = f"the schema is at {HEAD}, as this release needs it\n"


@pytest.fixture
def settings(tmp_path):
    return {"SEMILLA_DATA": str(tmp_path)}


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/semilla.db"


@pytest.fixture
def execute(tmp_path):
    """Give a function that changes the database behind the service's back."""

    def execute(statement, *parameters):
        with closing(sqlite3.connect(tmp_path / "semilla.db", isolation_level=None)) as connection:
            return connection.execute(statement, parameters).fetchall()

    return execute


def test_a_new_database_is_made_and_checked(settings, url):
    line = complaint("db", "check", **settings)
    assert line.startswith(f"Error: {url}: there is no schema, and this release needs {HEAD}: ")
    assert invoke("db", "upgrade", **settings).stdout == f"the schema is at {HEAD}\n"
    assert invoke("db", "check", **settings).stdout == UP_TO_DATE


def test_upgrade_is_the_same_a_second_time(settings, execute):
    invoke("db", "upgrade", **settings)
    before = execute("SELECT * FROM sqlite_schema")
    assert invoke("db", "upgrade", HEAD, **settings).stdout == f"the schema is at {HEAD}\n"
    assert execute("SELECT * FROM sqlite_schema") == before


def test_downgrade_takes_the_schema_back_and_upgrade_brings_it_again(settings, execute):
    invoke("db", "upgrade", **settings)
    before = execute("SELECT * FROM sqlite_schema ORDER BY name")
    stopped = invoke("db", "downgrade", "base", code=2, **settings)
    assert "this would delete every game" in stopped.stderr
    ended = invoke("db", "downgrade", "base", "--yes", **settings)
    assert ended.stdout == "there is no schema\n"
    assert execute("SELECT name FROM sqlite_schema WHERE name LIKE 'games%'") == []
    invoke("db", "upgrade", **settings)
    after = execute("SELECT * FROM sqlite_schema ORDER BY name")
    assert [row[-1] for row in after] == [row[-1] for row in before]


@pytest.mark.parametrize("revision", ["0002", "0001", "-5"])
def test_downgrade_asks_before_it_deletes_players(settings, execute, revision):
    invoke("db", "upgrade", **settings)
    before = execute("SELECT * FROM sqlite_schema ORDER BY name")
    stopped = invoke("db", "downgrade", "--", revision, code=2, **settings)
    assert "this would delete every player and challenge: say --yes" in stopped.stderr
    assert execute("SELECT * FROM sqlite_schema ORDER BY name") == before
    reached = "0001" if revision == "-5" else revision
    done = invoke("db", "downgrade", "--yes", "--", revision, **settings)
    assert done.stdout == f"the schema is at {reached}\n"


@pytest.mark.parametrize("revision", ["0005", "0003", HEAD, "-1"])
def test_downgrade_asks_nothing_where_it_deletes_nobody(settings, revision):
    invoke("db", "upgrade", **settings)
    assert "the schema is at" in invoke("db", "downgrade", "--", revision, **settings).stdout


def test_downgrade_names_no_revision_by_default(settings):
    assert "Missing argument 'REVISION'" in invoke("db", "downgrade", code=2, **settings).stderr


def test_check_finds_a_schema_that_differs(settings, execute):
    invoke("db", "upgrade", **settings)
    execute("ALTER TABLE games ADD COLUMN colour TEXT")
    result = invoke("db", "check", code=1, **settings)
    assert result.stdout.startswith("the schema differs from the tables: ")
    assert "remove_column" in result.stdout
    assert "colour" in result.stdout


@pytest.mark.parametrize("words", [["upgrade", "9x"], ["downgrade", "9x"], ["downgrade", "+7"]])
def test_a_revision_that_is_not_there_is_refused_and_changes_nothing(words, settings, url, execute):
    invoke("db", "upgrade", **settings)
    before = execute("SELECT * FROM sqlite_schema")
    line = complaint("db", *words, **settings)
    assert line.startswith(f"Error: {url}: ")
    assert words[-1] in line
    assert line.endswith(f"(the newest revision that this release knows is {HEAD})")
    assert execute("SELECT * FROM sqlite_schema") == before


def test_the_schema_of_a_newer_release_will_do_where_an_upgrade_is_asked_for(settings, execute):
    invoke("db", "upgrade", **settings)
    execute("UPDATE alembic_version SET version_num = '9999'")
    before = execute("SELECT * FROM sqlite_schema")
    told = invoke("db", "upgrade", **settings).stdout
    assert told == "the schema is at 9999, of a later release: this one works with it\n"
    assert execute("SELECT * FROM sqlite_schema") == before
    assert execute("SELECT version_num FROM alembic_version") == [("9999",)]


@pytest.mark.parametrize(
    "words", [["db", "upgrade", HEAD], ["db", "check"], ["db", "revision", "x"]]
)
def test_the_database_of_a_newer_release_is_left_alone(words, settings, url, execute):
    invoke("db", "upgrade", **settings)
    execute("UPDATE alembic_version SET version_num = '9999'")
    line = complaint(*words, **settings)
    assert line.startswith(f"Error: {url}: ")
    assert "9999" in line
    assert HEAD in line


@pytest.mark.parametrize("words", [["db", "upgrade"], ["serve"]])
def test_a_database_that_stays_locked_is_told_in_one_line(
    words, settings, url, tmp_path, monkeypatch
):
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 50)
    with closing(sqlite3.connect(tmp_path / "semilla.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        assert complaint(*words, **settings) == f"Error: {url}: database is locked"


def test_revision_writes_a_migration_from_how_the_tables_differ(
    settings, execute, tmp_path, monkeypatch
):
    scripts = tmp_path / "written" / "scripts"
    shutil.copytree(resources.files("service.migrations"), scripts)
    monkeypatch.syspath_prepend(tmp_path / "written")
    monkeypatch.setattr(migrations, "_SCRIPTS", "scripts")
    invoke("db", "upgrade", **settings)
    execute("ALTER TABLE games ADD COLUMN colour TEXT")
    path = invoke("db", "revision", "Forget the colour", **settings).stdout.removesuffix("\n")
    number = f"{int(HEAD) + 1:04}"
    assert path == f"{scripts}/versions/{number}_forget_the_colour.py"
    text = Path(path).read_text("utf-8")
    assert text.startswith('"""Forget the colour.\n')
    assert f'down_revision = "{HEAD}"' in text.replace("'", '"')
    assert 'drop_column("colour")' in text.replace("'", '"')
    assert invoke("db", "upgrade", **settings).stdout == f"the schema is at {number}\n"
    assert invoke("db", "check", **settings).stdout.endswith("as this release needs it\n")


def test_verify_games_of_an_empty_database_finds_nothing(settings):
    invoke("db", "upgrade", **settings)
    assert invoke("verify-games", **settings).stdout == "0 games checked, 0 faulty\n"


def test_verify_games_without_the_schema_says_what_to_run(settings, url):
    assert complaint("verify-games", **settings) == (
        f"Error: {url}: there is no schema, and this release needs {HEAD}: run semilla db upgrade"
    )


@pytest.fixture
def played(player):
    """Store games in all states; give the id of one that has two entries."""
    player.start("calculation")
    player.start("cruel", "32")
    player.play("12>F", "3>F", "U")
    player.act("resign")
    player.start("cruel", "135")
    player.start("cruel", "32")
    player.play("12>F", "3>F")
    return player.id


@SQLITE_ONLY
@pytest.mark.usefixtures("played")
def test_verify_games_finds_no_fault_in_what_the_service_stores(settings, execute):
    before = execute("SELECT * FROM games ORDER BY id")
    assert invoke("verify-games", **settings).stdout == "4 games checked, 0 faulty\n"
    assert execute("SELECT * FROM games ORDER BY id") == before


@SQLITE_ONLY
@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("ply", 3, "its column ply holds 3, and its history gives 2"),
        ("status", "won", "its column status holds 'won', and its history gives 'in_progress'"),
        ("cards_up", 52, "its column cards_up holds 52, and its history gives 6"),
        ("moves", 1, "its column moves holds 1, and its history gives 2"),
        ("redeals", 1, "its column redeals holds 1, and its history gives 0"),
        ("undos", 1, "its column undos holds 1, and its history gives 0"),
        ("finished_at", 7, "its column finished_at holds 7, and its history gives None"),
        ("position", "", "its column position holds '', and its history gives '"),
        ("seed", "33", "entry 1 of its history is refused: 12>F: "),
        ("history", "12>F@0 3>4@0", "entry 2 of its history is refused: 3>4: "),
        ("history", "12>F@5 3>F@4", "the times of its history go back, or some are missing"),
        ("history", "12>F 3>F", "the times of its history go back, or some are missing"),
        ("history", "12>F@0 3>F", "the times of its history go back, or some are missing"),
        ("history", "12>F@0", "its column ply holds 2, and its history gives 1"),
        ("history", "hello", "it cannot be read: "),
        ("variant", "spider", "it cannot be read: "),
        ("options", "{", "it cannot be read: "),
        ("options", '{"redeal":"all"}', "it cannot be read: "),
        ("options", "[1]", "it cannot be read: "),
        ("options", "7", "it cannot be read: "),
        ("rules_version", 9, "it was played by rules of version 9, and these are "),
        ("deal_algorithm", "deal/9", "it cannot be read: "),
        ("deal_algorithm", "pysol", "it cannot be read: "),
    ],
)
def test_verify_games_names_the_game_and_its_fault(column, value, fault, settings, execute, played):
    execute(f"UPDATE games SET {column} = ? WHERE id = ?", value, played)  # noqa: S608
    lines = invoke("verify-games", code=1, **settings).stdout.splitlines()
    assert any(line.startswith(f"{played}: {fault}") for line in lines), lines
    assert all(line.startswith(f"{played}: ") for line in lines[:-1])
    assert lines[-1] == "4 games checked, 1 faulty"


def rows(file):
    with closing(sqlite3.connect(file)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return {
            name: connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall()  # noqa: S608
            for (name,) in tables.fetchall()
        }


@SQLITE_ONLY
@pytest.mark.usefixtures("played")
def test_backup_copies_all_rows_to_a_new_file_of_this_users_own(settings, tmp_path):
    copy = tmp_path / "copy.db"
    assert invoke("db", "backup", str(copy), **settings).stdout == f"the database is in {copy}\n"
    assert rows(copy) == rows(tmp_path / "semilla.db")
    assert len(rows(copy)["games"]) == 4
    assert copy.stat().st_mode & 0o777 == 0o600
    checked = invoke("verify-games", DATABASE_URL=f"sqlite:///{copy}").stdout
    assert checked == "4 games checked, 0 faulty\n"


def test_backup_overwrites_nothing(settings, tmp_path):
    invoke("db", "upgrade", **settings)
    copy = tmp_path / "copy.db"
    copy.write_text("mine", "utf-8")
    line = complaint("db", "backup", str(copy), **settings)
    assert line == f"Error: cannot write {copy}: it is there already"
    assert copy.read_text("utf-8") == "mine"


def test_backup_says_where_it_cannot_write(settings, tmp_path):
    invoke("db", "upgrade", **settings)
    copy = tmp_path / "nowhere" / "copy.db"
    line = complaint("db", "backup", str(copy), **settings)
    assert line == f"Error: cannot write {copy}: No such file or directory"


def test_backup_leaves_no_part_of_a_copy_that_failed(settings, tmp_path):
    invoke("db", "upgrade", **settings)
    (tmp_path / "semilla.db").write_bytes(b"no database at all, " * 1_000)
    copy = tmp_path / "copy.db"
    assert "file is not a database" in complaint("db", "backup", str(copy), **settings)
    assert [path.name for path in tmp_path.glob("copy*")] == []


def test_backup_of_what_has_no_schema_is_refused(settings, url, tmp_path):
    line = complaint("db", "backup", str(tmp_path / "copy.db"), **settings)
    assert line == f"Error: {url}: there is no schema, so there is nothing to copy"


def test_backup_names_the_tool_for_postgresql(tmp_path):
    # It is told before anything is asked of the server.
    address = "postgresql://127.0.0.1:1/games"
    line = complaint("db", "backup", str(tmp_path / "copy.db"), DATABASE_URL=address)
    assert line.endswith("this copies SQLite: pg_dump -Fc copies a PostgreSQL database")
