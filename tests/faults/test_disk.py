"""A disk that is full under SQLite: refused, nothing lost, and well again once there is space."""

import contextlib
import os
import subprocess

import pytest

from tests.faults.checker import check
from tests.faults.load import Load
from tests.servers import ask, running_server

KIB = 1_024
DISK = 8 * KIB  # SQLite folds its log into the database only when that has grown to 4 MiB
FILLER = 7 * KIB


@pytest.fixture
def small_disk(tmp_path):
    """Mount a file system of 8 MiB as the data folder; skip the test where that is forbidden."""
    folder = tmp_path / "data"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can mount the small disk that this test fills")
    mounted = run("mount", "-t", "tmpfs", "-o", f"size={DISK}k", "tmpfs", folder)
    if mounted.returncode:
        pytest.skip(f"the small disk that this test fills cannot be mounted: {mounted.stderr}")
    yield folder
    assert run("umount", folder).returncode == 0


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_moves_on_a_full_disk_are_refused_and_go_on_once_there_is_space(
    tmp_path, small_disk, rounds
):
    filler = small_disk / "filler"
    with running_server(tmp_path) as url:
        with Load(url) as load:
            for _ in range(rounds):
                load.wait_for_moves(20)
                fill(filler)
                load.wait_for_refusals(10)
                # Reading goes on.
                game = load.games[-1]
                assert ask(f"{url}/v1/games/{game.id}", token=game.token).status == 200
                assert ask(f"{url}/v1/games/{game.id}/moves").status == 200
                filler.unlink()
            load.wait_for_moves(20)
        check(load, tmp_path)
    assert (load.cut_off, load.unheard) == (0, 0)
    assert {refusal.code for refusal in load.refusals} == {"not_ready"}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def fill(filler):
    """Write until the disk is nearly full; what is left is soon used up by moves."""
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        for _ in range(FILLER):
            file.write(bytes(KIB))
