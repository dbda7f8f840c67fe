"""The configuration and the database of a command."""

import os

import click
from sqlalchemy import Engine

from service.config import Config, ConfigError
from service.db.engine import open_engine


def configuration() -> Config:
    """Read the configuration; where it is faulty, end with one line for each fault."""
    try:
        return Config.from_env(os.environ)
    except ConfigError as error:
        raise click.ClickException("\n".join(error.faults)) from error


def database() -> Engine:
    """Give the engine of the configured database."""
    config = configuration()
    if config.embedded:
        config.data.mkdir(parents=True, exist_ok=True)
    return open_engine(config.url, synchronous=config.sqlite_synchronous)
