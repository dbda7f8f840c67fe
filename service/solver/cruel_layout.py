"""How the searches of the Cruel family keep positions: arrays of whole numbers.

A position is its cards in the order in which the piles hold them, pile by pile from the bottom;
``END`` marks the top card of each. Empty piles are left out: no card goes there, and a redeal that
only closes gaps brings nothing. What lies on the foundations follows from what does not lie there.
Sets of cards are bits, that of card 0 the lowest.

A *node* is a position that has been met: it is kept for ever, by its key. A *slot* holds the cards
of one that has still to be expanded, and is then used for another.
"""

from typing import Any, NamedTuple

CELLS = 48
PACKET = 4
END = 64
NOBODY = 52

# The parts of a key: one for each card after each other (or after, or before, none), and one for
# each card on top.
LINKS = 53 * 53
KEYS = LINKS + 52

# How many more nodes and slots there must be room for before a position is expanded: a card goes to
# its foundation or onto one of two others, or there is a redeal.
ROOM = 12 * 3 + 1

SUIT_DOWN, ALTERNATE_UP = 0, 1
PACKETS, FANS, PACKETS_FROM_TOP = 0, 1, 2

# Moves: the pile times 16, plus the other pile or this; or a redeal. Empty piles are not counted.
TO_FOUNDATION, REDEAL = 12, 255

# What a search says when it stops: won, all searched in vain, until later, or no room.
WON, EXHAUSTED, LATER, FULL = 0, 1, 2, 3

# The places of ``state``. For every search: nodes met, positions expanded, slots taken and ever
# taken, the first free slot + 1, the node that is won or -1.
COUNT, EXPANDED, TAKEN, SLOTS, FREE, GOAL = 0, 1, 2, 3, 4, 5
# Of ``best_first``: below this many cards there is nothing to expand.
LOWEST = 6
# Of ``by_layers``: the cost of the layer, the highest that a win may have (-1: any), the layer's
# width (0: any), and whether it is closed under moves to foundations.
COST, HIGHEST, WIDTH, CLOSED = 7, 8, 9, 10
# Of each: how many more positions are expanded before the clock is looked at.
PATIENCE = 11
# First slots + 1 of lists: by cards left; or the layer to close, the closed one and the next.
HEADS = 16
OPENED, LAYER, NEXT = HEADS, HEADS + 1, HEADS + 2
# For a list: each position into that of its cards left.
BY_CARDS = -1
# Of ``expand``: the tops in the order of the piles; of each card its place and pile.
TOPS, PLACES, PILES = 80, 96, 160
# Of ``choose``: how many of the layer have each score.
SCORES = 224
STATE = SCORES + 512


class Pool(NamedTuple):
    """The nodes, ``low`` to ``redeals``, their ``table`` by key, and the slots, ``cells`` on."""

    low: Any
    high: Any
    parents: Any
    moves: Any
    redeals: Any
    table: Any
    cells: Any
    sizes: Any
    cards: Any
    nodes: Any
    links: Any


class Setup(NamedTuple):
    """The rules, as numbers: ``stuck`` 1 for redeals only then; ``limit`` -1 for none."""

    build: int
    redeal: int
    stuck: int
    limit: int
