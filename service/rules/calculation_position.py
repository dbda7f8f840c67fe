"""Positions of Calculation, as JSON and as text, both ways."""

from collections import Counter
from typing import NamedTuple

from service.rules.cards import (
    DECK,
    KING,
    RANKS,
    card_texts,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    rank_of,
    restore_cards,
)
from service.rules.errors import Invalid, InvalidPosition

NUMBERS = (1, 2, 3, 4)


def _counting(number: int) -> tuple[int, ...]:
    """Give the ranks of a foundation from its base up, by steps of its number, to the king."""
    return tuple(number * step % 13 or 13 for step in range(1, 14))


SEQUENCES = {number: _counting(number) for number in NUMBERS}


class CalculationPosition(NamedTuple):
    """The foundations' top cards, four wastes, and the stock: its first card is the turned one."""

    foundations: bytes
    wastes: tuple[bytes, ...]
    stock: bytes


def height(number: int, top: int) -> int:
    """Count the cards of foundation ``number`` (from 1) whose top card is ``top``."""
    return SEQUENCES[number].index(rank_of(top)) + 1


def next_rank(number: int, top: int) -> int | None:
    """Give the rank that foundation ``number`` takes onto ``top``; None when it is complete."""
    return None if rank_of(top) == KING else (rank_of(top) + number) % 13 or 13


def face_up(position: CalculationPosition) -> dict[str, object]:
    """Give all that may be seen: never a card of the stock but the turned one."""
    turned = position.stock[:1]
    return {
        "foundations": card_texts(position.foundations),
        "stock_count": max(len(position.stock) - 1, 0),
        "card": format_card(turned[0]) if turned else None,
        "wastes": [card_texts(waste) for waste in position.wastes],
    }


def position_json(position: CalculationPosition) -> dict[str, object]:
    """Give the whole position, the stock in turning order included."""
    return {
        "stock": card_texts(position.stock),
        "wastes": [card_texts(waste) for waste in position.wastes],
        "foundations": card_texts(position.foundations),
    }


def read_position(data: object, bases: bytes) -> CalculationPosition:
    """Read ``{"stock": cards, "wastes"?: 4 lists, "foundations"?: 4 tops}`` over these bases.

    The cards that lie nowhere must be just those beneath the tops: each base that is no top, and
    cards of the other ranks in any suit. Raises ``InvalidPosition`` with the card and its place.
    """
    known = {"stock", "wastes", "foundations"}
    if not isinstance(data, dict) or not {"stock"} <= data.keys() <= known:
        detail = "write {stock: cards, turned one first, wastes?: 4 lists, foundations?: 4 tops}"
        raise InvalidPosition(detail)
    seen: dict[int, str] = {}
    foundations = _read_foundations(data.get("foundations", card_texts(bases)), bases, seen)
    wastes = data.get("wastes", [[], [], [], []])
    if not isinstance(wastes, list) or len(wastes) != len(NUMBERS):
        detail = "there are 4 wastes, empty ones in place"
        raise InvalidPosition(detail, "/wastes")
    read = tuple(_read_cards(waste, f"/wastes/{i}", seen) for i, waste in enumerate(wastes))
    stock = _read_cards(data["stock"], "/stock", seen)
    _check_beneath(foundations, bases, seen)
    return CalculationPosition(foundations, read, stock)


def _read_cards(data: object, place: str, seen: dict[int, str]) -> bytes:
    if not isinstance(data, list):
        detail = "write a list of cards"
        raise InvalidPosition(detail, place)
    cards = bytearray()
    for index, text in enumerate(data):
        card = parse_card(text, f"{place}/{index}")
        if card in seen:
            detail = f"{text} lies at {seen[card]} already"
            raise InvalidPosition(detail, f"{place}/{index}")
        seen[card] = f"{place}/{index}"
        cards.append(card)
    return bytes(cards)


def _read_foundations(data: object, bases: bytes, seen: dict[int, str]) -> bytes:
    tops = _read_cards(data, "/foundations", seen)
    if len(tops) != len(NUMBERS):
        detail = "foundations are four top cards"
        raise InvalidPosition(detail, "/foundations")
    for index, (top, base) in enumerate(zip(tops, bases, strict=True)):
        if height(index + 1, top) == 1 and top != base:
            detail = (
                f"{format_card(top)} is not the base of foundation {index + 1}: "
                f"that is {format_card(base)}, unless options name other bases"
            )
            raise InvalidPosition(detail, f"/foundations/{index}")
    return tops


def _check_beneath(foundations: bytes, bases: bytes, seen: dict[int, str]) -> None:
    """Check that the cards found nowhere are those beneath the tops, bases and ranks."""
    for base, top in zip(bases, foundations, strict=True):
        if base in seen and base != top:
            detail = f"{format_card(base)} is the base of a foundation and lies beneath its cards"
            raise InvalidPosition(detail, seen[base])
    beneath = Counter(
        rank
        for number, top in zip(NUMBERS, foundations, strict=True)
        for rank in SEQUENCES[number][: height(number, top) - 1]
    )
    nowhere = Counter(rank_of(card) for card in DECK if card not in seen)
    for rank in range(1, 14):
        if nowhere[rank] != beneath[rank]:
            missing = [format_card(c) for c in DECK if c not in seen and rank_of(c) == rank]
            detail = (
                f"rank {RANKS[rank - 1]}: {beneath[rank]} beneath the tops of the foundations, "
                f"but {nowhere[rank]} found nowhere else ({' '.join(missing) or 'none'})"
            )
            raise InvalidPosition(detail)


def format_position(position: CalculationPosition) -> str:
    """Write ``AC 2D 3H 4S | 5C / - / - / - | JS KD``: foundations, wastes, stock."""
    wastes = " / ".join(format_cards(waste) for waste in position.wastes)
    return f"{format_cards(position.foundations)} | {wastes} | {format_cards(position.stock)}"


def restore_position(text: str) -> CalculationPosition:
    """Read what ``format_position`` wrote and nobody has touched: only its shape is checked."""
    tops, wastes, stock = text.split(" | ")
    piles = tuple(map(restore_cards, wastes.split(" / ")))
    return CalculationPosition(restore_cards(tops), piles, restore_cards(stock))


def parse_position(text: str, bases: bytes) -> CalculationPosition:
    """Read what ``format_position`` writes; ``InvalidPosition`` for anything else."""
    parts = text.split(" | ")
    if len(parts) != 3:  # noqa: PLR2004 - foundations, wastes, stock
        detail = "a position is written: foundations | wastes / … | stock"
        raise InvalidPosition(detail)
    try:
        data = {
            "foundations": card_texts(parse_cards(parts[0])),
            "wastes": [card_texts(parse_cards(waste)) for waste in parts[1].split(" / ")],
            "stock": card_texts(parse_cards(parts[2])),
        }
        return read_position(data, bases)
    except Invalid as error:
        raise InvalidPosition(error.detail, error.place) from error
