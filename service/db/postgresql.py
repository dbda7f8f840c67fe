"""What is PostgreSQL's own, through psycopg 3.

The driver is an extra: it is looked at only where a connection was made with it.
"""

from contextlib import AbstractContextManager, nullcontext

from sqlalchemy import URL

# At the default isolation: who reads first and writes later locks what was read.
BEGIN = "BEGIN"

_CONNECT_SECONDS = 5
# A server that is gone without a word is noticed after this long, not after the system's hours.
_UNHEARD_MS = 10_000
# More than any statement of a request takes; a migration has no limit.
_STATEMENT_MS = 20_000

# SQLSTATEs of what passes: no connection is free, no lock, a deadlock, a statement that took too
# long. https://www.postgresql.org/docs/current/errcodes-appendix.html
_BUSY_STATES = {"40001", "40P01", "53300", "55P03", "57014"}
# The server refuses a connection before its driver knows a SQLSTATE.
_BUSY_WORDS = ("too many clients", "connection slots are reserved", "too many connections")
# Beside all operational errors: no such table or column, no right to it, read-only, a broken file.
_DOWN_STATES = {"25006", "42501", "42703", "42P01", "XX001", "XX002"}


def connect_args(url: URL, busy_timeout_ms: int) -> dict[str, object]:
    """Give the driver's arguments for a connection; options that the URL names come last."""
    named = url.query.get("options", "")
    options = f"-c lock_timeout={busy_timeout_ms} -c statement_timeout={_STATEMENT_MS} {named}"
    return {
        "connect_timeout": _CONNECT_SECONDS,
        "tcp_user_timeout": _UNHEARD_MS,
        "options": options.rstrip(),
    }


def configure(_connection: object, _busy_timeout_ms: int, _synchronous: str) -> None:
    """Set a new connection up: its arguments have said everything."""


def turn_to_write(_busy_timeout_ms: int) -> AbstractContextManager[None]:
    """Wait for nobody: the server lets many write at once."""
    return nullcontext()


def message(error: BaseException) -> str:
    """Say what an error of the driver is: one line, without the row or key that the server adds."""
    words: str | None = getattr(getattr(error, "diag", None), "message_primary", None)
    return " ".join((words or str(error)).split())


def is_busy(error: BaseException) -> bool:
    """Tell whether others held a lock, or every connection, for too long."""
    state = getattr(error, "sqlstate", None)
    return state in _BUSY_STATES or any(words in str(error) for words in _BUSY_WORDS)


def is_down(error: BaseException) -> bool:
    """Tell whether the database cannot be used."""
    operational = any(kind.__name__ == "OperationalError" for kind in type(error).__mro__)
    return operational or getattr(error, "sqlstate", None) in _DOWN_STATES
