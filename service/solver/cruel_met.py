"""Which positions of the Cruel family have been met, and the slots of those that wait.

Plain functions over arrays, which numba compiles as they are. A position is met by its key, of 128
bits; the child that is being made lies in the slot ``state[FREE] - 1`` and as the node
``state[COUNT]``.
"""

from typing import Any

from service.solver.cruel_bounds import is_dead, least_cost
from service.solver.cruel_layout import (
    BY_CARDS,
    CELLS,
    COST,
    COUNT,
    END,
    FREE,
    GOAL,
    HEADS,
    HIGHEST,
    KEYS,
    LINKS,
    NOBODY,
    SLOTS,
    TAKEN,
    Pool,
    Setup,
)


def toggle(low: Any, high: Any, keys: Any, node: int, part: int) -> None:
    """Put a part into a key, or take it out."""
    low[node] ^= keys[part]
    high[node] ^= keys[KEYS + part]


def write_key(pool: Pool, keys: Any, slot: int) -> None:
    """Work out the key of a slot's node from its cells."""
    low, high = pool.low, pool.high
    cells = pool.cells
    node = pool.nodes[slot]
    low[node] = high[node] = 0
    before = NOBODY
    for at in range(slot * CELLS, slot * CELLS + pool.sizes[slot]):
        card = cells[at] & 63
        toggle(low, high, keys, node, before * 53 + card)
        if cells[at] & END:
            toggle(low, high, keys, node, LINKS + card)
        before = card
    toggle(low, high, keys, node, before * 53 + NOBODY)


def find(pool: Pool, node: int) -> int:
    """Give the place in the table where the node's key is, or where it belongs."""
    low, high, table = pool.low, pool.high, pool.table
    mask = len(table) - 1
    place = int(low[node]) & mask
    while True:
        other = table[place] - 1
        if other < 0 or (low[other] == low[node] and high[other] == high[node]):
            return place
        place = place + 1 & mask


def fill_table(pool: Pool, count: int) -> None:
    """Enter the first ``count`` nodes in an empty table; of equal keys the last."""
    for node in range(count):
        pool.table[find(pool, node)] = node + 1


def take_slot(pool: Pool, state: Any) -> None:
    """Take the free slot, in which a child lies, and make another ready."""
    state[FREE] = pool.links[state[FREE] - 1]
    state[TAKEN] += 1
    if not state[FREE]:
        state[SLOTS] += 1
        state[FREE] = state[SLOTS]
        pool.links[state[FREE] - 1] = 0


def free_slot(pool: Pool, state: Any, slot: int) -> None:
    """Give a slot back."""
    pool.links[slot] = state[FREE]
    state[FREE] = slot + 1
    state[TAKEN] -= 1


def admit(pool: Pool, setup: Setup, state: Any, into: int) -> None:
    """Add the child to the list ``into`` if it is of any use.

    It is of none where it has been met at no more redeals, is dead, or must come to cost too much.
    """
    child, slot = state[COUNT], state[FREE] - 1
    place = find(pool, child)
    known = pool.table[place] - 1
    if known >= 0 and pool.redeals[known] <= pool.redeals[child]:
        return
    if is_dead(pool, setup, slot):
        return
    if state[HIGHEST] >= 0 and state[COST] + least_cost(pool, setup, slot) > state[HIGHEST]:
        return
    pool.table[place] = child + 1
    state[COUNT] = child + 1
    take_slot(pool, state)
    head = into if into != BY_CARDS else HEADS + pool.sizes[slot]
    pool.links[slot] = state[head]
    state[head] = slot + 1
    if not pool.sizes[slot]:
        state[GOAL] = child
