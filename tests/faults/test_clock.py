"""A clock that is set back and forth under load: times of moves never go back."""

from pathlib import Path

import pytest

from tests.faults.checker import check, history
from tests.faults.load import Load
from tests.servers import ask, running_server

HOUR_MS = 3_600_000
# libfaketime 0.9.10 spoils clock_nanosleep, with which Python sleeps, where it leaves the
# monotonic clock alone. The server loads this when it starts.
SLEEP = """
import threading, time
time.sleep = lambda seconds: threading.Event().wait(seconds)
"""


@pytest.fixture
def wall_clock(tmp_path):
    """Give the settings of a server whose clock the test sets, and the file that says how."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        pytest.skip("there is no libfaketime (Debian: libfaketime) to set a clock back with")
    file = tmp_path / "clock"
    set_clock(file, "+0s")
    (tmp_path / "sitecustomize.py").write_text(SLEEP)
    settings = {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_NO_CACHE": "1",
        "PYTHONPATH": str(tmp_path),
        # Who sets a clock sets neither the time since the start nor that of files.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
    }
    return settings, file


def set_clock(file, text):
    """Set the clock by so much from the true time; whoever reads it sees a whole file."""
    new = file.with_suffix(".new")
    new.write_text(text)
    new.replace(file)


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_a_clock_set_back_under_load_takes_no_time_from_a_game(tmp_path, wall_clock, rounds):
    settings, file = wall_clock
    with running_server(tmp_path, **settings) as url:
        with Load(url) as load:
            for number in range(rounds):
                load.wait_for_moves(10)
                game = ask(f"{url}/v1/games", {"seed": "semilla"}).json
                play = f"{url}/v1/games/{game['id']}/moves"
                set_clock(file, "+2h")
                first = ask(play, {"at": 0, "moves": ["6>9"]}, token=game["token"]).json
                assert first["elapsed_ms"] >= 2 * HOUR_MS
                set_clock(file, f"-{number + 1}d")
                second = ask(play, {"at": 1, "moves": ["U"]}, token=game["token"]).json
                times = [entry["at_ms"] for entry in history(url, game["id"])]
                assert times == [times[0]] * 2
                assert times[0] == first["elapsed_ms"]
                # It is the time until now, and by this clock the game has not even started.
                assert second["elapsed_ms"] == 0
                load.wait_for_moves(10)
                set_clock(file, "+0s")
            load.wait_for_moves(10)
        check(load, tmp_path, others=rounds)
    assert (load.cut_off, load.unheard, load.refusals) == (0, 0, [])
