"""Migrations, run from code: ``service.migrations`` holds the scripts, there is no ini file."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import cast

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from alembic.script.revision import RevisionError
from alembic.util import CommandError
from sqlalchemy import Connection, Engine

from service.db.engine import write_transaction
from service.db.tables import Base

_SCRIPTS = "service.migrations"
# Any number that no other program of the same PostgreSQL database takes.
_LOCK = 0x5E3111A


class MigrationRefused(Exception):  # noqa: N818 - what happened, not what broke
    """A revision that this release does not know, or that cannot be reached."""


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring the schema up to a revision, in one transaction; safe to run from many processes."""
    with _migration(engine) as connection, _refusals():
        command.upgrade(_config(connection), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Take the schema back to a revision (``base`` for an empty database), in one transaction."""
    with _migration(engine) as connection, _refusals():
        command.downgrade(_config(connection), revision)


def taken_back(engine: Engine, revision: str) -> set[str]:
    """Name the migrations that a downgrade to a revision would undo."""
    scripts, current = ScriptDirectory.from_config(_config()), current_revision(engine)
    with _refusals():
        undone = scripts.iterate_revisions(current or "base", revision)
        return {script.revision for script in undone}


def write_revision(engine: Engine, message: str) -> Path:
    """Write a migration script from how the tables differ from the database; give its path.

    Scripts are numbered one after the other.
    """
    with engine.connect() as connection, _refusals():
        config, number = _config(connection), int(head_revision() or 0) + 1
        script = command.revision(config, message, autogenerate=True, rev_id=f"{number:04}")
    return Path(cast("Script", script).path)  # a list only where a hook of ours asked for more


def is_later(engine: Engine) -> bool:
    """Tell whether the schema is that of a later release than this one, which can do with it."""
    current = current_revision(engine)
    return current is not None and not needs_upgrade(engine) and current != head_revision()


def head_revision() -> str | None:
    """Name the newest migration."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def current_revision(engine: Engine) -> str | None:
    """Name the migration that the database is at; None for a database without the schema."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def needs_upgrade(engine: Engine) -> bool:
    """Tell whether the schema lacks a migration of this release.

    A revision that this release does not know is a later one's, and lacks none: each migration
    leaves the release before it working.
    """
    scripts = ScriptDirectory.from_config(_config())
    current = current_revision(engine)
    known = {script.revision for script in scripts.walk_revisions()}
    return current != scripts.get_current_head() and (current is None or current in known)


def differences(engine: Engine) -> list[str]:
    """List how the database's schema differs from the tables; empty when they agree."""
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        return [str(difference) for difference in compare_metadata(context, Base.metadata)]


@contextmanager
def _migration(engine: Engine) -> Iterator[Connection]:
    """Open a transaction in which nobody else migrates, and in which a statement may take long."""
    with write_transaction(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
            connection.exec_driver_sql("SET LOCAL lock_timeout TO DEFAULT")
        yield connection


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    # Alembic asserts where a revision is written in a way that it cannot read.
    except (CommandError, RevisionError, AssertionError) as error:
        detail = f"{error} (the newest revision that this release knows is {head_revision()})"
        raise MigrationRefused(detail) from error


def _config(connection: Connection | None = None) -> Config:
    config = Config(cmd_opts=Namespace(quiet=True))
    config.set_main_option("script_location", str(resources.files(_SCRIPTS)).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
