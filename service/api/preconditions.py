"""The ``If-Match`` of a request that changes something, and the ``ETag`` that it repeats."""

import re
from collections.abc import Collection

from flask import request

from service.usecases.challenge_changes import ANY_REVISION

HEADER = "If-Match"

_REVISION = re.compile(r"0|[1-9][0-9]{0,8}")


def revision_tag(revision: int) -> str:
    """Write the ``ETag`` of a revision."""
    return f'"{revision}"'


def seen_revisions() -> Collection[int] | None:
    """Give the revisions that the request's ``If-Match`` names; None where it names nothing.

    ``*`` names them all, a weak or another tag none.
    """
    tags = request.if_match
    if tags.star_tag:
        return ANY_REVISION
    if not tags:
        return None
    # Werkzeug reads an empty tag as None.
    return [int(tag) for tag in tags.as_set() if tag and _REVISION.fullmatch(tag)]
