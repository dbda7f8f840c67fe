"""Records of challenges whose seed is drawn, and whose deal can be won."""

from types import SimpleNamespace

import pytest

from service.app import create_app
from service.config import Config
from service.db.migrations import upgrade
from tests.conftest import UNLIMITED, Clock
from tests.proofs.world import END, played_calculation, played_own, played_race
from tests.racing.deal import SEED


@pytest.fixture(autouse=True)
def drawn(monkeypatch):
    """Have the server draw the seed whose deal the tests can win."""
    chance = SimpleNamespace(token_hex=lambda _count: SEED)
    monkeypatch.setattr("service.usecases.drawing.secrets", chance)


@pytest.fixture
def own(client, db, clock):
    """Give a finished challenge on the own clock."""
    world = played_own(client, db, clock)
    clock.ms = END
    return world


@pytest.fixture
def race(client, db, clock):
    """Give a race that has ended early."""
    return played_race(client, db, clock)


def _record(folder, play, **terms):
    """Play a challenge in a database of its own; give all pages of its record."""
    clock = Clock()
    app = create_app(Config(data=folder, **UNLIMITED), clock)
    engine = app.extensions["semilla"].db
    upgrade(engine)
    with pytest.MonkeyPatch.context() as patch:
        chance = SimpleNamespace(token_hex=lambda _count: SEED)
        patch.setattr("service.usecases.drawing.secrets", chance)
        world = play(app.test_client(), engine, clock, **terms)
    clock.ms = END
    pages = world.pages()
    engine.dispose()
    return pages


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """Give the records of challenges of several kinds, for tests that need no database."""
    plays = {"own": played_own, "race": played_race, "calculation": played_calculation}
    return {kind: _record(tmp_path_factory.mktemp(kind), play) for kind, play in plays.items()}
