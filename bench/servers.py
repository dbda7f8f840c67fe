"""Servers to measure: gunicorn as ``semilla serve`` starts it, each with an application of ours."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.cpu import cpu_seconds
from bench.report import ROOT
from service.config import SETTINGS

WORKERS = 2
_START_SECONDS = 60
_STOP_SECONDS = 40
_REST_SECONDS = 0.5


@contextmanager
def serve(app: str, log: Path, **settings: str) -> Iterator[int]:
    """Give the port of an application of ``bench.apps`` under the service's own settings.

    Its workers are at rest by then: each readies its solver aside, which takes seconds of a core.
    ``settings`` are environment variables of the service; others that are set here do not count.
    """
    ours = {variable for variable, _ in SETTINGS.values()}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    chosen = {
        "HOST": "127.0.0.1",
        "PORT": "0",
        "WEB_CONCURRENCY": str(WORKERS),
        "SEMILLA_DATA": str(log.parent),
        # Counted as ever, but never reached: a limit would end the measurement.
        "RATE_LIMIT_ADDRESS": "1000000",
        "RATE_LIMIT_PLAYER": "1000000",
    }
    command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, f"bench.apps:{app}()"],
            cwd=ROOT,
            env={**inherited, **chosen, **settings},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        port = _port(process, log)
        _rest(process.pid)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    deadline = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        found = re.search(r"Listening at: http://127\.0\.0\.1:(\d+)", log.read_text("utf-8"))
        if found:
            return int(found[1])
        time.sleep(0.02)
    message = f"the server did not start:\n{log.read_text('utf-8')}"
    raise RuntimeError(message)


def _rest(master: int) -> None:
    """Wait until the workers of a server use no more CPU; raises ``RuntimeError`` if they go on."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        workers = Path(f"/proc/{master}/task/{master}/children").read_text("ascii").split()
        before = cpu_seconds(map(int, workers))
        time.sleep(_REST_SECONDS)
        if len(workers) == WORKERS and cpu_seconds(map(int, workers)) == before:
            return
    message = "the workers do not come to rest"
    raise RuntimeError(message)
