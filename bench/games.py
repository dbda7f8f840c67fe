"""Real games, played by seeded chance once, and as many rows of them as a measurement needs."""

import hashlib
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from sqlalchemy import insert

from service.db.engine import Engine, write_transaction
from service.db.tables import games
from service.rules import find_variant
from service.rules.deals import algorithm_of
from service.rules.family import RULES_VERSION, Status
from service.rules.game import Game
from service.rules.record_text import format_moves
from service.usecases.game_views import cached_columns, canonical_options

START = 1_767_268_800_000  # 2026-01-01T12:00:00Z
_MOVE_MS = 1_500
_BATCH = 50_000


@dataclass(frozen=True)
class Script:
    """A game of a seed, and the game after each of its moves, the opening first."""

    variant: str
    seed: str
    moves: list[str]
    games: list[Game[Any]]

    @cached_property
    def columns(self) -> list[dict[str, object]]:
        """The columns of a row at each ply that are the same in every game of this script."""
        times = [_MOVE_MS * (ply + 1) for ply in range(len(self.moves))]
        shared = {
            "variant": self.variant,
            "options": canonical_options(self.games[0].rules),
            "seed": self.seed,
            "seed_named": False,
            "deal_algorithm": algorithm_of(self.seed),
            "rules_version": RULES_VERSION,
            "undo": self.games[0].undo,
            "started_at": START,
            "finished_at": None,
        }
        histories = [format_moves(self.moves[:ply], times[:ply]) for ply in range(len(self.games))]
        return [
            {**shared, "history": history, **cached_columns(game)}
            for history, game in zip(histories, self.games, strict=True)
        ]


def play(variant: str, seed: str, plies: int) -> Script:
    """Play a seed's deal by chance that the seed repeats, redeals included, for at most ``plies``.

    The move that would end the game is left out, so the last one is in progress, unless the deal is
    lost at the opening.
    """
    rules = find_variant(variant).configured({}, seed)
    position = rules.opening(algorithm_of(seed), seed)
    chance = random.Random(seed)
    moves: list[str] = []
    played = [Game.start(rules, position, undo=not rules.hides_cards)]
    while len(moves) < plies and played[-1].status is Status.IN_PROGRESS:
        moves.append(chance.choice(played[-1].legal_moves()))
        played.append(played[-1].play(moves[-1]))
    if moves and played[-1].status is not Status.IN_PROGRESS:
        moves, played = moves[:-1], played[:-1]
    return Script(variant, seed, moves, played)


def long_scripts(count: int, plies: int, variant: str = "cruel") -> list[Script]:
    """Play seeds one after the other until ``count`` games were in progress for ``plies``."""
    scripts: list[Script] = []
    number = 0
    while len(scripts) < count:
        number += 1
        script = play(variant, f"bench-{number}", plies)
        if len(script.moves) == plies:
            scripts.append(script)
    return scripts


def game_id(number: int) -> str:
    """Give the id of a stored game: as long as a ULID, and growing like one."""
    return f"01{number:024}"


def token(number: int) -> str:
    """Give the token of a stored game."""
    return f"sg_bench{number:038}"


def token_hash(number: int) -> bytes:
    """Give the hash of that token."""
    return hashlib.sha256(token(number).encode()).digest()


def store(engine: Engine, columns: Iterable[dict[str, object]], first: int = 0) -> None:
    """Insert a row for each set of a script's columns; their games are numbered from ``first``."""
    rows: Iterator[dict[str, object]] = (
        {"id": game_id(number), "token_hash": token_hash(number), **of_script}
        for number, of_script in enumerate(columns, first)
    )
    while batch := list(islice(rows, _BATCH)):
        with write_transaction(engine) as connection:
            if engine.dialect.name == "sqlite":
                # Room for the index of the tokens, which come in no order: 256 MiB, in KiB.
                connection.exec_driver_sql("PRAGMA cache_size = -262144")
            connection.execute(insert(games), batch)
    engine.dispose()
