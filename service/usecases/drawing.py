"""Seeds that the server draws for challenges: their deals are proven winnable, or else not lost.

A proof may take so many nodes and no more, so every process comes to the same, however fast it is.
"""

import secrets
from dataclasses import dataclass
from time import monotonic
from typing import Any

from sqlalchemy import Connection

from service.rules.family import Rules, Status
from service.solver import solve
from service.solver.engines import Engine
from service.solver.solution import Budget, Goal, Verdict
from service.usecases.challenge_terms import Terms
from service.usecases.errors import Busy
from service.usecases.solutions import Known, keep_within, key_of_seed

# What the search for a win may spend on one deal, by family: in plain Python that takes some 0.3 s.
# Append-only: the seeds of dailies that nobody has stored yet would change with it.
NODES = {"cruel": 2_000, "calculation": 500}
# For how long one request may draw, in seconds.
DRAWING_S = 5.0

_MS = 1_000
_RETRY_S = 2
_DRAWS = 100


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seed, and what was found out of its deal: None where nobody has looked."""

    seed: str
    found: Known | None


def draw_seed(terms: Terms) -> Drawn:
    """Draw 256 bits, 64 hex digits, until their deal is as the terms require.

    Takes seconds where many deals cannot be won: to be called while no lock is held. Raises
    ``Busy`` where it would take longer than ``DRAWING_S``.
    """
    rules, algorithm = terms.rules, terms.deal_algorithm
    if not terms.require_winnable:
        return Drawn(_draw_open(rules, algorithm), None)
    deadline = monotonic() + DRAWING_S
    while True:
        seed = secrets.token_hex(32)
        found = find_win(rules, algorithm, seed, deadline)
        if found is not None:
            return Drawn(seed, found)


def keep_drawn(connection: Connection, terms: Terms, drawn: Drawn, now: int) -> None:
    """Keep what was found out of a deal, in the write transaction that stores its seed."""
    if drawn.found is not None:
        deal = key_of_seed(terms.rules, terms.deal_algorithm, drawn.seed)
        keep_within(connection, deal, drawn.found, now)


def _draw_open(rules: Rules[Any], algorithm: str) -> str:
    for _ in range(_DRAWS):
        seed = secrets.token_hex(32)
        if not is_lost(rules, algorithm, seed):
            break
    return seed


def is_lost(rules: Rules[Any], algorithm: str, seed: str) -> bool:
    """Tell whether a deal is lost at the opening."""
    return rules.status(rules.opening(algorithm, seed)) is Status.LOST


def find_win(
    rules: Rules[Any], algorithm: str, seed: str, deadline: float, engine: Engine | None = None
) -> Known | None:
    """Give a win of a deal that takes no more than ``NODES`` to find; None where there is none.

    ``deadline``: of ``monotonic``, in seconds. Raises ``Busy`` where that has passed before it is
    clear whether there is one.
    """
    left = deadline - monotonic()
    if left <= 0:
        raise too_slow()
    # A millisecond more than there is: what this leaves open has come to the deadline for certain.
    budget = Budget(NODES[rules.family], int(left * _MS) + 1)
    solution = solve(rules, rules.opening(algorithm, seed), Goal.LINE, budget, engine=engine)
    if solution.verdict is Verdict.WINNABLE:
        return Known.of(solution)
    if solution.verdict is Verdict.UNKNOWN and monotonic() >= deadline:
        raise too_slow()
    return None


def too_slow() -> Busy:
    """Give the refusal of who has drawn for too long."""
    detail = (
        f"no deal was proven winnable within {DRAWING_S:.0f} seconds: send this again, or set a "
        "challenge up with require_winnable false"
    )
    return Busy(detail, retry_after=_RETRY_S)
