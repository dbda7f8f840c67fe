"""The secret key of the daily challenges, and what rankings look for.

The rule for every migration: the previous release goes on working while and after it runs. Add
columns that are nullable or have a default; drop what nobody uses one release later. ``downgrade``
undoes ``upgrade`` without losing what the previous release knew.
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Draw the key, on which the dailies of this database hang; index what rankings look for."""
    table = op.create_table(
        "daily_keys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(length=32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_daily_keys"),
    )
    op.bulk_insert(table, [{"id": 1, "key": secrets.token_bytes(32)}])
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
    op.create_index(
        "ix_games_challenge_id",
        "games",
        ["challenge_id", "entry_id", "attempt"],
        sqlite_where=sa.text("challenge_id IS NOT NULL"),
        postgresql_where=sa.text("challenge_id IS NOT NULL"),
    )


def downgrade() -> None:
    """Drop the key. Dailies that are stored stay; another upgrade draws another key."""
    op.drop_index("ix_games_challenge_id", "games")
    op.drop_index("ix_entries_disqualified", "entries")
    op.drop_index("ix_games_standing", "games")
    op.drop_table("daily_keys")
