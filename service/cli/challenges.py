"""``semilla challenge``: the operator's hand on challenges. Each action is a line of the log."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from service.cli.environment import database
from service.db.engine import Engine
from service.logs import log_operator
from service.usecases import operated_challenges
from service.usecases.errors import Refused
from service.usecases.health import check_ready


@click.group()
def challenge() -> None:
    """End or hide challenges. Each action is a line of the log, on standard error."""


@challenge.command()
@click.argument("challenge_id", metavar="ID")
def cancel(challenge_id: str) -> None:
    """Cancel the challenge ID, also where attempts are dealt.

    The time of those in play runs out at once. Its seed is never revealed.
    """
    with _database() as engine:
        stopped = operated_challenges.cancel(engine, challenge_id, _now_ms())
    log_operator("challenge cancel", challenge=challenge_id)
    click.echo(f"{challenge_id} is cancelled, {stopped} attempts in play ended")


@challenge.command()
@click.argument("challenge_id", metavar="ID")
def hide(challenge_id: str) -> None:
    """Hide the challenge ID from all but its host and those who have entered."""
    with _database() as engine:
        operated_challenges.hide(engine, challenge_id, _now_ms())
    log_operator("challenge hide", challenge=challenge_id)
    click.echo(f"{challenge_id} is hidden")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


@contextmanager
def _database() -> Iterator[Engine]:
    """Give the database, whose schema is ready; what is refused ends the command in one line."""
    try:
        with database() as engine:
            check_ready(engine)
            yield engine
    except Refused as error:
        raise click.ClickException(error.detail) from error
