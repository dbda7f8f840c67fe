import importlib
import shutil
import subprocess
import sys
from importlib import resources

import pytest
from alembic.script import ScriptDirectory

from service.db import migrations

SCRIPTS = ScriptDirectory(str(resources.files("service.migrations")))
REVISIONS = [script.revision for script in SCRIPTS.walk_revisions()][::-1]

UPGRADE = """
import sys
from service.db.engine import open_engine
from service.db.migrations import upgrade
db = open_engine(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
upgrade(db)
"""

BROKEN = '''"""A migration that fails half way."""

from alembic import op

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    op.execute("CREATE TABLE half (way TEXT)")
    op.execute("INSERT INTO nowhere VALUES (1)")


def downgrade() -> None:
    op.execute("DROP TABLE half")
'''

SCHEMAS = {
    "sqlite": ["SELECT type, name, sql FROM sqlite_master ORDER BY type, name"],
    "postgresql": [
        """SELECT table_name, column_name, data_type, is_nullable, column_default
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2""",
        """SELECT tablename, indexname, indexdef FROM pg_indexes
        WHERE schemaname = 'public' ORDER BY 2""",
        """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace ORDER BY 2""",
    ],
}


def schema(db):
    """Give every column, index and constraint as the database keeps it."""
    with db.connect() as connection:
        return [
            tuple(row)
            for query in SCHEMAS[db.dialect.name]
            for row in connection.exec_driver_sql(query)
        ]


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Give the folder of a copy of the migrations, which ``migrations`` works on instead."""
    copy = tmp_path / "scratch_migrations"
    shutil.copytree(SCRIPTS.dir, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(migrations, "_SCRIPTS", "scratch_migrations")
    yield copy
    for name in [name for name in sys.modules if name.startswith("scratch_migrations")]:
        del sys.modules[name]


def test_there_is_one_head():
    assert SCRIPTS.get_heads() == [migrations.head_revision()] == REVISIONS[-1:]


def test_migrations_are_numbered_one_after_the_other():
    assert [f"{number:04}" for number in range(1, len(REVISIONS) + 1)] == REVISIONS
    for script in SCRIPTS.walk_revisions():
        assert script.path.rpartition("/")[2].startswith(f"{script.revision}_")


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_migration_states_the_rule_that_it_keeps(revision):
    module = SCRIPTS.get_revision(revision).module
    assert "the previous release goes on working" in module.__doc__
    assert callable(module.upgrade)
    assert callable(module.downgrade)


def test_an_empty_file_has_no_revision(open_any):
    assert migrations.current_revision(open_any()) is None


def test_the_schema_is_that_of_the_tables_after_the_upgrade(open_any):
    db = open_any()
    migrations.upgrade(db)
    assert migrations.current_revision(db) == migrations.head_revision()
    assert migrations.differences(db) == []


def test_the_upgrade_changes_nothing_the_second_time(open_any):
    db = open_any()
    migrations.upgrade(db)
    before = schema(db)
    migrations.upgrade(db)
    assert schema(db) == before


def test_the_way_down_ends_in_an_empty_database(open_any):
    db = open_any()
    migrations.upgrade(db)
    migrations.downgrade(db, "base")
    assert migrations.current_revision(db) is None
    assert [row for row in schema(db) if "alembic_version" not in str(row)] == []


def test_the_way_up_again_gives_the_same_schema(open_any):
    db = open_any()
    migrations.upgrade(db)
    before = schema(db)
    migrations.downgrade(db, "base")
    migrations.upgrade(db)
    assert schema(db) == before
    assert migrations.differences(db) == []


@pytest.mark.parametrize("place", range(len(REVISIONS)))
def test_each_step_down_undoes_its_step_up(open_any, place):
    db = open_any()
    below = REVISIONS[place - 1] if place else "base"
    if place:
        migrations.upgrade(db, below)
    lower = [entry for entry in schema(db) if "alembic_version" not in str(entry)]
    migrations.upgrade(db, REVISIONS[place])
    upper = schema(db)
    assert migrations.current_revision(db) == REVISIONS[place]
    migrations.downgrade(db, below)
    assert [entry for entry in schema(db) if "alembic_version" not in str(entry)] == lower
    migrations.upgrade(db, REVISIONS[place])
    assert schema(db) == upper


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("ALTER TABLE games DROP COLUMN earlier_attempt", "earlier_attempt"),
        ("ALTER TABLE games ADD COLUMN colour TEXT", "colour"),
        ("CREATE TABLE others (id TEXT)", "others"),
        ("DROP TABLE events", "events"),
    ],
)
def test_a_schema_that_differs_is_told(open_any, change, told):
    db = open_any()
    migrations.upgrade(db)
    with db.connect() as connection:
        connection.exec_driver_sql(change)
    found = migrations.differences(db)
    assert len(found) == 1
    assert told in found[0]


@pytest.mark.parametrize("way", ["upgrade", "downgrade"])
def test_a_revision_that_nobody_knows_is_refused_and_changes_nothing(open_any, way):
    db = open_any()
    migrations.upgrade(db)
    before = schema(db)
    with pytest.raises(migrations.MigrationRefused, match=migrations.head_revision()):
        getattr(migrations, way)(db, "7777")
    assert schema(db) == before


def test_an_upgrade_is_needed_until_the_newest_revision_is_reached(open_any):
    db = open_any()
    assert migrations.needs_upgrade(db)
    for revision in REVISIONS:
        migrations.upgrade(db, revision)
        assert migrations.needs_upgrade(db) is (revision != REVISIONS[-1])
    migrations.downgrade(db, "base")
    assert migrations.needs_upgrade(db)


def test_the_database_of_a_later_release_needs_no_upgrade(open_any):
    db = open_any()
    migrations.upgrade(db)
    with db.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '7777'")
    assert not migrations.needs_upgrade(db)


def test_the_database_of_a_later_release_is_refused(open_any):
    db = open_any()
    migrations.upgrade(db)
    with db.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '7777'")
    with pytest.raises(migrations.MigrationRefused, match="7777"):
        migrations.upgrade(db)


def test_a_migration_that_fails_half_way_leaves_nothing(open_any, scratch):
    db, head = open_any(), migrations.head_revision()
    migrations.upgrade(db)
    before = schema(db)
    (scratch / "versions" / "9999_broken.py").write_text(BROKEN.format(head=head), "utf-8")
    with pytest.raises(Exception, match="nowhere"):
        migrations.upgrade(db)
    assert schema(db) == before
    assert migrations.current_revision(db) == head


def test_a_revision_is_written_with_its_number_and_the_rule(open_any, scratch):
    db = open_any()
    migrations.upgrade(db)
    with db.connect() as connection:
        connection.exec_driver_sql("ALTER TABLE games DROP COLUMN undos")
    path = migrations.write_revision(db, "Undos of games")
    number = f"{len(REVISIONS) + 1:04}"
    assert path == scratch / "versions" / f"{number}_undos_of_games.py"
    text = path.read_text("utf-8")
    assert text.startswith('"""Undos of games.\n\nThe rule for every migration: the previous')
    assert "add_column(sa.Column('undos', sa.Integer(), nullable=False))" in text
    assert "drop_column('undos')" in text

    written = importlib.import_module(f"scratch_migrations.versions.{path.stem}")
    assert (written.revision, written.down_revision) == (number, REVISIONS[-1])
    migrations.upgrade(db)
    assert migrations.current_revision(db) == migrations.head_revision() == number
    assert migrations.differences(db) == []


@pytest.mark.usefixtures("scratch")
def test_a_revision_is_refused_for_a_database_that_is_behind(open_any):
    with pytest.raises(migrations.MigrationRefused, match="not up to date"):
        migrations.write_revision(open_any(), "Too early")


@pytest.mark.parametrize("_attempt", range(3))
def test_processes_that_upgrade_a_new_file_at_once_all_succeed(open_any, database_url, _attempt):
    command = [sys.executable, "-c", UPGRADE, database_url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    processes = [subprocess.Popen(command, text=True, **pipes) for _ in range(3)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    outcomes = [(*process.communicate(timeout=60), process.returncode) for process in processes]
    assert outcomes == [("", "", 0)] * 3
    db = open_any()
    assert migrations.current_revision(db) == migrations.head_revision()
    assert migrations.differences(db) == []
