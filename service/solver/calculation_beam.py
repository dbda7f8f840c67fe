"""A search in Calculation layer by layer: after each card of the stock the best states are kept."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from time import perf_counter
from typing import Any

from service.rules.calculation_position import NUMBERS, SEQUENCES, CalculationPosition, height
from service.rules.cards import rank_of
from service.solver import calculation_cost, calculation_kernel
from service.solver import calculation_layout as layout
from service.solver.calculation_layout import WORDS
from service.solver.engines import Engine, kernels, numbers
from service.solver.solution import Budget

# States between two looks at the clock: some 5 ms compiled, up to 50 ms without.
_SLICES = {Engine.NUMBA: 2_048, Engine.PYTHON: 64}
# How many layers' states are held before they are cut down to one layer's.
_ROOM = 4
NO_LIMIT = 99

# Four wastes, and heights with wastings, as the layout tells.
State = tuple[int, ...]


class Spending:
    """What is spent of a budget."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._start = perf_counter()
        self.nodes = 0

    @property
    def elapsed_ms(self) -> int:
        """Whole ms since the start."""
        return int((perf_counter() - self._start) * 1000)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to spend."""
        nodes, ms = self._budget
        late = ms is not None and self.elapsed_ms >= ms
        return late or (nodes is not None and self.nodes >= nodes)

    def step(self, wanted: int) -> int:
        """Spend some of the wanted nodes, and give how many; 0 when the budget is spent."""
        if self.is_over:
            return 0
        nodes = self._budget.nodes
        step = wanted if nodes is None else min(wanted, nodes - self.nodes)
        self.nodes += step
        return step


@dataclass(frozen=True, slots=True)
class Found:
    """What one search has found.

    ``way``: states from the root to a won one, none where it found no way. ``complete``: no way
    with fewer wastings was passed over. ``layers``: how far it came, whether it won or not.
    """

    way: list[State]
    complete: bool
    layers: int

    @property
    def wastings(self) -> int:
        """How many cards of the stock go onto wastes on the way."""
        return self.way[-1][layout.META] // layout.WASTING


@cache
def _loops(engine: Engine) -> dict[str, Any]:
    """Give the loops by name, as the engine runs them."""
    return kernels(engine, (layout, calculation_cost, calculation_kernel))


class Problem:
    """A position as the search reads it: ranks and places, no suits."""

    def __init__(self, position: CalculationPosition, engine: Engine) -> None:
        self._engine, self._loops = engine, _loops(engine)
        cards = b"".join(position.wastes) + position.stock
        self._bits = {card: 1 << 47 - place for place, card in enumerate(cards)}
        self._ranks = [rank_of(card) for card in position.stock]
        self._table = array("q", bytes(8 * layout.TABLE))
        for card, bit in self._bits.items():
            self._table[bit % layout.RANKS] = rank_of(card)
        for number in NUMBERS:
            row = 14 * (number - 1)
            for above, rank in enumerate(SEQUENCES[number]):
                self._table[layout.NEXT + row + above] = rank
                self._table[layout.PLACE + row + rank] = above
        self._root = self.state(position)
        self._fast = numbers(engine, self._table)
        self._position = position

    @cached_property
    def sure(self) -> list[int]:
        """For each card of the stock 1 where it goes onto a waste in every line, else 0."""
        return sure_wastings(self._position)

    def state(self, position: CalculationPosition) -> State:
        """Give this position, or one that it leads to, as a state, its wastings left out."""
        wastes = [sum(self._bits[card] for card in waste) for waste in position.wastes]
        heights = [height(n, top) for n, top in zip(NUMBERS, position.foundations, strict=True)]
        return (*sorted(wastes, reverse=True), sum(h << 4 * k for k, h in enumerate(heights)))

    def is_dead(self) -> bool:
        """Tell whether the position is plainly lost, in whatever order the stock lies."""
        self._turn(-1)
        self._put(layout.CHILD, self._root)
        return bool(self._loops["is_dead"](self._fast))

    def search(
        self, width: int, spending: Spending, *, below: int = NO_LIMIT, thrift: int = 0
    ) -> Found:
        """Search with ``width`` states a layer for a way of fewer wastings than ``below``.

        With a thrift (what a wasting costs, as in ``cost_of``) it goes on from one way to shorter
        ones; without it ends at the first. It holds 56 bytes for each state of each layer,
        and ``_ROOM`` layers more.
        """
        self._table[layout.WIDTH], self._table[layout.THRIFT] = width, thrift
        self._table[layout.DROPPED] = 0
        room = _ROOM * width + layout.ADDED_MOST
        target = array("q", bytes(8 * WORDS * room))
        layers, found = [array("q", [*self._root, 0, 0])], []
        while layers[-1]:
            best = self._best_won(layers)
            if best:
                found, below = best, best[-1][layout.META] // layout.WASTING
                if not thrift:
                    break
            turned = len(layers) - 1
            self._turn(turned)
            later = 0 if below == NO_LIMIT else sum(self.sure[turned + 1 :])
            self._table[layout.LIMIT] = below - later
            count = self._expand(layers[-1], target, spending)
            if count is None:
                return Found(found, complete=False, layers=turned)
            layers.append(target[: count * WORDS])
        return Found(found, not self._table[layout.DROPPED], len(layers))

    def _turn(self, turned: int) -> None:
        """Set the table to what is turned: a card of the stock by its number, or -1, none yet."""
        behind = self._ranks[turned + 1 :]
        there = 0 <= turned < len(self._ranks)
        self._table[layout.TURNED] = self._ranks[turned] if there else 0
        self._table[layout.BIT] = self._bits[self._position.stock[turned]] if there else 0
        self._table[layout.LATER] = sum(1 << rank for rank in set(behind))
        self._table[layout.BEHIND] = len(behind)
        self._put(layout.ORDER, behind)

    def _put(self, at: int, values: Sequence[int]) -> None:
        # Not by the array itself, which may not be resized while the loops hold it.
        memoryview(self._table)[at : at + len(values)] = array("q", values)

    def _expand(self, layer: "array[int]", target: "array[int]", spending: Spending) -> int | None:
        """Fill ``target`` with what a layer leads to; give how much; None where too dear."""
        source, into = numbers(self._engine, layer), numbers(self._engine, target)
        slots = numbers(self._engine, array("q", bytes(8 * (2 * len(target) // WORDS + 1))))
        expand = self._loops["expand"]
        many, done, count = len(layer) // WORDS, 0, 0
        while done < many:
            step = spending.step(min(many - done, _SLICES[self._engine]))
            if not step:
                return None
            count = expand(self._fast, source, done, done + step, into, slots, count)
            done += step
        return int(self._loops["choose"](self._fast, into, count))

    def _best_won(self, layers: "list[array[int]]") -> list[State]:
        """Give the way to the won state of the last layer with the fewest wastings, if any."""
        if len(layers) <= len(self._ranks):
            return []  # before the last card is turned nothing is won
        last = layers[-1]
        won = [
            (meta, at)
            for at, meta in enumerate(last[layout.META :: WORDS])
            if meta & layout.HEIGHTS == layout.WON
        ]
        if not won:
            return []
        at, way = min(won)[1], []
        for layer in reversed(layers):
            words = layer[at * WORDS : (at + 1) * WORDS]
            way.append(tuple(words[: layout.PARENT]))
            at = words[layout.PARENT]
        return way[::-1]


def sure_wastings(position: CalculationPosition) -> list[int]:
    """Tell of each card of the stock whether it goes onto a waste in every line: 1, or else 0.

    It does where no foundation can have come so far, even if every card of the wastes and every
    card turned before lay open and did for all foundations.
    """
    have = {rank_of(card) for waste in position.wastes for card in waste}
    heights = [height(n, top) for n, top in zip(NUMBERS, position.foundations, strict=True)]
    sure = []
    for card in position.stock:
        reached: set[int] = set()
        for number, above in zip(NUMBERS, heights, strict=True):
            left = SEQUENCES[number][above:]
            come = next((k for k, rank in enumerate(left) if rank not in have), len(left))
            reached.update(left[: come + 1])
        sure.append(int(rank_of(card) not in reached))
        have.add(rank_of(card))
    return sure
