"""Calculation, also called Broken Intervals: four foundations in steps of 1, 2, 3 and 4.

Foundations and wastes are numbered from 1. ``docs/rules.md`` has the rules in full.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from service.rules import calculation_position
from service.rules.calculation_position import (
    NUMBERS,
    CalculationPosition,
    height,
    next_rank,
)
from service.rules.cards import RANKS, card_texts, format_card, parse_card, rank_of
from service.rules.deals import algorithm_of, deal_order, pysol_bases
from service.rules.errors import InvalidOptions, pointer
from service.rules.family import RedealPreview, Refusal, Status

DEFAULT_BASES = bytes(parse_card(text) for text in ("AC", "2D", "3H", "4S"))

# Every well-formed move as (source, number, target, number); the stock has no number.
_PARSED: dict[str, tuple[str, int, str, int]] = {
    **{f"S>{t}{n}": ("S", 0, t, n) for t in "FW" for n in NUMBERS},
    **{f"W{m}>{t}{n}": ("W", m, t, n) for t in "FW" for m in NUMBERS for n in NUMBERS},
    **{f"F{m}>W{n}": ("F", m, "W", n) for m in NUMBERS for n in NUMBERS},
}


@dataclass(frozen=True, slots=True)
class Calculation:
    """The rules of Calculation; ``bases`` are the A, 2, 3 and 4 under foundations 1 to 4.

    Bases that nobody chose are ``DEFAULT_BASES``, and PySolFC's own under its seeds.
    """

    family: ClassVar[str] = "calculation"
    hides_cards: ClassVar[bool] = True
    notation: ClassVar[str] = "write S>F2, S>W3, W3>F2 or Q, numbers 1 to 4, in capital letters"
    move_texts: ClassVar[Mapping[str, object]] = _PARSED

    bases: bytes = DEFAULT_BASES

    def options(self) -> dict[str, object]:
        return {"bases": card_texts(self.bases)}

    def configured(self, changes: Mapping[str, object], seed: str | None = None) -> Self:
        for name in changes:
            if name != "bases":
                detail = f"{name!r} is no option: there is bases"
                raise InvalidOptions(detail, pointer(name))
        if "bases" in changes:
            return replace(self, bases=_read_bases(changes["bases"]))
        if seed is not None and algorithm_of(seed) == "pysol":
            return replace(self, bases=pysol_bases(seed))
        return self

    def opening(self, algorithm: str, seed: str) -> CalculationPosition:
        stock = deal_order(algorithm, seed, self.bases)
        return CalculationPosition(self.bases, (b"",) * len(NUMBERS), stock)

    def moves(self, position: CalculationPosition) -> list[str]:
        sources = [(f"W{n}", waste[-1:]) for n, waste in zip(NUMBERS, position.wastes, strict=True)]
        moves = [f"S>W{n}" for n in NUMBERS if position.stock]
        for source, top in (*sources, ("S", position.stock[:1])):
            moves += [f"{source}>F{n}" for n in NUMBERS if _takes(position, n, top)]
        return sorted(moves)

    def refusal(self, position: CalculationPosition, move: str) -> Refusal | None:
        source, number, target, to = _PARSED[move]
        card = _card_to_move(position, move)
        if source == "F":
            top = format_card(card[0])
            detail = f"{move}: {top} stays where it is: no card comes back from a foundation"
            return Refusal("from_foundation", detail)
        if source == target:
            what = format_card(card[0]) if card else "a card"
            detail = f"{move}: {what} on a waste goes to a foundation only, never to a waste"
            return Refusal("waste_to_waste", detail)
        if source == "S" and not card:
            return Refusal("no_turned_card", f"{move}: the stock is used up, no card is turned")
        if not card:
            return Refusal("empty_source", f"{move}: waste {number} is empty")
        return _foundation_refusal(position, move, card[0], to) if target == "F" else None

    def apply(self, position: CalculationPosition, move: str) -> CalculationPosition:
        foundations, wastes, stock = position
        source, number, target, to = _PARSED[move]
        card = _card_to_move(position, move)
        if source == "S":
            stock = stock[1:]
        else:
            wastes = _put(wastes, number, wastes[number - 1][:-1])
        if target == "F":
            foundations = foundations[: to - 1] + card + foundations[to:]
        else:
            wastes = _put(wastes, to, wastes[to - 1] + card)
        return CalculationPosition(foundations, wastes, stock)

    def status(self, position: CalculationPosition) -> Status:
        if position.stock:
            return Status.IN_PROGRESS
        if not any(position.wastes):
            return Status.WON
        return Status.IN_PROGRESS if self.moves(position) else Status.LOST

    def blind_move(self, position: CalculationPosition, moves: Sequence[str]) -> int | None:
        hidden = position.stock[1:]
        for index, move in enumerate(moves):
            if hidden and not position.stock:
                # Whether the game goes on hangs on the hidden cards that lie on top by now.
                return index
            if move not in _PARSED:
                return None
            card = _card_to_move(position, move)
            # Any card of the stock may go onto any waste; elsewhere it matters which one it is.
            if card and card in hidden and not move.startswith("S>W"):
                return index
            if self.refusal(position, move):
                return None
            position = self.apply(position, move)
        return None

    def cards_up(self, position: CalculationPosition) -> int:
        return sum(
            height(number, card) for number, card in zip(NUMBERS, position.foundations, strict=True)
        )

    def redeals(self, position: CalculationPosition) -> int:  # noqa: ARG002 - there are none
        return 0

    def preview_redeal(self, position: CalculationPosition) -> RedealPreview | None:  # noqa: ARG002
        return None

    def face_up(self, position: CalculationPosition) -> dict[str, object]:
        return calculation_position.face_up(position)

    def position_json(self, position: CalculationPosition) -> dict[str, object]:
        return calculation_position.position_json(position)

    def read_position(self, data: object) -> CalculationPosition:
        return calculation_position.read_position(data, self.bases)

    def format_position(self, position: CalculationPosition) -> str:
        return calculation_position.format_position(position)

    def restore_position(self, text: str) -> CalculationPosition:
        return calculation_position.restore_position(text)

    def parse_position(self, text: str) -> CalculationPosition:
        return calculation_position.parse_position(text, self.bases)


def _card_to_move(position: CalculationPosition, move: str) -> bytes:
    """Give the card that a move would take, if there is one there."""
    source, number, _, _ = _PARSED[move]
    if source == "F":
        return position.foundations[number - 1 : number]
    return position.stock[:1] if source == "S" else position.wastes[number - 1][-1:]


def _put(wastes: tuple[bytes, ...], number: int, waste: bytes) -> tuple[bytes, ...]:
    return (*wastes[: number - 1], waste, *wastes[number:])


def _takes(position: CalculationPosition, number: int, top: bytes) -> bool:
    """Tell whether foundation ``number`` takes a top card; there may be none (``b""``)."""
    return bool(top) and rank_of(top[0]) == next_rank(number, position.foundations[number - 1])


def _foundation_refusal(
    position: CalculationPosition, move: str, card: int, number: int
) -> Refusal | None:
    top = position.foundations[number - 1]
    wanted = next_rank(number, top)
    if rank_of(card) == wanted:
        return None
    if wanted is None:
        detail = f"{move}: foundation {number} is complete at {format_card(top)}"
        return Refusal("foundation_complete", detail)
    detail = (
        f"{move}: {format_card(card)} does not go onto {format_card(top)}: "
        f"foundation {number} counts by {number}, and takes any {RANKS[wanted - 1]}"
    )
    return Refusal("wrong_rank", detail)


def _read_bases(value: object) -> bytes:
    if not isinstance(value, list) or len(value) != len(NUMBERS):
        detail = "bases are four cards, an A, a 2, a 3 and a 4, in this order"
        raise InvalidOptions(detail, "/bases")
    bases = bytes(parse_card(text, f"/bases/{place}") for place, text in enumerate(value))
    for number, card in zip(NUMBERS, bases, strict=True):
        if rank_of(card) != number:
            detail = f"{format_card(card)} is no {RANKS[number - 1]}: bases are an A, a 2, a 3, a 4"
            raise InvalidOptions(detail, f"/bases/{number - 1}")
    return bases


VARIANTS: dict[str, Calculation] = {"calculation": Calculation()}
