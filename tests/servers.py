"""Real servers: ``semilla serve`` on a free port of the loopback, ended by its own process id.

``with running_server(tmp_path, WEB_CONCURRENCY="1") as url:`` is all that most tests need. Who ends
servers in other ways than politely makes a ``Server``.
"""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

from service.config import SETTINGS

SEMILLA = Path(sys.executable).with_name("semilla")
START_SECONDS = 30
STOP_SECONDS = 20

_open = build_opener(ProxyHandler({})).open


def environment(folder, **settings):
    """Give the environment of a command: this one's, but with no settings other than these."""
    ours = {variable for variable, _ in SETTINGS.values()}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    return {**inherited, "SEMILLA_DATA": str(folder / "data"), **settings}


class Server:
    """One run of ``semilla serve`` in a folder, whose ``data`` it uses and keeps.

    ``settings`` are environment variables. The port is a free one unless PORT says which.
    """

    def __init__(self, folder, *, words=(), command=None, **settings):
        self.folder = folder
        self.url = None
        self._log = folder / f"server-{len(list(folder.glob('server-*.log'))) + 1}.log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*(command or [SEMILLA, "serve"]), *words],
                cwd=folder,
                env=environment(folder, **{"HOST": "127.0.0.1", "PORT": "0", **settings}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def output(self):
        """All that it has written so far."""
        return self._log.read_text("utf-8", "replace")

    def wait_until_ready(self):
        """Wait for ``/readyz``; fail with the output where it never comes."""
        deadline = time.monotonic() + START_SECONDS
        while self.process.poll() is None and time.monotonic() < deadline:
            found = re.search(r"Listening at: (http://\S+)", self.output)
            if found and is_ready(found[1]):
                self.url = found[1]
                return
            time.sleep(0.05)
        self.stop()
        code = self.process.returncode
        message = f"the server did not start (exit status {code}):\n{self.output}"
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
        """End it and its workers at once, as a power cut does."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(STOP_SECONDS)


def is_ready(url):
    """Ask ``/readyz`` once."""
    try:
        with _open(f"{url}/readyz", timeout=5) as reply:
            return reply.status == 200
    except HTTPError as error:
        error.close()
        return False
    except OSError:
        return False


@contextmanager
def started_server(folder, **settings):
    """Give a ``Server`` that is ready, and end it however the test ends."""
    server = Server(folder, **settings)
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
