"""``semilla db`` and ``semilla verify-games``: the operator's hand on the database."""

import sys
from pathlib import Path

import click

from service.cli.environment import configuration, database, now_ms, ready_database
from service.db import migrations
from service.db.backup import back_up
from service.logs import log_operator
from service.usecases.health import check_ready
from service.usecases.pruning import prune_games
from service.usecases.verify import verify_games as verify

_DAY_MS = 24 * 60 * 60 * 1_000
# What nobody gets back, by the migration whose downgrade deletes it; the worst first.
LOST_BELOW = {"0001": "every game", "0003": "every player and challenge"}


@click.group()
def db() -> None:
    """Look after the database's schema."""


@db.command()
@click.argument("revision", default="head")
def upgrade(revision: str) -> None:
    """Bring the schema up to REVISION (by default the newest).

    The schema of a later release is left as it is: this release works with it.
    """
    with database() as engine:
        if revision == "head" and migrations.is_later(engine):
            current = migrations.current_revision(engine)
            click.echo(f"the schema is at {current}, of a later release: this one works with it")
            return
        migrations.upgrade(engine, revision)
        click.echo(f"the schema is at {migrations.current_revision(engine)}")


@db.command()
@click.argument("revision")
@click.option("--yes", is_flag=True, help="Delete players and games, where that takes them away.")
def downgrade(revision: str, *, yes: bool) -> None:
    """Take the schema back to REVISION (``base`` for none at all, and no game either)."""
    with database() as engine:
        undone = migrations.taken_back(engine, revision)
        lost = next((what for script, what in LOST_BELOW.items() if script in undone), None)
        if lost and not yes:
            message = f"this would delete {lost}: say --yes if that is what you want"
            raise click.UsageError(message)
        migrations.downgrade(engine, revision)
        current = migrations.current_revision(engine)
        click.echo(f"the schema is at {current}" if current else "there is no schema")


@db.command()
def check() -> None:
    """Tell whether the schema is the one of this release; exit status 1 if it is not."""
    with database() as engine:
        check_ready(engine)
        current, head = migrations.current_revision(engine), migrations.head_revision()
        if migrations.is_later(engine):
            detail = f"the schema is at {current}, of a later release than this one ({head})"
            raise migrations.MigrationRefused(detail)
        differences = migrations.differences(engine)
        for difference in differences:
            click.echo(f"the schema differs from the tables: {difference}")
        if differences:
            sys.exit(1)
        click.echo(f"the schema is at {head}, as this release needs it")


@db.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Copy an SQLite database to a new FILE, also while the service runs on it."""
    with database() as engine:
        try:
            back_up(engine, file)
        except OSError as error:
            message = f"cannot write {click.format_filename(file)}: {error.strerror or error}"
            raise click.ClickException(message) from error
    click.echo(f"the database is in {click.format_filename(file)}")


@db.command()
@click.argument("message")
def revision(message: str) -> None:
    """Write a migration from how the tables differ from the database (for developers)."""
    with database() as engine:
        click.echo(migrations.write_revision(engine, message))


@click.command("verify-games")
def verify_games() -> None:
    """Replay every stored game and compare it with its row; exit status 1 at any fault."""
    checked = faulty = 0
    with database() as engine:
        check_ready(engine)
        for verdict in verify(engine):
            checked += 1
            faulty += bool(verdict.faults)
            for fault in verdict.faults:
                click.echo(f"{verdict.game_id}: {fault}")
    click.echo(f"{checked} games checked, {faulty} faulty")
    if faulty:
        sys.exit(1)


@click.command()
@click.option("--dry-run", is_flag=True, help="Only count them.")
def prune(*, dry_run: bool) -> None:
    """Delete the games of nobody on which no move was made for PRUNE_AFTER_DAYS.

    Never a player's, nor an attempt of a challenge.
    """
    before = now_ms() - configuration().prune_after_days * _DAY_MS
    with ready_database() as engine:
        pruned = prune_games(engine, before, dry_run=dry_run)
    if not dry_run:
        log_operator("prune", games=pruned.idle)
    what = "would be deleted" if dry_run else "are deleted"
    click.echo(f"{pruned.idle} games {what}, of {pruned.seen} that nobody owns")
