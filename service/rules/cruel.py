"""The Cruel family: one class of options, one engine, the variants as data.

Twelve tableau piles in three rows of four, numbered from 1; one foundation for each suit, in the
order C D H S. ``docs/rules.md`` has the rules in full.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from service.rules import cruel_position
from service.rules.cards import DECK, KING, card_at, format_card, is_red, rank_of, suit_of
from service.rules.cruel_position import ACES, PILES, CruelPosition
from service.rules.cruel_redeals import first_meetings, redeal_piles
from service.rules.deals import deal_order
from service.rules.errors import InvalidOptions, pointer
from service.rules.family import REDEAL, RedealPreview, Refusal, Status

# Stored with games and records: option names and values are append-only.
CHOICES: dict[str, tuple[str, ...]] = {
    "deal": ("by_pile", "by_round"),
    "build": ("suit_down", "alternate_up"),
    "redeal": ("packets", "fans", "packets_from_top"),
    "redeal_when": ("anytime", "if_changes", "when_stuck"),
}
REDEAL_LIMITS = range(100)


def _suit_down(card: int) -> tuple[int, ...]:
    return () if rank_of(card) == KING else (card + 1,)


def _alternate_up(card: int) -> tuple[int, ...]:
    below = rank_of(card) - 1
    # No ace lies in a pile.
    fits = [card_at(below, suit) for suit in range(4)] if below > 1 else []
    return tuple(other for other in fits if is_red(other) != is_red(card))


# For each way to build: the cards that each card may be put on.
_LIES_ON = {
    "suit_down": tuple(_suit_down(card) for card in DECK),
    "alternate_up": tuple(_alternate_up(card) for card in DECK),
}

# Every well-formed move as (source, target), piles from 1, target 0 the foundation. R has no piles.
_NUMBERS = range(1, PILES + 1)
_TO_PILE = {(s, t): f"{s}>{t}" for s in _NUMBERS for t in _NUMBERS}
_TO_FOUNDATION = {(s, 0): f"{s}>F" for s in _NUMBERS}
_PARSED = {text: move for move, text in (_TO_PILE | _TO_FOUNDATION).items()}


@dataclass(frozen=True, slots=True)
class Cruel:
    """The rules of the Cruel family under one set of options: the fields, see ``CHOICES``.

    ``redeal_limit`` is None for no limit, or one of ``REDEAL_LIMITS``.
    """

    family: ClassVar[str] = "cruel"
    hides_cards: ClassVar[bool] = False
    notation: ClassVar[str] = "write 7>3, 7>F, R, U or Q, piles 1 to 12, in capital letters"
    move_texts: ClassVar[Mapping[str, object]] = {**_PARSED, REDEAL: None}

    deal: str = "by_pile"
    build: str = "suit_down"
    redeal: str = "packets"
    redeal_when: str = "if_changes"
    redeal_limit: int | None = None

    def options(self) -> dict[str, object]:
        return {
            "deal": self.deal,
            "build": self.build,
            "redeal": self.redeal,
            "redeal_when": self.redeal_when,
            "redeal_limit": self.redeal_limit,
        }

    def configured(self, changes: Mapping[str, object], seed: str | None = None) -> Self:  # noqa: ARG002 - no option follows from a seed
        for name, value in changes.items():
            _check_option(name, value)
        return replace(self, **changes)  # type: ignore[arg-type] # checked just above

    def opening(self, algorithm: str, seed: str) -> CruelPosition:
        cards = deal_order(algorithm, seed, ACES)
        if self.deal == "by_pile":
            piles = [cards[4 * number : 4 * number + 4] for number in range(PILES)]
        else:
            piles = [cards[number::PILES] for number in range(PILES)]
        return CruelPosition(ACES, tuple(piles))

    def moves(self, position: CruelPosition) -> list[str]:
        moves = self._card_moves(position)
        if self._redeal_refusal(position) is None:
            moves.append(REDEAL)
        moves.sort()
        return moves

    def refusal(self, position: CruelPosition, move: str) -> Refusal | None:
        if move == REDEAL:
            return self._redeal_refusal(position)
        source, target = _PARSED[move]
        if source == target:
            return Refusal("same_pile", f"{move}: a card moves to another pile, not to its own")
        if not position.piles[source - 1]:
            return Refusal("empty_source", f"{move}: pile {source} is empty")
        card = position.piles[source - 1][-1]
        if not target:
            return _foundation_refusal(move, card, position.foundations[suit_of(card)])
        if not position.piles[target - 1]:
            detail = (
                f"{move}: {format_card(card)} does not go onto pile {target}: it is empty, "
                "and only a redeal puts cards there"
            )
            return Refusal("empty_target", detail)
        return self._build_refusal(move, card, position.piles[target - 1][-1])

    def apply(self, position: CruelPosition, move: str) -> CruelPosition:
        foundations, piles, redeals = position
        if move == REDEAL:
            return CruelPosition(foundations, redeal_piles(self.redeal, piles), redeals + 1)
        source, target = _PARSED[move]
        after = list(piles)
        card = after[source - 1][-1:]
        after[source - 1] = after[source - 1][:-1]
        if target:
            after[target - 1] += card
        else:
            suit = suit_of(card[0])
            foundations = foundations[:suit] + card + foundations[suit + 1 :]
        return CruelPosition(foundations, tuple(after), redeals)

    def status(self, position: CruelPosition) -> Status:
        if not any(position.piles):
            return Status.WON
        return Status.LOST if self._is_lost(position) else Status.IN_PROGRESS

    def blind_move(self, position: CruelPosition, moves: Sequence[str]) -> int | None:  # noqa: ARG002
        return None

    def cards_up(self, position: CruelPosition) -> int:
        return sum(rank_of(card) for card in position.foundations)

    def redeals(self, position: CruelPosition) -> int:
        return position.redeals

    def preview_redeal(self, position: CruelPosition) -> RedealPreview:
        piles = redeal_piles(self.redeal, position.piles)
        refusal = self._redeal_refusal(position)
        changes, left = piles != position.piles, self._left(position)
        return RedealPreview(refusal, piles, changes, position.redeals, left)

    def face_up(self, position: CruelPosition) -> dict[str, object]:
        return cruel_position.face_up(position)

    def position_json(self, position: CruelPosition) -> dict[str, object]:
        return cruel_position.face_up(position)

    def read_position(self, data: object) -> CruelPosition:
        return cruel_position.read_position(data)

    def format_position(self, position: CruelPosition) -> str:
        return cruel_position.format_position(position)

    def restore_position(self, text: str) -> CruelPosition:
        return cruel_position.restore_position(text)

    def parse_position(self, text: str) -> CruelPosition:
        return cruel_position.parse_position(text)

    def _card_moves(self, position: CruelPosition) -> list[str]:
        """List the card moves, in no promised order."""
        foundations = position.foundations
        lies_on = _LIES_ON[self.build]
        tops = {pile[-1]: number for number, pile in enumerate(position.piles, 1) if pile}
        found = []
        for card, source in tops.items():
            if card == foundations[card // 13] + 1:
                found.append(_TO_FOUNDATION[source, 0])
            for other in lies_on[card]:
                if other in tops:
                    found.append(_TO_PILE[source, tops[other]])  # noqa: PERF401 - mostly none
        return found

    def _can_move(self, foundations: bytes, piles: Iterable[bytes]) -> bool:
        """Tell whether there is a card move: the question that playing asks most."""
        tops = {pile[-1] for pile in piles if pile}
        # After a king comes an ace, which lies in no pile.
        if not tops.isdisjoint([card + 1 for card in foundations]):
            return True
        lies_on = _LIES_ON[self.build]
        for card in tops:
            for other in lies_on[card]:
                if other in tops:
                    return True
        return False

    def _left(self, position: CruelPosition) -> int | None:
        return None if self.redeal_limit is None else self.redeal_limit - position.redeals

    def _is_lost(self, position: CruelPosition) -> bool:
        """Tell whether no card can move now or after any number of the redeals that are left.

        A card can move after some redeals when it is on top then, and fits its foundation or is on
        top together with a card that it may be put on. A redeal that must change the layout and
        does not would only show the same tops again.
        """
        if self._can_move(position.foundations, position.piles):
            return False
        left = self._left(position)
        if left == 0:
            return True
        piles = redeal_piles(self.redeal, position.piles)
        if self._can_move(position.foundations, piles):
            return False  # as most often; the table takes longer
        cards = b"".join(piles)
        place = {card: at for at, card in enumerate(cards)}
        meetings = first_meetings(self.redeal, len(cards))
        pairs = [(c, c) for c in cards if c == position.foundations[c // 13] + 1]
        pairs += [(c, other) for c in cards for other in _LIES_ON[self.build][c] if other in place]
        met = [meetings[p] for a, b in pairs if (p := (place[a], place[b])) in meetings]
        return not met or (left is not None and min(met) > left - 1)

    def _redeal_refusal(self, position: CruelPosition) -> Refusal | None:
        if self._left(position) == 0:
            detail = f"R: no redeal is left, the limit of this game is {self.redeal_limit}"
            return Refusal("limit_reached", detail)
        if self.redeal_when == "anytime":
            return None
        if self.redeal_when == "when_stuck" and self._can_move(
            position.foundations, position.piles
        ):
            move = min(self._card_moves(position))
            detail = f"R: a redeal is allowed only when no card can move, and {move} can be played"
            return Refusal("not_stuck", detail)
        if redeal_piles(self.redeal, position.piles) == position.piles:
            return Refusal("no_change", "R: a redeal would give the same layout again")
        return None

    def _build_refusal(self, move: str, card: int, top: int) -> Refusal | None:
        fits = _LIES_ON[self.build][card]
        if top in fits:
            return None
        wanted = " or ".join(map(format_card, fits))
        goes = f"it goes onto {wanted}" if wanted else "it goes to its foundation only"
        what = f"{move}: {format_card(card)} does not go onto {format_card(top)}"
        if self.build == "suit_down":
            reason = "wrong_rank" if suit_of(card) == suit_of(top) else "wrong_suit"
            rule = "piles build down in suit"
        else:
            reason = "wrong_rank" if is_red(card) != is_red(top) else "wrong_colour"
            rule = "piles build up in alternate colours"
        return Refusal(reason, f"{what}: {rule}, {goes}")


def _foundation_refusal(move: str, card: int, top: int) -> Refusal | None:
    if card == top + 1:
        return None
    card_text, top_text, next_text = map(format_card, (card, top, top + 1))
    detail = f"{move}: {card_text} does not go onto {top_text}: its foundation takes {next_text}"
    return Refusal("wrong_rank", detail)


def _check_option(name: str, value: object) -> None:
    if name == "redeal_limit":
        whole = isinstance(value, int) and not isinstance(value, bool)
        if value is None or (whole and value in REDEAL_LIMITS):
            return
        detail = f"redeal_limit is null or a whole number from 0 to {REDEAL_LIMITS[-1]}"
        raise InvalidOptions(detail, "/redeal_limit")
    if name not in CHOICES:
        detail = f"{name!r} is no option: there are {', '.join((*CHOICES, 'redeal_limit'))}"
        raise InvalidOptions(detail, pointer(name))
    if value not in CHOICES[name]:
        detail = f"{name} is one of {', '.join(CHOICES[name])}"
        raise InvalidOptions(detail, f"/{name}")


# Named presets. A variant is data: one more entry here is one more variant.
VARIANTS: dict[str, Cruel] = {
    "cruel": Cruel(),
    "cruel-semicolon": Cruel(redeal_when="anytime"),
    "cruel-strict": Cruel(deal="by_round", redeal_when="when_stuck"),
    "perseverance": Cruel(deal="by_round", redeal_when="when_stuck"),
    "ripple-fan": Cruel(deal="by_round", redeal="fans", redeal_when="when_stuck"),
    "royal-family": Cruel(deal="by_round", build="alternate_up"),
    "limited-cruel": Cruel(deal="by_round", redeal_when="when_stuck", redeal_limit=3),
    "cruel-pysol": Cruel(deal="by_round", redeal="packets_from_top", redeal_when="anytime"),
}

# Variants whose piles are shown fanned, every card in sight: a hint for displays.
FANNED = frozenset({"perseverance"})
