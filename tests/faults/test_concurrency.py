"""Many clients on the same games through two workers: every ply is recorded once."""

import pytest

from tests.cli.operating import invoke
from tests.faults.checker import check
from tests.faults.load import Load
from tests.postgres import new_database, server_url
from tests.servers import running_server

THREADS = 32


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request):
    """Give the settings of a database: the embedded one, or an empty one of PostgreSQL."""
    if request.param == "sqlite":
        yield {}
        return
    with new_database(server_url()) as url:
        invoke("db", "upgrade", DATABASE_URL=url)
        yield {"DATABASE_URL": url}


@pytest.mark.parametrize("moves", [100, pytest.param(2_000, marks=pytest.mark.slow)])
def test_32_clients_on_three_games_record_every_ply_once(tmp_path, database, moves):
    with running_server(tmp_path, WEB_CONCURRENCY="2", **database) as url:
        with Load(url, clients=THREADS, games=3) as load:
            load.wait_for_moves(moves)
        check(load, tmp_path, **database)
    # Nothing was wrong with the service, so no request went without its answer.
    assert (load.cut_off, load.unheard, load.refusals) == (0, 0, [])
    assert load.conflicts
