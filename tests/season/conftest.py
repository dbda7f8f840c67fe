"""The application whose database need not survive a power cut, as in ``tests/api``."""

from tests.api.conftest import app, made, migrated

__all__ = ["app", "made", "migrated"]  # the fixtures
