"""A census: deals of numbered seeds, each solved for the same goal and within the same budget."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from service.rules.family import Rules
from service.solver import solve
from service.solver.solution import Budget, Goal, Solution, Verdict

# Nobody plays these seeds, and no server draws them.
SEEDS = "census-"
ALGORITHM = "deal/1"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is asked of each deal; ``nodes``: positions that its search may look at."""

    variant: str
    rules: Rules[Any]
    goal: Goal
    nodes: int

    def json(self) -> dict[str, object]:
        """Give the terms as JSON values: answers may be counted together where these are equal."""
        return {
            "variant": self.variant,
            "options": self.rules.options(),
            "seeds": f"{SEEDS}N",
            "deal_algorithm": ALGORITHM,
            "goal": self.goal.value,
            "nodes_per_deal": self.nodes,
        }

    def opening(self, number: int) -> Any:
        """Deal the position of a number."""
        return self.rules.opening(ALGORITHM, seed_of(number))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a census knows of the deal of a number.

    As in ``Solution``; ``nodes`` and ``ms`` are None where it was known without a search.
    """

    number: int
    verdict: Verdict
    length: int | None
    proven_shortest: bool
    lower_bound: int
    nodes: int | None
    ms: int | None

    @classmethod
    def of(cls, number: int, found: Solution) -> Self:
        """Give the answer of a search."""
        return cls(
            number,
            found.verdict,
            found.length,
            found.proven_shortest,
            found.lower_bound,
            found.nodes,
            found.elapsed_ms,
        )


def seed_of(number: int) -> str:
    """Give the seed of a number."""
    return f"{SEEDS}{number}"


def survey(terms: Terms, numbers: Iterable[int]) -> dict[int, Solution]:
    """Solve the deals of some numbers: the work that a census hands to its processes."""
    budget = Budget(nodes=terms.nodes)
    return {
        number: solve(terms.rules, terms.opening(number), terms.goal, budget) for number in numbers
    }
