"""What the solver takes on, and that no line leaves it unplayed."""

from itertools import count
from types import SimpleNamespace

import pytest

from service.rules import VARIANTS
from service.rules.cruel import CHOICES
from service.rules.errors import IllegalMove
from service.solver import (
    Budget,
    Engine,
    Goal,
    Verdict,
    covers,
    cruel,
    cruel_search,
    solve,
    warm_up,
)
from tests.naive.engine import Naive
from tests.naive.golden import load, split_piles

CRUEL = [name for name, rules in VARIANTS.items() if rules.family == "cruel"]
LAST_TWO = VARIANTS["cruel"].read_position({"piles": split_piles(["KC QC", *[""] * 11])})


@pytest.mark.parametrize("variant", CRUEL)
def test_a_line_wins_by_the_naive_engine_too(variant):
    rules = VARIANTS[variant]
    lines = 0
    for number in count(1):
        position = rules.opening("deal/1", f"census-{number}")
        solution = solve(rules, position, Goal.LINE, Budget(nodes=2_000), engine=Engine.PYTHON)
        if solution.line is not None:
            game = Naive("cruel", rules.options(), rules.position_json(position))
            assert [game.play(move) for move in solution.line] == [None] * len(solution.line)
            assert game.status == "won"
            lines += 1
        if lines == 3:
            return


def test_a_line_names_piles_as_they_lie_with_their_gaps():
    position = VARIANTS["cruel"].read_position(
        {"piles": split_piles(["", "KC", "", "", "QC", *[""] * 7])}
    )
    solution = solve(VARIANTS["cruel"], position, Goal.LINE, Budget(), engine=Engine.PYTHON)
    assert solution.line == ("5>F", "2>F")
    assert solution.proven_shortest


def found(monkeypatch, moves):
    """Ask for a line where the search says that these moves win."""
    monkeypatch.setattr(cruel_search.Search, "moves", lambda _: moves)
    return solve(VARIANTS["cruel"], LAST_TWO, Goal.LINE, Budget(), engine=Engine.PYTHON)


def test_a_line_that_the_rules_refuse_never_leaves_the_solver(monkeypatch):
    with pytest.raises(IllegalMove):
        found(monkeypatch, [255])


def test_a_line_that_does_not_win_never_leaves_the_solver(monkeypatch):
    with pytest.raises(RuntimeError, match=r"does not win: 1>F$"):
        found(monkeypatch, [12])


def test_the_moves_that_win_do_leave_it(monkeypatch):
    assert found(monkeypatch, [12, 12]).line == ("1>F", "1>F")


@pytest.mark.parametrize("goal", Goal)
def test_memory_that_ends_before_the_search_does_leaves_a_verdict_open_or_a_line_unproven(
    goal, monkeypatch
):
    rules = VARIANTS["cruel"]
    monkeypatch.setattr(cruel_search, "NODES", (1 << 8, 1 << 10))
    monkeypatch.setattr(cruel, "_VERDICT_STEPS", ((0, 10_000), (10, 10_000)))
    monkeypatch.setattr(cruel, "_SHORTEST_STEPS", ((0, 10_000), (10, 10_000)))
    deals = load("solved_cruel.json")["deals"]
    answers = []
    for number in (7, 0, 1):
        position = rules.read_position({"piles": split_piles(deals[number]["piles"])})
        answers.append(solve(rules, position, goal, Budget(), engine=Engine.PYTHON))
    assert [one.verdict for one in answers] == [
        Verdict.UNKNOWN,
        Verdict.WINNABLE,
        Verdict.UNWINNABLE,
    ]
    assert [one.proven_shortest for one in answers] == [False] * 3
    assert answers[1].lower_bound in range(48, deals[0]["best_length"] + 1)


def test_of_another_family_no_wins_are_promised():
    assert not covers(SimpleNamespace(family="spider"))


def test_of_calculation_most_deals_are_won():
    assert covers(VARIANTS["calculation"])


def test_all_rules_are_covered_but_those_of_too_few_redeals():
    rules = VARIANTS["cruel"]
    for name, choices in CHOICES.items():
        assert all(covers(rules.configured({name: choice}, None)) for choice in choices)
    limits = [
        limit for limit in range(100) if covers(rules.configured({"redeal_limit": limit}, None))
    ]
    assert limits == list(range(3, 100))
    assert all(covers(VARIANTS[name]) for name in CRUEL)


@pytest.mark.parametrize("engine", [None, *Engine])
def test_an_engine_is_made_ready_once(engine):
    warm_up(engine)
    ready = cruel.warm_up.cache_info().currsize
    warm_up(engine)
    assert cruel.warm_up.cache_info().currsize == ready
