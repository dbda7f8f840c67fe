"""The three ways in which the Cruel family redeals; nothing is ever shuffled."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import product

from service.rules.cruel_position import PILES


def _packets(piles: Sequence[bytes]) -> list[bytes]:
    cards = b"".join(piles)
    return [cards[start : start + 4] for start in range(0, len(cards), 4)]


def _fans(piles: Sequence[bytes]) -> list[bytes]:
    cards = b"".join(piles)
    fans = -(-len(cards) // 4)
    return [cards[first::fans] for first in range(fans)]


def _packets_from_top(piles: Sequence[bytes]) -> list[bytes]:
    return [packet[::-1] for packet in _packets([pile[::-1] for pile in piles])]


_REDEALS: dict[str, Callable[[Sequence[bytes]], list[bytes]]] = {
    "packets": _packets,
    "fans": _fans,
    "packets_from_top": _packets_from_top,
}


@lru_cache(maxsize=64)
def redeal_piles(redeal: str, piles: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Gather and deal again without shuffling; the 12 piles that result, empty ones last.

    ``redeal`` is one of ``CHOICES["redeal"]``; the piles may hold any cards, 48 at most. What was
    asked lately is remembered: to judge, make and follow a redeal takes the same one three times.
    """
    dealt = _REDEALS[redeal](piles)
    return (*dealt, *(b"",) * (PILES - len(dealt)))


@cache
def first_meetings(redeal: str, count: int) -> dict[tuple[int, int], int]:
    """Tell after how many redeals of a redealt layout any two of its places are both on top.

    Places count the ``count`` cards of the layout as it is read, pile by pile from the bottom;
    ``(p, p)`` is for place p alone. Pairs that never meet are left out. Where a card comes to lie
    hangs on its place alone, so one table serves every layout: redeals only go round, a cycle of
    one layout for packets and of 630 at most for fans.
    """
    opening: list[bytes] = []
    for pile in redeal_piles(redeal, (bytes(count),)):
        first = sum(map(len, opening))
        opening.append(bytes(range(first, first + len(pile))))
    meetings: dict[tuple[int, int], int] = {}
    layout, redeals = tuple(opening), 0
    while True:
        tops = [pile[-1] for pile in layout if pile]
        for pair in product(tops, tops):
            meetings.setdefault(pair, redeals)
        layout, redeals = redeal_piles(redeal, layout), redeals + 1
        if layout == tuple(opening):
            return meetings
