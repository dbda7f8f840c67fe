"""Replay moves from any start without storing anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.rules import find_variant
from service.rules.errors import InvalidPosition, Within
from service.rules.game import Failure, Game, check_moves, play_all
from service.rules.record import read_json
from service.usecases.deals import find_opening
from service.usecases.new_games import choose_undo


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The game after the moves, or before the one that was refused, and that refusal.

    ``seed`` and ``deal_algorithm`` are None where the start was an explicit position.
    """

    variant: str
    seed: str | None
    deal_algorithm: str | None
    game: Game[Any]
    failed: Failure | None


def evaluate(
    *,
    variant: str,
    options: Mapping[str, object],
    undo: bool | None,
    seed: str | None,
    position: object | None,
    moves: Sequence[str],
) -> Evaluation:
    """Play moves from the opening of a seed or from a position; ``Invalid`` with the place."""
    if (seed is None) == (position is None):
        detail = "write either seed or position"
        raise InvalidPosition(detail)
    with Within("/variant"):
        preset = find_variant(variant)
    undo = choose_undo(preset, undo)
    algorithm = None
    if seed is not None:
        opening = find_opening(variant, seed, options)
        rules, start, algorithm = opening.rules, opening.position, opening.deal_algorithm
    else:
        with Within("/options"):
            rules = preset.configured(options, None)
        with Within("/position"):
            start = rules.read_position(position)
    with Within("/moves"):
        check_moves(rules, moves)
    game, failed = play_all(Game.start(rules, start, undo=undo), moves)
    return Evaluation(variant, seed, algorithm, game, failed)


def evaluate_record(data: object) -> Evaluation:
    """Replay a record in its JSON form; ``Invalid`` with the place where it is none."""
    record = read_json(data)
    game, failed = record.replay()
    return Evaluation(record.variant, record.seed, record.deal_algorithm, game, failed)
