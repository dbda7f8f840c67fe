"""An index for the records of challenges: attempts by entry and by number.

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
    """Create the index."""
    op.create_index(
        "ix_games_challenge_id",
        "games",
        ["challenge_id", "entry_id", "attempt"],
        sqlite_where=sa.text("challenge_id IS NOT NULL"),
        postgresql_where=sa.text("challenge_id IS NOT NULL"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_games_challenge_id", "games")
