import sqlite3
import threading
import time
import traceback
from contextlib import ExitStack, closing

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from service.app import create_app
from service.config import Config
from service.db.engine import DatabaseBusy, DatabaseDown, write_transaction
from service.db.migrations import upgrade
from service.db.tables import games
from service.usecases.games import read
from service.usecases.new_games import create
from tests.servers import free_port

SECRET_SEED = "a-seed-that-nobody-may-read"
TOKEN_HASH = bytes(range(100, 132))


def pragmas(connection):
    names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}


def row(**columns):
    """Give a row that the table takes, though no game is like it."""
    filled = {
        column.name: column.type.python_type()
        for column in games.columns
        if not column.nullable and column.name not in columns
    }
    return {**filled, **columns}


@pytest.mark.parametrize(("settings", "level"), [({}, 2), ({"synchronous": "NORMAL"}, 1)])
def test_every_pooled_connection_has_its_pragmas(open_file, settings, level):
    db = open_file(**settings)
    expected = {
        "journal_mode": "wal",
        "synchronous": level,
        "foreign_keys": 1,
        "busy_timeout": 5_000,
    }
    # More than the pool keeps, all out at once, and then those that it kept.
    for _ in range(2):
        with ExitStack() as stack:
            connections = [stack.enter_context(db.connect()) for _ in range(8)]
            assert len({id(c.connection.dbapi_connection) for c in connections}) == 8
            assert [pragmas(connection) for connection in connections] == [expected] * 8


@pytest.mark.parametrize(("word", "level"), [("FULL", 2), ("NORMAL", 1)])
def test_the_application_hands_its_setting_to_the_database(tmp_path, word, level):
    app = create_app(Config(data=tmp_path, sqlite_synchronous=word))
    db = app.extensions["semilla"].db
    with db.connect() as connection:
        assert pragmas(connection)["synchronous"] == level
    db.dispose()


def test_no_connection_is_opened_before_the_first_statement(open_file, file):
    open_file()
    assert not file.exists()


def test_each_statement_commits_by_itself(open_file):
    db = open_file()
    with db.connect() as writing, db.connect() as reading:
        writing.exec_driver_sql("CREATE TABLE notes (text TEXT)")
        writing.exec_driver_sql("INSERT INTO notes VALUES ('kept')")
        assert not writing.connection.dbapi_connection.in_transaction
        assert reading.exec_driver_sql("SELECT text FROM notes").scalar() == "kept"


def test_foreign_keys_are_enforced(open_file):
    db = open_file()
    with write_transaction(db) as connection:
        connection.exec_driver_sql("CREATE TABLE parents (id INTEGER PRIMARY KEY)")
        connection.exec_driver_sql("CREATE TABLE children (id INTEGER REFERENCES parents (id))")
    with (
        db.connect() as connection,
        pytest.raises(IntegrityError, match="FOREIGN KEY constraint failed"),
    ):
        connection.exec_driver_sql("INSERT INTO children VALUES (1)")


def test_a_new_file_whose_lock_another_holds_is_opened_when_it_is_free(open_file, file):
    db = open_file()
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as holder:
        holder.execute("CREATE TABLE notes (text TEXT)")
        holder.execute("BEGIN IMMEDIATE")
        holder.execute("INSERT INTO notes VALUES ('kept')")
        timer = threading.Timer(0.3, lambda: holder.execute("COMMIT"))
        timer.start()
        with db.connect() as connection:
            assert connection.exec_driver_sql("SELECT text FROM notes").scalar() == "kept"
            assert pragmas(connection)["journal_mode"] == "wal"
        timer.join()


@pytest.mark.usefixtures("impatient")
def test_a_new_file_whose_lock_another_keeps_is_busy(open_file, file):
    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        holder.execute("CREATE TABLE notes (text TEXT)")
        began = time.monotonic()
        with pytest.raises(DatabaseBusy, match=r"^database is locked$"):
            open_file().connect()
        assert 0.05 <= time.monotonic() - began < 5


@pytest.mark.usefixtures("impatient")
def test_a_lock_that_another_keeps_makes_the_database_busy(open_file):
    db, other = open_file(), open_file()
    upgrade(db)
    with write_transaction(other), pytest.raises(DatabaseBusy, match=r"^database is locked$"):
        create(db, variant="cruel", options={}, seed="semilla", undo=None, now=0)
    assert create(db, variant="cruel", options={}, seed="semilla", undo=None, now=0).token


def test_a_lock_is_waited_for(open_file):
    db, other = open_file(), open_file()
    upgrade(db)
    held, free = threading.Event(), threading.Event()

    def hold():
        with write_transaction(other):
            held.set()
            free.wait(5)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(5)
    threading.Timer(0.2, free.set).start()
    assert create(db, variant="cruel", options={}, seed="semilla", undo=None, now=0).token
    assert free.is_set()
    holder.join()


def test_a_lock_keeps_no_reader_out(open_file):
    db = open_file()
    upgrade(db)
    game = create(db, variant="cruel", options={}, seed="semilla", undo=None, now=0).view
    with write_transaction(db) as connection:
        connection.execute(games.update().values(ply=7))
        assert read(db, game.id, None, 0).game.ply == 0
    assert read(db, game.id, None, 0).game.ply == 7


def test_a_database_without_its_schema_is_down(open_file):
    with pytest.raises(DatabaseDown, match=r"^no such table: games$"):
        read(open_file(), "any", None, 0)


def test_a_file_that_cannot_be_opened_is_a_database_that_is_down(open_file, tmp_path):
    db = open_file(f"sqlite:///{tmp_path / 'no-such-folder' / 'games.db'}")
    with pytest.raises(DatabaseDown, match=r"^unable to open database file$"):
        read(db, "any", None, 0)
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_away_is_a_database_that_is_down_for_a_reason_in_one_line(open_file):
    db = open_file(f"postgresql+psycopg://nobody@127.0.0.1:{free_port()}/games")
    with pytest.raises(DatabaseDown, match=r"^connection failed: .* refused [^\n]*$"):
        read(db, "any", None, 0)


def test_a_file_that_is_no_database_is_down(open_file, file):
    file.write_bytes(b"nothing of the kind, " * 500)
    with pytest.raises(DatabaseDown, match=r"^file is not a database$"):
        read(open_file(), "any", None, 0)


def test_a_damaged_file_is_a_database_that_is_down(open_file, file):
    db = open_file()
    upgrade(db)
    db.dispose()
    damaged = bytearray(file.read_bytes())
    damaged[4_096:] = b"\xff" * (len(damaged) - 4_096)
    file.write_bytes(damaged)
    with pytest.raises(DatabaseDown, match=r"^database disk image is malformed$"):
        read(open_file(), "any", None, 0)


def test_a_database_that_cannot_be_written_is_down(open_file, file):
    upgrade(open_file())
    db = open_file(f"sqlite:///file:{file}?mode=ro&uri=true")
    with pytest.raises(DatabaseDown, match="readonly"):
        create(db, variant="cruel", options={}, seed="semilla", undo=None, now=0)


def test_a_full_disk_is_a_database_that_is_down_and_nothing_is_half_written(open_file):
    db = open_file()
    upgrade(db)
    with db.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    small, large = row(id="small"), row(id="large", history="x" * 100_000)

    def write():
        with write_transaction(db) as connection:
            connection.execute(insert(games).values(small))
            connection.execute(insert(games).values(large))

    with pytest.raises(DatabaseDown, match="full"):
        write()
    with write_transaction(db) as connection:
        assert connection.execute(select(games.c.id)).all() == []


def failing(db, values):
    """Insert a row into a table that does not take it; give the error."""
    with db.connect() as connection:
        try:
            connection.execute(insert(games).values(values))
        except (DatabaseBusy, DatabaseDown, IntegrityError) as error:
            return error
    return None


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("duplicate", IntegrityError),
        ("null", IntegrityError),
        ("missing", DatabaseDown),
        ("locked", DatabaseBusy),
    ],
)
def test_no_error_tells_a_parameter(open_file, fault, kind):
    db = open_file()
    secret = row(id="a", seed=SECRET_SEED, token_hash=TOKEN_HASH)
    with ExitStack() as stack:
        if fault != "missing":
            upgrade(db)
        if fault == "duplicate":
            assert failing(db, secret) is None
        if fault == "null":
            secret["variant"] = None
        if fault == "locked":
            stack.enter_context(write_transaction(open_file()))
        error = failing(db, {**secret, "id": "b"})
    assert type(error) is kind
    told = repr(error) + "".join(traceback.format_exception(error))
    for hidden in (
        SECRET_SEED,
        repr(TOKEN_HASH)[2:-1],
        TOKEN_HASH.hex(),
        TOKEN_HASH.decode("latin1"),
    ):
        assert hidden.lower() not in told.lower()


def test_a_mistake_in_a_statement_is_no_database_that_is_down(open_file):
    db = open_file()
    upgrade(db)
    with db.connect() as connection, pytest.raises(IntegrityError):
        connection.execute(insert(games).values(row(id="a", variant=None)))
    with db.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM games")).scalar() == 0
