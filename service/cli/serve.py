"""``semilla serve``: the service under gunicorn."""

import os
import sys

import click
from gunicorn.app.wsgiapp import run as gunicorn

from service import metrics
from service.cli.environment import configuration, database
from service.cli.shared_folder import shared_folder
from service.db.migrations import needs_upgrade, upgrade


@click.command()
@click.option("--host", help="Address to listen on; else HOST, else 127.0.0.1.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Port; else PORT, else 8000.")
def serve(host: str | None, port: int | None) -> None:
    """Serve the API, after bringing an embedded database up to date."""
    if host is not None:
        os.environ["HOST"] = host
    if port is not None:
        os.environ["PORT"] = str(port)
    if configuration().embedded:
        with database() as engine:
            if needs_upgrade(engine):
                upgrade(engine)
    # In this process: another would look for the package in the working folder first.
    sys.argv[1:] = ["-c", "python:service.gunicorn_conf"]
    with shared_folder() as folder:
        metrics.share(folder)
        gunicorn()
