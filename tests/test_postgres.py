"""The PostgreSQL that tests start for themselves is a real one, and leaves nothing behind."""

import os

import psycopg
import pytest

from tests.postgres import answers, connect, new_database, running_cluster, server_url


def test_a_new_database_is_empty_and_is_dropped_even_with_somebody_in_it():
    server = server_url()
    with new_database(server) as url:
        guest = connect(url)
        assert guest.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone()
        guest.execute("CREATE TABLE left_behind (id int)")
    with pytest.raises(psycopg.OperationalError):
        guest.execute("SELECT 1")
    guest.close()
    assert not answers(url)
    assert answers(server)


def test_a_cluster_keeps_what_it_committed_through_every_way_to_end_it():
    with running_cluster(max_connections="7") as cluster:
        with connect(cluster.url) as connection:
            shown = [
                connection.execute(f"SHOW {name}").fetchone()[0]
                for name in ("fsync", "synchronous_commit", "max_connections")
            ]
            connection.execute("CREATE TABLE kept (how text)")
        assert shown == ["on", "on", "7"]
        ends = [lambda mode=mode: cluster.stop(mode) for mode in ("smart", "fast", "immediate")]
        for number, end in enumerate([*ends, cluster.kill]):
            with connect(cluster.url) as connection:
                connection.execute("INSERT INTO kept VALUES (%s)", [str(number)])
            end()
            assert not answers(cluster.url)
            cluster.start()
            with connect(cluster.url) as connection:
                assert connection.execute("SELECT count(*) FROM kept").fetchone() == (number + 1,)
        folder, pid = cluster.folder, cluster.pid
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
