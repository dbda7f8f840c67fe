"""Deals that are being raced on: until a challenge has finished nobody is helped with its deal."""

from typing import Any

from sqlalchemy import bindparam, exists, select

from service.db.direct import DirectConnection, Statement
from service.db.tables import challenges
from service.rules.deals import twins

# Whether a challenge to come or running has this seed, or one that deals the same.
IN_PLAY = (
    exists()
    .where(challenges.c.seed.in_([bindparam("seed"), bindparam("twin")]))
    .where(challenges.c.cancelled_at.is_(None), challenges.c.finishes_at > bindparam("now"))
    .label("in_play")
)
_IN_PLAY = Statement(select(IN_PLAY))


def is_in_play(connection: DirectConnection, seed: str, now: int) -> bool:
    """Tell whether a seed, or one that deals the same, is that of a challenge to come or running.

    Whatever the variant: who knows the seed could name another. One SELECT.
    """
    found = connection.first(_IN_PLAY, seed_values(seed, now))
    return found is not None and bool(found["in_play"])


def seed_values(seed: str, now: int) -> dict[str, Any]:
    """Give the values that ``IN_PLAY`` takes."""
    same = twins(seed)
    return {"seed": same[0], "twin": same[-1], "now": now}
