"""Seeded players that find positions worth recording; the same on every machine for ever."""

import itertools
from collections.abc import Callable
from typing import Any

from .deals import opening, words
from .engine import RANKS, SEQUENCES, SUITS, CalculationTable, CruelTable, Naive, redeal


class Dice:
    """Numbers drawn from a name: the words of a deal's stream."""

    def __init__(self, name: str) -> None:
        """Start the stream of this name."""
        self.stream = words(name)

    def below(self, count: int) -> int:
        """Draw 0 up to count - 1."""
        return next(self.stream) % count

    def pick(self, texts: list[str]) -> str:
        """Draw one of them."""
        return texts[self.below(len(texts))]

    def shuffle(self, cards: list[str]) -> list[str]:
        """Return the cards in a drawn order."""
        left = list(cards)
        return [left.pop(self.below(len(left))) for _ in cards]


def cruel_choice(game: Naive, dice: Dice) -> str:
    """Choose mostly a foundation move, then mostly a card move, then a redeal."""
    legal = game.legal_moves()
    ups = [text for text in legal if text.endswith("F")]
    cards = [text for text in legal if text != "R"]
    if ups and dice.below(6):
        return dice.pick(ups)
    if cards and dice.below(6):
        return dice.pick(cards)
    return dice.pick(legal)


def cards_before(table: CalculationTable, card: str) -> int:
    """Return how many cards some foundation needs before it takes this one, at the least."""
    waits = [SEQUENCES[f - 1].index(card[0]) - table.count_on(f) for f in (1, 2, 3, 4)]
    return min(wait for wait in waits if wait >= 0)


def calculation_choice(game: Naive, dice: Dice) -> str:
    """Play up what fits; else bury as little as possible that is needed sooner."""
    table = game.table
    assert isinstance(table, CalculationTable)
    legal = game.legal_moves()
    ups = [text for text in legal if "F" in text]
    if ups:
        return dice.pick(ups)
    wait = cards_before(table, table.stock[0])
    costs = {}
    for text in legal:
        waste = table.wastes[int(text[-1]) - 1]
        soonest = min((cards_before(table, card) for card in waste), default=wait + 4)
        cost = 10 * (wait - soonest) if wait > soonest else soonest - wait
        costs[text] = 10 * cost + dice.below(20)
    return min(legal, key=lambda text: costs[text])


def choose(game: Naive, dice: Dice) -> str:
    """Choose a legal move."""
    return cruel_choice(game, dice) if game.family == "cruel" else calculation_choice(game, dice)


def play_out(game: Naive, dice: Dice, most: int = 200) -> None:
    """Play until the game ends or has gone on for long enough."""
    while game.status == "in_progress" and len(game.history) < most:
        game.play(choose(game, dice))


def play_with_undos(game: Naive, dice: Dice, most: int = 120) -> None:
    """Play to an end, taking a move back now and then and resigning a game that never ends."""
    returns = 0
    while game.status != "won":
        if game.status == "lost":
            if not game.undo or returns == 2 or not game.before:
                return
            returns += 1
            for _ in range(min(returns * 2, len(game.before))):
                game.play("U")
        elif len(game.history) >= most:
            game.play("Q")
            return
        elif game.undo and game.before and dice.below(12) == 0:
            game.play("U")
        else:
            game.play(choose(game, dice))


Found = tuple[str, dict[str, Any], Naive]


def find_game(
    family: str, options: dict[str, Any], name: str, wanted: Callable[[Naive], bool]
) -> Found:
    """Play the seeds name-1, name-2, ... until a position is wanted; stop the game there."""
    for number in itertools.count(1):
        seed = f"{name}-{number}"
        start = opening(family, options, seed)
        game = Naive(family, options, start, undo=True)
        dice = Dice(seed)
        while not wanted(game) and game.status == "in_progress" and len(game.history) < 200:
            game.play(choose(game, dice))
        if wanted(game):
            return seed, start, game
    raise AssertionError


def lost_openings(options: dict[str, Any], count: int, most: int) -> list[str]:
    """Return the first few of the seeds s1, s2, ... that are lost at the opening."""
    found: list[str] = []
    for number in range(1, most + 1):
        seed = f"s{number}"
        if CruelTable(options, opening("cruel", options, seed)).is_lost():
            found.append(seed)
            if len(found) == count:
                break
    return found


def random_layout(dice: Dice, low: int, high: int, piles: int) -> list[list[str]]:
    """Draw foundations between two ranks and throw the other cards on some of the piles."""
    cards = []
    for suit in SUITS:
        top = low + dice.below(high - low + 1)
        cards += [rank + suit for rank in RANKS[top:]]
    layout: list[list[str]] = [[] for _ in range(12)]
    for card in dice.shuffle(cards):
        layout[dice.below(piles)].append(card)
    return layout


def redeals_to_a_move(table: CruelTable) -> tuple[int | None, int]:
    """Count the redeals until a card can move (None: never) and until a layout comes again."""
    layouts = [table.piles]
    first = None
    while True:
        if first is None and table.can_move_a_card(layouts[-1]):
            first = len(layouts) - 1
        layout = redeal(table.options["redeal"], layouts[-1])
        if layout in layouts:
            return first, len(layouts)
        layouts.append(layout)
