"""The configuration: read once from the environment, checked as a whole, then frozen."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

# What people write, and what it is: psycopg 3 is the one driver.
_POSTGRESQL = ("postgresql", "postgresql+psycopg", "postgres")


class ConfigError(Exception):
    """Every fault of the environment, one clear line each in ``faults``."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not low <= int(text) <= high:
            detail = f"a whole number from {low} to {high}"
            raise ValueError(detail)
        return int(text)

    return parse


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            detail = f"one of {', '.join(words)}"
            raise ValueError(detail)
        return text

    return parse


def _database_url(text: str) -> str:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        url = URL.create("none")
    if url.drivername in _POSTGRESQL and url.database:
        if find_spec("psycopg") is None:
            raise ValueError(_without("postgres"))
        _check_postgresql(url)
        return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    path = url.database or ""
    file = path and path != ":memory:" and not path.startswith("file:") and "\0" not in path
    if not file or url.host or url.query or url.drivername not in ("sqlite", "sqlite+pysqlite"):
        detail = (
            "the URL of an SQLite file (sqlite:///relative.db, sqlite:////absolute.db) "
            "or of a PostgreSQL database (postgresql://user:password@host:5432/name)"
        )
        raise ValueError(detail)
    return text


def _redis_url(text: str) -> str:
    host = r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*|\[[0-9A-Fa-f:.]+\]"
    url = rf"rediss?://([^\s/?#]*@)?({host})(:(?P<port>[0-9]{{1,5}}))?(/[0-9]{{0,4}})?"
    found = re.fullmatch(url, text)
    if not found or not 1 <= int(found["port"] or 6379) <= 65_535:  # noqa: PLR2004 - the highest
        detail = "the URL of a Redis database (redis://user:password@host:6379/0)"
        raise ValueError(detail)
    if find_spec("redis") is None:
        raise ValueError(_without("redis"))
    return text


def _without(extra: str) -> str:
    """Say what to do where an extra is not installed."""
    return (
        f"used with the extra {extra}, which is not installed: make serve EXTRAS={extra} in a "
        f"clone, or pip install '.[{extra}]' into an environment of its own"
    )


def _check_postgresql(url: URL) -> None:
    if "@" in (url.host or ""):
        detail = "written with % escapes where a password holds @ : / ? or # (an @ is %40)"
        raise ValueError(detail)
    from psycopg import ProgrammingError  # noqa: PLC0415 - the driver is an extra
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415

    try:
        make_conninfo(**{name: str(value) for name, value in url.query.items()})
    except ProgrammingError as error:
        detail = f"without what libpq does not know: {error}".strip()
        raise ValueError(detail) from error


def _visible(text: str) -> str:
    if not re.fullmatch(r"[!-~]+", text):
        detail = "of visible characters of ASCII"
        raise ValueError(detail)
    return text


def _concealed(text: str) -> str:
    """Leave what a log may not hold out of a URL: user, password and query."""
    hidden = re.sub(r"//.*@", "//…@", text, flags=re.DOTALL)
    return re.sub(r"\?.*", "?…", hidden, flags=re.DOTALL)


def _http_url(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", text):
        detail = "an http or https URL without query"
        raise ValueError(detail)
    return text.rstrip("/")


# Where a password stands in what is no URL, nobody can say.
_SECRET = ("database_url", "redis_url", "metrics_token")

# For each field: the environment variable and how its text is read.
SETTINGS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "data": ("SEMILLA_DATA", Path),
    "database_url": ("DATABASE_URL", _database_url),
    "database_pool_size": ("DATABASE_POOL_SIZE", _whole(0, 1_000)),
    "sqlite_synchronous": ("SQLITE_SYNCHRONOUS", _one_of("FULL", "NORMAL")),
    "host": ("HOST", str),
    "port": ("PORT", _whole(0, 65_535)),
    "public_url": ("PUBLIC_URL", _http_url),
    "workers": ("WEB_CONCURRENCY", _whole(1, 256)),
    "threads": ("SEMILLA_THREADS", _whole(1, 64)),
    "max_body_bytes": ("MAX_BODY_BYTES", _whole(1_024, 64 * 1_024 * 1_024)),
    "rate_limit_address": ("RATE_LIMIT_ADDRESS", _whole(0, 1_000_000)),
    "rate_limit_create": ("RATE_LIMIT_CREATE", _whole(0, 1_000_000)),
    "rate_limit_player": ("RATE_LIMIT_PLAYER", _whole(0, 1_000_000)),
    "rate_limit_register": ("RATE_LIMIT_REGISTER", _whole(0, 1_000_000)),
    "redis_url": ("REDIS_URL", _redis_url),
    "trusted_proxies": ("TRUSTED_PROXIES", _whole(0, 16)),
    "metrics_token": ("METRICS_TOKEN", _visible),
    "prune_after_days": ("PRUNE_AFTER_DAYS", _whole(2, 36_500)),
    "solver_max_ms": ("SOLVER_MAX_MS", _whole(1, 10_000)),
    "log_level": ("LOG_LEVEL", _one_of("debug", "info", "warning", "error")),
}


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting with its default. ``docs/operations.md`` has the table.

    ``data``: the folder of the embedded database; ``database_url``: empty for that database;
    ``database_pool_size``: the most connections of a process, 0 for as many as it has threads;
    ``public_url``: where clients reach the service, empty for the address that they used;
    ``max_body_bytes``: the longest request body, in bytes (``/v1/evaluate`` takes four times as
    much, so that it accepts every record); ``rate_limit_address``, ``rate_limit_create``,
    ``rate_limit_player``: requests a minute, ``rate_limit_register``: an hour, 0 for no limit;
    ``redis_url``: empty to count in each process by itself;
    ``trusted_proxies``: how many proxies stand in front, whose ``X-Forwarded-For`` is believed;
    ``metrics_token``: empty where anybody may read ``/metrics``;
    ``prune_after_days``: how long nobody has played a game that ``semilla prune`` deletes;
    ``solver_max_ms``: the longest that one search for a client may take, in ms.
    """

    data: Path = Path("data")
    database_url: str = ""
    database_pool_size: int = 0
    sqlite_synchronous: str = "FULL"
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""
    workers: int = 2
    threads: int = 4
    max_body_bytes: int = 64 * 1024
    rate_limit_address: int = 600
    rate_limit_create: int = 120
    rate_limit_player: int = 600
    rate_limit_register: int = 20
    redis_url: str = ""
    trusted_proxies: int = 0
    metrics_token: str = ""
    prune_after_days: int = 90
    solver_max_ms: int = 10_000
    log_level: str = "info"

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """Read the settings; an empty variable is an unset one. ``ConfigError`` has all faults."""
        values: dict[str, Any] = {}
        faults = []
        for field in fields(cls):
            variable, parse = SETTINGS[field.name]
            text = environ.get(variable, "")
            try:
                if text:
                    values[field.name] = parse(text)
            except ValueError as error:
                shown = "wrong" if field.name in _SECRET else repr(_concealed(text))
                faults.append(f"{variable} is {shown}, and must be {error}")
        if faults:
            raise ConfigError(faults)
        return cls(**values)

    @property
    def url(self) -> URL:
        """The database URL, the embedded database's by default."""
        if self.database_url:
            return make_url(self.database_url)
        # Not read from a text: there a question mark in the folder's name would end the path.
        return URL.create("sqlite", database=str(self.data / "semilla.db"))

    @property
    def embedded(self) -> bool:
        """Whether the database is the embedded one, which ``semilla serve`` migrates itself."""
        return not self.database_url
