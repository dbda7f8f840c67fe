"""What states of Calculation lead to, layer by layer.

Plain functions over arrays, which numba can compile.
"""

from typing import Any

from service.solver.calculation_cost import cost_of, fits, is_dead
from service.solver.calculation_layout import (
    ADDED_MOST,
    BIT,
    CHILD,
    COST,
    COST_MOST,
    DROPPED,
    HEIGHTS,
    LIMIT,
    META,
    OPEN,
    OPEN_MOST,
    PARENT,
    TALLY,
    THRIFT,
    TURNED,
    WASTING,
    WIDTH,
    WORDS,
)


def slot_of(target: Any, slots: Any, table: Any) -> int:
    """Find the slot of the state in hand: the one that has it, or the empty one for it."""
    mixed = 1009 * (table[CHILD + META] & HEIGHTS)
    for k in range(4):
        mixed += (3 * k + 1) * table[CHILD + k]
    slot = int(mixed % len(slots))
    while slots[slot]:
        at = (slots[slot] - 1) * WORDS
        if (target[at + META] ^ table[CHILD + META]) & HEIGHTS == 0:
            same = True
            for k in range(4):
                same = same and target[at + k] == table[CHILD + k]
            if same:
                return slot
        slot = (slot + 1) % len(slots)
    return slot


def in_order(table: Any) -> None:
    """Put the wastes of the state in hand into their one order."""
    for last in range(3, 0, -1):
        for k in range(last):
            low, high = table[CHILD + k], table[CHILD + k + 1]
            if low < high:
                table[CHILD + k], table[CHILD + k + 1] = high, low


def choose(table: Any, target: Any, count: int) -> int:
    """Keep the ``WIDTH`` cheapest states, the earlier ones of equals; give how many are left."""
    if count <= table[WIDTH]:
        return count
    table[DROPPED] = 1
    for cost in range(COST_MOST + 1):
        table[TALLY + cost] = 0
    for k in range(count):
        table[TALLY + target[k * WORDS + COST]] += 1
    dearest, room = 0, table[WIDTH]
    while table[TALLY + dearest] <= room:
        room -= table[TALLY + dearest]
        dearest += 1
    kept = 0
    for k in range(count):
        cost = target[k * WORDS + COST]
        if cost < dearest or (cost == dearest and room > 0):
            room -= cost == dearest
            for word in range(WORDS):
                target[kept * WORDS + word] = target[k * WORDS + word]
            kept += 1
    return kept


def refill(table: Any, target: Any, slots: Any, count: int) -> None:
    """Fill the slots anew after a choice."""
    for slot in range(len(slots)):
        slots[slot] = 0
    for k in range(count):
        for word in range(5):
            table[CHILD + word] = target[k * WORDS + word]
        slots[slot_of(target, slots, table)] = k + 1


def add(table: Any, parent: int, target: Any, slots: Any, count: int) -> int:
    """Add the state in hand to the next layer unless it is no use; give the layer's new size."""
    if table[CHILD + META] // WASTING >= table[LIMIT]:
        return count
    in_order(table)
    slot = slot_of(target, slots, table)
    at = (slots[slot] - 1) * WORDS
    if at >= 0:
        saved = (target[at + META] - table[CHILD + META]) // WASTING
        if saved > 0:
            target[at + META] = table[CHILD + META]
            target[at + PARENT] = parent
            target[at + COST] = max(target[at + COST] - saved * table[THRIFT], 0)
        return count
    if is_dead(table):
        return count
    at = count * WORDS
    for k in range(5):
        target[at + k] = table[CHILD + k]
    target[at + PARENT] = parent
    target[at + COST] = cost_of(table)
    slots[slot] = count + 1
    return count + 1


def push(table: Any, count: int) -> int:
    """Put the state in hand among the open ones unless it is there; give how many they are."""
    for k in range(count):
        same = True
        for word in range(5):
            same = same and table[OPEN + 5 * k + word] == table[CHILD + word]
        if same:
            return count
    if count == OPEN_MOST:
        table[DROPPED] = 1
        return count
    for word in range(5):
        table[OPEN + 5 * count + word] = table[CHILD + word]
    return count + 1


def pick(table: Any, at: int) -> None:
    """Take an open state in hand."""
    for word in range(5):
        table[CHILD + word] = table[OPEN + 5 * at + word]


def sure_waste(table: Any, at: int) -> int:
    """Find a waste of an open state whose top every foundation that needs its rank takes now.

    One of them gets it sooner or later and waits until then, so it may as well go at once. -1 where
    there is none.
    """
    for k in range(4):
        pile = table[OPEN + 5 * at + k]
        if pile:
            found = fits(table, table[OPEN + 5 * at + META], table[(pile & -pile) % 67])
            if found >> 4 == found & 15:
                return k
    return -1


def place_turned(table: Any, at: int, parent: int, target: Any, slots: Any, count: int) -> int:
    """Add each state that placing the turned card in an open one gives; give the layer's size."""
    found = fits(table, table[OPEN + 5 * at + META], table[TURNED])
    for f in range(4):
        if (found >> f) & 1:
            pick(table, at)
            table[CHILD + META] += 1 << 4 * f
            count = add(table, parent, target, slots, count)
    if found >> 4 == found & 15:
        return count
    empty = False
    for k in range(4):
        pile = table[OPEN + 5 * at + k]
        if pile or not empty:
            empty = empty or not pile
            pick(table, at)
            table[CHILD + k] += table[BIT]
            table[CHILD + META] += WASTING
            count = add(table, parent, target, slots, count)
    return count


def play_tops(table: Any, at: int, sure: int, many: int) -> int:
    """Open what playing a waste's top gives, of each or of the sure one; give how many are open."""
    for k in range(4):
        pile = table[OPEN + 5 * at + k]
        if pile and sure in (-1, k):
            found = fits(table, table[OPEN + 5 * at + META], table[(pile & -pile) % 67])
            for f in range(4):
                if (found >> f) & 1:
                    pick(table, at)
                    table[CHILD + k] = pile & (pile - 1)
                    table[CHILD + META] += 1 << 4 * f
                    many = push(table, many)
    return many


def expand(
    table: Any, source: Any, first: int, last: int, target: Any, slots: Any, count: int
) -> int:
    """Add what some states of a layer lead to: the turned card placed; without one, a top played.

    Give the next layer's size. Where the room ends, it is first cut down to the cheapest.
    """
    for parent in range(first, last):
        if (count + ADDED_MOST) * WORDS > len(target):
            count = choose(table, target, count)
            refill(table, target, slots, count)
        for word in range(5):
            table[CHILD + word] = source[parent * WORDS + word]
        many, at = push(table, 0), 0
        while at < many:
            if at and not table[TURNED]:
                pick(table, at)
                count = add(table, parent, target, slots, count)
            else:
                sure = sure_waste(table, at)
                many = play_tops(table, at, sure, many)
                if table[TURNED] and sure < 0:
                    count = place_turned(table, at, parent, target, slots, count)
            at += 1
    return count
