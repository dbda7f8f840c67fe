"""Games whose boards stand in `tests/golden/boards`, one file each, for people to look at.

`python -m tests.boards.positions` draws them all anew: then look at what changed.
"""

from pathlib import Path
from typing import Any

from service.boards.terminal import draw_game
from service.rules import find_variant
from service.rules.deals import algorithm_of
from service.rules.game import Game, play_all
from service.rules.record_text import parse_record

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
BOARDS = GOLDEN / "boards"

# Longer piles than anybody builds, but `alternate_up` sets no limit.
_LONG_PILES = (
    "5C 3D AH 9S | 6D 8H TD QC JD JC 9H 7C QH 2H / - / KC / - / 6C 4D 9C 3H TC 5D 7H 9D TS 8D KH "
    "JS 8C 5H KD QS 7D 4H JH 6H QD KS TH / - / - / - / - / - / - / -"
)
_LOST_UNDER_FANS = (
    "AC AD AH AS | 7D KH 2C 6D / JD 4H 4D QH / 4S 9D 2S JS / 3C 2D 7S TC / QC 6H QS 5C / 9H 8C 5S "
    "KD / 9S QD 3H KC / 6C 2H TS 8H / JH 8D 4C 6S / 7H JC 9C 3S / 3D KS TH TD / 7C 5H 5D 8S"
)


def dealt(variant: str, seed: str, moves: str = "", *, undo: bool = True) -> Game[Any]:
    """Deal a seed and play the moves, all of which must be legal."""
    rules = find_variant(variant).configured({}, seed)
    position = rules.opening(algorithm_of(seed), seed)
    return _played(Game.start(rules, position, undo=undo and not rules.hides_cards), moves.split())


def placed(variant: str, position: str, options: dict[str, object] | None = None) -> Game[Any]:
    """Start from a position written as text."""
    rules = find_variant(variant).configured(options or {}, None)
    return Game.start(rules, rules.parse_position(position), undo=not rules.hides_cards)


def recorded(name: str, plies: int | None = None) -> Game[Any]:
    """Replay a record of `tests/golden/records`, or its first moves."""
    record = parse_record((GOLDEN / "records" / f"{name}.txt").read_text("utf-8"))
    return _played(record.start(), list(record.moves[:plies]))


def _played(game: Game[Any], moves: list[str]) -> Game[Any]:
    game, failure = play_all(game, moves)
    assert failure is None, failure
    return game


GAMES: dict[str, Game[Any]] = {
    "cruel-opening": dealt("cruel", "semilla"),
    "cruel-middle": recorded("cruel-won", 13),
    "cruel-undone": _played(recorded("cruel-won", 20), ["U", "U"]),
    "cruel-late": recorded("cruel-won", 45),
    "cruel-won": recorded("cruel-won"),
    "cruel-resigned": _played(recorded("cruel-won", 30), ["Q"]),
    "cruel-without-undo": dealt("cruel", "32", "12>F 3>F", undo=False),
    "cruel-lost-at-the-opening": dealt("cruel", "135"),
    "cruel-pysol-opening": dealt("cruel-pysol", "pysol-24"),
    "limited-cruel-lost": dealt("limited-cruel", "191", "8>9"),
    "ripple-fan-lost": placed("ripple-fan", _LOST_UNDER_FANS, {"redeal_limit": 1}),
    "royal-family-long-piles": placed("royal-family", _LONG_PILES, {"redeal_limit": 99}),
    "calculation-opening": dealt("calculation", "semilla"),
    "calculation-middle": recorded("calculation-won", 36),
    "calculation-long-waste": dealt("calculation", "1", "S>W3 " * 31 + "S>W1"),
    "calculation-one-complete": recorded("calculation-won", 78),
    "calculation-stock-used-up": recorded("calculation-won", 92),
    "calculation-lost": dealt("calculation", "1", "S>W1 " * 12 + "S>W2 " * 12 + "S>W4 " * 24),
    "calculation-resigned": _played(recorded("calculation-won", 50), ["Q"]),
    "calculation-won": recorded("calculation-won"),
}

if __name__ == "__main__":
    for title, game in GAMES.items():
        (BOARDS / f"{title}.txt").write_text(draw_game(game), "ascii")
