"""Both deal algorithms once more: `deal/1` and PySolFC's numbered deals."""

import hashlib
import hmac
import random
import re
from collections.abc import Iterator
from typing import Any

from .engine import RANKS, SUITS
from .variants import DEFAULT_BASES

SEED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,127}")
PYSOL_SEED = re.compile(r"pysol-(ms)?([1-9][0-9]*)")
ACES = ["AC", "AD", "AH", "AS"]


def words(seed: str) -> Iterator[int]:
    """Yield the 32-bit words that a seed stands for, without end."""
    block = 0
    while True:
        message = b"deal/1/" + block.to_bytes(4, "big")
        digest = hmac.new(seed.encode("utf-8"), message, hashlib.sha256).digest()
        for i in range(0, len(digest), 4):
            yield int.from_bytes(digest[i : i + 4], "big")
        block += 1


def shuffled(seed: str, bases: list[str]) -> list[str]:
    """Return the 48 other cards in the order of `deal/1`, first dealt first."""
    cards = [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in bases]
    stream = words(seed)
    for i in range(len(cards) - 1, 0, -1):
        word = next(stream)
        while word >= 2**32 - 2**32 % (i + 1):
            word = next(stream)
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def microsoft(number: int) -> Iterator[int]:
    """Yield the values of the Microsoft generator before they are cut to a range."""
    x = number if number < 2**32 else number - 2**32
    while True:
        x = (x * 214013 + 2531011) % 2**33
        if number >= 2**32:
            yield ((x >> 16) & 0xFFFF) + 1
        elif number >= 2**31:
            yield ((x >> 16) & 0x7FFF) | 0x8000
        else:
            yield (x >> 16) & 0x7FFF


def pysol_deck(seed: str) -> list[str]:
    """Return the 52 cards of a PySolFC deal as a list; the last one is dealt first."""
    match = PYSOL_SEED.fullmatch(seed)
    if match is None:
        raise ValueError(seed)
    number = int(match[2])
    if number > 10**20 or (match[1] and number >= 2**33):
        raise ValueError(seed)
    if match[1] or number <= 31999:
        cards = [rank + suit for rank in RANKS for suit in "CDHS"]
        values = microsoft(number)
        for n in range(51, 0, -1):
            j = next(values) % (n + 1)
            cards[n], cards[j] = cards[j], cards[n]
    else:
        cards = [rank + suit for suit in "CSHD" for rank in RANKS]
        twister = random.Random(number)  # as published
        for n in range(51, 0, -1):
            j = int(twister.random() * (n + 1))
            cards[n], cards[j] = cards[j], cards[n]
    return cards


def cards_of(family: str, options: dict[str, Any], seed: str) -> tuple[list[str], list[str]]:
    """Return the bases and the 48 cards in dealing order."""
    if SEED.fullmatch(seed) is None:
        raise ValueError(seed)
    bases: list[str] = ACES if family == "cruel" else list(options.get("bases") or [])
    if not seed.startswith("pysol-"):
        bases = bases or DEFAULT_BASES
        return bases, shuffled(seed, bases)
    deck = pysol_deck(seed)
    if not bases:
        bases = [next(card for card in deck if card[0] == rank) for rank in "A234"]
    return bases, [card for card in reversed(deck) if card not in bases]


def opening(family: str, options: dict[str, Any], seed: str) -> dict[str, Any]:
    """Return the start of a game: `piles`, or `stock` with the resolved `bases`."""
    bases, cards = cards_of(family, options, seed)
    if family == "calculation":
        return {"bases": list(bases), "stock": cards}
    if options["deal"] == "by_pile":
        return {"piles": [cards[i : i + 4] for i in range(0, 48, 4)]}
    if options["deal"] == "by_round":
        return {"piles": [[cards[turn * 12 + pile] for turn in range(4)] for pile in range(12)]}
    raise ValueError(options["deal"])
