"""How the search in Calculation keeps what it knows: in arrays of whole numbers.

Suits do not matter. A card is a place: first those of the wastes, each bottom first, then the
stock. Place ``i`` is the bit ``47 - i``, so a waste is a sum of bits whose lowest one is its top:
cards come onto a waste in the order of their places. A bit modulo 67 tells the bits apart.

A state is ``WORDS`` numbers: four wastes, the highest first, since it does not matter which is
which; the foundations' heights, four bits each, and above them the wastings (cards put from the
stock onto a waste); the number of its parent in the layer before; and what it costs: the cheapest
are kept.
"""

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
