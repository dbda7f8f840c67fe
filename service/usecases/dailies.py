"""Daily challenges: one for each variant and UTC day, which nobody has to set up.

Today's is computed from its id and the secret key of the database, the same for all who ask; the
first write stores it, and from then on it is a challenge as any other, without a host. There is
none for a day to come, and none for a day that has passed without anybody writing to it.
"""

import hmac
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, select

from service.db.inserting import insert_once
from service.db.tables import challenges, daily_keys
from service.rules import VARIANTS
from service.usecases.challenge_rows import new_row
from service.usecases.challenge_terms import DAY_MS, Terms, settle_terms
from service.usecases.drawing import DRAWING_S, Drawn, find_win, is_lost, keep_drawn, too_slow
from service.usecases.instants import write_instant

_DATE = len("2026-11-30")


def daily_id(variant: str, now: int) -> str:
    """Give the id of today's challenge of a variant."""
    return f"daily-{variant}-{_date(now)}"


def find_daily(connection: Connection, challenge_id: str, now: int) -> dict[str, Any] | None:
    """Give the columns of one of today's challenges as they are before its first write.

    None for any other id: no statement, else one SELECT. The first to ask in a process draws the
    deal, which takes some time: ``Busy`` where it takes longer than one request may draw. Under a
    lock only after ``prepare_daily``.
    """
    day = _find_day(connection, challenge_id, now)
    return None if day is None else day.row()


def prepare_daily(db: Engine, challenge_id: str, now: int) -> None:
    """Draw the deal of one of today's challenges, unless that is stored, before somebody locks it.

    No statement for any other id, else one SELECT, or two. Raises ``Busy`` as ``find_daily``.
    """
    if _variant_of(challenge_id, now) is None:
        return
    with db.connect() as connection:
        stored = select(challenges.c.id).where(challenges.c.id == challenge_id)
        if connection.execute(stored).first() is None:
            find_daily(connection, challenge_id, now)


def store_daily(connection: Connection, challenge_id: str, now: int) -> bool:
    """Store one of today's challenges unless somebody else does; False for any other id.

    With the win that was found of its deal. In a write transaction: where that is rolled back,
    nothing is stored.
    """
    day = _find_day(connection, challenge_id, now)
    if day is None:
        return False
    insert_once(connection, challenges, day.row())
    keep_drawn(connection, day.terms, day.drawn(), now)
    return True


@dataclass(slots=True)
class Day:
    """The daily of a variant and a day, as far as this process has come in drawing its deal.

    ``midnight``: when it begins, in ms since 1970 UTC; ``passed``: how many seeds are known not to
    be the one.
    """

    key: bytes
    variant: str
    midnight: int
    terms: Terms
    passed: int = 0
    _drawn: Drawn | None = None
    _lock: Lock = field(default_factory=Lock)

    def row(self) -> dict[str, Any]:
        """Give every column of its challenge."""
        return new_row(
            daily_id(self.variant, self.midnight),
            None,
            f"Daily {self.variant}, {_date(self.midnight)}",
            self.terms,
            self.drawn().seed,
            created_at=self.midnight,
        )

    def drawn(self) -> Drawn:
        """Give its seed: once for all who ask, and from where the last one had to give up.

        The first seed of the day whose deal is proven winnable; where the solver does not cover the
        rules, the first that is not lost at the opening. Append-only: the seeds of dailies that
        nobody has stored yet would change with it.
        """
        if self._drawn is not None:
            return self._drawn
        deadline = monotonic() + DRAWING_S
        if not self._lock.acquire(timeout=DRAWING_S):
            raise too_slow()
        try:
            while self._drawn is None:
                self._drawn = self._judge(self._seed(self.passed), deadline)
                self.passed += 1
        finally:
            self._lock.release()
        return self._drawn

    def _judge(self, seed: str, deadline: float) -> Drawn | None:
        rules, algorithm = self.terms.rules, self.terms.deal_algorithm
        if not self.terms.require_winnable:
            return None if is_lost(rules, algorithm, seed) else Drawn(seed, None)
        found = find_win(rules, algorithm, seed, deadline)
        return None if found is None else Drawn(seed, found)

    def _seed(self, number: int) -> str:
        text = f"daily/1/{self.variant}/{_date(self.midnight)}/{number}"
        return hmac.digest(self.key, text.encode(), "sha256").hex()


def _find_day(connection: Connection, challenge_id: str, now: int) -> Day | None:
    variant = _variant_of(challenge_id, now)
    if variant is None:
        return None
    key = connection.execute(select(daily_keys.c.key)).scalar_one()
    return day_of(key, variant, now - now % DAY_MS)


@lru_cache(maxsize=4 * len(VARIANTS))
def day_of(key: bytes, variant: str, midnight: int) -> Day:
    """Give a day of a variant under a key: the same one for all who ask in this process."""
    terms = settle_terms({"variant": variant, "starts_at": midnight}, None, midnight)
    return Day(key, variant, midnight, terms)


def _variant_of(challenge_id: str, now: int) -> str | None:
    """Give the variant of one of today's challenges, None for any other id."""
    variant = challenge_id[len("daily-") : -_DATE - 1]
    return variant if variant in VARIANTS and challenge_id == daily_id(variant, now) else None


def _date(now: int) -> str:
    return write_instant(now)[:_DATE]
