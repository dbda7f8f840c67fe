"""gunicorn's settings: threads in a few workers, the application loaded before they fork."""

import os
import re
import resource
import signal
import sys
from itertools import count
from threading import Thread
from typing import Any

from gunicorn.glogging import Logger as GunicornLogger

from service import logs, metrics
from service.api.evaluate import BODY_FACTOR
from service.config import Config
from service.solver import warm_up

_config = Config.from_env(os.environ)

wsgi_app = "service.wsgi:app"
# An IPv6 address stands in brackets, as in a URL.
_host = f"[{_config.host.strip('[]')}]" if ":" in _config.host else _config.host
bind = f"{_host}:{_config.port}"
workers = _config.workers
worker_class = "service.worker.PatientWorker"
# Sending a file would wait for the client.
sendfile = False
# By default a client on this machine could say by headers which path it is that it asks for.
forwarder_headers = ""
threads = _config.threads
preload_app = True
# One path in the home folder for every server of a user: nothing here needs it.
control_socket_disable = True
# gunicorn's own debug lines hold requests.
loglevel = "info" if _config.log_level == "debug" else _config.log_level
# Workers show that they are alive by touching a file: in memory, so that a slow disk kills none.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108, PTH112
# The defaults of gunicorn, named since operators meet them: seconds.
timeout = 30
graceful_timeout = 30
keepalive = 5
# A worker holds 1,000 connections, and files beside them: more than many systems allow by default.
_allowed, _most = resource.getrlimit(resource.RLIMIT_NOFILE)
if _allowed != resource.RLIM_INFINITY:
    _wanted = 4_096 if _most == resource.RLIM_INFINITY else min(_most, 4_096)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(_allowed, _wanted), _most))


class Logger(GunicornLogger):
    """Writes gunicorn's lines as ours, without what they would tell of requests."""

    def setup(self, cfg: Any) -> None:
        """Leave all lines to the one handler."""
        super().setup(cfg)
        logs.configure(_config.log_level)
        self.error_log.handlers.clear()
        self.error_log.propagate = True

    def warning(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """Warn; of a request that is no HTTP without its address and words."""
        found = _NO_HTTP.match(str(msg))
        if found:
            msg, kwargs["extra"] = found[2], logs.fields(address=logs.truncated(found[1]))
        super().warning(msg, *args, **kwargs)

    def exception(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """Log an exception; of a request without its path."""
        if str(msg).startswith("Error handling request"):
            msg, args = "Error handling request", ()
        super().exception(msg, *args, **kwargs)


_NO_HTTP = re.compile(r"Invalid request from ip=(\S*): ([^:']*)")
logger_class = Logger


def pre_fork(arbiter: Any, worker: Any) -> None:
    """Give a worker the first place that is free: it counts on where the last one there ended."""
    taken = {other.place for other in arbiter.WORKERS.values()}
    worker.place = next(place for place in count() if place not in taken)


def post_fork(arbiter: Any, worker: Any) -> None:
    """Tell a worker what it cannot know: how much to receive, and what it was told before.

    The arbiter's handlers, which it inherits, put signals into the arbiter's queue.
    """
    worker.longest_body = _config.max_body_bytes * BODY_FACTOR
    worker.inherited_signals = arbiter.SIG_QUEUE
    metrics.take_place(worker.place)
    # A thread that comes back from the disk waits this long for the others, in seconds: by default
    # it would be longer than a request takes.
    sys.setswitchinterval(0.0005)


def child_exit(_arbiter: Any, worker: Any) -> None:
    """Forget what a worker was doing, however it ended."""
    metrics.forget_worker(worker.place)


def post_worker_init(worker: Any) -> None:
    """End a worker that was told to before it had handlers of its own; ready its solver.

    It would never know, and hold the end of the service up for ``graceful_timeout``.
    """
    # Aside, so that a first start, on which numba compiles, does not wait for it.
    Thread(target=warm_up, name="warm-up", daemon=True).start()
    while not worker.inherited_signals.empty():
        if worker.inherited_signals.get() in (signal.SIGTERM, signal.SIGQUIT):
            worker.alive = False
