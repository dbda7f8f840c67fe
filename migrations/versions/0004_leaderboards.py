"""Indexes for the rankings of challenges.

The rule for every migration: the previous release goes on working while and after it runs. Add
columns that are nullable or have a default; drop what nobody uses one release later. ``downgrade``
undoes ``upgrade`` without losing what the previous release knew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them."""
    op.create_index(
        "ix_games_standing",
        "games",
        ["challenge_id", sa.text("standing DESC"), "entry_id", "ranks"],
        sqlite_where=sa.text("ranks = 1"),
        postgresql_where=sa.text("ranks"),
    )
    op.create_index(
        "ix_entries_disqualified",
        "entries",
        ["challenge_id"],
        sqlite_where=sa.text("disqualified_at IS NOT NULL"),
        postgresql_where=sa.text("disqualified_at IS NOT NULL"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_entries_disqualified", "entries")
    op.drop_index("ix_games_standing", "games")
