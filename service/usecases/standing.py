"""How good an attempt is, as one text: of two standings under one order the greater is better.

What decides between two attempts is the order of the figures, each of a fixed width; where fewer is
better the figure is taken from the highest. Append-only: they are stored.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, cast, func

from service.rules.family import RESIGN, Status
from service.rules.game import Game

# The figures in the order in which they decide.
ORDERS: dict[str, tuple[str, ...]] = {
    "actions": ("won", "cards_up", "actions", "redeals", "elapsed_ms"),
    "time": ("won", "cards_up", "elapsed_ms", "actions", "redeals"),
}
# The digits of each: ms of 90 days, and a history of 10,000 entries, fit in.
_DIGITS = {"won": 1, "cards_up": 2, "actions": 5, "redeals": 5, "elapsed_ms": 10}
_MORE_IS_BETTER = ("won", "cards_up")
# Who has won has a standing from this on, under each order.
LEAST_WON = "1"


class Standing(NamedTuple):
    """How far an attempt got; ``elapsed_ms`` is the time of its last action."""

    won: bool
    cards_up: int
    actions: int
    redeals: int
    elapsed_ms: int


def standing_of(game: Game[Any], elapsed_ms: int) -> Standing:
    """Give how far a game got, whose last action was made ``elapsed_ms`` after its start."""
    score = game.score
    won = game.status is Status.WON
    return Standing(won, score.cards_up, score.actions, score.redeals, elapsed_ms)


def last_action_ms(moves: Iterable[str], times: Iterable[int]) -> int:
    """Give when the last action of a history was made, in ms since the start; 0 before the first.

    To resign is none.
    """
    acted = [at for move, at in zip(moves, times, strict=True) if move != RESIGN]
    return acted[-1] if acted else 0


def best_standing(order: str, standing: Standing, earlier: str | None) -> str:
    """Write the better of an attempt's standing and of the best before it, None where none is."""
    return max(write_standing(order, standing), earlier or "")


def write_standing(order: str, standing: Standing) -> str:
    """Write a standing so that, under the same order, a greater text is better."""
    return "".join(
        f"{_turned(name, int(getattr(standing, name))):0{_DIGITS[name]}}" for name in ORDERS[order]
    )


def read_standing(order: str, text: str) -> Standing:
    """Read what ``write_standing`` wrote under the same order."""
    figures, place = {}, 0
    for name in ORDERS[order]:
        end = place + _DIGITS[name]
        figures[name] = _turned(name, int(text[place:end]))
        place = end
    return Standing(won=bool(figures.pop("won")), **figures)


def figure_in(order: str, name: str, standing: ColumnElement[Any]) -> ColumnElement[int]:
    """Ask for one figure of standings, all written under the same order."""
    names = ORDERS[order]
    start = sum(_DIGITS[before] for before in names[: names.index(name)]) + 1
    figure: ColumnElement[int] = _turned(
        name, cast(func.substr(standing, start, _DIGITS[name]), BigInteger)
    )
    return figure


def _turned(name: str, figure: Any) -> Any:
    return figure if name in _MORE_IS_BETTER else 10 ** _DIGITS[name] - 1 - figure
