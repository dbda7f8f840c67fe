"""What is PostgreSQL's own: which failures pass, which an operator must look at, what is told."""

import threading
import traceback

import psycopg
import pytest
from sqlalchemy import insert, make_url, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from service.db.engine import (
    DatabaseBusy,
    DatabaseDown,
    PoolExhausted,
    open_engine,
    write_transaction,
)
from service.db.migrations import upgrade
from service.db.tables import games
from service.usecases.games import read
from service.usecases.new_games import create
from service.usecases.playing import play
from service.usecases.tokens import hash_token
from tests import postgres
from tests.db.test_engine import row

SEED = "a-seed-that-nobody-may-read"


@pytest.fixture(scope="module")
def url():
    """Give the URL of a migrated database."""
    with postgres.new_database(postgres.server_url()) as url:
        engine = open_engine(url)
        upgrade(engine)
        engine.dispose()
        yield url


@pytest.fixture
def open_one(url):
    """Give a function that opens engines on that database and closes them later."""
    opened = []

    def open_one(other=url, **settings):
        opened.append(open_engine(other, **settings))
        return opened[-1]

    yield open_one
    for engine in opened:
        engine.dispose()


@pytest.fixture
def db(open_one):
    """Give an engine on that database."""
    return open_one()


@pytest.fixture
def impatient(monkeypatch):
    """Make the engines that this test opens give a lock up after a moment."""
    monkeypatch.setattr("service.db.engine.BUSY_TIMEOUT_MS", 50)


def new(db):
    return create(db, variant="cruel", options={}, seed="semilla", undo=None, now=0)


def test_each_statement_commits_by_itself(db):
    with db.connect() as writing, db.connect() as reading:
        writing.execute(insert(games).values(row(id="by-itself")))
        status = writing.connection.dbapi_connection.info.transaction_status
        assert status == psycopg.pq.TransactionStatus.IDLE
        query = select(games.c.id).where(games.c.id == "by-itself")
        assert reading.execute(query).scalar() == "by-itself"


def test_what_is_acknowledged_is_on_the_disk(db):
    with db.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_a_lock_and_a_statement_are_not_waited_for_without_end(db):
    with db.connect() as connection:
        assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == "5s"
        assert connection.exec_driver_sql("SHOW statement_timeout").scalar() == "20s"


def test_no_statement_is_compiled_to_machine_code(db):
    with db.connect() as connection:
        assert connection.exec_driver_sql("SHOW jit").scalar() == "off"


def test_options_of_the_url_come_beside_ours(url, open_one):
    named = make_url(url).update_query_dict({"options": "-c application_name=semilla"})
    with open_one(named).connect() as connection:
        assert connection.exec_driver_sql("SHOW application_name").scalar() == "semilla"
        assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == "5s"


@pytest.mark.usefixtures("impatient")
def test_a_lock_that_another_keeps_makes_the_database_busy(db, open_one):
    with write_transaction(db) as connection:
        connection.exec_driver_sql("LOCK TABLE games IN EXCLUSIVE MODE")
        with pytest.raises(DatabaseBusy, match="lock timeout"):
            new(open_one())
    assert new(db).token


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("40001", DatabaseBusy),  # serialization_failure
        ("40P01", DatabaseBusy),  # deadlock_detected
        ("53300", DatabaseBusy),  # too_many_connections
        ("55P03", DatabaseBusy),  # lock_not_available
        ("57014", DatabaseBusy),  # query_canceled
        ("53100", DatabaseDown),  # disk_full
        ("57P01", DatabaseDown),  # admin_shutdown
        ("57P03", DatabaseDown),  # cannot_connect_now
        ("08006", DatabaseDown),  # connection_failure
        ("25006", DatabaseDown),  # read_only_sql_transaction
        ("42501", DatabaseDown),  # insufficient_privilege
        ("42P01", DatabaseDown),  # undefined_table
        ("42703", DatabaseDown),  # undefined_column
        ("XX001", DatabaseDown),  # data_corrupted
        ("23505", IntegrityError),  # unique_violation
        ("42601", DBAPIError),  # syntax_error
        ("22003", DBAPIError),  # numeric_value_out_of_range
    ],
)
def test_a_failure_is_told_by_what_can_be_done_about_it(db, state, kind):
    raising = f"DO $$ BEGIN RAISE EXCEPTION 'it is so' USING ERRCODE = '{state}'; END $$"
    with db.connect() as connection, pytest.raises(kind, match="it is so"):
        connection.exec_driver_sql(raising)
    with db.connect() as connection:
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1


def test_a_database_without_its_schema_is_down(open_one):
    with postgres.new_database(postgres.server_url()) as empty:
        engine = open_one(empty)
        with pytest.raises(DatabaseDown, match='relation "games" does not exist'):
            read(engine, "any", None, 0)


def test_a_database_that_is_not_there_is_down(url, open_one):
    with pytest.raises(DatabaseDown, match="does not exist"):
        read(open_one(make_url(url).set(database="no_such_database")), "any", None, 0)


def test_a_server_that_is_not_there_is_down_and_its_password_is_not_told(url, open_one):
    away = make_url(url).set(port=9, username="someone", password="hunter2")
    with pytest.raises(DatabaseDown, match="onnection refused") as caught:
        read(open_one(away), "any", None, 0)
    assert "hunter2" not in "".join(traceback.format_exception(caught.value))


def test_connections_that_were_cut_are_replaced(db):
    game = new(db).view
    with db.connect() as connection:
        pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
    with postgres.connect(db.url) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
    with pytest.raises(DatabaseDown):
        read(db, game.id, None, 0)
    assert read(db, game.id, None, 0).id == game.id


@pytest.mark.parametrize("dropping", ["a rollback", "DEALLOCATE ALL"])
def test_statements_whose_preparation_was_dropped_are_prepared_again(open_one, dropping):
    db = open_one(pool_size=1)
    new = create(db, variant="cruel-semicolon", options={}, seed="semilla", undo=None, now=0)
    terms = (db, new.view.id, hash_token(new.token), ["R"])
    for at in range(3):
        assert play(*terms, at, 0).view.game.ply == at + 1
        if dropping == "a rollback":
            with pytest.raises(KeyError), write_transaction(db):
                raise KeyError
        with db.connect() as connection:
            connection.exec_driver_sql("SELECT 1" if "roll" in dropping else dropping)
    assert read(db, new.view.id, None, 0).game.ply == 3


def test_a_transaction_whose_connection_is_cut_is_undone_and_told_as_it_is(db):
    def cut_off():
        with write_transaction(db) as connection:
            connection.execute(insert(games).values(row(id="cut-off")))
            pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
            with postgres.connect(db.url) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
            connection.exec_driver_sql("SELECT 1")

    with pytest.raises(DatabaseDown):
        cut_off()
    with db.connect() as connection:
        query = select(games.c.id).where(games.c.id == "cut-off")
        assert connection.execute(query).first() is None


@pytest.mark.usefixtures("impatient")
def test_who_gets_no_connection_in_time_is_told_so(open_one):
    db = open_one(pool_size=1)
    held, free = threading.Event(), threading.Event()

    def hold():
        with db.connect():
            held.set()
            free.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    with pytest.raises(PoolExhausted):
        read(db, "any", None, 0)
    free.set()
    holder.join()
    with db.connect() as connection:
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1


def test_a_pool_without_a_limit_has_a_connection_for_every_thread(db):
    connections = [db.connect() for _ in range(12)]
    assert len({id(each.connection.dbapi_connection) for each in connections}) == 12
    for connection in connections:
        connection.close()


@pytest.mark.parametrize("fault", ["duplicate", "null", "check"])
def test_no_error_tells_a_row(db, fault):
    secret = row(id=f"secret-{fault}", seed=SEED, token_hash=bytes(range(100, 132)))
    with db.connect() as connection:
        if fault == "duplicate":
            connection.execute(insert(games).values(secret))
        if fault == "null":
            secret["variant"] = None
        if fault == "check":
            connection.exec_driver_sql("ALTER TABLE games ADD CONSTRAINT small CHECK (ply < 9)")
            secret["ply"] = 9
        try:
            with pytest.raises(IntegrityError) as caught:
                connection.execute(insert(games).values(secret))
        finally:
            connection.execute(text("ALTER TABLE games DROP CONSTRAINT IF EXISTS small"))
    told = "".join(traceback.format_exception(caught.value))
    assert SEED not in told
    assert bytes(range(100, 132)).hex() not in told
    assert "DETAIL" not in told
