"""JSON lines on standard error: what the processes of a server write, each line one object."""

import logging
import os
import re
import sys
import threading
from datetime import UTC, datetime
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from types import TracebackType
from typing import Any

import orjson

# Tokens and drawn seeds, of games and of challenges: no line of ours holds one, but the words of an
# exception might.
_SECRET = re.compile(r"s[gp]_[\w-]{8,}|(?<![0-9A-Fa-f])([0-9a-f]{32}){1,2}(?![0-9A-Fa-f])")

_STYLE = orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z
_formatter = logging.Formatter()
_requests = logging.getLogger("service.requests")
_crashes = logging.getLogger("service.crashes")


def configure(level: str) -> None:
    """Make everything that this process logs JSON lines; ``level`` is that of our own lines.

    Libraries only warn: their other lines may hold paths and headers.
    """
    logging.root.handlers[:] = [_Lines()]
    logging.root.setLevel(logging.WARNING)
    logging.getLogger("service").setLevel(level.upper())
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_crash
    threading.excepthook = lambda crash: _log_crash(
        crash.exc_type, crash.exc_value, crash.exc_traceback
    )
    # No line names the place that wrote it: the logging HOWTO says so to spare looking for it.
    logging._srcfile = None  # noqa: SLF001


def fields(**values: object) -> dict[str, Any]:
    """Give the ``extra`` of a call of ``logging`` that adds fields to the line."""
    return {"fields": values}


def log_request(level: int, **values: object) -> None:
    """Write the line of a request that has been answered.

    No LogRecord is made of it: that would cost several times as much as the line.
    """
    if _requests.isEnabledFor(level):
        name = logging.getLevelName(level).lower()
        _write(_head(datetime.now(UTC), name, _requests.name, os.getpid(), "request") | values)


def log_operator(action: str, **values: object) -> None:
    """Write the line of what an operator has done by a command, whatever the level."""
    line = _head(datetime.now(UTC), "info", "service.operator", os.getpid(), action)
    _write(line | {name: _clean(str(value)) for name, value in values.items()})


@lru_cache(maxsize=4_096)
def truncated(address: str) -> str:
    """Give the network of an address: /24 of IPv4, /48 of IPv6; nothing for what is no address."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    bits = 24 if found.version == 4 else 48  # noqa: PLR2004 - the versions of IP
    return str(ip_network((found, bits), strict=False).network_address)


def _line(record: logging.LogRecord) -> dict[str, Any]:
    time, level = datetime.fromtimestamp(record.created, UTC), record.levelname.lower()
    found = _head(time, level, record.name, record.process, _clean(record.getMessage()))
    found |= getattr(record, "fields", {})
    if record.exc_info and record.exc_info[0]:
        # Without local values, unlike the tracebacks of some libraries.
        found["traceback"] = _clean(_formatter.formatException(record.exc_info))
    return found


def _head(time: datetime, level: str, logger: str, pid: int | None, message: str) -> dict[str, Any]:
    return {"time": time, "level": level, "logger": logger, "pid": pid, "message": message}


def _write(found: dict[str, Any]) -> None:
    """Write a line at once, so that those of several processes do not mix."""
    try:
        sys.stderr.buffer.write(orjson.dumps(found, option=_STYLE))
        sys.stderr.buffer.flush()
    except OSError:
        # Nobody reads, or the disk is full: no request fails for a line.
        pass


def _clean(text: str) -> str:
    """Leave out what looks like a secret, and what JSON cannot hold."""
    return _SECRET.sub("[secret]", text).encode("utf-8", "backslashreplace").decode()


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _write(_line(record))


def _log_crash(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    _crashes.critical("unhandled exception", exc_info=(kind, error or kind(), trace))
