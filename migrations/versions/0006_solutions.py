"""What is known of deals: whether each can be won, and the shortest line known.

The rule for every migration: the previous release goes on working while and after it runs. Add
columns that are nullable or have a default; drop what nobody uses one release later. ``downgrade``
undoes ``upgrade`` without losing what the previous release knew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; find the challenges of a seed quickly."""
    op.create_table(
        "solutions",
        sa.Column("deal", sa.LargeBinary(length=32), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=True),
        sa.Column("length", sa.Integer(), nullable=True),
        sa.Column("lower_bound", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("deal", name="pk_solutions"),
    )
    op.create_index("ix_challenges_seed", "challenges", ["seed"])


def downgrade() -> None:
    """Drop the table: what it tells can be found again."""
    op.drop_index("ix_challenges_seed", "challenges")
    op.drop_table("solutions")
