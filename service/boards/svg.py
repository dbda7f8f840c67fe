"""Boards as pictures: each one SVG document that needs nothing else.

A picture is 320 units wide and as high as its piles need, so a unit is a pixel where it is shown at
the width of a small phone. Piles are fanned downwards, the top card last and whole; every pile has
the name by which a move text calls it. The description says in words all that is drawn.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from service.boards.svg_parts import (
    CARD_HEIGHT,
    CARD_WIDTH,
    MARGIN,
    WIDTH,
    draw_card,
    draw_document,
    draw_pile,
    draw_stock,
    draw_text,
    draw_tray,
    rank_text,
)
from service.rules.calculation_position import next_rank
from service.rules.cards import RANKS, parse_card
from service.rules.family import REDEAL, Status
from service.rules.game import Game

# How much of a covered card is seen: less of it in a row of long piles.
_STEP, _TIGHT_STEP = 16, 14
_LONG = 12
# Rows are at least as high as so many cards need, lest the board jump at every move.
_PILE_CARDS, _WASTE_CARDS = 4, 6

_DECK = 52
_TITLE_CHARACTERS = 38
_COUNTS_CHARACTERS, _COUNTS_WIDTH = 34, 208

_RANK_NAMES = dict(zip(RANKS, ["ace", *"23456789", "10", "jack", "queen", "king"], strict=True))
_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class _Board(NamedTuple):
    """What is drawn, the same in words, and how far down it reaches."""

    shapes: list[str]
    words: list[str]
    bottom: int


def draw_game_svg(game: Game[Any], title: str) -> str:
    """Draw a game as an SVG document; ``title`` may be any text, and the status is added to it.

    Only what lies face up is drawn, so anyone who may see the game may see this.
    """
    return _draw(game, title, _status_text(game.status), _counts(game))


def draw_opening_svg(game: Game[Any], title: str) -> str:
    """Draw a deal that nobody has begun to play; what is said of ``draw_game_svg`` holds here too.

    ``game`` stands at its opening, which may be lost.
    """
    playable = game.status is Status.IN_PROGRESS
    status = "Opening" if playable else f"{_status_text(game.status)} at the opening"
    return _draw(game, title, status, [])


def _draw(game: Game[Any], title: str, status: str, counts: Sequence[str]) -> str:
    rules = game.rules
    board = _BOARDS[rules.family](rules.face_up(game.position))
    up = f"{game.score.cards_up} of {_DECK} cards on the foundations"
    score = f"{status}: {', '.join([up, *counts])}."
    order = "Piles are read from the bottom card to the top card."
    shapes = [
        draw_text(_shorten(title), MARGIN + 2, 20, "text strong title"),
        *_draw_status(game.status, status),
        *_draw_counts(" · ".join(counts)),
        *_draw_progress(game.score.cards_up),
        *board.shapes,
    ]
    name = f"{title}: {status[0].lower()}{status[1:]}"
    height = board.bottom + MARGIN + 2
    return draw_document(name, [score, order, *board.words], shapes, height=height)


def _status_text(status: Status) -> str:
    return status.replace("_", " ").capitalize()


def _counts(game: Game[Any]) -> list[str]:
    score = game.score
    counts = [_count(score.moves, "move")]
    if REDEAL in game.rules.move_texts:
        limit = game.rules.options()["redeal_limit"]
        redeals = _count(score.redeals, "redeal")
        counts.append(f"{score.redeals} of {limit} redeals" if isinstance(limit, int) else redeals)
    if score.undos:
        counts.append(_count(score.undos, "undo"))
    return counts


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _shorten(title: str) -> str:
    """Cut a title to one line; characters of the East may be twice as wide."""
    title, room = " ".join(title.split()), _TITLE_CHARACTERS
    for at, character in enumerate(title):
        room -= 2 if unicodedata.east_asian_width(character) in "FW" else 1
        if room < 0:
            return f"{title[: max(at - 1, 0)].rstrip()}…"
    return title


def _draw_status(status: Status, words: str) -> list[str]:
    width = 20 + 6 * len(words)
    pill, text = "pill", "text strong middle"
    if status is not Status.IN_PROGRESS:
        pill, text = status.value, "text strong middle ended"
    return [
        f'<rect class="sm-{pill}" x="{MARGIN}" y="27" width="{width}" height="17" rx="8.5"/>',
        draw_text(words, MARGIN + width // 2, 39, text),
    ]


def _draw_counts(words: str) -> list[str]:
    squeezed = _COUNTS_WIDTH if len(words) > _COUNTS_CHARACTERS else None
    drawn = draw_text(words, WIDTH - MARGIN - 2, 39, "text end", squeezed=squeezed)
    return [drawn] if words else []


def _draw_progress(cards_up: int) -> list[str]:
    whole = WIDTH - 2 * MARGIN - 54
    bar = f'x="{MARGIN}" y="52" height="4" rx="2"'
    return [
        f'<rect class="sm-track" {bar} width="{whole}"/>',
        f'<rect class="sm-bar" {bar} width="{whole * cards_up // _DECK}"/>',
        draw_text(f"{cards_up} of {_DECK}", WIDTH - MARGIN - 2, 58, "text end"),
    ]


def _draw_cruel(shown: Mapping[str, Any]) -> _Board:
    tops, piles = shown["foundations"], shown["piles"]
    columns = [MARGIN + 20 + 76 * column for column in range(4)]
    y = 72
    shapes = [draw_tray(MARGIN - 4, y - 6, WIDTH - 2 * MARGIN + 8, CARD_HEIGHT + 12)]
    for x, top in zip(columns, tops, strict=True):
        shapes += [_name_beside("F", x, y), draw_card(top, x, y)]
    words = [f"Foundations: {_names(tops)}."]
    bottom = y + CARD_HEIGHT
    for first in range(0, len(piles), len(columns)):
        row = piles[first : first + len(columns)]
        y, step = bottom + 14, _step(row)
        for number, (x, pile) in enumerate(zip(columns, row, strict=True), first + 1):
            shapes += [_name_beside(str(number), x, y), *draw_pile(pile, x, y, step)]
            words.append(f"Pile {number}: {_names(pile)}.")
        bottom = y + _fan_height(row, _PILE_CARDS)
    return _Board(shapes, words, bottom)


def _draw_calculation(shown: Mapping[str, Any]) -> _Board:
    columns = [74 + 61 * column for column in range(4)]
    y = 86
    shapes = [draw_tray(columns[0] - 5, y - 20, WIDTH - columns[0] + 1, CARD_HEIGHT + 38)]
    words = []
    for number, (x, top) in enumerate(zip(columns, shown["foundations"], strict=True), 1):
        rank = next_rank(number, parse_card(top))
        takes = "complete" if rank is None else f"next {rank_text(RANKS[rank - 1])}"
        shapes += [
            _name_above(f"F{number}", x, y),
            draw_card(top, x, y),
            draw_text(takes, x + CARD_WIDTH // 2, y + CARD_HEIGHT + 12, "text middle"),
        ]
        words.append(f"Foundation {number}: {_names([top])}, {takes}.")
    turned = [shown["card"]] if shown["card"] else []
    shapes += [_name_above("S", MARGIN, y), *draw_pile(turned, MARGIN, y, _STEP)]
    y += CARD_HEIGHT + 42
    count, wastes = shown["stock_count"], shown["wastes"]
    shapes += [
        draw_text("stock", MARGIN + CARD_WIDTH // 2, y - 6, "text middle"),
        *draw_stock(count, MARGIN, y),
    ]
    words += [f"Turned card: {_names(turned)}.", f"Stock: {_count(count, 'card')} face down."]
    step = _step(wastes)
    for number, (x, waste) in enumerate(zip(columns, wastes, strict=True), 1):
        shapes += [_name_above(f"W{number}", x, y), *draw_pile(waste, x, y, step)]
        words.append(f"Waste {number}: {_names(waste)}.")
    return _Board(shapes, words, y + _fan_height(wastes, _WASTE_CARDS))


_BOARDS: dict[str, Callable[[Mapping[str, Any]], _Board]] = {
    "cruel": _draw_cruel,
    "calculation": _draw_calculation,
}


def _name_beside(name: str, x: int, y: int) -> str:
    return draw_text(name, x - 4, y + 12, "text strong end")


def _name_above(name: str, x: int, y: int) -> str:
    return draw_text(name, x + CARD_WIDTH // 2, y - 6, "text strong middle")


def _step(row: Sequence[Sequence[str]]) -> int:
    return _STEP if max(map(len, row)) <= _LONG else _TIGHT_STEP


def _fan_height(row: Sequence[Sequence[str]], least: int) -> int:
    return _step(row) * (max(least, *map(len, row)) - 1) + CARD_HEIGHT


def _names(cards: Sequence[str]) -> str:
    """Give cards in words, bottom first."""
    names = [f"{_RANK_NAMES[card[0]]} of {_SUIT_NAMES[card[1]]}" for card in cards]
    return ", ".join(names) or "empty"
