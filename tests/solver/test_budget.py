"""A search keeps to its budget and to its memory, and says unknown where they do not suffice."""

import random
from itertools import count

import pytest

from service.rules import VARIANTS
from service.solver import Budget, Engine, Goal, Verdict, cruel, cruel_search, solve
from tests.naive.golden import load, split_piles

RULES = VARIANTS["cruel"]
# Takes thousands of positions to be solved.
HARD = load("solved_cruel.json")["deals"][7]
EASY = load("solved_cruel.json")["deals"][0]["piles"]


def ask(goal, *, piles=HARD["piles"], **budget):
    position = RULES.read_position({"piles": split_piles(piles)})
    return solve(RULES, position, goal, Budget(**budget), engine=Engine.PYTHON)


@pytest.mark.parametrize("nodes", [0, 1, 2, 99, 1_999, 2_001])
def test_a_search_expands_as_many_positions_as_it_may(nodes):
    solution = ask(Goal.LINE, nodes=nodes)
    assert solution.nodes == nodes
    assert solution.verdict is Verdict.UNKNOWN
    assert (solution.line, solution.length, solution.lower_bound) == (None, None, 0)


def test_a_search_for_the_shortest_line_gives_the_best_one_that_it_has_found():
    first = ask(Goal.LINE, piles=EASY)
    some = ask(Goal.SHORTEST, piles=EASY, nodes=first.nodes)
    more = ask(Goal.SHORTEST, piles=EASY, nodes=first.nodes + 4_000)
    assert some.line == first.line
    assert more.length < some.length
    assert not more.proven_shortest
    assert 48 <= more.lower_bound <= 60 <= more.length


def test_what_only_a_verdict_is_asked_of_has_no_line():
    solution = ask(Goal.VERDICT, piles=EASY)
    assert solution.verdict is Verdict.WINNABLE
    assert solution.line is None
    assert not solution.proven_shortest
    assert solution.lower_bound == 48


@pytest.mark.parametrize("goal", Goal)
def test_a_search_stops_at_the_first_look_at_the_clock_after_its_time(goal, monkeypatch):
    looks = count()
    monkeypatch.setattr(cruel_search, "monotonic", lambda: next(looks) / 100)
    monkeypatch.setattr(cruel, "monotonic", lambda: next(looks) / 100)
    solution = ask(goal, ms=55)
    # The first look starts the clock; the sixth after it is the first that is past 55 ms.
    assert 0 < solution.nodes <= 6 * cruel_search.SLICES[Engine.PYTHON]
    assert solution.elapsed_ms <= 90


def test_arrays_that_grow_change_no_answer(monkeypatch):
    roomy = ask(Goal.SHORTEST, nodes=4_000)
    monkeypatch.setattr(cruel_search, "NODES", (1 << 6, 1 << 22))
    monkeypatch.setattr(cruel_search, "SLOTS", (1 << 6, 1 << 20))
    tight = ask(Goal.SHORTEST, nodes=4_000)
    assert (tight.line, tight.nodes, tight.lower_bound) == (
        roomy.line,
        roomy.nodes,
        roomy.lower_bound,
    )


@pytest.mark.parametrize("scarce", ["NODES", "SLOTS"])
def test_a_search_that_runs_out_of_memory_calls_nothing_unwinnable(scarce, monkeypatch):
    monkeypatch.setattr(cruel_search, scarce, (1 << 6, 1 << 6))
    verdicts = set()
    for deal in load("solved_cruel.json")["deals"]:
        solution = ask(Goal.SHORTEST, piles=deal["piles"], nodes=2_000)
        truth = Verdict.WINNABLE if deal["winnable"] else Verdict.UNWINNABLE
        assert solution.verdict in (truth, Verdict.UNKNOWN)
        verdicts.add(solution.verdict)
    assert verdicts >= {Verdict.UNKNOWN, Verdict.UNWINNABLE}


def test_the_memory_of_a_search_is_as_its_description_says():
    search = cruel_search.Search(Engine.PYTHON, RULES, RULES.opening("deal/1", "a"), "best_first")
    nodes, slots = cruel_search.NODES[0], cruel_search.SLOTS[0]
    held = {name: array.itemsize * len(array) for name, array in search.pool._asdict().items()}
    of_nodes = ("low", "high", "parents", "moves", "redeals", "table")
    assert sum(held[name] for name in of_nodes) == 30 * nodes
    assert sum(size for name, size in held.items() if name not in of_nodes) == 65 * slots
    assert 30 * cruel_search.NODES[1] + 65 * cruel_search.SLOTS[1] < 400 * 10**6


def test_a_game_that_is_won_already_needs_no_move():
    piles = ["KC", *[""] * 11]
    position = RULES.apply(RULES.read_position({"piles": split_piles(piles)}), "1>F")
    solution = solve(RULES, position, Goal.SHORTEST, Budget(), engine=Engine.PYTHON)
    assert (solution.verdict, solution.line) == (Verdict.WINNABLE, ())
    assert solution.proven_shortest
    assert (solution.lower_bound, solution.nodes) == (0, 0)


def test_seeded_chance_is_not_touched():
    random.seed(1)
    before = random.getstate()
    ask(Goal.LINE, nodes=10)
    assert random.getstate() == before
