"""The row of a challenge that nobody has entered yet."""

from typing import Any

from service.rules.family import RULES_VERSION
from service.usecases.challenge_states import finishes_at
from service.usecases.challenge_terms import Terms, committed

PUBLIC, UNLISTED = "public", "unlisted"
VISIBILITIES = (PUBLIC, UNLISTED)


def new_row(
    challenge_id: str,
    host_id: str | None,
    title: str,
    terms: Terms,
    seed: str,
    *,
    visibility: str = PUBLIC,
    created_at: int,
) -> dict[str, Any]:
    """Give every column of a new challenge; ``created_at``: ms since 1970 UTC."""
    row = {
        "id": challenge_id,
        "host": host_id,
        "title": title,
        "visibility": visibility,
        **committed(terms, seed),
        "rules_version": RULES_VERSION,
        "created_at": created_at,
        "cancelled_at": None,
        "hidden_at": None,
        "entered": 0,
        "ended": 0,
        "dealt": 0,
        "revision": 0,
    }
    return {**row, "finishes_at": finishes_at(row, created_at)}
