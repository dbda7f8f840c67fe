"""${message}.

The rule for every migration: the previous release goes on working while and after it runs. Add
columns that are nullable or have a default; drop what nobody uses one release later. ``downgrade``
undoes ``upgrade`` without losing what the previous release knew.
"""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Bring the schema one step on."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Take that step back."""
    ${downgrades if downgrades else "pass"}
