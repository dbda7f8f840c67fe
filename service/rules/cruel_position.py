"""Positions of the Cruel family, as JSON and as text, both ways."""

from typing import NamedTuple

from service.rules.cards import (
    card_at,
    card_texts,
    format_cards,
    parse_card,
    parse_cards,
    restore_cards,
    suit_of,
)
from service.rules.errors import Invalid, InvalidPosition

PILES = 12
_LONGEST_NUMBER = 18
ACES = bytes(card_at(1, suit) for suit in range(4))


class CruelPosition(NamedTuple):
    """The foundations' top cards (C D H S), 12 piles, and how many redeals stand."""

    foundations: bytes
    piles: tuple[bytes, ...]
    redeals: int = 0


def face_up(position: CruelPosition) -> dict[str, object]:
    """Give the foundations' tops and the piles as lists of card texts."""
    return {
        "foundations": card_texts(position.foundations),
        "piles": [card_texts(pile) for pile in position.piles],
    }


def read_position(data: object) -> CruelPosition:
    """Read ``{"piles": 12 lists, "foundations"?: 4 cards}``; no redeal stands in it.

    The foundations follow from the cards that are in no pile: of each suit the ace and the cards
    after it, without a gap. Raises ``InvalidPosition`` with the card and its place.
    """
    if not isinstance(data, dict) or not {"piles"} <= data.keys() <= {"piles", "foundations"}:
        detail = "write {piles: 12 lists of cards, foundations?: 4 top cards}"
        raise InvalidPosition(detail)
    piles = _read_piles(data["piles"])
    foundations = _foundations_of(piles)
    if "foundations" in data and data["foundations"] != card_texts(foundations):
        detail = f"the cards in no pile make the foundations {format_cards(foundations)}"
        raise InvalidPosition(detail, "/foundations")
    return CruelPosition(foundations, piles)


def _read_piles(data: object) -> tuple[bytes, ...]:
    if not isinstance(data, list) or len(data) != PILES:
        detail = f"there are {PILES} piles, empty ones in place"
        raise InvalidPosition(detail, "/piles")
    seen: dict[int, str] = {}
    for number, pile in enumerate(data):
        if not isinstance(pile, list):
            detail = "a pile is a list of cards, bottom first"
            raise InvalidPosition(detail, f"/piles/{number}")
        for index, text in enumerate(pile):
            place = f"/piles/{number}/{index}"
            card = parse_card(text, place)
            if card in seen:
                detail = f"{text} lies at {seen[card]} already"
                raise InvalidPosition(detail, place)
            if card in ACES:
                detail = f"{text} is the base of a foundation and lies in no pile"
                raise InvalidPosition(detail, place)
            seen[card] = place
    return tuple(bytes(parse_card(text) for text in pile) for pile in data)


def _foundations_of(piles: tuple[bytes, ...]) -> bytes:
    in_piles = sorted(b"".join(piles))
    tops = bytearray()
    for suit in range(4):
        of_suit = [card for card in in_piles if suit_of(card) == suit]
        tops.append(of_suit[0] - 1 if of_suit else card_at(13, suit))
        for lower, card in enumerate(range(tops[-1] + 1, card_at(13, suit) + 1)):
            if lower >= len(of_suit) or of_suit[lower] != card:
                missing, first = card_texts((card, tops[-1] + 1))
                detail = f"{missing} is missing: {first} of the same suit is still in a pile"
                raise InvalidPosition(detail, "/piles")
    return bytes(tops)


def format_position(position: CruelPosition) -> str:
    """Write ``AC AD 2H AS | KH 2D / - / … | 3``: the redeals only where some stand."""
    piles = " / ".join(format_cards(pile) for pile in position.piles)
    text = f"{format_cards(position.foundations)} | {piles}"
    return f"{text} | {position.redeals}" if position.redeals else text


def restore_position(text: str) -> CruelPosition:
    """Read what ``format_position`` wrote and nobody has touched: only its shape is checked."""
    tops, lying, *redeals = text.split(" | ")
    piles = tuple(map(restore_cards, lying.split(" / ")))
    if len(piles) != PILES:
        detail = f"there are {PILES} piles, empty ones in place"
        raise InvalidPosition(detail)
    return CruelPosition(restore_cards(tops), piles, int(redeals[0]) if redeals else 0)


def parse_position(text: str) -> CruelPosition:
    """Read what ``format_position`` writes; ``InvalidPosition`` for anything else."""
    board, _, redeals = text.partition(" | ")[2].partition(" | ")
    try:
        piles = [card_texts(parse_cards(pile)) for pile in board.split(" / ")]
        position = read_position({"piles": piles})
    except Invalid as error:
        raise InvalidPosition(error.detail, error.place) from error
    if redeals.isascii() and redeals.isdigit() and len(redeals) <= _LONGEST_NUMBER:
        position = position._replace(redeals=int(redeals))
    if format_position(position) != text:
        detail = f"a position is written like {format_position(position)}"
        raise InvalidPosition(detail)
    return position
