"""What a census takes from the deals that are known, and what it leaves there."""

from collections.abc import Iterable, Mapping

from sqlalchemy import Engine

from service.solver.census import Answer, Terms
from service.solver.solution import Solution, Verdict
from service.usecases.solutions import Known, deal_key, find_all_known, keep_all


def known_answers(db: Engine, terms: Terms, numbers: Iterable[int]) -> list[Answer]:
    """Give the answers for which no search is needed any more: one SELECT.

    Those of deals that are settled for the goal, and of those that a search of as many nodes has
    left unknown. Secret deals are not among them: the numbers name the seeds.
    """
    keys = {number: deal_key(terms.rules, terms.opening(number)) for number in numbers}
    with db.connect() as connection:
        known = find_all_known(connection, keys.values())
    return [
        _answer(number, known[key])
        for number, key in keys.items()
        if key in known and _is_enough(known[key], terms)
    ]


def keep_answers(db: Engine, terms: Terms, found: Mapping[int, Solution], now: int) -> None:
    """Keep what was found of the deals of some numbers: one transaction."""
    keep_all(
        db,
        {
            deal_key(terms.rules, terms.opening(number)): Known.of(solution)
            for number, solution in found.items()
        },
        now,
    )


def _is_enough(known: Known, terms: Terms) -> bool:
    in_vain = known.verdict is Verdict.UNKNOWN and known.nodes >= terms.nodes
    return in_vain or known.answers(terms.goal)


def _answer(number: int, known: Known) -> Answer:
    return Answer(
        number,
        known.verdict,
        known.length,
        known.proven_shortest,
        known.lower_bound,
        nodes=None,
        ms=None,
    )
