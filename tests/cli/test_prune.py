"""``semilla prune``: what is deleted, and the line that tells of it."""

import json
import time

import pytest

from service.usecases import new_games
from tests.cli.operating import complaint, invoke
from tests.hosting import DAY


@pytest.fixture
def settings(config):
    return {"SEMILLA_DATA": str(config.data), "DATABASE_URL": config.database_url or None}


def test_what_is_idle_for_as_long_as_is_configured_is_deleted(db, settings, client):
    now = time.time_ns() // 1_000_000
    ids = []
    for days in (1, 80, 100):
        terms = {"options": {}, "seed": "semilla", "undo": None}
        made = new_games.create(db, variant="cruel", **terms, now=now - days * DAY)
        ids.append(made.view.id)
    result = invoke("prune", "--dry-run", **settings)
    assert result.output == "1 games would be deleted, of 3 that nobody owns\n"
    result = invoke("prune", **settings)
    assert result.stdout == "1 games are deleted, of 3 that nobody owns\n"
    line = json.loads(result.stderr)
    assert (line["logger"], line["message"], line["games"]) == ("service.operator", "prune", "1")
    assert [client.get(f"/v1/games/{game}").status_code for game in ids] == [200, 200, 404]
    result = invoke("prune", PRUNE_AFTER_DAYS="30", **settings)
    assert result.stdout == "1 games are deleted, of 2 that nobody owns\n"


def test_without_its_schema_nothing_is_pruned(tmp_path):
    line = complaint("prune", SEMILLA_DATA=str(tmp_path))
    assert "semilla db upgrade" in line
