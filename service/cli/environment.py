"""The configuration and the database of a command, whose faults end it in one clear line each."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from service.config import Config, ConfigError
from service.db.engine import DatabaseBusy, DatabaseDown, Engine, open_engine
from service.db.migrations import MigrationRefused
from service.rules.errors import Invalid
from service.usecases.errors import Refused
from service.usecases.health import check_ready


def configuration() -> Config:
    """Read the configuration; where it is faulty, end with one line for each fault."""
    try:
        return Config.from_env(os.environ)
    except ConfigError as error:
        raise click.ClickException("\n".join(error.faults)) from error


@contextmanager
def database() -> Iterator[Engine]:
    """Give the engine of the configured database; where that fails, end with one line."""
    config = configuration()
    # What is made here holds hidden cards and who may play: it is for this user only.
    umask = os.umask(0o077)
    engine = open_engine(config.url, synchronous=config.sqlite_synchronous)
    try:
        if config.embedded:
            _make_folder(config.data)
        yield engine
    except (DatabaseBusy, DatabaseDown, MigrationRefused) as error:
        message = f"{config.url.set(query={})}: {error}"
        raise click.ClickException(message) from error
    finally:
        engine.dispose()
        os.umask(umask)


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot use the data folder {data}: {error.strerror}"
        raise click.ClickException(message) from error


@contextmanager
def ready_database() -> Iterator[Engine]:
    """Give the database, whose schema is ready; what is refused ends the command in one line."""
    try:
        with database() as engine:
            check_ready(engine)
            yield engine
    except (Refused, Invalid) as error:
        raise click.ClickException(error.detail) from error


def now_ms() -> int:
    """Give the time now, in ms since 1970 UTC."""
    return time.time_ns() // 1_000_000
