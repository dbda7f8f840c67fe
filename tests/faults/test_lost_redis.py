"""Redis that is gone and back under load: nobody is refused, nothing is lost."""

import pytest

from tests.faults.checker import check
from tests.faults.load import Load
from tests.redis_server import running_redis
from tests.servers import started_server

# Counted, but never reached.
PLENTY = {"RATE_LIMIT_ADDRESS": "1000000", "RATE_LIMIT_CREATE": "1000000"}


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_moves_go_on_while_redis_is_gone_hangs_and_comes_back(tmp_path, rounds):
    with (
        running_redis(tmp_path) as redis,
        started_server(tmp_path, REDIS_URL=redis.url, **PLENTY) as server,
    ):
        with Load(server.url) as load:
            for _ in range(rounds):
                load.wait_for_moves(10)
                redis.kill()
                load.wait_for_moves(10)
                redis.start()
                load.wait_for_moves(10)
                with redis.hanging():
                    load.wait_for_moves(10)
            load.wait_for_moves(10)
        check(load, tmp_path)
        assert "Redis cannot be used" in server.output
    assert (load.cut_off, load.unheard, load.refusals) == (0, 0, [])
