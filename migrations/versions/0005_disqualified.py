"""The disqualified of a challenge, counted in an index.

The rule for every migration: the previous release goes on working while and after it runs. Add
columns that are nullable or have a default; drop what nobody uses one release later. ``downgrade``
undoes ``upgrade`` without losing what the previous release knew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Index what a ranking asks of the disqualified."""
    _index("challenge_id", "dealt", "player_id", "disqualified_at")


def downgrade() -> None:
    """Index the challenge alone again."""
    _index("challenge_id")


def _index(*columns: str) -> None:
    op.drop_index("ix_entries_disqualified", "entries")
    op.create_index(
        "ix_entries_disqualified",
        "entries",
        columns,
        sqlite_where=sa.text("disqualified_at IS NOT NULL"),
        postgresql_where=sa.text("disqualified_at IS NOT NULL"),
    )
