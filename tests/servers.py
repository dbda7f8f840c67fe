"""Real servers: ``semilla serve`` on a free port of the loopback, ended by its own process id.

``with running_server(tmp_path, WEB_CONCURRENCY="1") as url:`` is all that most tests need;
``started_server`` gives the ``Server``, for those that end or watch its processes.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from service.config import SETTINGS

SEMILLA = Path(sys.executable).with_name("semilla")
START_SECONDS = 60
STOP_SECONDS = 20

# Servers of tests are sent more than a client may.
UNLIMITED = {f"RATE_LIMIT_{policy}": "0" for policy in ("ADDRESS", "CREATE", "PLAYER", "REGISTER")}

_open = build_opener(ProxyHandler({})).open


class Reply(NamedTuple):
    """What a server answered."""

    status: int
    headers: Message
    body: bytes

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


def ask(url, body=None, *, method=None, token=None, timeout=10, **headers):
    """Get a URL, or post a body to it as JSON; ``OSError`` where no whole reply comes.

    ``method``: another one than these.
    """
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = f"Bearer {token}"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        try:
            request = Request(url, data, named, method=method)  # noqa: S310 - only our own servers
            reply = _open(request, timeout=timeout)
        except HTTPError as error:
            reply = error
        with reply:
            return Reply(reply.status, reply.headers, reply.read())
    except HTTPException as error:
        raise ConnectionError(repr(error)) from error


def environment(folder, **settings):
    """Give the environment of a command: this one's, but with no settings other than these."""
    ours = {variable for variable, _ in SETTINGS.values()}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    return {**inherited, "SEMILLA_DATA": str(folder / "data"), **settings}


def free_port():
    """Give a port that was free a moment ago, for tests that must know it before the server."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


class Server:
    """One run of ``semilla serve`` in a folder, whose ``data`` it uses and keeps.

    ``settings`` are environment variables. The port is a free one unless PORT says which,
    and nothing is limited unless settings say so.
    ``command`` starts it in another way, ``env`` in another environment.
    """

    def __init__(self, folder, *words, command=(SEMILLA, "serve"), env=None, cwd=None, **settings):
        self.url = None
        self._log = folder / f"server-{len(list(folder.glob('server-*.log'))) + 1}.log"
        settings = {"HOST": "127.0.0.1", "PORT": "0", **UNLIMITED, **settings}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, *words],
                cwd=cwd or folder,
                env=environment(folder, **settings) if env is None else env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def output(self):
        """All that it has written so far."""
        return self._log.read_text("utf-8", "replace")

    def wait_until_listening(self, seconds=START_SECONDS):
        """Wait until it says where it listens; fail with its output where it never does."""
        self._wait(lambda: True, seconds)

    def wait_until_ready(self, seconds=START_SECONDS):
        """Wait for ``/readyz``; fail with the output where it never comes."""
        self._wait(lambda: is_ready(self.url), seconds)

    def _wait(self, reached, seconds):
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            found = re.search(r"Listening at: (http://\S+)", self.output)
            if found:
                self.url = found[1]
                if reached():
                    return
            time.sleep(0.02)
        status = self.process.poll()
        self.stop()
        message = f"the server did not start (exit status {status}):\n{self.output}"
        raise AssertionError(message)

    def stop(self):
        """End it politely, or else at once; give its exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return self.process.returncode

    def kill(self):
        """End it and its workers at once."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(STOP_SECONDS)


def is_ready(url):
    """Ask ``/readyz`` once."""
    try:
        return ask(f"{url}/readyz", timeout=5).status == 200
    except OSError:
        return False


@contextmanager
def started_server(folder, *words, **settings):
    """Give a ``Server`` that is ready, and end it however the test ends."""
    server = Server(folder, *words, **settings)
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.stop()


@contextmanager
def running_server(folder, **settings):
    """Give the base URL, such as http://127.0.0.1:41297, of a server that is ready."""
    with started_server(folder, **settings) as server:
        yield server.url
