"""How games have ended: told of one by SQL, and counted for many."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, case

from service.db.tables import games
from service.rules.family import Status

WON, RUNNING, TIMED_OUT = (
    Status.WON.value,
    Status.IN_PROGRESS.value,
    Status.TIMED_OUT.value,
)
# Every way to end, in the order of ``Ends``.
OUTCOMES = (WON, Status.LOST.value, Status.RESIGNED.value, TIMED_OUT)
# How many numbers of actions stand together in a distribution.
BUCKET = 10

ACTIONS = games.c.moves + games.c.redeals


@dataclass(frozen=True, slots=True)
class Ends:
    """How many games have ended how."""

    won: int
    lost: int
    resigned: int
    timed_out: int

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "Ends":
        """Take the counts of each outcome; what is not there is 0."""
        return cls(*(counts.get(outcome, 0) for outcome in OUTCOMES))

    def __add__(self, other: "Ends") -> "Ends":
        """Count both together."""
        return Ends(*(getattr(self, name) + getattr(other, name) for name in OUTCOMES))

    @property
    def finished(self) -> int:
        """How many have ended, in whatever way."""
        return self.won + self.lost + self.resigned + self.timed_out


NO_ENDS = Ends(0, 0, 0, 0)


def outcome(now: int) -> ColumnElement[Any]:
    """Give how a game has ended: its status, or that its time has run out."""
    late = and_(games.c.status == RUNNING, games.c.deadline <= now)
    return case((late, TIMED_OUT), else_=games.c.status)


def in_bucket(actions: ColumnElement[int]) -> ColumnElement[int]:
    """Give the fewest actions that stand together with some in a distribution."""
    return actions - actions % BUCKET
