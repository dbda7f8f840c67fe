"""Threads that write to one SQLite database: those who wait are written together."""

import sqlite3
import threading
import time

import pytest

from service.db.sqlite_writers import Writers

ADD = "UPDATE counters SET value = value + ? WHERE name = ?"


@pytest.fixture
def file(tmp_path):
    """Give a database with two counters, which no counter may make greater than 100."""
    file = tmp_path / "counters.db"
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE counters (name TEXT, value INTEGER CHECK (value <= 100))")
    connection.execute("INSERT INTO counters VALUES ('a', 0), ('b', 0)")
    connection.close()
    return file


def connect(file):
    return sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=0.2)


def values(file):
    return dict(connect(file).execute("SELECT name, value FROM counters"))


def write_together(file, changes, while_writing=lambda: None):
    """Let a thread for each change line up behind one that writes; their rows or errors.

    How many transactions they took comes second.
    """
    writers, outcomes, begun = Writers(), {}, []

    def send(number, change):
        cursor = connect(file).cursor()
        cursor.connection.set_trace_callback(
            lambda text: begun.append(text) if text.startswith("BEGIN") else None
        )
        try:
            outcomes[number] = writers.change(cursor, ADD, list(change))
        except sqlite3.Error as error:
            outcomes[number] = type(error)

    threads = [threading.Thread(target=send, args=pair) for pair in enumerate(changes)]
    with writers._turn:  # noqa: SLF001 - as if one wrote
        for thread in threads:
            thread.start()
        while len(writers._waiting) < len(changes):  # noqa: SLF001
            time.sleep(0.001)
        while_writing()
    for thread in threads:
        thread.join(60)
    return [outcomes[number] for number in range(len(changes))], len(begun)


def test_one_who_is_alone_writes_at_once(file):
    assert write_together(file, [(1, "a")]) == ([1], 0)
    assert values(file) == {"a": 1, "b": 0}


def test_those_who_wait_are_written_in_one_transaction(file):
    outcomes, begun = write_together(file, [(1, "a"), (2, "b"), (4, "a"), (8, "nobody")])
    assert outcomes == [1, 1, 1, 0]
    assert begun == 1
    assert values(file) == {"a": 5, "b": 2}


def test_one_that_fails_takes_nobody_with_it(file):
    outcomes, _ = write_together(file, [(1, "a"), (101, "b"), (2, "a")])
    assert outcomes == [1, sqlite3.IntegrityError, 1]
    assert values(file) == {"a": 3, "b": 0}


def test_where_another_process_holds_the_lock_each_is_told(file):
    other = connect(file)
    outcomes, _ = write_together(
        file, [(1, "a"), (1, "a")], lambda: other.execute("BEGIN IMMEDIATE")
    )
    assert outcomes == [sqlite3.OperationalError] * 2
    other.execute("ROLLBACK")
    assert values(file) == {"a": 0, "b": 0}


def test_more_than_a_transaction_holds_are_all_written(file):
    outcomes, begun = write_together(file, [(1, "a")] * 70)
    assert outcomes == [1] * 70
    assert begun == 3
    assert values(file) == {"a": 70, "b": 0}
