"""What is PostgreSQL's own, through psycopg 3.

The driver is an extra: it is looked at only where a connection was made with it.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import URL, Engine
from sqlalchemy.dialects.postgresql import asyncpg
from sqlalchemy.pool import PoolProxiedConnection

from service.db.statement import Compiled

# How it writes a statement with numbered places: psycopg names them, but libpq, below it, does not.
NUMBERED = asyncpg.dialect()  # type: ignore[no-untyped-call]

# At the default isolation: who reads first and writes later locks what was read.
BEGIN = "BEGIN"

# libpq's ExecStatusType and ConnStatusType.
_COMMAND_OK, _TUPLES_OK = 1, 2
_CONNECTION_OK = 0
# The SQLSTATE of a prepared statement that is gone: it has not run.
_NOT_PREPARED = "26000"

_CONNECT_SECONDS = 5
# A server that is gone without a word is noticed after this long, not after the system's hours.
_UNHEARD_MS = 10_000
# More than any statement of a request takes; a migration has no limit.
_STATEMENT_MS = 20_000
# To compile a statement takes longer than to run any of these.
_NO_COMPILER = "-c jit=off"

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
    limits = f"-c lock_timeout={busy_timeout_ms} -c statement_timeout={_STATEMENT_MS}"
    options = f"{limits} {_NO_COMPILER} {named}"
    return {
        "connect_timeout": _CONNECT_SECONDS,
        "tcp_user_timeout": _UNHEARD_MS,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "options": options.rstrip(),
    }


def configure(_connection: object, _busy_timeout_ms: int, _synchronous: str) -> None:
    """Set a new connection up: its arguments have said everything."""


def disposed(_engine: Engine) -> None:
    """Close what an engine has opened beside its pool: nothing."""


def first(
    pooled: PoolProxiedConnection, compiled: Compiled, values: list[object]
) -> dict[str, object] | None:
    """Run a SELECT; give its first row by column, None where there is none."""
    found = _run(pooled, compiled, values)
    if not found.ntuples:
        return None
    return {
        name: None if (value := found.get_value(0, place)) is None else _READ[kind](value)
        for place, (name, kind) in enumerate(compiled.columns)
    }


def change(
    _engine: Engine,
    take: Callable[[], PoolProxiedConnection],
    compiled: Compiled,
    values: list[object],
) -> int:
    """Run an UPDATE; give how many rows it changed."""
    count: int = _run(take(), compiled, values).command_tuples
    return count


def make_sure(_engine: Engine) -> None:
    """Wait until all that can be read by now survives a power cut: it does, by default."""


# How the text of a value is read, by its Python type.
_READ: dict[type, Callable[[bytes], object]] = {
    str: bytes.decode,
    int: int,
    bool: lambda text: text == b"t",
    bytes: lambda text: bytes.fromhex(text[2:].decode()),
}


def _run(pooled: PoolProxiedConnection, compiled: Compiled, values: list[object]) -> Any:
    """Run a statement by libpq itself, prepared once for each connection.

    psycopg's cursors take as long again as PostgreSQL does, to wait in a way that others can share.
    But it goes on using the connection, and after a rollback it drops all that was prepared there:
    then the statement is prepared and tried once more.
    """
    pgconn: Any = pooled.dbapi_connection.pgconn  # type: ignore[union-attr]
    given = [_written(value) for value in values]
    prepared: dict[str, bytes] = pooled.info.setdefault("prepared", {})
    result = pgconn.exec_prepared(_prepare(pooled, pgconn, prepared, compiled.text), given)
    if result.status not in (_COMMAND_OK, _TUPLES_OK):
        failure = _failure(pgconn, result)
        if getattr(failure, "sqlstate", None) != _NOT_PREPARED:
            raise failure
        prepared.clear()
        result = pgconn.exec_prepared(_prepare(pooled, pgconn, prepared, compiled.text), given)
    if result.status not in (_COMMAND_OK, _TUPLES_OK):
        raise _failure(pgconn, result)
    return result


def _prepare(
    pooled: PoolProxiedConnection, pgconn: Any, prepared: dict[str, bytes], text: str
) -> bytes:
    """Give the name under which a connection knows a statement."""
    name = prepared.get(text)
    if name is None:
        number = pooled.info["named"] = pooled.info.get("named", 0) + 1
        name = prepared[text] = f"semilla_{number}".encode()
        made = pgconn.prepare(name, text.encode())
        if made.status != _COMMAND_OK:
            del prepared[text]
            raise _failure(pgconn, made)
    return name


def _failure(pgconn: Any, result: Any) -> Exception:
    """Give what psycopg itself would raise for a result."""
    from psycopg import OperationalError  # noqa: PLC0415 - the driver is an extra
    from psycopg.errors import error_from_result  # noqa: PLC0415

    error = error_from_result(result)
    return error if pgconn.status == _CONNECTION_OK else OperationalError(*error.args)


def _written(value: object) -> bytes | None:
    if value is None:
        return None
    return b"\\x" + value.hex().encode() if isinstance(value, bytes) else str(value).encode()


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
