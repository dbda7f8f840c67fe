"""``semilla serve``: the service under gunicorn."""

import os
import sys

import click

from service.cli.environment import configuration
from service.db.engine import open_engine
from service.db.migrations import upgrade


@click.command()
@click.option("--host", help="Address to listen on; else HOST, else 127.0.0.1.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Port; else PORT, else 8000.")
def serve(host: str | None, port: int | None) -> None:
    """Serve the API, after bringing an embedded database up to date."""
    if host is not None:
        os.environ["HOST"] = host
    if port is not None:
        os.environ["PORT"] = str(port)
    config = configuration()
    if config.embedded:
        config.data.mkdir(parents=True, exist_ok=True)
        engine = open_engine(config.url, synchronous=config.sqlite_synchronous)
        upgrade(engine)
        engine.dispose()
    settings = ["-c", "python:service.gunicorn_conf"]
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", *settings])  # noqa: S606
