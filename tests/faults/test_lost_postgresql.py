"""PostgreSQL that is killed, restarted, locked or full under load: well again without a hand."""

import contextlib

import psycopg
import pytest

from tests.cli.operating import invoke
from tests.faults.checker import check
from tests.faults.load import Load
from tests.postgres import connect, new_database, running_cluster
from tests.servers import running_server

CONNECTIONS = 12


@pytest.fixture(scope="module")
def cluster():
    # Whoever comes last is refused: no connection is kept for the superuser, as whom all come.
    with running_cluster(
        max_connections=CONNECTIONS, superuser_reserved_connections=0, max_wal_senders=0
    ) as running:
        yield running


@pytest.fixture
def database(cluster):
    """Give the settings of an empty database."""
    with new_database(cluster.url) as url:
        invoke("db", "upgrade", DATABASE_URL=url)
        yield {"DATABASE_URL": url}


def codes(load):
    return {refusal.code for refusal in load.refusals}


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_moves_go_on_after_each_way_to_end_postgresql(tmp_path, cluster, database, rounds):
    ends = [cluster.kill, lambda: cluster.stop("fast"), lambda: cluster.stop("immediate")]
    with running_server(tmp_path, **database) as url:
        with Load(url) as load:
            for end in ends * rounds:
                load.wait_for_moves(10)
                end()
                load.wait_for_refusals(3)
                cluster.start()
            load.wait_for_moves(20)
        check(load, tmp_path, **database)
    assert (load.cut_off, load.unheard) == (0, 0)
    # PostgreSQL answers before it lets anybody in.
    assert codes(load) <= {"not_ready", "busy"}
    assert "not_ready" in codes(load)


@pytest.mark.parametrize("rounds", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_a_used_up_pool_is_busy_until_statements_end(tmp_path, database, rounds):
    settings = {**database, "DATABASE_POOL_SIZE": "1", "WEB_CONCURRENCY": "1"}
    with running_server(tmp_path, **settings) as url:
        with Load(url) as load:
            for _ in range(rounds):
                load.wait_for_moves(10)
                with connect(database["DATABASE_URL"]) as locking, locking.transaction():
                    locking.execute("LOCK TABLE games")
                    load.wait_for_refusals(4)
            load.wait_for_moves(20)
        check(load, tmp_path, **settings)
    assert (load.cut_off, load.unheard) == (0, 0)
    assert codes(load) == {"busy"}
    assert "QueuePool limit" in logs(tmp_path)


@pytest.mark.parametrize("rounds", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_connections_that_others_took_are_busy_until_they_are_free(
    tmp_path, cluster, database, rounds
):
    with running_server(tmp_path, **database) as url:
        with Load(url) as load:
            for _ in range(rounds):
                load.wait_for_moves(10)
                with contextlib.ExitStack() as taken:
                    take_all_connections(cluster, taken)
                    load.wait_for_refusals(10)
            load.wait_for_moves(20)
        check(load, tmp_path, **database)
    assert (load.cut_off, load.unheard) == (0, 0)
    # The connections of the service were ended first.
    assert codes(load) <= {"not_ready", "busy"}
    assert "busy" in codes(load)
    assert "too many clients" in logs(tmp_path)


def take_all_connections(cluster, taken):
    """Connect until nobody else can, the service included."""
    mine = [taken.enter_context(connect(cluster.url))]
    while len(mine) < CONNECTIONS:
        with contextlib.suppress(psycopg.OperationalError):
            mine.append(taken.enter_context(connect(cluster.url)))
        mine[0].execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND datname <> 'postgres'"
        )


def logs(folder):
    return "".join(path.read_text("utf-8") for path in folder.glob("server-*.log"))
