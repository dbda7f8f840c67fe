"""Every write of players, challenges, entries and attempts twice at the same moment.

The two requests go to two processes. What they may come to is told in ``twins.py`` and
``twin_attempts.py``, and what must hold afterwards in ``challenge_checker.py``.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from service.config import Config
from tests.faults import twin_attempts, twins
from tests.faults.challenge_checker import check_database
from tests.faults.pairs import Pairs
from tests.faults.test_concurrency import database
from tests.servers import started_server

__all__ = ["database"]  # the fixture

SCENARIOS = [*twin_attempts.SCENARIOS, *twins.SCENARIOS]
AT_ONCE = 6
TRIES = 10


@pytest.mark.parametrize("rounds", [10, pytest.param(60, marks=pytest.mark.slow)])
def test_of_twins_at_two_processes_each_has_its_way_or_is_refused(tmp_path, database, rounds):
    promises, asked = [], {"SEMILLA_DATA": str(tmp_path / "data"), **database}
    with started_server(tmp_path, WEB_CONCURRENCY="2", LOG_LEVEL="info", **database) as server:
        with Pairs(server, AT_ONCE, seed=rounds) as pairs, ThreadPoolExecutor(AT_ONCE) as pool:

            def play(scenario):
                with pairs.borrowed() as pair:
                    for _ in range(TRIES):
                        with suppress(twins.TooSlowError):
                            scenario(twins.Round(server.url, pair, promises))
                            return
                    raise twins.TooSlowError

            playing = [pool.submit(play, each) for each in SCENARIOS for _ in range(rounds)]
            for each in playing:
                each.result()
            with pairs.borrowed() as pair:
                last = twins.Round(server.url, pair, [])
                for path, token, fields in promises:
                    last.holds(path, token, **fields)
        counted = check_database(Config.from_env(asked).url)
        assert "Traceback" not in server.output
    assert counted["challenges"] >= rounds * len(SCENARIOS) / 2
