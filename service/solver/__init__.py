"""Whether a position can be won, how, and how in the fewest actions.

``docs/solver.md`` tells how the searches work, and what they cost.
"""

from typing import Any

from service.rules.calculation import Calculation
from service.rules.cruel import Cruel
from service.rules.family import Rules
from service.solver import calculation, cruel
from service.solver.engines import Engine, default_engine
from service.solver.solution import Budget, Goal, Solution, Verdict


def warm_up(engine: Engine | None = None) -> None:
    """Make an engine ready ahead of the first search, which else has to wait: numba compiles.

    That takes some 10 s, and a fifth of a second where its cache on disk holds the result. No
    budget pays for it.
    """
    engine = engine or default_engine()
    cruel.warm_up(engine)
    rules = Calculation()
    last = rules.parse_position("QC KD KH KS | - / - / - / - | KC")
    calculation.solve(rules, last, Goal.LINE, Budget(nodes=10), engine)


def solve(
    rules: Rules[Any],
    position: Any,
    goal: Goal,
    budget: Budget,
    *,
    engine: Engine | None = None,
) -> Solution:
    """Search from a position of the rules' own kind until the goal is reached or the budget spent.

    ``engine``: None for the fastest that is installed. ``LookupError`` for a family that has no
    solver, ``RuntimeError`` where the rules do not accept a line that was found.
    """
    engine = engine or default_engine()
    if isinstance(rules, Cruel):
        return cruel.solve(rules, position, goal, budget, engine)
    if isinstance(rules, Calculation):
        return calculation.solve(rules, position, goal, budget, engine)
    message = f"there is no solver for the family {rules.family}"
    raise LookupError(message)


# What a deal needs that can typically be won.
_REDEALS = 3


def covers(rules: Rules[Any]) -> bool:
    """Tell whether wins are found soon: one at least among some ten deals under these rules.

    That of the Cruel family is complete. It is fewer redeals than three that leave hardly a deal
    winnable. Of Calculation, its stock known, most deals are won.
    """
    if isinstance(rules, Cruel):
        return rules.redeal_limit is None or rules.redeal_limit >= _REDEALS
    return isinstance(rules, Calculation)


__all__ = ["Budget", "Engine", "Goal", "Solution", "Verdict", "covers", "solve", "warm_up"]
