"""What is asked of a solver, and what it answers."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Goal(StrEnum):
    """What a search is for: whether a position can be won, how, or how in the fewest actions."""

    VERDICT = "verdict"
    LINE = "line"
    SHORTEST = "shortest"


class Verdict(StrEnum):
    """Whether a position can be won. ``unknown``: the budget was spent before that was clear."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


class Budget(NamedTuple):
    """What a search may spend: positions looked at, and time in ms; None for no limit.

    With a limit of nodes alone the answer is the same on every machine and by every engine.
    """

    nodes: int | None = None
    ms: int | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search has found.

    ``line``: moves that win, redeals included, one text each; None where none is known or none was
    asked for. ``lower_bound``: no line has fewer actions; 0 where it is not known to be winnable.
    ``proven_shortest``: whether ``line`` has no more. ``nodes``: positions looked at.
    """

    verdict: Verdict
    line: tuple[str, ...] | None
    proven_shortest: bool
    lower_bound: int
    nodes: int
    elapsed_ms: int

    @property
    def length(self) -> int | None:
        """How many actions the line has."""
        return None if self.line is None else len(self.line)
