"""From a seed to the order of the cards.

Append-only: an algorithm named here must give the same order for ever, since stored games, records
and challenges name it. A new way to deal is a new entry in ``ALGORITHMS`` with vectors of its own.
``docs/deals.md`` tells how to reproduce each of them in any language.
"""

import hashlib
import hmac
import random
import re
from collections.abc import Callable, Iterator

from service.rules.cards import DECK, SUITS, card_at, rank_of
from service.rules.errors import InvalidSeed

SEED_PATTERN = r"[A-Za-z0-9][A-Za-z0-9._~-]{0,127}"

_SEED = re.compile(SEED_PATTERN)
_PYSOL = re.compile(r"pysol-(ms)?([1-9][0-9]*)")
_PYSOL_HIGHEST = 10**20
_MICROSOFT_END = 2**33
_MICROSOFT_PLAIN = range(1, 32000)
_WORDS = 2**32


def algorithm_of(seed: str) -> str:
    """Name the algorithm that deals this seed: ``pysol`` for ``pysol-…``, else ``deal/1``.

    Raises ``InvalidSeed`` where the seed does not match ``SEED_PATTERN``, or starts with
    ``pysol-`` and is no deal number of PySolFC's.
    """
    if not _SEED.fullmatch(seed):
        detail = (
            "a seed has 1 to 128 characters, letters, digits and . _ ~ -, "
            "and starts with a letter or digit"
        )
        raise InvalidSeed(detail)
    if not seed.startswith("pysol-"):
        return "deal/1"
    _pysol_number(seed)
    return "pysol"


def twins(seed: str) -> tuple[str, ...]:
    """Give the seeds that deal what a seed deals, itself first: PySolFC has two for some deals."""
    match = _PYSOL.fullmatch(seed)
    if match is None or int(match[2]) not in _MICROSOFT_PLAIN:
        return (seed,)
    return (seed, f"pysol-{match[2]}" if match[1] else f"pysol-ms{match[2]}")


def deal_order(algorithm: str, seed: str, bases: bytes) -> bytes:
    """Give the cards that are not bases in the order in which they are dealt, first card first.

    ``algorithm`` is a name in ``ALGORITHMS``; the seed is not checked to be one of its seeds.
    """
    return ALGORITHMS[algorithm](seed, bases)


def pysol_bases(seed: str) -> bytes:
    """Give the bases of PySolFC's Calculation: the first A, 2, 3 and 4 of the shuffled list."""
    deck = _pysol_deck(seed)
    return bytes(next(card for card in deck if rank_of(card) == rank) for rank in (1, 2, 3, 4))


def _deal_1(seed: str, bases: bytes) -> bytes:
    cards = [card for card in DECK if card not in bases]
    words = _words(seed)
    for last in range(len(cards) - 1, 0, -1):
        sides = last + 1
        fair = _WORDS - _WORDS % sides
        other = next(word for word in words if word < fair) % sides
        cards[last], cards[other] = cards[other], cards[last]
    return bytes(cards)


def _words(seed: str) -> Iterator[int]:
    """Give the endless 32-bit words of a seed: HMAC-SHA256 in counter mode, big-endian."""
    key, block = seed.encode(), 0
    while True:
        message = b"deal/1/" + block.to_bytes(4, "big")
        digest = hmac.digest(key, message, hashlib.sha256)
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _pysol(seed: str, bases: bytes) -> bytes:
    return bytes(card for card in reversed(_pysol_deck(seed)) if card not in bases)


def _pysol_number(seed: str) -> tuple[int, bool]:
    """Read ``pysol-N`` or ``pysol-msN``: the number, and whether Microsoft's generator deals it."""
    match = _PYSOL.fullmatch(seed)
    number = int(match[2]) if match else 0
    microsoft = bool(match and match[1])
    if not match or (number >= _MICROSOFT_END if microsoft else number > _PYSOL_HIGHEST):
        detail = (
            "a seed that starts with pysol- is one of PySolFC's deals: pysol-N with N from 1 to "
            "10^20, or pysol-msN with N from 1 to 2^33 - 1"
        )
        raise InvalidSeed(detail)
    return number, microsoft or number in _MICROSOFT_PLAIN


def _pysol_deck(seed: str) -> list[int]:
    """Shuffle as PySolFC does; its games deal the last card of the list first."""
    number, microsoft = _pysol_number(seed)
    suits = [SUITS.index(suit) for suit in ("CDHS" if microsoft else "CSHD")]
    if microsoft:
        deck = [card_at(rank, suit) for rank in range(1, 14) for suit in suits]
        draw = _microsoft(number)
    else:
        deck = [card_at(rank, suit) for suit in suits for rank in range(1, 14)]
        # Not for secrets: PySolFC's own generator, needed to reproduce its deals.
        generator = random.Random(number)  # noqa: S311
        draw = lambda sides: int(generator.random() * sides)  # noqa: E731
    for last in range(51, 0, -1):
        other = draw(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def _microsoft(number: int) -> Callable[[int], int]:
    """Give Microsoft's generator as PySolFC widened it: numbers of 0 to ``sides - 1``."""
    state = number - 2**32 if number >= 2**32 else number

    def draw(sides: int) -> int:
        nonlocal state
        state = (state * 214013 + 2531011) % 2**33
        if number >= 2**32:
            value = (state >> 16 & 0xFFFF) + 1
        elif number >= 2**31:
            value = state >> 16 & 0x7FFF | 0x8000
        else:
            value = state >> 16 & 0x7FFF
        return value % sides

    return draw


ALGORITHMS: dict[str, Callable[[str, bytes], bytes]] = {"deal/1": _deal_1, "pysol": _pysol}
