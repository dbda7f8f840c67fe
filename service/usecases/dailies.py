"""Daily challenges: one for each variant and UTC day, which nobody has to set up.

Today's is computed from its id and the secret key of the database, the same for all who ask; the
first write stores it, and from then on it is a challenge as any other, without a host. There is
none for a day to come, and none for a day that has passed without anybody writing to it.
"""

import hmac
from functools import lru_cache
from itertools import count
from typing import Any

from sqlalchemy import Connection, select

from service.db.inserting import insert_once
from service.db.tables import challenges, daily_keys
from service.rules import VARIANTS
from service.rules.family import Status
from service.usecases.challenge_rows import new_row
from service.usecases.challenge_terms import DAY_MS, settle_terms
from service.usecases.instants import write_instant

_DATE = len("2026-11-30")


def daily_id(variant: str, now: int) -> str:
    """Give the id of today's challenge of a variant."""
    return f"daily-{variant}-{_date(now)}"


def find_daily(connection: Connection, challenge_id: str, now: int) -> dict[str, Any] | None:
    """Give the columns of one of today's challenges as they are before its first write.

    None for any other id: no statement, else one SELECT.
    """
    variant = challenge_id[len("daily-") : -_DATE - 1]
    if variant not in VARIANTS or challenge_id != daily_id(variant, now):
        return None
    key = connection.execute(select(daily_keys.c.key)).scalar_one()
    return {**_row(key, variant, now - now % DAY_MS)}


def store_daily(connection: Connection, challenge_id: str, now: int) -> bool:
    """Store one of today's challenges unless somebody else does; False for any other id.

    In a write transaction: where that is rolled back, nothing is stored.
    """
    row = find_daily(connection, challenge_id, now)
    if row is not None:
        insert_once(connection, challenges, row)
    return row is not None


@lru_cache(maxsize=4 * len(VARIANTS))
def _row(key: bytes, variant: str, midnight: int) -> dict[str, Any]:
    terms = settle_terms({"variant": variant, "starts_at": midnight}, None, midnight)
    date = _date(midnight)
    return new_row(
        daily_id(variant, midnight),
        None,
        f"Daily {variant}, {date}",
        terms,
        _seed(key, variant, date),
        created_at=midnight,
    )


def _seed(key: bytes, variant: str, date: str) -> str:
    """Give the first seed of a day whose deal is not lost at the opening; 64 hex digits.

    Append-only: the seeds of dailies that nobody has stored yet would change with it.
    """
    rules = VARIANTS[variant]
    texts = (f"daily/1/{variant}/{date}/{n}" for n in count())
    seeds = (hmac.digest(key, text.encode(), "sha256").hex() for text in texts)
    return next(
        seed for seed in seeds if rules.status(rules.opening("deal/1", seed)) is not Status.LOST
    )


def _date(now: int) -> str:
    return write_instant(now)[:_DATE]
