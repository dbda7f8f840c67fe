"""The secret key of the daily challenges.

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
    """Create the table of the key, and draw it: the dailies of this database hang on it."""
    table = op.create_table(
        "daily_keys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(length=32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_daily_keys"),
    )
    op.bulk_insert(table, [{"id": 1, "key": secrets.token_bytes(32)}])


def downgrade() -> None:
    """Drop the key. Dailies that are stored stay; another upgrade draws another key."""
    op.drop_table("daily_keys")
