"""The command ``semilla``."""

import click

from service import __version__
from service.cli import census, challenges, database, games, players, records, serve, solver
from service.db.migrations import head_revision


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message=f"%(prog)s %(version)s, schema {head_revision()}")
def main() -> None:
    """Semilla: seeded games of patience, the Cruel family and Calculation."""


for command in (
    serve.serve,
    games.play,
    games.deal,
    games.replay,
    solver.solve,
    census.census,
    challenges.challenge,
    database.db,
    database.verify_games,
    database.prune,
    players.player,
    records.verify,
):
    main.add_command(command)
