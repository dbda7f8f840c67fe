"""All the rules once more, as plainly as possible, to test the real engine against.

Cards are strings such as "TH"; a pile is a list of cards, bottom first. Nothing here is clever,
fast or shared with the service. The legal moves are found by trying every move text there is.
"""

import copy
import itertools
import re
from typing import Any

RANKS = "A23456789TJQK"
SUITS = "CDHS"
RED = "DH"

# Foundation f of Calculation, written out card by card.
SEQUENCES = ["A23456789TJQK", "2468TQA3579JK", "369Q258JA47TK", "48Q37J26TA59K"]

CRUEL_TEXT = re.compile(r"([1-9][0-9]?)>([1-9][0-9]?|F)|[RUQ]")
CALCULATION_TEXT = re.compile(r"S>[FW][1-4]|W[1-4]>[FW][1-4]|F[1-4]>W[1-4]|[UQ]")

Piles = list[list[str]]
Options = dict[str, Any]


def rank_of(card: str) -> int:
    """1 for an ace up to 13 for a king."""
    return RANKS.index(card[0]) + 1


def suit_of(card: str) -> str:
    """One of C D H S."""
    return card[1]


def is_red(card: str) -> bool:
    """Diamonds and hearts are red."""
    return suit_of(card) in RED


def redeal(kind: str, piles: Piles) -> Piles:
    """Lay the same cards again; as many places as before, empty ones at the end."""
    new: Piles
    if kind == "packets":
        cards = [card for pile in piles for card in pile]
        new = [cards[i : i + 4] for i in range(0, len(cards), 4)]
    elif kind == "fans":
        cards = [card for pile in piles for card in pile]
        count = (len(cards) + 3) // 4
        new = [[] for _ in range(count)]
        for number, card in enumerate(cards):
            new[number % count].append(card)
    elif kind == "packets_from_top":
        cards = [card for pile in piles for card in reversed(pile)]
        fours = [cards[i : i + 4] for i in range(0, len(cards), 4)]
        new = [list(reversed(four)) for four in fours]
    else:
        raise ValueError(kind)
    while len(new) < len(piles):
        new.append([])
    return new


class CruelTable:
    """What lies on the table in a game of the Cruel family, and how often it was touched."""

    def __init__(self, options: Options, start: dict[str, Any]) -> None:
        """Set up the 12 piles; the foundations hold what the piles do not."""
        self.options = options
        self.piles: Piles = [list(pile) for pile in start["piles"]]
        self.foundations: list[str] = []
        in_piles = [card for pile in self.piles for card in pile]
        for suit in SUITS:
            top = "A" + suit
            for rank in RANKS[1:]:
                if rank + suit in in_piles:
                    break
                top = rank + suit
            self.foundations.append(top)
        self.moves = 0
        self.redeals = 0

    def texts(self) -> list[str]:
        """Every text of a move on the table, allowed or not."""
        numbers = [str(n) for n in range(1, 13)]
        return [f"{a}>{b}" for a in numbers for b in [*numbers, "F"]] + ["R"]

    def is_text(self, text: str) -> bool:
        """Tell whether the text is a move text that names piles 1 to 12 only."""
        match = CRUEL_TEXT.fullmatch(text)
        if match is None:
            return False
        return all(part in (None, "F") or int(part) <= 12 for part in match.groups())

    def left(self) -> int | None:
        """Redeals left, None without a limit."""
        limit = self.options["redeal_limit"]
        return None if limit is None else limit - self.redeals

    def redealt(self) -> Piles:
        """Return the layout that a redeal would give."""
        return redeal(self.options["redeal"], self.piles)

    def refusal(self, text: str) -> str | None:
        """Why the rules forbid the move, or None. The end of the game is not looked at."""
        if text == "R":
            return self.redeal_refusal()
        return self.card_refusal(text, self.piles)

    def redeal_refusal(self) -> str | None:
        """Why no redeal is allowed, or None."""
        when = self.options["redeal_when"]
        if self.left() == 0:
            return "limit_reached"
        if when == "when_stuck" and self.can_move_a_card(self.piles):
            return "not_stuck"
        if when in ("if_changes", "when_stuck") and self.redealt() == self.piles:
            return "no_change"
        return None

    def card_refusal(self, text: str, piles: Piles) -> str | None:  # noqa: PLR0911
        """Why this card may not move in these piles, or None."""
        source_name, target_name = text.split(">")
        if source_name == target_name:
            return "same_pile"
        source = piles[int(source_name) - 1]
        if not source:
            return "empty_source"
        card = source[-1]
        if target_name == "F":
            top = self.foundations[SUITS.index(suit_of(card))]
            return None if rank_of(card) == rank_of(top) + 1 else "wrong_rank"
        target = piles[int(target_name) - 1]
        if not target:
            return "empty_target"
        onto = target[-1]
        if self.options["build"] == "suit_down":
            if suit_of(card) != suit_of(onto):
                return "wrong_suit"
            return None if rank_of(card) == rank_of(onto) - 1 else "wrong_rank"
        if is_red(card) == is_red(onto):
            return "wrong_colour"
        return None if rank_of(card) == rank_of(onto) + 1 else "wrong_rank"

    def can_move_a_card(self, piles: Piles) -> bool:
        """Tell whether any card of these piles can move, to a foundation or to a pile."""
        return any(self.card_refusal(text, piles) is None for text in self.texts() if text != "R")

    def do(self, text: str) -> None:
        """Carry out an allowed move."""
        if text == "R":
            self.piles = self.redealt()
            self.redeals += 1
            return
        source, target = text.split(">")
        card = self.piles[int(source) - 1].pop()
        if target == "F":
            self.foundations[SUITS.index(suit_of(card))] = card
        else:
            self.piles[int(target) - 1].append(card)
        self.moves += 1

    def cards_up(self) -> int:
        """Count the cards on the foundations."""
        return sum(rank_of(top) for top in self.foundations)

    def is_lost(self) -> bool:
        """No card can move now nor after any number of the redeals that are left."""
        if self.can_move_a_card(self.piles):
            return False
        layouts = [self.piles]
        left = self.left()
        redeals = 0
        while left is None or redeals < left:
            layout = redeal(self.options["redeal"], layouts[-1])
            if layout in layouts:
                return True
            if self.can_move_a_card(layout):
                return False
            layouts.append(layout)
            redeals += 1
        return True

    def shown(self) -> dict[str, Any]:
        """Return the part of the state that only this family has."""
        return {"piles": copy.deepcopy(self.piles)}


class CalculationTable:
    """What lies on the table in a game of Calculation."""

    def __init__(self, options: Options, start: dict[str, Any]) -> None:
        """Set up stock (first card turned), wastes and foundations."""
        self.options = options
        self.stock: list[str] = list(start["stock"])
        self.wastes: Piles = [list(waste) for waste in start.get("wastes", [[], [], [], []])]
        tops = start["foundations"] if "foundations" in start else options["bases"]
        self.foundations: list[str] = list(tops)
        self.moves = 0
        self.redeals = 0

    def texts(self) -> list[str]:
        """Every text of a move on the table, allowed or not."""
        numbers = "1234"
        pairs = list(itertools.product(numbers, numbers))
        return (
            [f"S>F{n}" for n in numbers]
            + [f"S>W{n}" for n in numbers]
            + [f"W{a}>F{b}" for a, b in pairs]
            + [f"W{a}>W{b}" for a, b in pairs]
            + [f"F{a}>W{b}" for a, b in pairs]
        )

    def is_text(self, text: str) -> bool:
        """Tell whether the text is a move text of this family."""
        return CALCULATION_TEXT.fullmatch(text) is not None

    def left(self) -> None:
        """There are no redeals here."""
        return

    def count_on(self, number: int) -> int:
        """Count the cards on foundation 1..4."""
        top = self.foundations[number - 1]
        return SEQUENCES[number - 1].index(top[0]) + 1

    def refusal(self, text: str) -> str | None:  # noqa: PLR0911
        """Why the rules forbid the move, or None. The end of the game is not looked at."""
        source, target = text.split(">")
        if source[0] == "W" and target[0] == "W":
            return "waste_to_waste"
        if source[0] == "F":
            return "from_foundation"
        if source == "S":
            if not self.stock:
                return "no_turned_card"
            card = self.stock[0]
        else:
            waste = self.wastes[int(source[1]) - 1]
            if not waste:
                return "empty_source"
            card = waste[-1]
        if target[0] == "W":
            return None
        number = int(target[1])
        count = self.count_on(number)
        if count == len(RANKS):
            return "foundation_complete"
        return None if card[0] == SEQUENCES[number - 1][count] else "wrong_rank"

    def do(self, text: str) -> None:
        """Carry out an allowed move."""
        source, target = text.split(">")
        card = self.stock.pop(0) if source == "S" else self.wastes[int(source[1]) - 1].pop()
        if target[0] == "F":
            self.foundations[int(target[1]) - 1] = card
        else:
            self.wastes[int(target[1]) - 1].append(card)
        self.moves += 1

    def cards_up(self) -> int:
        """Count the cards on the foundations."""
        return sum(self.count_on(number) for number in (1, 2, 3, 4))

    def is_lost(self) -> bool:
        """No turned card, so no stock either, and no waste top fits."""
        if self.stock:
            return False
        return all(self.refusal(f"W{a}>F{b}") is not None for a in "1234" for b in "1234")

    def shown(self) -> dict[str, Any]:
        """Return the part of the state that only this family has."""
        return {
            "wastes": copy.deepcopy(self.wastes),
            "card": self.stock[0] if self.stock else None,
            "stock_count": max(len(self.stock) - 1, 0),
        }


Table = CruelTable | CalculationTable


def position_moves(table: Table) -> list[str]:
    """Every move that the rules allow on this table, the end of the game aside."""
    return sorted(text for text in table.texts() if table.refusal(text) is None)


class Naive:
    """One game: a table, its history and what undo needs."""

    def __init__(
        self, family: str, options: Options, start: dict[str, Any], *, undo: bool = True
    ) -> None:
        """Start a game; `undo` says whether U is allowed (never in Calculation)."""
        self.family = family
        self.options = copy.deepcopy(options)
        self.table: Table
        if family == "cruel":
            self.table = CruelTable(self.options, start)
            self.undo = undo
        elif family == "calculation":
            self.table = CalculationTable(self.options, start)
            self.undo = False
        else:
            raise ValueError(family)
        self.history: list[str] = []
        self.undos = 0
        self.resigned = False
        self.before: list[Table] = []  # the tables before each action still standing
        self.status = self.find_status()

    def find_status(self) -> str:
        """Read the status off the table."""
        if self.resigned:
            return "resigned"
        if self.table.cards_up() == len(RANKS) * len(SUITS):
            return "won"
        if self.table.is_lost():
            return "lost"
        return "in_progress"

    def position_moves(self) -> list[str]:
        """Return the moves of the position, sorted, the end of the game aside."""
        return position_moves(self.table)

    def legal_moves(self) -> list[str]:
        """Return the position's moves while the game is in progress, none afterwards."""
        return self.position_moves() if self.status == "in_progress" else []

    def refusal(self, text: str) -> str | None:  # noqa: PLR0911
        """Why this text would not be played now, or None where it would."""
        if not self.table.is_text(text):
            return "invalid"
        if self.status in ("won", "resigned"):
            return "game_over"
        if text == "U":
            if not self.undo:
                return "undo_not_allowed"
            if not self.before:
                return "nothing_to_undo"
            return None
        if self.status == "lost":
            return "game_over"
        if text == "Q":
            return None
        return self.table.refusal(text)

    def play(self, text: str) -> str | None:
        """Play a move text; where it is refused change nothing and return the reason."""
        reason = self.refusal(text)
        if reason is not None:
            return reason
        self.history.append(text)
        if text == "Q":
            self.resigned = True
        elif text == "U":
            self.table = self.before.pop()
            self.undos += 1
        else:
            self.before.append(copy.deepcopy(self.table))
            self.table.do(text)
        self.status = self.find_status()
        return None

    def state(self) -> dict[str, Any]:
        """Everything about the game that anybody may compare."""
        return {
            "status": self.status,
            "ply": len(self.history),
            "foundations": list(self.table.foundations),
            **self.table.shown(),
            "score": {
                "cards_up": self.table.cards_up(),
                "moves": self.table.moves,
                "redeals": self.table.redeals,
                "actions": self.table.moves + self.table.redeals,
                "undos": self.undos,
            },
            "left": self.table.left(),
            "legal_moves": self.legal_moves(),
        }


def perft(game: Naive, depth: int) -> int:
    """Count the sequences of `depth` position moves; the end of the game stops nothing."""
    return count_sequences(game.table, depth)


def count_sequences(table: Table, depth: int) -> int:
    """Play every sequence out on copies of the table."""
    if depth == 0:
        return 1
    moves = position_moves(table)
    if depth == 1:
        return len(moves)
    total = 0
    for text in moves:
        after = copy.deepcopy(table)
        after.do(text)
        total += count_sequences(after, depth - 1)
    return total
