"""``semilla serve``: the service under gunicorn."""

import logging
import os
import sys

import click

from service import logs, metrics
from service.cli.environment import configuration, database
from service.cli.shared_folder import shared_folder
from service.db.migrations import needs_upgrade, upgrade
from service.usecases.health import check_ready


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
    else:
        _look_at_database()
    # gunicorn reads this one as soon as it is imported; an empty one is an unset one here.
    os.environ["WEB_CONCURRENCY"] = str(configuration().workers)
    from gunicorn.app.wsgiapp import run as gunicorn  # noqa: PLC0415

    # In this process: another would look for the package in the working folder first.
    sys.argv[1:] = ["-c", "python:service.gunicorn_conf"]
    with shared_folder() as folder:
        metrics.share(folder)
        gunicorn()


def _look_at_database() -> None:
    """Log what is wrong with a database that others look after; the service may start before it."""
    try:
        with database() as engine:
            check_ready(engine)
    except click.ClickException as error:
        logs.configure(configuration().log_level)
        words = "the database is not ready: %s"
        logging.getLogger(__name__).error(words, error.message)  # noqa: TRY400 - it says it all
