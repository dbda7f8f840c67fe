"""``semilla challenge``: the operator's hand on challenges. Each action is a line of the log."""

import click

from service.cli.environment import now_ms, ready_database
from service.logs import log_operator
from service.usecases import operated_challenges


@click.group()
def challenge() -> None:
    """End or hide challenges. Each action is a line of the log, on standard error."""


@challenge.command()
@click.argument("challenge_id", metavar="ID")
def cancel(challenge_id: str) -> None:
    """Cancel the challenge ID, also where attempts are dealt.

    The time of those in play runs out at once. Its seed is never revealed.
    """
    with ready_database() as engine:
        stopped = operated_challenges.cancel(engine, challenge_id, now_ms())
    log_operator("challenge cancel", challenge=challenge_id)
    click.echo(f"{challenge_id} is cancelled, {stopped} attempts in play ended")


@challenge.command()
@click.argument("challenge_id", metavar="ID")
def hide(challenge_id: str) -> None:
    """Hide the challenge ID from all but its host and those who have entered."""
    with ready_database() as engine:
        operated_challenges.hide(engine, challenge_id, now_ms())
    log_operator("challenge hide", challenge=challenge_id)
    click.echo(f"{challenge_id} is hidden")
