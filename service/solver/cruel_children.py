"""The positions that come after one of the Cruel family.

Plain functions over arrays, which numba compiles as they are. The child that is being made lies in
the slot ``state[FREE] - 1`` and as the node ``state[COUNT]``.
"""

from typing import Any

from service.solver.cruel_bounds import movers, next_cards
from service.solver.cruel_layout import (
    ALTERNATE_UP,
    CELLS,
    COUNT,
    END,
    FANS,
    FREE,
    LINKS,
    NOBODY,
    PACKET,
    PACKETS,
    PILES,
    PLACES,
    REDEAL,
    TO_FOUNDATION,
    TOPS,
    Pool,
    Setup,
)
from service.solver.cruel_met import admit, toggle, write_key


def copy(cells: Any, to: int, first: int, end: int) -> None:
    """Copy some cells to another slot; one by one, for want of slices where nothing is counted."""
    for at in range(end - first):
        cells[to + at] = cells[first + at]


def begin_child(pool: Pool, state: Any, slot: int, move: int) -> None:
    """Set what a child has of its parent, the cells aside."""
    child, new, node = state[COUNT], state[FREE] - 1, pool.nodes[slot]
    pool.nodes[new] = child
    pool.sizes[new] = pool.sizes[slot]
    pool.cards[new] = pool.cards[slot]
    pool.low[child] = pool.low[node]
    pool.high[child] = pool.high[node]
    pool.parents[child] = node
    pool.moves[child] = move
    pool.redeals[child] = pool.redeals[node]


def lift(pool: Pool, keys: Any, state: Any, slot: int, at: int) -> None:
    """Take a top card, the ``at``-th, out of the key, and bare the one beneath it."""
    low, high = pool.low, pool.high
    cells, child = pool.cells, state[COUNT]
    here, size = slot * CELLS + at, pool.sizes[slot]
    card = cells[here] & 63
    before = cells[here - 1] & 63 if at else NOBODY
    after = cells[here + 1] & 63 if at + 1 < size else NOBODY
    toggle(low, high, keys, child, before * 53 + card)
    toggle(low, high, keys, child, card * 53 + after)
    toggle(low, high, keys, child, before * 53 + after)
    if at and not cells[here - 1] & END:
        toggle(low, high, keys, child, LINKS + before)


def play_up(pool: Pool, keys: Any, state: Any, slot: int, at: int) -> None:
    """Finish the child in which the ``at``-th card, a top, has gone to its foundation."""
    low, high = pool.low, pool.high
    cells, child, to = pool.cells, state[COUNT], state[FREE] - 1
    old, new, size = slot * CELLS, to * CELLS, pool.sizes[slot]
    card = cells[old + at] & 63
    lift(pool, keys, state, slot, at)
    toggle(low, high, keys, child, LINKS + card)
    copy(cells, new, old, old + at)
    copy(cells, new + at, old + at + 1, old + size)
    if at:
        cells[new + at - 1] |= END
    pool.sizes[to] = size - 1
    pool.cards[to] &= ~(1 << card)


def build(pool: Pool, keys: Any, state: Any, slot: int, at: int, onto: int) -> None:
    """Finish the child in which the ``at``-th card, a top, lies on the ``onto``-th."""
    low, high = pool.low, pool.high
    cells, child = pool.cells, state[COUNT]
    old, new, size = slot * CELLS, (state[FREE] - 1) * CELLS, pool.sizes[slot]
    card, target = cells[old + at] & 63, cells[old + onto] & 63
    next_to = onto + 1 if onto + 1 != at else onto + 2
    after = cells[old + next_to] & 63 if next_to < size else NOBODY
    lift(pool, keys, state, slot, at)
    toggle(low, high, keys, child, target * 53 + after)
    toggle(low, high, keys, child, target * 53 + card)
    toggle(low, high, keys, child, card * 53 + after)
    toggle(low, high, keys, child, LINKS + target)
    if onto > at:
        copy(cells, new, old, old + at)
        copy(cells, new + at, old + at + 1, old + onto + 1)
        copy(cells, new + onto + 1, old + onto + 1, old + size)
        to, bared = onto, at - 1
    else:
        copy(cells, new, old, old + onto + 1)
        copy(cells, new + onto + 2, old + onto + 1, old + at)
        copy(cells, new + at + 1, old + at + 1, old + size)
        to, bared = onto + 1, at
    if at:
        cells[new + bared] |= END
    cells[new + to - 1] = target
    cells[new + to] = card | END


def redealt(pool: Pool, keys: Any, setup: Setup, state: Any, slot: int) -> bool:
    """Finish the child that a redeal gives; tell whether it is another position."""
    cells, child, to = pool.cells, state[COUNT], state[FREE] - 1
    old, new, size = slot * CELLS, to * CELLS, pool.sizes[slot]
    if setup.redeal == PACKETS:
        copy(cells, new, old, old + size)
        cut(pool, new, size)
    elif setup.redeal == FANS:
        deal_fans(pool, old, new, size)
    else:
        turn_piles(pool, old, new, size)
        cut(pool, new, size)
        turn_piles(pool, new, new, size)
    pool.redeals[child] += setup.limit >= 0
    for at in range(size):
        if cells[old + at] != cells[new + at]:
            write_key(pool, keys, to)
            return True
    return False


def cut(pool: Pool, base: int, size: int) -> None:
    """Mark the ends of packets of four."""
    cells = pool.cells
    for at in range(size):
        card = cells[base + at] & 63
        cells[base + at] = card | END if (at + 1) % PACKET == 0 or at + 1 == size else card


def deal_fans(pool: Pool, old: int, new: int, size: int) -> None:
    """Deal the cells to fans in turn, and mark the end of each."""
    cells = pool.cells
    fans = (size + 3) // 4
    to = new
    for fan in range(old, old + fans):
        for at in range(fan, old + size, fans):
            cells[to] = cells[at] & 63
            to += 1
        cells[to - 1] |= END


def turn_piles(pool: Pool, old: int, new: int, size: int) -> None:
    """Write each pile the other way round, the mark of its end in the same place."""
    cells = pool.cells
    first = 0
    for top in range(size):
        if cells[old + top] & END:
            for at in range((top - first) // 2 + 1):
                low, high = cells[old + first + at] & 63, cells[old + top - at] & 63
                cells[new + first + at], cells[new + top - at] = high, low
            cells[new + top] |= END
            first = top + 1


def expand(
    pool: Pool, keys: Any, setup: Setup, state: Any, slot: int, ups: int, others: int
) -> None:
    """Make the children of a slot: those by moves to foundations into the list ``ups``, 0: none.

    The others into the list ``others``, likewise.
    """
    cells = pool.cells
    base = slot * CELLS
    tops = piles = 0
    for at in range(pool.sizes[slot]):
        if cells[base + at] & END:
            card = cells[base + at] & 63
            tops |= 1 << card
            state[TOPS + piles] = card
            state[PLACES + card] = at
            state[PILES + card] = piles
            piles += 1
    up = tops & next_cards(pool.cards[slot])
    built = movers(setup.build, tops)
    used = pool.redeals[pool.nodes[slot]]
    if others and (setup.limit < 0 or used < setup.limit) and not (setup.stuck and up | built):
        begin_child(pool, state, slot, REDEAL)
        if redealt(pool, keys, setup, state, slot):
            admit(pool, setup, state, others)
    for pile in range(piles):
        card = state[TOPS + pile]
        if others and built >> card & 1:
            expand_builds(pool, keys, setup, state, slot, card, tops, others)
        if ups and up >> card & 1:
            begin_child(pool, state, slot, pile * 16 + TO_FOUNDATION)
            play_up(pool, keys, state, slot, state[PLACES + card])
            admit(pool, setup, state, ups)


def expand_builds(
    pool: Pool, keys: Any, setup: Setup, state: Any, slot: int, card: int, tops: int, into: int
) -> None:
    """Make the children in which the top card lies on each of the ``tops`` that take it."""
    target, last, step = card + 1, card + 1, 1
    if setup.build == ALTERNATE_UP:
        below, is_red = card % 13 - 1, card // 13 in (1, 2)
        target, step = (below, 39) if is_red else (below + 13, 13)
        last = target + step
    while target <= last:
        if tops >> target & 1:
            begin_child(pool, state, slot, state[PILES + card] * 16 + state[PILES + target])
            build(pool, keys, state, slot, state[PLACES + card], state[PLACES + target])
            admit(pool, setup, state, into)
        target += step
