"""Alembic's scripts, installed as ``service.migrations``."""
