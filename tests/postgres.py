"""PostgreSQL for tests: a server that is there, or a throw-away cluster from Debian's binaries.

``with new_database(server_url()) as url:`` is all that most tests need; those that stop, kill and
restart a server start a ``Cluster`` of their own.
"""

import atexit
import contextlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from tests.servers import free_port

START_SECONDS = 60
STOP_SECONDS = 30

USUAL = [f"postgresql+psycopg://{user}@127.0.0.1:5432/postgres" for user in ("postgres", "root")]
# What `pg_ctl stop` sends for each mode.
MODES = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


def connect(url):
    """Connect to the database of a URL as SQLAlchemy writes it; each statement commits by itself.

    ``psycopg.OperationalError`` where nobody answers.
    """
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, autocommit=True, connect_timeout=5)


def answers(url):
    """Tell whether a server lets this URL in."""
    try:
        connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


@cache
def server_url():
    """Give the URL of a server to make databases on, once for all tests of a process.

    That is TEST_POSTGRES_URL, or a server at the usual local address, or a throw-away cluster;
    where none can be had the test is skipped.
    """
    named = os.environ.get("TEST_POSTGRES_URL")
    if named:
        return named
    found = next(filter(answers, USUAL), None)
    if found:
        return found
    cluster = Cluster()
    atexit.register(cluster.remove)
    cluster.start()
    return cluster.url


@contextlib.contextmanager
def new_database(server):
    """Give the URL of an empty database on a server, and drop it at the end, whoever is in it."""
    name = f"semilla_test_{secrets.token_hex(8)}"
    with connect(server) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with connect(server) as connection:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            connection.execute(drop)


def binaries():
    """Give the folder of the newest PostgreSQL here; skip the test where there is none."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    on_path = shutil.which("initdb")
    if not found and not on_path:
        pytest.skip("no PostgreSQL answers at 127.0.0.1:5432, and Debian's postgresql is not here")
    return found[-1].parent if found else Path(on_path).parent


class Cluster:
    """A PostgreSQL of a test's own, in a folder of its own and on a port of its own.

    ``settings`` are those of postgresql.conf. It syncs to the disk as any other does, and it ends
    with the process that started it, however that ends.
    """

    def __init__(self, **settings):
        self._bin = binaries()
        self.folder = Path(tempfile.mkdtemp(prefix="semilla-postgres-"))
        self._process = None
        port = free_port()
        self.url = f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
        self._settings = {
            "listen_addresses": "127.0.0.1",
            "port": port,
            "unix_socket_directories": self.folder,
            **settings,
        }
        # PostgreSQL refuses to run as root.
        self._as = ["setpriv", "--pdeathsig", "INT"]
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self._as += ["--reuid", "postgres", "--regid", "postgres", "--init-groups"]
        self._initialise()

    def _initialise(self):
        command = ["initdb", "--no-sync", "--auth=trust", "--username=postgres"]
        subprocess.run(
            [*self._as, self._bin / command[0], *command[1:], "--no-locale", "--encoding=UTF8"],
            cwd=self.folder,
            env={**os.environ, "PGDATA": str(self._data)},
            check=True,
            capture_output=True,
            timeout=START_SECONDS,
        )

    @property
    def _data(self):
        return self.folder / "data"

    @property
    def output(self):
        """All that it has written so far."""
        return (self.folder / "log").read_text("utf-8", "replace")

    @property
    def pid(self):
        """The process id of the postmaster."""
        return self._process.pid

    def start(self):
        """Start it, and wait until it lets clients in; as often as it takes after a kill.

        Backends whose postmaster was killed end by themselves, and until then no other starts.
        """
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                self._process = self._launch()
            if answers(self.url):
                return
            time.sleep(0.05)
        message = f"PostgreSQL did not start:\n{self.output}"
        raise AssertionError(message)

    def _launch(self):
        settings = [
            word for pair in self._settings.items() for word in ("-c", "=".join(map(str, pair)))
        ]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [*self._as, self._bin / "postgres", "-D", self._data, *settings],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def stop(self, mode="fast"):
        """End it as ``pg_ctl stop -m MODE`` does: smart, fast or immediate."""
        self._process.send_signal(MODES[mode])
        self._process.wait(STOP_SECONDS)

    def restart(self, mode="fast"):
        """Stop it and start it again."""
        self.stop(mode)
        self.start()

    def kill(self):
        """End the postmaster at once, with no time for anything."""
        self._process.kill()
        self._process.wait(STOP_SECONDS)

    def remove(self):
        """End it, if it runs, and remove its folder."""
        if self._process is not None and self._process.poll() is None:
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def running_cluster(**settings):
    """Give a ``Cluster`` that is ready, and remove it however the test ends."""
    cluster = Cluster(**settings)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()
