"""The solver of the Cruel family: which searches are run, in which order, and what they tell."""

from functools import cache
from time import monotonic
from typing import Any

from service.rules.cruel import Cruel
from service.rules.cruel_position import CruelPosition
from service.rules.family import REDEAL, Status
from service.rules.game import Game
from service.solver import cruel_layout
from service.solver.cruel_search import Search
from service.solver.engines import Engine
from service.solver.solution import Budget, Goal, Solution, Verdict

_MS = 1_000
_ALL = 1 << 62
# Best first settles most positions at once. Where it drowns, a beam finds most wins.
_VERDICT_STEPS = (
    (0, 2_000),
    (100, _ALL),
    (0, 20_000),
    (1_000, _ALL),
    (0, 300_000),
    (10_000, _ALL),
    (0, _ALL),
)
# Beams find short lines; layers without a width end with a proof, sooner the shorter the line is.
_SHORTEST_STEPS = ((100, _ALL), (1_000, _ALL), (0, 300_000), (10_000, _ALL), (0, _ALL))


@cache
def warm_up(engine: Engine) -> None:
    """Make an engine ready, so that no search has to wait for it: numba compiles for seconds."""
    rules = Cruel()
    position = CruelPosition(bytes((11, 25, 38, 51)), (bytes((12,)),))
    for name in ("best_first", "by_layers"):
        Search(engine, rules, position, name).run(_ALL, monotonic())


def solve(
    rules: Cruel, position: CruelPosition, goal: Goal, budget: Budget, engine: Engine
) -> Solution:
    """Search from a position; the redeals that stand in it count against the limit.

    Raises ``RuntimeError`` where the rules do not accept a line that was found.
    """
    warm_up(engine)
    return _Solving(rules, position, goal, budget, engine).solution()


class _Solving:
    """What is known so far of one position, and what is left of the budget."""

    def __init__(
        self,
        rules: Cruel,
        position: CruelPosition,
        goal: Goal,
        budget: Budget,
        engine: Engine,
    ) -> None:
        self._start = monotonic()
        self._deadline = float("inf") if budget.ms is None else self._start + budget.ms / _MS
        self._left = _ALL if budget.nodes is None else budget.nodes
        self._rules, self._position, self._engine, self._goal = rules, position, engine, goal
        self._nodes = 0
        self._verdict = Verdict.UNKNOWN
        self._line: tuple[str, ...] | None = None
        self._cards = sum(map(len, position.piles))

    def solution(self) -> Solution:
        self._decide()
        lower = 0
        if self._line is not None:
            lower = self._shorten(len(self._line)) if self._goal is Goal.SHORTEST else self._cards
        line = None if self._goal is Goal.VERDICT else self._line
        return Solution(
            verdict=self._verdict,
            line=line,
            proven_shortest=line is not None and len(line) == lower,
            lower_bound=lower,
            nodes=self._nodes,
            elapsed_ms=int((monotonic() - self._start) * _MS),
        )

    def _search(self, width: int = 0, highest: int = -1, name: str = "by_layers") -> Search:
        return Search(self._engine, self._rules, self._position, name, width=width, highest=highest)

    def _run(self, search: Search, most: int) -> int:
        """Let a search expand so many positions in all, if the budget has as many."""
        before = search.expanded
        said = search.run(min(most, before + self._left), self._deadline)
        self._nodes += search.expanded - before
        self._left -= search.expanded - before
        if said == cruel_layout.WON:
            self._verdict = Verdict.WINNABLE
            self._line = _replayed(self._rules, self._position, search.moves())
        return said

    def _decide(self) -> None:
        best_first = self._search(name="best_first")
        for width, most in _VERDICT_STEPS:
            search = self._search(width) if width else best_first
            said = self._run(search, most)
            if said == cruel_layout.EXHAUSTED and not width:
                self._verdict = Verdict.UNWINNABLE
            if self._verdict is not Verdict.UNKNOWN or self._is_spent():
                return

    def _shorten(self, length: int) -> int:
        """Look for shorter lines than that of so many actions; give what none is shorter than."""
        exact = self._search(highest=length - self._cards - 1)
        for width, most in _SHORTEST_STEPS:
            if self._is_spent():
                break
            search = self._search(width, length - self._cards - 1) if width else exact
            said = self._run(search, most)
            if said == cruel_layout.WON:
                length = self._cards + search.cost
            if said in (cruel_layout.WON, cruel_layout.EXHAUSTED) and not width:
                return length
            exact.state[cruel_layout.HIGHEST] = length - self._cards - 1
        return self._cards + exact.cost

    def _is_spent(self) -> bool:
        return self._left == 0 or monotonic() >= self._deadline


def _replayed(rules: Cruel, position: CruelPosition, moves: list[int]) -> tuple[str, ...]:
    """Give the texts of a line's moves, played by the rules to the end."""
    game: Game[Any] = Game.start(rules, position, undo=False)
    line = []
    for move in moves:
        line.append(_text(game.position, move))
        game = game.play(line[-1])
    if game.status is not Status.WON:
        message = f"the line does not win: {' '.join(line)}"
        raise RuntimeError(message)
    return tuple(line)


def _text(position: CruelPosition, move: int) -> str:
    """Write a move, which counts only the piles that hold cards, from 0."""
    if move == cruel_layout.REDEAL:
        return REDEAL
    numbers = [number for number, pile in enumerate(position.piles, 1) if pile]
    source, target = divmod(move, 16)
    return f"{numbers[source]}>{'F' if target == cruel_layout.TO_FOUNDATION else numbers[target]}"
