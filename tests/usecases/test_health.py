import pytest

from service.db.engine import DatabaseDown, open_engine
from service.db.migrations import downgrade, head_revision
from service.usecases.health import check_ready


def test_a_database_with_this_releases_schema_is_ready(db):
    check_ready(db)


def test_being_ready_changes_nothing(db, file):
    check_ready(db)
    before = file.read_bytes()
    check_ready(db)
    assert file.read_bytes() == before


def test_an_empty_database_is_not_ready(tmp_path):
    engine = open_engine(f"sqlite:///{tmp_path / 'empty.db'}")
    needed = f"there is no schema, and this release needs {head_revision()}: run semilla db upgrade"
    with pytest.raises(DatabaseDown, match=needed):
        check_ready(engine)
    engine.dispose()


def test_an_older_schema_is_not_ready(db):
    downgrade(db, "base")
    with pytest.raises(DatabaseDown, match="run semilla db upgrade"):
        check_ready(db)


def test_the_schema_of_a_later_release_is_ready(db):
    with db.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '7777'")
    check_ready(db)


def test_a_database_that_is_away_is_not_ready(tmp_path):
    engine = open_engine(f"sqlite:///{tmp_path / 'no-such-folder' / 'games.db'}")
    with pytest.raises(DatabaseDown, match="unable to open"):
        check_ready(engine)
