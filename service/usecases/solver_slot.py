"""One search at a time in each process: what a search takes, the other requests lack."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from service.usecases.errors import Busy

# What a search may take, in ms: where nobody says, and at most.
DEFAULT_MS, HIGHEST_MS = 2_000, 10_000
# How long a search in plain Python keeps the interpreter to itself while others wait, in seconds.
_TURN_S = 0.001

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


def granted_ms(asked: int | None, most: int) -> int:
    """Give how long a search may take, in ms; ``most``: what the operator allows."""
    return min(DEFAULT_MS if asked is None else asked, most)
