"""What every test here uses: the server draws a deal that can be won."""

from types import SimpleNamespace

import pytest

from tests.racing.deal import SEED


@pytest.fixture(autouse=True)
def drawn(monkeypatch):
    """Let the server draw this seed, and no other, for every challenge."""
    chance = SimpleNamespace(token_hex=lambda _count: SEED)
    monkeypatch.setattr("service.usecases.drawing.secrets", chance)
