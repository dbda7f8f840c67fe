"""Replay every stored game and compare it with what its row caches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, select

from service.db.tables import challenges, games
from service.rules.family import RULES_VERSION, Status
from service.rules.game import Game, check_moves, play_all
from service.rules.record_text import format_moves, parse_moves
from service.usecases.game_views import cached_columns, canonical_options, stored_rules
from service.usecases.new_games import choose_undo
from service.usecases.standing import best_standing, last_action_ms, standing_of

_BATCH = 500
# ``order``: of the challenge that a game is an attempt of.
_GAMES = select(games, challenges.c.order).outerjoin(
    challenges, challenges.c.id == games.c.challenge_id
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one stored game: its id and every fault, none where it is sound."""

    game_id: str
    faults: tuple[str, ...]


def verify_games(db: Engine) -> Iterator[Verdict]:
    """Verify all stored games in the order of their ids, in batches; nothing is changed."""
    last = ""
    while True:
        query = _GAMES.where(games.c.id > last).order_by(games.c.id).limit(_BATCH)
        with db.connect() as connection:
            rows = connection.execute(query).mappings().all()
        for row in rows:
            yield Verdict(row["id"], _readable_faults(row))
        if not rows:
            return
        last = rows[-1]["id"]


def _readable_faults(row: Mapping[Any, Any]) -> tuple[str, ...]:
    try:
        return tuple(_faults(row))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        return (f"it cannot be read: {error}",)


def _faults(row: Mapping[Any, Any]) -> Iterator[str]:
    version = row["rules_version"]
    if version != RULES_VERSION:
        yield f"it was played by rules of version {version!r}, and these are {RULES_VERSION}"
        return
    rules = stored_rules(row["variant"], row["options"])
    moves, times = parse_moves(row["history"])
    check_moves(rules, moves)
    choose_undo(rules, row["undo"])
    opening = rules.opening(row["deal_algorithm"], row["seed"])
    game, failure = play_all(Game.start(rules, opening, undo=row["undo"]), moves)
    if failure:
        yield f"entry {failure.index + 1} of its history is refused: {failure.detail}"
        return
    yield from _times_faults(times or [], len(moves))
    ended_at = int(row["started_at"]) + (times[-1] if times else 0)
    if times and row["deadline"] is not None and ended_at >= row["deadline"]:
        yield "its history goes on after its deadline"
    follows = {
        "options": canonical_options(rules),
        "history": format_moves(moves, times) if times else "",
        "finished_at": None if game.status is Status.IN_PROGRESS else ended_at,
        "standing": _standing(row, game, moves, times or []),
        **cached_columns(game),
    }
    for name, value in follows.items():
        if row[name] != value:
            yield f"its column {name} holds {row[name]!r}, and its history gives {value!r}"


def _standing(
    row: Mapping[Any, Any], game: Game[Any], moves: list[str], times: list[int]
) -> str | None:
    """Give the best of an entry's attempts up to this one; None for a game outside challenges."""
    if row["challenge_id"] is None:
        return None
    own = standing_of(game, last_action_ms(moves, times))
    return best_standing(row["order"], own, row["earlier_standing"])


def _times_faults(times: list[int], count: int) -> Iterator[str]:
    if len(times) != count or sorted(times) != times or min(times, default=0) < 0:
        yield "the times of its history go back, or some are missing"
