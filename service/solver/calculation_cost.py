"""How far a state of Calculation is from won, and whether it is plainly lost.

Plain functions over arrays, which numba can compile.
"""

from typing import Any

from service.solver.calculation_layout import (
    BEHIND,
    CHILD,
    COST_MOST,
    DECK_SIZE,
    HAND,
    HELD,
    LATER,
    LYING,
    META,
    NEXT,
    ORDER,
    PILES,
    PLACE,
    THRIFT,
    TOPS,
    UP,
    WASTING,
)


def fits(table: Any, meta: int, rank: int) -> int:
    """Give as bits the foundations that take a rank now (0 to 3) and that need it yet (4 to 7)."""
    found = 0
    for f in range(4):
        above = table[PLACE + 14 * f + rank] - ((meta >> 4 * f) & 15)
        if above >= 0:
            found |= 16 << f
        if above == 0:
            found |= 1 << f
    return found


def lay_out(table: Any) -> None:
    """Copy the state in hand to where something is tried on it."""
    for k in range(4):
        table[PILES + k] = table[CHILD + k]
        table[UP + k] = (table[CHILD + META] >> 4 * k) & 15


def is_dead(table: Any) -> bool:
    """Tell whether a state is lost in every order of the stock.

    A proof: even if the whole stock lay open, and one card did for every foundation that wants its
    rank, some foundation would wait for a card that lies under others that cannot leave.
    """
    lay_out(table)
    have, wanted = table[LATER], 0
    for f in range(4):
        wanted |= 1 << table[NEXT + 14 * f + table[UP + f]]
    changed = True
    while changed:
        changed = False
        for k in range(4):
            while table[PILES + k]:
                pile = table[PILES + k]
                rank = 1 << table[(pile & -pile) % 67]
                have |= rank
                if not wanted & rank:
                    break
                table[PILES + k] = pile & (pile - 1)
                changed = True
        for f in range(4):
            rank = table[NEXT + 14 * f + table[UP + f]]
            while rank and (have >> rank) & 1:
                table[UP + f] += 1
                rank = table[NEXT + 14 * f + table[UP + f]]
                wanted |= 1 << rank
                changed = True
    return bool(table[UP] + table[UP + 1] + table[UP + 2] + table[UP + 3] < DECK_SIZE)


def take(table: Any, rank: int) -> bool:
    """Take a card of a rank from the top of a waste, or else from the hand, if there is one."""
    for k in range(4):
        if table[TOPS + k] == rank:
            pile = table[PILES + k] & (table[PILES + k] - 1)
            table[PILES + k] = pile
            table[TOPS + k] = table[(pile & -pile) % 67]
            table[LYING] -= 1
            return True
    if table[HAND + rank]:
        table[HAND + rank] -= 1
        table[HELD] -= 1
        return True
    return False


def play_on(table: Any, drawn: int) -> None:
    """Play all that the foundations take, once one of them takes the drawn rank (0: any)."""
    changed = True
    while changed:
        changed = False
        for f in range(4):
            rank = table[NEXT + 14 * f + table[UP + f]]
            if rank and (not drawn or rank == drawn) and take(table, rank):
                table[UP + f] += 1
                drawn = 0
                changed = True


def cost_of(table: Any) -> int:
    """Estimate how far a state is from won.

    By playing an easier game: what comes from the stock is taken into a hand, from which any card
    can be played. The longer cards lie in wastes and hand there, the worse; the figures were found
    by trying many on deals of seeds ``tune-0`` to ``tune-199``.
    """
    lay_out(table)
    cost = table[THRIFT] * (table[CHILD + META] // WASTING)
    table[LYING], table[HELD] = DECK_SIZE - table[BEHIND], 0
    for k in range(4):
        left = 13 - table[UP + k]
        table[LYING] -= table[UP + k]
        table[TOPS + k] = table[(table[PILES + k] & -table[PILES + k]) % 67]
        cost += 30 * left + left * left // 4
        if table[PILES + k] == 0:
            cost -= 3
    for rank in range(14):
        table[HAND + rank] = 0
    play_on(table, 0)
    for k in range(table[BEHIND]):
        cost += table[LYING] + 5 * table[HELD]
        table[HAND + table[ORDER + k]] += 1
        table[HELD] += 1
        play_on(table, table[ORDER + k])
    cost += 201 * table[LYING] + 5 * table[HELD]
    return int(min(max(cost, 0), COST_MOST))
