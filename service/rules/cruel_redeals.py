"""The three ways in which the Cruel family redeals; nothing is ever shuffled."""

from collections.abc import Callable, Sequence

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


def redeal_piles(redeal: str, piles: Sequence[bytes]) -> tuple[bytes, ...]:
    """Gather and deal again without shuffling; the 12 piles that result, empty ones last.

    ``redeal`` is one of ``CHOICES["redeal"]``; the piles may hold any cards, 48 at most.
    """
    dealt = _REDEALS[redeal](piles)
    return (*dealt, *(b"",) * (PILES - len(dealt)))
