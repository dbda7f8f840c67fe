"""Processes of the service that are killed under load, on SQLite: nothing acknowledged is lost."""

import os
import random
import signal
import sys
import time

import pytest

from tests.faults.checker import check
from tests.faults.load import Load
from tests.faults.supervisor import Supervisor, children, wait_until_gone

# The kills of the slow test: more of them for the table in docs/reliability.md.
KILLS = int(os.environ.get("FAULT_KILLS", "20"))


@pytest.mark.parametrize("kills", [1, pytest.param(KILLS, marks=pytest.mark.slow)])
def test_every_acknowledged_move_outlives_kills_of_the_whole_server(tmp_path, capsys, kills):
    chance = random.Random(kills)
    with Supervisor(tmp_path) as service:
        with Load(service.url) as load:
            for _ in range(kills):
                load.wait_for_moves(10)
                time.sleep(chance.uniform(0, 0.5))
                service.kill_all()
                service.wait_until_ready()
            load.wait_for_moves(10)
        check(load, tmp_path)
        assert service.starts == kills + 1
    with capsys.disabled():
        sys.stdout.write(
            f"\n{kills} kills, {len(load.games)} games, {load.acknowledged} moves acknowledged, "
            f"0 lost, {load.cut_off} requests cut off\n"
        )


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_a_killed_worker_is_replaced_and_the_others_go_on(tmp_path, kills):
    with Supervisor(tmp_path) as service:
        with Load(service.url) as load:
            for number in range(kills):
                load.wait_for_moves(5)
                workers = children(service.pid)
                os.kill(workers[number % len(workers)], signal.SIGKILL)
            load.wait_for_moves(20)
        check(load, tmp_path)
        assert service.starts == 1
        assert len(children(service.pid)) == 2


@pytest.mark.parametrize("kills", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_workers_without_their_master_leave_the_port_to_the_next(tmp_path, kills):
    with Supervisor(tmp_path) as service:
        with Load(service.url) as load:
            for _ in range(kills):
                load.wait_for_moves(5)
                master, workers = service.pid, children(service.pid)
                os.kill(master, signal.SIGKILL)
                wait_until_gone([master, *workers])
                service.wait_until_ready()
            load.wait_for_moves(20)
        check(load, tmp_path)
        assert service.starts > kills
