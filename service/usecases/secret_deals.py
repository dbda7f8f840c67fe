"""Deals that are being raced on: until a challenge has finished nobody is helped with its deal."""

from sqlalchemy import bindparam, exists, select

from service.db.direct import DirectConnection, Statement
from service.db.tables import challenges
from service.rules.deals import twins

_PLAYED = Statement(
    select(
        exists()
        .where(challenges.c.seed.in_([bindparam("seed"), bindparam("twin")]))
        .where(challenges.c.cancelled_at.is_(None), challenges.c.finishes_at > bindparam("now"))
        .label("played")
    )
)


def is_in_play(connection: DirectConnection, seed: str, now: int) -> bool:
    """Tell whether a seed, or one that deals the same, is that of a challenge to come or running.

    Whatever the variant: who knows the seed could name another. One SELECT.
    """
    same = twins(seed)
    found = connection.first(_PLAYED, {"seed": same[0], "twin": same[-1], "now": now})
    return found is not None and bool(found["played"])
