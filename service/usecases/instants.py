"""Instants as the service writes them: RFC 3339, in UTC, to the millisecond."""

import time
from functools import lru_cache


def write_instant(ms: int) -> str:
    """Write an instant, in ms since 1970 UTC, as RFC 3339."""
    seconds, rest = divmod(ms, 1000)
    return f"{_second(seconds)}.{rest:03}Z"


@lru_cache(maxsize=1024)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
