"""Counting requests: in the memory of this process, or in a Redis that all processes share.

Time is cut into windows of equal length, and what is counted is counted under the number of its
window. So a new window starts from nothing, no clock but the caller's matters, and Redis is asked
once for a count.
"""

import logging
import time
from threading import Lock
from typing import NamedTuple, Protocol

from limits.errors import StorageError
from limits.storage import RedisStorage

# Of each policy, in the memory of a process. Beyond that all are forgotten: who has so many
# addresses is not stopped by counting them.
MOST_CLIENTS = 50_000
# How long Redis may take to connect, and then to answer; for how long it is left alone where it
# did not. Both in seconds.
PATIENCE = 0.25
REST = 3.0

_log = logging.getLogger(__name__)


class Window(NamedTuple):
    """The window of a policy, by its number, and how many seconds it lasts."""

    policy: str
    number: int
    seconds: int


class Counters(Protocol):
    """Counts clients by window."""

    def count(self, window: Window, who: str) -> int | None:
        """Count a client once more; give how often that was in this window, None if unknown."""


class MemoryCounters:
    """Counts for this process alone.

    Not the storage that ``limits`` has for this: that one starts a thread every 10 ms, which walks
    through all that is stored, and knows no bound. Here a window is dropped when the next begins.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[str, tuple[int, dict[str, int]]] = {}

    def count(self, window: Window, who: str) -> int:
        """Count a client once more; give how often that was in this window."""
        with self._lock:
            number, counts = self._counts.get(window.policy, (None, {}))
            if number != window.number or (len(counts) >= MOST_CLIENTS and who not in counts):
                counts = {}
                self._counts[window.policy] = (window.number, counts)
            counts[who] = counted = counts.get(who, 0) + 1
            return counted


class RedisCounters:
    """Counts in Redis, for all processes; it connects when it first counts.

    While Redis cannot be used nothing is counted, and of all threads one tries again every
    ``REST`` seconds.
    """

    def __init__(self, url: str) -> None:
        self._storage = RedisStorage(
            url,
            key_prefix="semilla",
            wrap_exceptions=True,
            socket_connect_timeout=PATIENCE,
            socket_timeout=PATIENCE,
        )
        self._lock = Lock()
        # 0 while Redis can be used.
        self._try_again = 0.0

    def count(self, window: Window, who: str) -> int | None:
        """Count a client once more; None while Redis cannot be used."""
        if self._rests():
            return None
        key = f"{window.policy}/{who}/{window.number}"
        try:
            counted = self._storage.incr(key, window.seconds)
        except StorageError as error:
            self._gone(error)
            return None
        self._back()
        return counted

    def _rests(self) -> bool:
        if not self._try_again:
            return False
        with self._lock:
            now = time.monotonic()
            if now < self._try_again:
                return True
            # This thread tries now, and the others rest on.
            self._try_again = now + REST
            return False

    def _gone(self, error: StorageError) -> None:
        with self._lock:
            first = not self._try_again
            self._try_again = time.monotonic() + REST
        if first:
            _log.warning("Redis cannot be used, so requests are not limited: %s", error)

    def _back(self) -> None:
        if not self._try_again:
            return
        with self._lock:
            first = bool(self._try_again)
            self._try_again = 0.0
        if first:
            _log.warning("Redis can be used again: requests are limited")


def open_counters(redis_url: str) -> Counters:
    """Give counters in Redis, or in memory where there is no URL."""
    return RedisCounters(redis_url) if redis_url else MemoryCounters()
