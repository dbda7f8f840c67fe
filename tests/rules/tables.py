"""Short ways to lay cards on a table and to play there."""

from collections.abc import Callable
from typing import Any

from service.rules import VARIANTS
from service.rules.errors import Invalid
from service.rules.family import Rules
from service.rules.game import Game

PILES = 12


def split(piles: str) -> list[list[str]]:
    """Read piles written `2C 5C / - / 6C`."""
    return [[card for card in pile.split() if card != "-"] for pile in piles.split("/")]


def layout(piles: str) -> list[list[str]]:
    """Read Cruel piles, and add empty ones up to twelve."""
    written = split(piles)
    return written + [[] for _ in range(PILES - len(written))]


def cruel_rules(variant: str = "cruel", **options: Any) -> Rules[Any]:
    """Give the rules of a variant, some of its options changed."""
    return VARIANTS[variant].configured(options, None)


def cruel(piles: str, variant: str = "cruel", *, undo: bool = True, **options: Any) -> Game[Any]:
    """Start a game from these piles; what lies in none of them is on the foundations."""
    rules = cruel_rules(variant, **options)
    return Game.start(rules, rules.read_position({"piles": layout(piles)}), undo=undo)


def calculation(
    stock: str,
    wastes: str = "- / - / - / -",
    foundations: str = "AC 2D 3H 4S",
    **options: Any,
) -> Game[Any]:
    """Start a game of Calculation in its middle; the first card of the stock is turned."""
    rules = VARIANTS["calculation"].configured(options, None)
    data = {
        "stock": stock.split(),
        "wastes": split(wastes),
        "foundations": foundations.split(),
    }
    return Game.start(rules, rules.read_position(data), undo=False)


def opened(variant: str, seed: str = "semilla", **options: Any) -> Game[Any]:
    """Start a game from a seed of `deal/1`, with undo where the family has it."""
    rules = VARIANTS[variant].configured(options, seed)
    return Game.start(rules, rules.opening("deal/1", seed), undo=not rules.hides_cards)


def play(game: Game[Any], moves: str) -> Game[Any]:
    """Play moves that must all be accepted."""
    for move in moves.split():
        game = game.play(move)
    return game


def piles_of(game: Game[Any]) -> list[str]:
    """Give the piles that are not empty, each as one text, bottom first."""
    shown = game.rules.face_up(game.position)["piles"]
    return [" ".join(pile) for pile in shown if pile]


def reason(game: Game[Any], move: str) -> str | None:
    """Give the word that says why a move is refused, None where it is accepted."""
    refusal = game.refusal(move)
    return refusal.reason if refusal else None


def unless_invalid(read: Callable[[Any], Any], value: object) -> Any:
    """Read a value; None where it is refused as invalid. No other error may come."""
    try:
        return read(value)
    except Invalid:
        return None


def deeply_nested() -> list[object]:
    """Give a list in a list in a list …, too deep for recursion."""
    value: list[object] = []
    for _ in range(3_000):
        value = [value]
    return value
