"""Threads that write to one SQLite database: written together, then made sure of."""

import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from service.db import sqlite_log, sqlite_writers
from service.db.engine import open_engine
from service.db.sqlite_writers import Writers, writers_of

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


@pytest.fixture
def open_writers(file):
    """Open the writers of an engine, which are closed after the test."""
    opened = []

    def open_(synchronous="FULL"):
        writers, engine = Writers(), open_engine(f"sqlite:///{file}", synchronous=synchronous)
        opened.append((writers, engine))
        return writers, engine

    yield open_
    for writers, engine in opened:
        writers.close()
        engine.dispose()


@pytest.fixture
def synced(monkeypatch):
    """Give the paths of the files that are brought to the disk, in turn."""
    synced, sync = [], os.fdatasync

    def watch(file):
        synced.append(str(Path(f"/proc/self/fd/{file}").readlink()))
        sync(file)

    monkeypatch.setattr(sqlite_log.os, "fdatasync", watch)
    return synced


def connect(file):
    return sqlite3.connect(file, isolation_level=None, timeout=0.2)


def values(file):
    return dict(connect(file).execute("SELECT name, value FROM counters"))


def write_at_once(writers, engine, changes):
    """Let a thread for each change write it; give their rows, or the types of their errors."""
    outcomes = {}

    def send(number, change):
        try:
            outcomes[number] = writers.change(engine, ADD, list(change))
        except sqlite3.Error as error:
            outcomes[number] = type(error)

    threads = [threading.Thread(target=send, args=pair) for pair in enumerate(changes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return [outcomes[number] for number in range(len(changes))]


def test_whoever_writes_is_told_how_many_rows_that_changed(file, open_writers):
    outcomes = write_at_once(*open_writers(), [(1, "a"), (2, "b"), (4, "a"), (8, "nobody")])
    assert outcomes == [1, 1, 1, 0]
    assert values(file) == {"a": 5, "b": 2}


def test_one_that_fails_takes_nobody_with_it(file, open_writers):
    outcomes = write_at_once(*open_writers(), [(1, "a"), (101, "b"), (2, "a")])
    assert outcomes == [1, sqlite3.IntegrityError, 1]
    assert values(file) == {"a": 3, "b": 0}


def test_many_threads_write_all_that_they_have(file, open_writers):
    assert write_at_once(*open_writers(), [(1, "a")] * 70) == [1] * 70
    assert values(file) == {"a": 70, "b": 0}


def test_where_another_process_keeps_the_lock_each_is_told(file, open_writers, monkeypatch):
    monkeypatch.setattr("service.db.engine.BUSY_TIMEOUT_MS", 50)
    other = connect(file)
    other.execute("BEGIN IMMEDIATE")
    outcomes = write_at_once(*open_writers(), [(1, "a"), (1, "a")])
    assert outcomes == [sqlite3.OperationalError] * 2
    other.execute("ROLLBACK")
    assert values(file) == {"a": 0, "b": 0}


def test_a_lock_that_another_process_lets_go_of_is_taken_soon(file, open_writers, monkeypatch):
    other, slept = connect(file), []
    other.execute("BEGIN IMMEDIATE")

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 9:
            other.execute("ROLLBACK")

    monkeypatch.setattr(sqlite_writers.time, "sleep", sleep)
    writers, engine = open_writers()
    assert writers.change(engine, ADD, [1, "a"]) == 1
    assert [round(1e6 * each) for each in slept] == [
        *(100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000)
    ]


def test_what_is_written_is_on_the_disk_before_anybody_is_told(file, open_writers, synced):
    writers, engine = open_writers()
    assert writers.change(engine, ADD, [1, "a"]) == 1
    assert writers.change(engine, ADD, [1, "b"]) == 1
    assert synced == [f"{file}-wal"] * 2


def test_a_sync_that_began_before_a_write_does_not_count_for_it(open_writers, synced):
    writers, engine = open_writers()
    writers.change(engine, ADD, [1, "a"])
    log = writers._log  # noqa: SLF001 - as if somebody who wrote before comes to the disk now

    def write(text):
        log.make_sure(log.turns)
        synced.append(text)

    writers.connection(engine).set_trace_callback(write)
    writers.change(engine, ADD, [1, "b"])
    assert synced[-1].endswith("-wal")


def test_those_who_write_while_the_disk_works_come_to_it_together(open_writers, monkeypatch):
    writers, engine = open_writers()
    synced, sync = [], os.fdatasync

    def work(file):
        synced.append(file)
        while writers._log.turns < 4:  # noqa: SLF001 - until all have written
            time.sleep(0.001)
        sync(file)

    monkeypatch.setattr(sqlite_log.os, "fdatasync", work)
    assert write_at_once(writers, engine, [(1, "a"), (1, "b"), (1, "a"), (1, "b")]) == [1] * 4
    assert len(synced) in (1, 2)  # one where the first came to the disk after all had written


@pytest.mark.parametrize("synchronous", ["FULL", "NORMAL"])
def test_sqlite_itself_does_not_wait_for_the_disk(open_writers, synchronous):
    writers, engine = open_writers(synchronous)
    normal = (1,)
    assert writers.connection(engine).execute("PRAGMA synchronous").fetchone() == normal


def test_where_the_operator_does_not_ask_for_it_nobody_waits_for_the_disk(open_writers, synced):
    writers, engine = open_writers("NORMAL")
    assert writers.change(engine, ADD, [1, "a"]) == 1
    writers.make_sure(engine)
    assert synced == []


def test_a_change_of_nothing_does_not_wait_for_the_disk(open_writers, synced):
    writers, engine = open_writers()
    assert writers.change(engine, ADD, [1, "nobody"]) == 0
    assert synced == []


def test_what_another_process_has_written_can_be_made_sure_of(file, open_writers, synced):
    writers, engine = open_writers()
    other = connect(file)
    other.execute("PRAGMA synchronous = NORMAL")
    other.execute(ADD, (1, "a"))
    writers.make_sure(engine)
    assert synced == [f"{file}-wal"]


def test_a_disk_that_fails_is_an_error_and_the_next_change_tries_again(
    file, open_writers, monkeypatch
):
    writers, engine = open_writers()

    def fail(_file):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(sqlite_log.os, "fdatasync", fail)
        with pytest.raises(sqlite3.OperationalError, match="disk I/O error: Input/output error"):
            writers.change(engine, ADD, [1, "a"])
    assert writers.change(engine, ADD, [1, "a"]) == 1
    assert values(file) == {"a": 2, "b": 0}


def test_writers_that_were_closed_open_again(file, open_writers, synced):
    writers, engine = open_writers()
    for _ in range(2):
        writers.change(engine, ADD, [1, "a"])
        writers.close()
        assert not file.with_name(f"{file.name}-wal").exists()
    assert values(file) == {"a": 2, "b": 0}
    assert len(synced) == 2


def test_an_engine_that_is_disposed_of_closes_its_writers(file):
    engine = open_engine(f"sqlite:///{file}")
    writers = writers_of(engine)
    writers.change(engine, ADD, [1, "a"])
    engine.dispose()
    assert not file.with_name(f"{file.name}-wal").exists()


def test_a_file_that_is_no_database_is_an_error_for_all_who_wait(tmp_path):
    writers, engine = Writers(), open_engine(f"sqlite:///{tmp_path}")
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        writers.change(engine, ADD, [1, "a"])
