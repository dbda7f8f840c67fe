"""What looks after a server in production: it starts the same command again when it has ended."""

import time
from pathlib import Path
from threading import Event, Thread

from tests.servers import Server, free_port, is_ready

READY_SECONDS = 90
RESTART_SECONDS = 0.1  # systemd's RestartSec


class Supervisor:
    """``with Supervisor(folder, WEB_CONCURRENCY="2") as service:``, as Restart=always of systemd.

    It knows the main process only: what else a server leaves behind must go by itself.
    """

    def __init__(self, folder, **settings):
        self.folder = folder
        self.settings = {"PORT": free_port(), **settings}
        self.url = f"http://127.0.0.1:{self.settings['PORT']}"
        self.starts = 0
        self._done = Event()
        self._server = None
        self._thread = Thread(target=self._supervise)

    def __enter__(self):
        self._thread.start()
        try:
            self.wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    def _supervise(self):
        while not self._done.is_set():
            self._server = Server(self.folder, **self.settings)
            self.starts += 1
            while self._server.process.poll() is None and not self._done.is_set():
                time.sleep(0.02)
            self._done.wait(RESTART_SECONDS)
        self._server.stop()

    def wait_until_ready(self):
        """Wait for ``/readyz``."""
        deadline = time.monotonic() + READY_SECONDS
        while not is_ready(self.url):
            output = self._server.output if self._server else ""
            assert time.monotonic() < deadline, f"the service is not well again:\n{output}"
            time.sleep(0.05)

    @property
    def pid(self):
        """The process id of gunicorn's master."""
        return self._server.process.pid

    def kill_all(self):
        """End the master and its workers at once."""
        self._server.kill()


def children(pid):
    """List the process ids of the children of a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = path.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue  # it has ended meanwhile
        if int(parent) == pid:
            found.append(int(path.parent.name))
    return sorted(found)


def alive(pid):
    """Tell whether a process that may be somebody else's child runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(pids, seconds=60):
    """Wait until none of these processes runs."""
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)):
        assert time.monotonic() < deadline, f"still running: {[*filter(alive, pids)]}"
        time.sleep(0.05)
