"""A folder in memory for the processes of one server, gone when the last of them is."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir, mkdtemp

_PREFIX = "semilla-"


@contextmanager
def shared_folder() -> Iterator[Path]:
    """Give a new folder that only this user may enter, and remove it in the end.

    A server that is killed leaves its folder: the next one removes it. The lock of a folder is held
    by its server and all that it forked, and goes with the last of them.
    """
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own within it
    base = memory if os.access(memory, os.W_OK) else Path(gettempdir())
    for left in base.glob(f"{_PREFIX}*"):
        lock = _lock(left)
        if lock is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)
    lock = None
    while lock is None:
        # Another server that starts may remove it before it is locked.
        folder = Path(mkdtemp(prefix=_PREFIX, dir=base))
        lock = _lock(folder)
    owner = os.getpid()
    try:
        yield folder
    finally:
        # gunicorn's workers leave this way too.
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """Lock a folder of this user's; None where another holds it, or it is gone."""
    try:
        if folder.is_symlink() or folder.stat().st_uid != os.getuid():
            return None
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if folder.exists():
            return lock
    except OSError:
        pass
    os.close(lock)
    return None
