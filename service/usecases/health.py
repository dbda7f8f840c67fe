"""Whether the service can do its work now."""

from sqlalchemy import Engine

from service.db.engine import DatabaseDown
from service.db.migrations import current_revision, head_revision


def check_ready(db: Engine) -> None:
    """Raise ``DatabaseDown`` (or ``DatabaseBusy``) unless the schema is this release's."""
    current, head = current_revision(db), head_revision()
    if current != head:
        detail = f"the schema is at {current}, this release needs {head}: run semilla db upgrade"
        raise DatabaseDown(detail)
