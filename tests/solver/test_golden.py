"""The openings whose shortest solutions another solver has found."""

import pytest

from service.rules import VARIANTS
from service.solver import Budget, Engine, Goal, Verdict, solve
from tests.naive.engine import Naive
from tests.naive.golden import load, split_piles

RULES = VARIANTS["cruel"]
DEALS = load("solved_cruel.json")["deals"]
NUMBERS = range(len(DEALS))


def solved(deal, goal, engine, nodes):
    position = RULES.read_position({"piles": split_piles(deal["piles"])})
    return solve(RULES, position, goal, Budget(nodes=nodes), engine=engine)


def wins(deal, line):
    game = Naive("cruel", RULES.options(), {"piles": split_piles(deal["piles"])})
    refused = [move for move in line if game.play(move) is not None]
    return not refused and game.status == "won"


def test_there_are_as_many_deals_of_each_kind_as_the_file_should_hold():
    assert len(DEALS) == 35
    assert sum(deal["winnable"] for deal in DEALS) == 29


@pytest.mark.parametrize("number", NUMBERS)
def test_an_opening_is_winnable_where_the_other_solver_says_so(number):
    deal = DEALS[number]
    solution = solved(deal, Goal.LINE, Engine.PYTHON, 10_000)
    verdict = Verdict.WINNABLE if deal["winnable"] else Verdict.UNWINNABLE
    assert solution.verdict is verdict
    if deal["winnable"]:
        assert wins(deal, solution.line)
        assert len(solution.line) >= deal["best_length"] or not deal["proven_optimal"]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_line_of_few_more_actions_than_the_shortest_is_soon_found(number):
    deal = DEALS[number]
    solution = solved(deal, Goal.SHORTEST, Engine.NUMBA, 50_000)
    if deal["winnable"]:
        assert wins(deal, solution.line)
        assert len(solution.line) <= deal["best_length"] + 3
        assert solution.lower_bound <= deal["best_length"] <= len(solution.line)


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_no_line_is_longer_than_the_shortest_known(number):
    deal = DEALS[number]
    solution = solved(deal, Goal.SHORTEST, Engine.NUMBA, 4_000_000)
    if deal["winnable"]:
        assert wins(deal, solution.line)
        assert len(solution.line) <= deal["best_length"]
        if deal["proven_optimal"]:
            assert len(solution.line) == deal["best_length"]
        assert solution.lower_bound <= deal["best_length"]
    else:
        assert solution.verdict is Verdict.UNWINNABLE
