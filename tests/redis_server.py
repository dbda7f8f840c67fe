"""A Redis of a test's own, ended by its own process id; without Debian's redis-server a skip."""

import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager

import pytest

from tests.servers import free_port

PASSWORD = "hunter2"
SECONDS = 20


class RedisServer:
    """A Redis that can be stopped and started again, on one port and with nothing on disk."""

    def __init__(self, folder):
        self.command = shutil.which("redis-server")
        if self.command is None:
            pytest.skip("there is no redis-server here (Debian's package of that name)")
        self.port = free_port()
        self.url = f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process = None

    def start(self):
        """Start it, and wait until it listens."""
        words = ["--bind", "127.0.0.1", "--port", self.port, "--requirepass", PASSWORD]
        words += ["--save", "", "--appendonly", "no", "--dir", str(self._folder)]
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen([self.command, *words], stdout=log, stderr=log)
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", int(self.port)), timeout=1).close()
            except OSError:
                assert time.monotonic() < deadline, (self._folder / "redis.log").read_text()
                time.sleep(0.02)
            else:
                return

    def kill(self):
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(SECONDS)
            self._process = None

    @contextmanager
    def hanging(self):
        """Let it take connections and answer nothing."""
        self._process.send_signal(signal.SIGSTOP)
        yield
        self._process.send_signal(signal.SIGCONT)


@contextmanager
def running_redis(folder):
    """Give a Redis that listens, and end it however the test ends."""
    server = RedisServer(folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
