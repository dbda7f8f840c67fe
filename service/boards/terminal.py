"""Boards as plain text, for terminals and wherever else text is read.

Pure ASCII, no colours, no line over 80 columns: it looks the same in every terminal, log and mail,
and every name on it can be typed back. A pile reads bottom first, and its top card, the only one
that can move, stands in brackets.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from service.rules import find_variant
from service.rules.calculation_position import next_rank
from service.rules.cards import RANKS, parse_card
from service.rules.family import REDEAL, UNDO, Rules
from service.rules.game import Game
from service.rules.record_text import format_option_value

WIDTH = 80

_COLUMNS = 4
# A redeal cuts the piles into fours, so lines of four show what it will do.
_PILE_CARDS = 4
_WASTE_CARDS = 24


def draw_game(game: Game[Any]) -> str:
    """Draw the board, the score and the legal moves; every line ends with a newline.

    Only what lies face up is drawn, so anyone who may see the game may see this.
    """
    return f"{draw_board(game)}\n{_draw_status(game)}"


def changed_options(variant: str, rules: Rules[Any], seed: str | None) -> list[str]:
    """Write the options that differ from what a variant presets for a seed: ``redeal_limit=5``."""
    preset = find_variant(variant).configured({}, seed).options()
    options = rules.options().items()
    return [f"{n}={format_option_value(v)}" for n, v in options if v != preset[n]]


def draw_board(game: Game[Any]) -> str:
    """Draw the cards alone; every line ends with a newline."""
    rules = game.rules
    lines = _BOARDS[rules.family](rules.face_up(game.position))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def draw_words(label: str, words: str) -> str:
    """Draw ``label`` and, beside it, words wrapped at 80 columns."""
    return (
        textwrap.fill(
            words,
            WIDTH,
            initial_indent=f"  {label:<7}  ",
            subsequent_indent=" " * 11,
            break_long_words=False,
            break_on_hyphens=False,
        )
        + "\n"
    )


def _draw_status(game: Game[Any]) -> str:
    score = game.score
    counts = [f"moves {score.moves}"]
    if REDEAL in game.rules.move_texts:
        counts.append(f"redeals {score.redeals}{_left(game)}")
    counts += [f"actions {score.actions}", f"undos {score.undos}"]
    return (
        draw_words("Status", f"{game.status.replace('_', ' ')}, {score.cards_up} of 52 cards up")
        + draw_words("Score", ", ".join(counts))
        + draw_words("Moves", " ".join(sorted(game.legal_moves(), key=_by_number)) or "none")
        + draw_words("Undo", _undo(game))
    )


def _left(game: Game[Any]) -> str:
    limit = game.rules.options()["redeal_limit"]
    return f" ({limit - game.score.redeals} left)" if isinstance(limit, int) else ""


def _undo(game: Game[Any]) -> str:
    refusal = game.refusal(UNDO)
    return f"no: {refusal.detail.removeprefix(f'{UNDO}: ')}" if refusal else f"yes: {UNDO}"


def _by_number(move: str) -> list[tuple[str, int]]:
    """Sort 2 before 10, as people look for it."""
    return [(text, int(number or 0)) for text, number in re.findall(r"(\D*)(\d*)", move)]


def _draw_cruel(shown: Mapping[str, Any]) -> Iterator[str]:
    yield from _row([("F", [f" {top}"]) for top in shown["foundations"]])
    piles = [_fan(pile, _PILE_CARDS) for pile in shown["piles"]]
    numbered = [(str(number), fan) for number, fan in enumerate(piles, 1)]
    for first in range(0, len(numbered), _COLUMNS):
        yield ""
        yield from _row(numbered[first : first + _COLUMNS])


def _draw_calculation(shown: Mapping[str, Any]) -> Iterator[str]:
    tops = enumerate(shown["foundations"], 1)
    yield from _row([(f"F{number}", [f" {top} {_wanted(number, top)}"]) for number, top in tops])
    yield ""
    turned = _fan([shown["card"]] if shown["card"] else [], 1)[0]
    yield f"{_label('S')}{turned}  {shown['stock_count']} more in the stock"
    yield ""
    for number, waste in enumerate(shown["wastes"], 1):
        yield from _row([(f"W{number}", _fan(waste, _WASTE_CARDS))])


_BOARDS: dict[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    "cruel": _draw_cruel,
    "calculation": _draw_calculation,
}


def _wanted(number: int, top: str) -> str:
    rank = next_rank(number, parse_card(top))
    return "complete" if rank is None else f"-> {RANKS[rank - 1]}"


def _fan(cards: Sequence[str], per_line: int) -> list[str]:
    """Lay a pile out in lines of so many cards, three columns each and one more for the last."""
    if not cards:
        return [" --"]
    drawn = [*(f" {card}" for card in cards[:-1]), f"[{cards[-1]}]"]
    return ["".join(drawn[at : at + per_line]) for at in range(0, len(drawn), per_line)]


def _label(name: str) -> str:
    return f"{name:>4} "


def _row(cells: Sequence[tuple[str, list[str]]]) -> Iterator[str]:
    """Lay named cells side by side, the shorter ones filled up with empty lines."""
    columns = [
        [f"{_label(name if at == 0 else '')}{line}" for at, line in enumerate(lines)]
        for name, lines in cells
    ]
    for line in zip_longest(*columns, fillvalue=""):
        yield "".join(f"{part:<{WIDTH // _COLUMNS}}" for part in line)
