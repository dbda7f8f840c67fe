"""What can be told of a position of the Cruel family without a search.

Plain functions over arrays, which numba compiles as they are. ``docs/solver.md`` has the proofs.
"""

from typing import Any

from service.solver.cruel_layout import (
    CELLS,
    END,
    FANS,
    PACKET,
    PACKETS,
    PACKETS_FROM_TOP,
    SUIT_DOWN,
    Pool,
    Setup,
)

_RANKS = 0x1FFF


def next_cards(cards: int) -> int:
    """Give the lowest card of each suit, which is the one that its foundation takes."""
    found = 0
    for shift in range(0, 52, 13):
        suit = cards >> shift & _RANKS
        found |= (suit & -suit) << shift
    return found


def movers(build: int, tops: int) -> int:
    """Give those of the cards that can be put on another of them."""
    if build == SUIT_DOWN:
        return tops & tops >> 1
    red = (tops >> 13 | tops >> 26) & _RANKS
    black = (tops | tops >> 39) & _RANKS
    on_red, on_black = red << 1 & _RANKS, black << 1 & _RANKS
    return tops & (on_red | on_red << 39 | on_black << 13 | on_black << 26)


def takers(build: int, tops: int) -> int:
    """Give those of the cards that another of them can be put on."""
    if build == SUIT_DOWN:
        return tops & tops << 1
    red = (tops >> 13 | tops >> 26) & _RANKS
    black = (tops | tops >> 39) & _RANKS
    under_red, under_black = red >> 1, black >> 1
    return tops & (under_red | under_red << 39 | under_black << 13 | under_black << 26)


def is_dead(pool: Pool, setup: Setup, slot: int) -> bool:
    """Tell whether some card can never move, as far as the order of the piles shows."""
    recuts = setup.limit < 0 or pool.redeals[pool.nodes[slot]] < setup.limit
    if recuts and setup.redeal == FANS:
        return False
    cards = pool.cards[slot]
    wanted = next_cards(cards)
    tops = -1
    moved = taking = 0
    while True:
        if recuts:
            more = exposable(pool, slot, setup.redeal == PACKETS_FROM_TOP, moved, taking)
        else:
            more = exposable_as_it_lies(pool, slot, moved)
        if more == tops:
            return True
        tops = more
        # The sum carries through each run of cards that starts at a wanted one.
        moved = movers(setup.build, tops) | tops & ~(tops + (tops & wanted))
        if moved == cards:
            return False
        taking = takers(setup.build, tops)


def exposable(pool: Pool, slot: int, from_top: bool, moved: int, taking: int) -> int:  # noqa: FBT001 - numba takes arguments by position
    """Give at least the cards that can come to be on top if only ``moved`` can ever move.

    And if cards are only ever put on ``taking``. The first piles up to one that moves, takes or is
    not of four keep their places; of everything after it nothing is known.
    """
    cells = pool.cells
    first = slot * CELLS
    end = first + pool.sizes[slot]
    found = 0
    seen = 0
    while first < end:
        top = first
        while not cells[top] & END:
            top += 1
        pile = members(cells, first, top + 1)
        seen |= pile
        # The four that stay together; the others of the pile lie in the next after a redeal.
        start = max(first, top + 1 - PACKET) if from_top else first
        at = top if from_top else min(first + PACKET - 1, top)
        if from_top and pile & taking:
            start = top + 1
        found |= members(cells, first, start) | members(cells, at + 1, top + 1)
        found |= opened_one_by_one(cells, start, at, moved)
        if top + 1 - first != PACKET or pile & (moved | taking):
            return found | int(pool.cards[slot]) & ~seen
        first = top + 1
    return found


def members(cells: Any, first: int, end: int) -> int:
    """Give the cards of some cells."""
    found = 0
    for at in range(first, end):
        found |= 1 << (cells[at] & 63)
    return found


def opened_one_by_one(cells: Any, first: int, last: int, moved: int) -> int:
    """Give the last of some cards, and each other if all after it are of those that can move."""
    found = 0
    for at in range(last, first - 1, -1):
        card = 1 << (cells[at] & 63)
        found |= card
        if not moved & card:
            break
    return found


def exposable_as_it_lies(pool: Pool, slot: int, moved: int) -> int:
    """Give at least the cards that can come to be on top without a redeal, as ``exposable``."""
    cells = pool.cells
    first = slot * CELLS
    found = 0
    bare = True
    for at in range(first + pool.sizes[slot] - 1, first - 1, -1):
        card = 1 << (cells[at] & 63)
        if cells[at] & END or bare:
            found |= card
        bare = (cells[at] & END or bare) and moved & card
    return found


def least_cost(pool: Pool, setup: Setup, slot: int) -> int:
    """Give a number of builds and redeals that every win takes.

    A card over a lower one of its suit must leave before that can go up: it is built elsewhere, or
    a redeal parts them. A packets redeal never parts the bottom four of the first pile.
    """
    forced = parted = pile = 0
    cells = pool.cells
    first = slot * CELLS
    kept = first + PACKET if setup.redeal == PACKETS else first
    for at in range(first, first + pool.sizes[slot]):
        card = cells[at] & 63
        if pile & lower_cards(card):
            if at < kept:
                forced += 1
            else:
                parted = 1
        pile |= 1 << card
        if cells[at] & END:
            pile = 0
            # No other pile keeps its bottom.
            kept = first
    return forced + parted


def score(pool: Pool, slot: int) -> int:
    """Give how far a win seems: cards left, and those of them that cover lower ones of a suit."""
    cells = pool.cells
    first = slot * CELLS
    points = int(pool.sizes[slot])
    pile = 0
    for at in range(first, first + pool.sizes[slot]):
        card = cells[at] & 63
        points += (pile & lower_cards(card)) != 0
        pile = 0 if cells[at] & END else pile | 1 << card
    return points


def lower_cards(card: int) -> int:
    """Give the lower cards of a card's suit."""
    return (1 << card) - (1 << card // 13 * 13)
