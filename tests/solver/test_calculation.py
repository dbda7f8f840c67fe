"""Calculation solved with the stock known: against plain search, and within its budgets."""

import random
from dataclasses import replace

import pytest

from service.rules import VARIANTS
from service.rules.calculation_position import SEQUENCES
from service.rules.cards import parse_cards
from service.solver import calculation_beam, calculation_kernel
from service.solver.calculation import line_of, settle
from service.solver.calculation import solve as calculation_solve
from service.solver.calculation_beam import Problem, Spending, sure_wastings
from service.solver.engines import Engine
from service.solver.solution import Budget, Goal, Verdict
from tests.naive.engine import CalculationTable, position_moves
from tests.rules.tables import calculation

RULES = VARIANTS["calculation"]
BASES = {"bases": ["AC", "2D", "3H", "4S"]}


# ---- both engines ----


@pytest.fixture(params=Engine)
def engine(request):
    return request.param


def timeless(solution):
    return replace(solution, elapsed_ms=0)


def solve(rules, position, goal, budget, engine=Engine.NUMBA):
    return calculation_solve(rules, position, goal, budget, engine)


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize("number", range(3))
def test_a_budget_of_nodes_gives_the_same_with_and_without_numba(number, goal):
    opening = RULES.opening("deal/1", f"engines-{number}")
    here, there = (
        timeless(solve(RULES, opening, goal, Budget(nodes=600), engine)) for engine in Engine
    )
    assert here == there


# ---- against plain search ----


def endgame(seed, left, turned):
    """Lay out the last cards by seeded chance: so many are left, so many of them in the stock."""
    rng = random.Random(seed)
    heights = [13] * 4
    while sum(heights) > 52 - left:
        number = rng.randrange(4)
        if heights[number] > 1:
            heights[number] -= 1
    suits = {rank: list("CDHS") for rank in range(1, 14)}
    for rank, suit in ((1, "C"), (2, "D"), (3, "H"), (4, "S")):
        suits[rank].remove(suit)
    for free in suits.values():
        rng.shuffle(free)
    tops, cards = [], []
    for base, (number, height) in zip(BASES["bases"], enumerate(heights, 1), strict=True):
        line = SEQUENCES[number]
        text = [base, *("A23456789TJQK"[rank - 1] + suits[rank].pop() for rank in line[1:])]
        tops.append(text[height - 1])
        cards += text[height:]
    rng.shuffle(cards)
    wastes = [[], [], [], []]
    for card in cards[turned:]:
        rng.choice(wastes).append(card)
    return {"stock": cards[:turned], "wastes": wastes, "foundations": tops}


def key(table):
    wastes = sorted(tuple(card[0] for card in waste) for waste in table.wastes)
    heights = tuple(map(table.count_on, (1, 2, 3, 4)))
    return heights, tuple(wastes), len(table.stock)


def fewest(start):
    """Give the fewest actions that win, by trying all breadth first; None where none do."""
    layer, actions = {"": CalculationTable(BASES, start)}, 0
    while layer:
        after = {}
        for table in layer.values():
            if table.cards_up() == 52:
                return actions
            for move in position_moves(table):
                child = CalculationTable(
                    BASES,
                    {
                        "stock": table.stock,
                        "wastes": table.wastes,
                        "foundations": table.foundations,
                    },
                )
                child.do(move)
                after.setdefault(key(child), child)
        layer, actions = after, actions + 1
    return None


def replay(start, line):
    table = CalculationTable(BASES, start)
    for move in line:
        assert table.refusal(move) is None
        table.do(move)
    return table.cards_up()


def check(start, engine=Engine.NUMBA):
    """Compare all three goals with plain search; tell whether the position can be won."""
    position, expected = RULES.read_position(start), fewest(start)
    shortest, line, verdict = (
        solve(RULES, position, goal, Budget(), engine)
        for goal in (Goal.SHORTEST, Goal.LINE, Goal.VERDICT)
    )
    verdicts = {shortest.verdict, line.verdict, verdict.verdict}
    assert verdict.line is None
    assert not verdict.proven_shortest
    if expected is None:
        assert verdicts == {Verdict.UNWINNABLE}
        assert shortest.line is line.line is None
        assert shortest.lower_bound == line.lower_bound == verdict.lower_bound == 0
        return False
    assert verdicts == {Verdict.WINNABLE}
    assert shortest.length == shortest.lower_bound == expected
    assert shortest.proven_shortest
    assert replay(start, shortest.line) == replay(start, line.line) == 52
    assert verdict.lower_bound <= line.lower_bound <= expected <= line.length
    assert not line.proven_shortest or line.length == expected
    return True


@pytest.mark.parametrize(("left", "turned"), [(8, 3), (7, 4), (9, 2), (6, 6), (10, 0)])
def test_verdicts_and_shortest_lines_of_endgames_are_those_of_plain_search(left, turned, engine):
    won = [check(endgame(f"{left}-{turned}-{n}", left, turned), engine) for n in range(10)]
    assert any(won)


def test_some_of_these_endgames_cannot_be_won():
    won = [check(endgame(f"11-1-{n}", 11, 1)) for n in range(20)]
    assert 0 < sum(won) < 20


@pytest.mark.slow
@pytest.mark.parametrize(("left", "turned"), [(12, 3), (10, 5)])
def test_larger_endgames_are_decided_as_by_plain_search(left, turned):
    won = [check(endgame(f"large-{left}-{turned}-{n}", left, turned)) for n in range(20)]
    assert sum(won) > 0


# ---- what is answered ----


def test_a_won_position_is_won_in_no_actions(engine):
    position = calculation("", foundations="KC KD KH KS").position
    for goal in (Goal.LINE, Goal.SHORTEST):
        solution = solve(RULES, position, goal, Budget(), engine)
        assert (solution.verdict, solution.line) == (Verdict.WINNABLE, ())
        assert solution.proven_shortest


def test_a_card_that_waits_beneath_the_one_that_waits_for_it_loses_in_every_order(engine):
    # The king on the jack leaves after the queen only, which goes onto the jack.
    game = calculation("QC", "JC KC / - / - / -", "TC KD KH KS")
    solution = solve(RULES, game.position, Goal.LINE, Budget(nodes=0), engine)
    assert (solution.verdict, solution.line, solution.nodes) == (Verdict.UNWINNABLE, None, 0)


def test_a_deal_is_won_by_a_line_that_the_naive_engine_plays():
    opening = RULES.opening("deal/1", "semilla")
    solution = solve(RULES, opening, Goal.LINE, Budget())
    start = RULES.position_json(opening)
    assert replay(start, solution.line) == 52
    assert 48 <= solution.lower_bound <= solution.length


def test_more_is_spent_on_shorter_lines():
    opening = RULES.opening("deal/1", "semilla")
    line = solve(RULES, opening, Goal.LINE, Budget())
    shorter = solve(RULES, opening, Goal.SHORTEST, Budget(nodes=20_000))
    assert shorter.length < line.length
    assert replay(RULES.position_json(opening), shorter.line) == 52
    assert line.lower_bound == shorter.lower_bound


def test_a_card_that_no_foundation_can_have_come_to_is_wasted_for_sure():
    # Foundation 1 takes the 2, and foundation 2 the 4; a king, a 5 and an ace come too early.
    opening = RULES.opening("deal/1", "semilla")
    turned = opening._replace(stock=parse_cards("KC 2C 5C AD 4C"))
    assert sure_wastings(turned) == [1, 0, 1, 1, 0]


def test_states_that_do_not_follow_each_other_make_no_line():
    position = calculation("KD", foundations="KC JD KH KS").position
    problem = Problem(position, Engine.PYTHON)
    _, way, _ = settle(problem, Spending(Budget()), Goal.LINE)
    assert line_of(RULES, position, problem, way) == ("S>F2",)
    with pytest.raises(RuntimeError, match="a line of 0 moves does not win"):
        line_of(RULES, position, problem, way[:1])
    with pytest.raises(RuntimeError, match="no moves lead from heights ddcd to dddc"):
        line_of(RULES, position, problem, [way[0], (0, 0, 0, 0, 0xDDDC)])


# ---- budgets ----


@pytest.mark.parametrize("nodes", [0, 1, 7, 100, 401])
def test_no_more_nodes_are_looked_at_than_the_budget_has(nodes, engine):
    opening = RULES.opening("deal/1", "census-3")
    solution = solve(RULES, opening, Goal.SHORTEST, Budget(nodes), engine)
    assert solution.nodes <= nodes
    assert solution.verdict is not Verdict.UNWINNABLE


def test_where_the_widest_search_passes_something_over_nothing_is_known(monkeypatch):
    monkeypatch.setattr("service.solver.calculation.WIDTHS", (1,))
    opening = RULES.opening("deal/1", "census-3")
    for goal in (Goal.LINE, Goal.SHORTEST):
        assert solve(RULES, opening, goal, Budget()).verdict is Verdict.UNKNOWN


def test_the_search_ends_when_its_time_is_over(monkeypatch):
    # A clock on which each look takes a ms.
    ticks = iter(range(10_000))
    monkeypatch.setattr(calculation_beam, "perf_counter", lambda: next(ticks) / 1000)
    opening = RULES.opening("deal/1", "census-3")
    solution = solve(RULES, opening, Goal.SHORTEST, Budget(ms=20), Engine.PYTHON)
    assert solution.verdict is Verdict.UNKNOWN
    assert solution.nodes > 0
    assert 20 <= solution.elapsed_ms <= 25


def test_a_search_that_cuts_a_layer_down_on_the_way_says_that_it_passed_something_over():
    # 64 states lead to more than the four layers' worth for which there is room.
    problem = Problem(RULES.opening("deal/1", "census-3"), Engine.PYTHON)
    found = problem.search(64, Spending(Budget(nodes=1_500)))
    assert not found.complete
    assert found.layers > 10


def test_a_search_that_cannot_open_all_states_between_two_cards_says_so(monkeypatch):
    position = RULES.read_position(endgame("9-4-0", 9, 4))
    assert Problem(position, Engine.PYTHON).search(1_000, Spending(Budget())).complete
    monkeypatch.setattr(calculation_kernel, "OPEN_MOST", 1)
    assert not Problem(position, Engine.PYTHON).search(1_000, Spending(Budget())).complete


@pytest.mark.slow
def test_nineteen_of_twenty_deals_are_won_within_150_000_nodes():
    won = 0
    for number in range(1, 41):
        opening = RULES.opening("deal/1", f"census-{number}")
        solution = solve(RULES, opening, Goal.LINE, Budget(nodes=150_000))
        won += (
            solution.line is not None and replay(RULES.position_json(opening), solution.line) == 52
        )
    assert won >= 38
