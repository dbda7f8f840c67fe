"""Solves Calculation where the order of the stock is known.

Searches that keep more and more states follow each other until one wins, or passes nothing over:
then what it has not found is not there. ``docs/solver.md`` has the ideas and figures.
"""

from functools import cache

from service.rules.calculation import Calculation
from service.rules.calculation_position import CalculationPosition
from service.rules.family import Status
from service.rules.game import Game
from service.solver.calculation_beam import NO_LIMIT, Problem, Spending, State
from service.solver.calculation_layout import WASTING
from service.solver.engines import Engine
from service.solver.solution import Budget, Goal, Solution, Verdict

# States kept of a layer, from search to search. The widest holds 100 MB at most.
WIDTHS = (8, 64, 512, 4096, 32768)
# What a wasting costs (as in ``cost_of``) where the shortest line is wanted; 20 or 150 do as well.
THRIFT = 40


@cache
def warm_up(engine: Engine) -> None:
    """Make an engine ready, so that no search has to wait for it: numba compiles for seconds."""
    rules = Calculation()
    last = rules.parse_position("QC KD KH KS | - / - / - / - | KC")
    _solve(rules, last, Goal.LINE, Budget(), engine)


def solve(
    rules: Calculation, position: CalculationPosition, goal: Goal, budget: Budget, engine: Engine
) -> Solution:
    """Search from a position on, its whole stock known, until the goal or the budget is reached.

    A line is replayed by the rules before it is given; ``RuntimeError`` where they do not take it.
    """
    warm_up(engine)
    return _solve(rules, position, goal, budget, engine)


def _solve(
    rules: Calculation, position: CalculationPosition, goal: Goal, budget: Budget, engine: Engine
) -> Solution:
    problem = Problem(position, engine)
    spending = Spending(budget)
    verdict, way, proven = settle(problem, spending, goal)
    line = line_of(rules, position, problem, way) if way else None
    bound = len(position.stock) + sum(map(len, position.wastes)) + sum(problem.sure)
    if line is None:
        bound = 0
    elif proven:
        bound = len(line)
    given = None if goal is Goal.VERDICT else line
    shortest = given is not None and len(given) == bound
    return Solution(verdict, given, shortest, bound, spending.nodes, spending.elapsed_ms)


def settle(problem: Problem, spending: Spending, goal: Goal) -> tuple[Verdict, list[State], bool]:
    """Give the verdict, the states of the best way found, and whether there is none shorter."""
    if problem.is_dead():
        return Verdict.UNWINNABLE, [], False
    shortest = goal is Goal.SHORTEST
    way: list[State] = []
    below = NO_LIMIT
    for width in WIDTHS:
        found = problem.search(width, spending, below=below, thrift=THRIFT if shortest else 0)
        if found.way:
            way, below = found.way, found.wastings
        if way and (not shortest or found.complete or below == sum(problem.sure)):
            return Verdict.WINNABLE, way, shortest
        if found.complete:
            return Verdict.UNWINNABLE, [], False
        if spending.is_over:
            break
    return Verdict.WINNABLE if way else Verdict.UNKNOWN, way, False


def line_of(
    rules: Calculation, position: CalculationPosition, problem: Problem, way: list[State]
) -> tuple[str, ...]:
    """Give the moves that lead through these states; the rules play them once more.

    Raises ``RuntimeError`` where they do not, or do not win: the search is wrong then.
    """
    moves: list[str] = []
    game = Game.start(rules, position, undo=False)
    for *wastes, meta in way[1:]:
        state = (*wastes, meta % WASTING)
        for move in _moves_to(rules, game.position, problem, state):
            game = game.play(move)
            moves.append(move)
    if game.status is not Status.WON:
        message = f"a line of {len(moves)} moves does not win"
        raise RuntimeError(message)
    return tuple(moves)


def _moves_to(
    rules: Calculation, position: CalculationPosition, problem: Problem, state: State
) -> tuple[str, ...]:
    """Find the moves to a state: some from wastes to foundations, and the turned card's, if any."""
    reached = problem.state(position)[-1]
    paths: list[tuple[CalculationPosition, tuple[str, ...]]] = [(position, ())]
    for before, moves in paths:
        for move in rules.moves(before):
            after = rules.apply(before, move)
            if problem.state(after) == state:
                return (*moves, move)
            if move.startswith("W"):
                paths.append((after, (*moves, move)))
    message = f"no moves lead from heights {reached:x} to {state[-1]:x}"
    raise RuntimeError(message)
