"""One search of the Cruel family at work: its arrays, how they grow, and its time."""

import random
from functools import cache
from time import monotonic
from typing import Any

from service.rules.cruel import CHOICES, Cruel
from service.rules.cruel_position import CruelPosition
from service.solver import cruel_bounds, cruel_children, cruel_layout, cruel_met, cruel_searches
from service.solver.cruel_layout import Pool, Setup
from service.solver.engines import Engine, kernels, zeros

# Arrays grow fourfold from the first size to the last: nodes of 30 bytes, slots of 65, 390 MB.
NODES = (1 << 11, 1 << 23)
SLOTS = (1 << 9, 1 << 21)
# How many positions are expanded, in some 20 ms, before the clock is looked at.
SLICES = {Engine.NUMBA: 10_000, Engine.PYTHON: 200}

_CODES = {
    "low": "q",
    "high": "q",
    "parents": "i",
    "moves": "B",
    "redeals": "B",
    "table": "i",
    "cells": "B",
    "sizes": "B",
    "cards": "q",
    "nodes": "i",
    "links": "i",
}
_OF_NODES = ("low", "high", "parents", "moves", "redeals")
_WIDTHS = {"table": 2, "cells": cruel_layout.CELLS}
_MODULES = (cruel_layout, cruel_bounds, cruel_met, cruel_children, cruel_searches)
_KEY_BITS = 64


@cache
def functions(engine: Engine) -> dict[str, Any]:
    """Give the kernels by name."""
    return kernels(engine, _MODULES)


@cache
def keys_of(engine: Engine) -> Any:
    """Draw the parts of keys, always the same ones: two independent halves of 64 bits each."""
    draw = random.Random("cruel")  # noqa: S311 - no secret
    keys = zeros(engine, "q", 2 * cruel_layout.KEYS)
    for at in range(len(keys)):
        keys[at] = draw.getrandbits(_KEY_BITS) - (1 << _KEY_BITS - 1)
    return keys


def setup_of(rules: Cruel) -> Setup:
    """Give the rules as numbers."""
    return Setup(
        CHOICES["build"].index(rules.build),
        CHOICES["redeal"].index(rules.redeal),
        int(rules.redeal_when == "when_stuck"),
        -1 if rules.redeal_limit is None else rules.redeal_limit,
    )


class Search:
    """A search from a position, by one of the functions of ``cruel_searches``.

    ``width`` and ``highest`` are for ``by_layers``: how many of a cost are followed, 0 for all, and
    the highest cost that a win may have, -1 for any.
    """

    def __init__(
        self,
        engine: Engine,
        rules: Cruel,
        position: CruelPosition,
        name: str,
        *,
        width: int = 0,
        highest: int = -1,
    ) -> None:
        self.engine = engine
        self.setup = setup_of(rules)
        self.keys = keys_of(engine)
        self._functions = functions(engine)
        self._name = name
        self._sizes = [NODES[0], SLOTS[0]]
        self.pool = Pool(**{name: self._zeros(name) for name in _CODES})
        self.state = zeros(engine, "q", cruel_layout.STATE)
        self._lay(position)
        self.state[cruel_layout.WIDTH] = width
        self.state[cruel_layout.HIGHEST] = highest

    @property
    def expanded(self) -> int:
        """How many positions have been expanded."""
        return int(self.state[cruel_layout.EXPANDED])

    @property
    def cost(self) -> int:
        """How many builds and redeals the layer takes that ``by_layers`` is at."""
        return int(self.state[cruel_layout.COST])

    def run(self, nodes: int, deadline: float) -> int:
        """Search on until so many positions are expanded or the clock says so."""
        search = self._functions[self._name]
        while True:
            self.state[cruel_layout.PATIENCE] = SLICES[self.engine]
            said = search(self.pool, self.keys, self.setup, self.state, nodes)
            if said == cruel_layout.FULL:
                if not self._grow():
                    return cruel_layout.FULL
            elif said != cruel_layout.LATER or self.expanded >= nodes or monotonic() >= deadline:
                return int(said)

    def moves(self) -> list[int]:
        """Give the moves that lead to the position that is won."""
        moves = []
        node = int(self.state[cruel_layout.GOAL])
        while node:
            moves.append(int(self.pool.moves[node]))
            node = int(self.pool.parents[node])
        return moves[::-1]

    def _lay(self, position: CruelPosition) -> None:
        pool, state = self.pool, self.state
        at = 0
        for pile in position.piles:
            for card in pile:
                pool.cells[at] = card
                pool.cards[0] |= 1 << card
                at += 1
            if pile:
                pool.cells[at - 1] |= cruel_layout.END
        pool.sizes[0] = at
        pool.redeals[0] = min(position.redeals, 255)
        self._functions["write_key"](pool, self.keys, 0)
        self._functions["fill_table"](pool, 1)
        state[cruel_layout.COUNT] = state[cruel_layout.TAKEN] = 1
        state[cruel_layout.SLOTS] = state[cruel_layout.FREE] = 2
        state[cruel_layout.GOAL] = -1 if at else 0
        state[cruel_layout.LOWEST] = at
        if self._name == "best_first":
            state[cruel_layout.HEADS + at] = 1
        else:
            state[cruel_layout.OPENED] = 1

    def _zeros(self, name: str) -> Any:
        size = self._sizes[0 if name in _OF_NODES or name == "table" else 1]
        return zeros(self.engine, _CODES[name], size * _WIDTHS.get(name, 1))

    def _grow(self) -> bool:
        state = self.state
        full = state[cruel_layout.COUNT] + cruel_layout.ROOM > self._sizes[0]
        which, most = (0, NODES[1]) if full else (1, SLOTS[1])
        if self._sizes[which] >= most:
            return False
        self._sizes[which] *= 4
        grown = {}
        for name, old in self.pool._asdict().items():
            if (name in _OF_NODES or name == "table") == full:
                grown[name] = self._zeros(name)
                if name != "table":
                    grown[name][: len(old)] = old
        self.pool = self.pool._replace(**grown)
        if full:
            self._functions["fill_table"](self.pool, state[cruel_layout.COUNT])
        return True
