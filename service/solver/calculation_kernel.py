"""The inner loops of the search in Calculation, in whole numbers alone, which numba can compile.

Suits do not matter. A card is a place: first those of the wastes, each bottom first, then the
stock. Place ``i`` is the bit ``47 - i``, so a waste is a sum of bits whose lowest one is its top:
cards come onto a waste in the order of their places. A bit modulo 67 tells the bits apart.

A state is ``WORDS`` numbers: four wastes, the highest first, since it does not matter which is
which; the foundations' heights, four bits each, and above them the wastings (cards put from the
stock onto a waste); the number of its parent in the layer before; and what it costs: the cheapest
are kept.
"""

from typing import Any

WORDS, META, PARENT, COST = 7, 4, 5, 6
WASTING = 1 << 16
HEIGHTS = WASTING - 1
WON = 0xDDDD
DECK_SIZE = 52

# The table, one array of numbers: what is known of the game, where the search is, and room to work.
RANKS = 67  # of a bit modulo 67; 0 for no bit
NEXT = RANKS  # the rank that foundation f takes at height h: NEXT + 14 * f + h; 0 at 13
PLACE = NEXT + 56  # how high rank r lies on foundation f: PLACE + 14 * f + r, the base at 0
TURNED = PLACE + 56  # the rank of the turned card, 0 for none
BIT = TURNED + 1  # its bit
LATER = BIT + 1  # the ranks behind it, as bits
BEHIND = LATER + 1  # how many cards are behind it ...
ORDER = BEHIND + 1  # ... and their ranks
WIDTH = ORDER + 48  # how many states of a layer are kept
LIMIT = WIDTH + 1  # states with so many wastings are left out
THRIFT = LIMIT + 1  # what a wasting costs
DROPPED = THRIFT + 1  # whether a state was given up that may have been the way
CHILD = DROPPED + 1  # four wastes and heights with wastings: the state in hand
PILES = CHILD + 5  # wastes to try something on ...
UP = PILES + 4  # ... and heights
TOPS = UP + 4  # the ranks of the wastes' tops
HAND = TOPS + 4  # cards at hand of each rank
LYING = HAND + 14  # how many cards are in the wastes ...
HELD = LYING + 1  # ... and at hand
OPEN = HELD + 1  # states on the way from one turned card to the next, five numbers each
OPEN_MOST = 64
ADDED_MOST = 8 * OPEN_MOST  # states that one leads to: for each open one 4 foundations, 4 wastes
TALLY = OPEN + 5 * OPEN_MOST  # states of each cost
COST_MOST = (1 << 14) - 1
TABLE = TALLY + COST_MOST + 1


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
