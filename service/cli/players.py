"""``semilla player``: the operator's hand on players. Each action is a line of the log."""

import click

from service.cli.environment import now_ms, ready_database
from service.logs import log_operator
from service.usecases import operated_players


@click.group()
def player() -> None:
    """Help players, and keep them off. Each action is a line of the log, on standard error."""


@player.command()
@click.argument("name")
def token(name: str) -> None:
    """Give the player NAME a new token, and print it, this once.

    The one before is void. A disabled player is let in again.
    """
    with ready_database() as engine:
        given = operated_players.give_token(engine, name)
    log_operator("player token", player=name)
    click.echo(given)


@player.command()
@click.argument("name")
@click.argument("new_name", metavar="NEW")
def rename(name: str, new_name: str) -> None:
    """Give the player NAME the name NEW. Nobody else gets the old one."""
    with ready_database() as engine:
        operated_players.rename(engine, name, new_name)
    log_operator("player rename", player=name, new_name=new_name)
    click.echo(f"{name} is {new_name} now")


@player.command()
@click.argument("name")
def disable(name: str) -> None:
    """Void the token of the player NAME: there is no way in until ``semilla player token``."""
    with ready_database() as engine:
        operated_players.disable(engine, name, now_ms())
    log_operator("player disable", player=name)
    click.echo(f"{name} is disabled")
