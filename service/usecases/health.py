"""Whether the service can do its work now."""

from sqlalchemy import Engine

from service.db.engine import DatabaseDown
from service.db.migrations import current_revision, head_revision, needs_upgrade


def check_ready(db: Engine) -> None:
    """Raise ``DatabaseDown`` (or ``DatabaseBusy``) unless the schema will do for this release.

    A later release's will: while releases change, both run on it.
    """
    if needs_upgrade(db):
        current, head = current_revision(db), head_revision()
        what = f"the schema is at {current}" if current else "there is no schema"
        detail = f"{what}, and this release needs {head}: run semilla db upgrade"
        raise DatabaseDown(detail)
