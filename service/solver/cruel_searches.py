"""The two searches of the Cruel family: best first, and layer by layer of equal cost.

Plain functions over arrays, which numba compiles as they are. Each goes on from where it stopped:
all that it knows is in the arrays.
"""

from typing import Any

from service.solver.cruel_bounds import score
from service.solver.cruel_children import expand
from service.solver.cruel_layout import (
    BY_CARDS,
    CELLS,
    CLOSED,
    COST,
    COUNT,
    EXHAUSTED,
    EXPANDED,
    FULL,
    GOAL,
    HEADS,
    LATER,
    LAYER,
    LOWEST,
    NEXT,
    OPENED,
    PATIENCE,
    ROOM,
    SCORES,
    STATE,
    TAKEN,
    WIDTH,
    WON,
    Pool,
    Setup,
)
from service.solver.cruel_met import free_slot


def is_full(pool: Pool, state: Any) -> bool:
    """Tell whether there may not be room for the children of another position."""
    return bool(state[COUNT] + ROOM > len(pool.low) or state[TAKEN] + ROOM > len(pool.sizes))


def best_first(pool: Pool, keys: Any, setup: Setup, state: Any, until: int) -> int:
    """Search on, fewest cards first and of equal ones the latest, up to so many expanded."""
    while state[GOAL] < 0:
        lowest = state[LOWEST]
        while lowest <= CELLS and not state[HEADS + lowest]:
            lowest += 1
        if lowest > CELLS:
            return EXHAUSTED
        if state[EXPANDED] >= until or state[PATIENCE] <= 0:
            return LATER
        if is_full(pool, state):
            return FULL
        state[PATIENCE] -= 1
        slot = state[HEADS + lowest] - 1
        state[HEADS + lowest] = pool.links[slot]
        # One card fewer at most.
        state[LOWEST] = lowest - 1
        state[EXPANDED] += 1
        expand(pool, keys, setup, state, slot, BY_CARDS, BY_CARDS)
        free_slot(pool, state, slot)
    return WON


def by_layers(pool: Pool, keys: Any, setup: Setup, state: Any, until: int) -> int:
    """Search on by cost, all of one cost before the next, up to so many expanded.

    First all moves to foundations, which cost nothing, then the other moves of the ``WIDTH`` best
    (0: of all) of that cost.
    """
    while state[GOAL] < 0:
        if state[PATIENCE] <= 0:
            return LATER
        if is_full(pool, state):
            return FULL
        state[PATIENCE] -= 1
        if state[OPENED]:
            if state[EXPANDED] >= until:
                return LATER
            slot = state[OPENED] - 1
            state[OPENED] = pool.links[slot]
            state[EXPANDED] += 1
            expand(pool, keys, setup, state, slot, OPENED, 0)
            pool.links[slot] = state[LAYER]
            state[LAYER] = slot + 1
        elif not state[CLOSED]:
            state[CLOSED] = 1
            state[COST] += 1
            if state[WIDTH]:
                choose(pool, state)
        elif state[LAYER]:
            slot = state[LAYER] - 1
            state[LAYER] = pool.links[slot]
            expand(pool, keys, setup, state, slot, 0, NEXT)
            free_slot(pool, state, slot)
        elif state[NEXT]:
            state[OPENED] = state[NEXT]
            state[NEXT] = state[CLOSED] = 0
        else:
            return EXHAUSTED
    return WON


def choose(pool: Pool, state: Any) -> None:
    """Keep the ``WIDTH`` best of the layer, of equal ones the latest."""
    for place in range(SCORES, STATE):
        state[place] = 0
    at = state[LAYER]
    while at:
        state[SCORES + score(pool, at - 1)] += 1
        at = pool.links[at - 1]
    # So many of the worst score are kept, and all of the better ones.
    left = state[WIDTH]
    worst = 0
    while worst < STATE - SCORES - 1 and state[SCORES + worst] <= left:
        left -= state[SCORES + worst]
        worst += 1
    at, state[LAYER] = state[LAYER], 0
    while at:
        slot, at = at - 1, pool.links[at - 1]
        points = score(pool, slot)
        if points < worst or (points == worst and left):
            left -= points == worst
            pool.links[slot] = state[LAYER]
            state[LAYER] = slot + 1
        else:
            free_slot(pool, state, slot)
