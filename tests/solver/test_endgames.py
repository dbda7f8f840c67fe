"""The solver against plain searches over all positions of small endgames, under every option."""

import random

import pytest

from service.solver import Budget, Engine, Goal, Verdict, solve
from tests.solver.endgames import (
    by_naive,
    by_rules,
    endgame,
    every_rules,
    fewest_actions,
    name_of,
    rules_of,
)

LIMITS = (None, 0, 1, 2, 5)
# Cards that can go back and forth make many more positions.
MOST = {"suit_down": 10, "alternate_up": 8}


def check(options, piles, fewest, engine):
    rules = rules_of(options)
    position = rules.read_position({"piles": piles})
    solution = solve(rules, position, Goal.SHORTEST, Budget(), engine=engine)
    assert solution.verdict is (Verdict.UNWINNABLE if fewest is None else Verdict.WINNABLE)
    assert solution.length == fewest, piles
    assert solution.lower_bound == (fewest or 0)
    assert solution.proven_shortest is (fewest is not None)


@pytest.mark.parametrize("options", every_rules(LIMITS), ids=name_of)
def test_an_endgame_is_won_in_as_few_actions_as_a_search_over_everything_finds(options):
    rng = random.Random(name_of(options))
    for _ in range(6):
        piles = endgame(rng, rng.randint(3, MOST[options["build"]]))
        check(options, piles, by_rules(options, piles), Engine.PYTHON)


@pytest.mark.parametrize("options", every_rules((None, 1)), ids=name_of)
def test_an_endgame_is_won_in_as_few_actions_as_the_naive_engine_needs(options):
    rng = random.Random(f"naive {name_of(options)}")
    for _ in range(2):
        piles = endgame(rng, rng.randint(3, 6))
        check(options, piles, by_naive(options, piles), Engine.PYTHON)


@pytest.mark.slow
@pytest.mark.parametrize("options", every_rules(LIMITS), ids=name_of)
def test_hundreds_of_endgames_are_won_in_as_few_actions_as_there_can_be(options):
    rng = random.Random(f"many {name_of(options)}")
    for _ in range(500):
        piles = endgame(rng, rng.randint(3, MOST[options["build"]]))
        check(options, piles, by_rules(options, piles), Engine.NUMBA)


def test_redeals_that_stand_in_a_position_count_against_the_limit():
    options = every_rules((2,))[0]
    rules = rules_of(options)
    rng = random.Random("standing")
    lengths = set()
    for _ in range(40):
        piles = endgame(rng, 8)
        for redeals in (0, 1, 2):
            position = rules.read_position({"piles": piles})._replace(redeals=redeals)
            solution = solve(rules, position, Goal.SHORTEST, Budget(), engine=Engine.PYTHON)
            fewest = by_rules(options, piles, redeals)
            assert solution.length == fewest
            lengths.add((redeals, fewest is None))
    assert lengths == {(redeals, lost) for redeals in (0, 1, 2) for lost in (False, True)}


def test_the_plain_search_counts_actions():
    assert fewest_actions(0, lambda at: iter([at + 1, at + 2]), lambda at: at == 5) == 3
    assert fewest_actions(0, lambda at: iter([1 - at]), lambda at: at == 5) is None
