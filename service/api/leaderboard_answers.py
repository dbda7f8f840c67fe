"""Rankings as JSON, as text for a terminal and as lines for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from service.api.context import base_url, instant, person
from service.api.errors import Problem
from service.api.paging import page_json, read_place, write_key_cursor
from service.api.par_answers import draw_par, par_json
from service.usecases.leaderboards import Leaderboard, RankedEntry
from service.usecases.pages import Place

COLUMNS = (
    *("rank", "player", "bot", "attempt", "won", "cards_up", "actions", "redeals"),
    *("elapsed_ms", "status", "state", "game_id", "to_par"),
)
# With one of these at its start spreadsheets take a text for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LINE = "{:>6}  {:<24} {:<4} {:>3} {:>7} {:>7} {:>10}  {}"


def read_ranking_place(query: Mapping[str, Any]) -> Place:
    """Read which page a query asks for; the keys of cursors are ``ranking_pages.Mark``."""
    place = read_place(query, int, int, str, str)
    mark = place.after or place.before
    if mark is not None and not 1 <= mark[1] <= mark[0]:
        detail = "this is no cursor of a ranking: take next or prev of a page as it is"
        raise Problem(code="bad_cursor", detail=detail)
    return place


def leaderboard_json(board: Leaderboard) -> dict[str, object]:
    """Give a page of a ranking."""
    return {
        **page_json((_item_json(item) for item in board.items), board),
        "provisional": board.provisional,
        "revision": board.revision,
        "order": board.order,
        "entered": board.entered,
        "ranked": board.ranked,
        "par": par_json(board.par),
        "now": instant(board.now),
    }


def _item_json(item: RankedEntry) -> dict[str, object]:
    return {
        "rank": item.rank,
        "player": person(item.player, bot=item.bot),
        "attempt": item.attempt,
        **item.standing._asdict(),
        "status": item.status,
        "state": item.state,
        "game_id": item.game_id,
        "to_par": item.to_par,
    }


def draw_leaderboard(board: Leaderboard, challenge_id: str, limit: int) -> str:
    """Draw a page of a ranking in 80 columns, and the commands that give the pages beside it."""
    head = {
        "challenge": challenge_id,
        "order": "the least time" if board.order == "time" else "the fewest actions",
        "ranked": f"{board.ranked} of {board.entered}{', provisional' * board.provisional}",
        "now": instant(board.now),
    }
    if board.par is not None:
        head["par"] = draw_par(board.par)
    lines = [f"{name:<10} {words}" for name, words in head.items()]
    if board.items:
        columns = ("rank", "player", "", "up", "actions", "redeals", "seconds", "state")
        lines += ["", _LINE.format(*columns), *map(_drawn, board.items)]
    pages = {"Before": ("before", board.prev), "After": ("after", board.next)}
    for name, (side, key) in pages.items():
        if key is not None:
            url = f"{base_url()}/v1/challenges/{challenge_id}/leaderboard"
            cursor = f"cursor={write_key_cursor(side, key)}&limit={limit}"
            lines += ["", f"{name}:", f"curl -H 'Accept: text/plain' \\\n  '{url}?{cursor}'"]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _drawn(item: RankedEntry) -> str:
    standing = item.standing
    return _LINE.format(
        item.rank,
        "(deleted)" if item.player is None else item.player,
        "bot" if item.bot else "",
        standing.cards_up,
        standing.actions,
        standing.redeals,
        f"{standing.elapsed_ms / 1000:.3f}",
        item.state,
    )


def write_csv(chunks: Iterable[list[RankedEntry]]) -> Iterator[str]:
    """Write a ranking as RFC 4180 has it, chunk after chunk, the header first."""
    chunk = io.StringIO()
    writer = csv.writer(chunk)
    writer.writerow(COLUMNS)
    for items in chunks:
        for item in items:
            writer.writerow(map(_cell, _flat(item)))
        yield chunk.getvalue()
        chunk.seek(0)
        chunk.truncate()


def _flat(item: RankedEntry) -> tuple[object, ...]:
    """Give the cells of ``COLUMNS``."""
    return (
        item.rank,
        item.player,
        item.bot,
        item.attempt,
        *item.standing,
        item.status,
        item.state,
        item.game_id,
        item.to_par,
    )


def _cell(value: object) -> str:
    """Write a value so that no spreadsheet computes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
