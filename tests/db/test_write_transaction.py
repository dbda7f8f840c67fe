import pytest
from sqlalchemy.exc import IntegrityError

from service.db.engine import DatabaseBusy, write_transaction
from tests.statements import count_statements


@pytest.fixture
def notes(open_file):
    """Give an engine with one empty table, ``notes``."""
    db = open_file()
    with db.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE notes (text TEXT PRIMARY KEY)")
    return db


def add(connection, text):
    connection.exec_driver_sql("INSERT INTO notes VALUES (?)", (text,))


def run(db, *steps):
    """Run some steps in one transaction: texts are added, errors raised, statements run."""
    with write_transaction(db) as connection:
        for step in steps:
            if not isinstance(step, str):
                raise step
            if " " in step:
                connection.exec_driver_sql(step)
            else:
                add(connection, step)


def texts(db):
    with db.connect() as connection:
        return list(connection.exec_driver_sql("SELECT text FROM notes ORDER BY text").scalars())


def test_all_of_it_is_committed(notes):
    with write_transaction(notes) as connection:
        add(connection, "a")
        add(connection, "b")
        assert texts(notes) == []
    assert texts(notes) == ["a", "b"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_of_it_is_committed_after_an_exception(notes, error):
    with pytest.raises(error):
        run(notes, "a", error)
    assert texts(notes) == []


def test_nothing_of_it_is_committed_after_a_statement_that_failed(notes):
    with pytest.raises(IntegrityError):
        run(notes, "a", "a")
    assert texts(notes) == []


def test_nothing_of_it_is_committed_where_the_commit_itself_fails(notes):
    run(notes, "CREATE TABLE answers (text TEXT REFERENCES notes DEFERRABLE INITIALLY DEFERRED)")
    with pytest.raises(IntegrityError):
        run(notes, "a", "INSERT INTO answers VALUES ('to nothing')")
    assert texts(notes) == []
    run(notes, "b")
    assert texts(notes) == ["b"]


@pytest.mark.usefixtures("impatient")
def test_the_lock_is_taken_at_once(notes, open_file):
    other = open_file()
    with write_transaction(notes), pytest.raises(DatabaseBusy), write_transaction(other):
        pass
    run(other, "later")
    assert texts(notes) == ["later"]


@pytest.mark.usefixtures("impatient")
def test_the_lock_is_free_again_after_an_exception(notes, open_file):
    with pytest.raises(KeyError):
        run(notes, KeyError)
    run(open_file(), "a")
    assert texts(notes) == ["a"]


def test_what_is_read_inside_is_still_so_at_the_commit(notes):
    with write_transaction(notes) as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM notes").scalar() == 0
        assert texts(notes) == []  # another connection of the pool
        add(connection, "a")
    assert texts(notes) == ["a"]


def test_it_costs_two_statements(notes):
    with count_statements(notes) as seen, write_transaction(notes) as connection:
        add(connection, "a")
    assert seen == ["BEGIN IMMEDIATE", "INSERT INTO notes VALUES ('a')", "COMMIT"]


def test_it_is_rolled_back_with_one_statement(notes):
    with count_statements(notes) as seen, pytest.raises(KeyError), write_transaction(notes):
        raise KeyError
    assert seen == ["BEGIN IMMEDIATE", "ROLLBACK"]


def test_a_new_connection_runs_its_pragmas_once(open_file):
    db = open_file()
    with count_statements(db) as seen:
        for _ in range(3):
            with db.connect():
                pass
    assert seen.verbs == ["PRAGMA"] * len(seen)
    assert [words.removeprefix("PRAGMA ") for words in seen][-4:] == [
        "busy_timeout = 5000",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
    ]
    assert len(seen) <= 5
