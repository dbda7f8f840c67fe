"""Cards as small integers, and their text both ways.

A card is ``13 * suit + rank - 1``, suits in the order C D H S, ranks 1 (ace) to 13 (king), so the
next card of a suit is ``card + 1``. Several cards are ``bytes``, bottom first and top last.
"""

from collections.abc import Iterable
from functools import lru_cache

from service.rules.errors import InvalidCard

RANKS = "A23456789TJQK"
SUITS = "CDHS"
KING = 13

TEXTS = tuple(rank + suit for suit in SUITS for rank in RANKS)
DECK = bytes(range(52))

_CARDS = {text: card for card, text in enumerate(TEXTS)}
# How many piles are remembered with their texts, some 10 MB: a move changes two piles of a game.
_PILES = 1 << 16


def rank_of(card: int) -> int:
    """Give the rank, 1 (ace) to 13 (king)."""
    return card % 13 + 1


def suit_of(card: int) -> int:
    """Give the suit's place in ``SUITS``, 0 to 3."""
    return card // 13


def is_red(card: int) -> bool:
    """Tell whether the card is a diamond or a heart."""
    return suit_of(card) in (1, 2)


def card_at(rank: int, suit: int) -> int:
    """Give the card of a rank (1 to 13) and a suit (0 to 3)."""
    return 13 * suit + rank - 1


def parse_card(text: object, place: str = "") -> int:
    """Read one card such as ``"TH"``; ``InvalidCard`` (at ``place``) for anything else."""
    card = _CARDS.get(text) if isinstance(text, str) else None
    if card is None:
        what = repr(text[:20]) if isinstance(text, str) else "this"
        detail = f"{what} is no card: write rank then suit, such as AC, TH or KS"
        raise InvalidCard(detail, place)
    return card


def format_card(card: int) -> str:
    """Write one card, such as ``"TH"``."""
    return TEXTS[card]


def parse_cards(text: str) -> bytes:
    """Read a pile such as ``"5C 9H 2D"``, bottom first; ``-`` is an empty one."""
    if text == "-":
        return b""
    words = text.split(" ")
    try:
        return bytes([_CARDS[word] for word in words])
    except KeyError:
        return bytes(map(parse_card, words))  # which says what is wrong


@lru_cache(maxsize=_PILES)
def restore_cards(text: str) -> bytes:
    """Read what ``format_cards`` wrote of a legal pile; not for the texts of strangers."""
    return parse_cards(text)


@lru_cache(maxsize=_PILES)
def format_cards(cards: bytes) -> str:
    """Write a pile, bottom first; ``-`` where it is empty."""
    return " ".join(card_texts(cards)) or "-"


def card_texts(cards: Iterable[int]) -> list[str]:
    """Write each card of a pile, bottom first."""
    return [TEXTS[card] for card in cards]
