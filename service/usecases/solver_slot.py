"""One search at a time in each process: what a search takes, the other requests lack."""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from threading import Lock, Thread, get_native_id
from typing import TypeVar

from service.solver.engines import Engine, default_engine
from service.usecases.errors import Busy

T = TypeVar("T")

# What a search may take, in ms: where nobody says, and at most.
DEFAULT_MS, HIGHEST_MS = 2_000, 10_000
# How long a search in plain Python keeps the interpreter to itself while others wait, in seconds.
_TURN_S = 0.001
# How much a compiled search gives way to whatever else wants a processor: its niceness.
_NICENESS = 19

_slot = Lock()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the one place in which this process searches; ``Busy`` while another does."""
    if not _slot.acquire(blocking=False):
        detail = "a search is under way here, and there is one at a time: send this again soon"
        raise Busy(detail, retry_after=1)
    turn = sys.getswitchinterval()
    try:
        sys.setswitchinterval(min(turn, _TURN_S))
        yield
    finally:
        sys.setswitchinterval(turn)
        _slot.release()


def aside(search: Callable[[], T]) -> T:
    """Run a search in a thread that gives way to all others, and wait for it.

    Not where it runs in plain Python: it would hold the interpreter while it waits for a processor.
    """
    if default_engine() is not Engine.NUMBA:
        return search()

    def give_way() -> T:
        # Only Linux has priorities of threads. None can be raised again, so this one ends here.
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICENESS)
        return search()

    return begin(give_way).result()


def begin(work: Callable[[], T]) -> Future[T]:
    """Begin some work in a thread of its own, for whose end nobody waits who is told to end."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except Exception as error:  # noqa: BLE001 - it is raised again where it is waited for
            done.set_exception(error)

    Thread(target=run, name="search", daemon=True).start()
    return done


def granted_ms(asked: int | None, most: int) -> int:
    """Give how long a search may take, in ms; ``most``: what the operator allows."""
    return min(DEFAULT_MS if asked is None else asked, most)
