"""gunicorn's settings: threads in a few workers, the application loaded before they fork."""

import os
import signal
from typing import Any

from service.config import Config

_config = Config.from_env(os.environ)

wsgi_app = "service.wsgi:app"
# An IPv6 address stands in brackets, as in a URL.
_host = f"[{_config.host.strip('[]')}]" if ":" in _config.host else _config.host
bind = f"{_host}:{_config.port}"
workers = _config.workers
worker_class = "gthread"
threads = _config.threads
preload_app = True
# One path in the home folder for every server of a user: nothing here needs it.
control_socket_disable = True
loglevel = _config.log_level
# Workers show that they are alive by touching a file: in memory, so that a slow disk kills none.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108, PTH112
# The defaults of gunicorn, named since operators meet them: seconds.
timeout = 30
graceful_timeout = 30
keepalive = 5


def post_fork(arbiter: Any, worker: Any) -> None:
    """Keep the queue into which the arbiter's handlers, which a worker inherits, put signals."""
    worker.inherited_signals = arbiter.SIG_QUEUE


def post_worker_init(worker: Any) -> None:
    """End a worker that was told to before it had handlers of its own.

    It would never know, and hold the end of the service up for ``graceful_timeout``.
    """
    while not worker.inherited_signals.empty():
        if worker.inherited_signals.get() in (signal.SIGTERM, signal.SIGQUIT):
            worker.alive = False
