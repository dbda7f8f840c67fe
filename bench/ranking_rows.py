"""Rows of a challenge with many ranked entries, and of dailies with many attempts."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from sqlalchemy import insert

from bench.games import START, game_id, play, token_hash
from service.db.engine import Engine, write_transaction
from service.db.tables import challenges, entries, games, players
from service.rules.family import Status
from service.usecases.challenge_rows import new_row
from service.usecases.challenge_terms import DAY_MS, settle_terms
from service.usecases.challenges import create
from service.usecases.dailies import daily_id
from service.usecases.standing import Standing, write_standing

_BATCH = 50_000

# The days of which the dailies are, today included.
DAYS = 365
# How often a player plays, of so many dailies.
_OFTEN = 20

Columns = Mapping[str, object]


def standings(size: int) -> Iterator[Standing]:
    """Draw standings: one in ten has won, and a third stands at the opening, all tied."""
    chance = random.Random(size)
    for number in range(size):
        won, acted = number % 10 == 0, number % 3 > 0
        yield Standing(
            won=won,
            cards_up=52 if won else chance.randrange(4, 52) if acted else 4,
            actions=chance.randrange(30, 400) if acted or won else 0,
            redeals=chance.randrange(9) if acted or won else 0,
            elapsed_ms=chance.randrange(3_600_000) if acted or won else 0,
        )


def fill_ranking(engine: Engine, size: int, columns: Callable[[int], Columns] | None = None) -> str:
    """Set a challenge up in which so many have an attempt; give its id.

    One in a hundred is disqualified. ``columns``: those of the game of each number, by default of
    an opening.
    """
    _insert(engine, players, (_player(number) for number in range(size)))
    view = create(engine, token_hash(0), {"title": "Bench", "variant": "cruel"}, START).view
    _insert(engine, entries, (_entry(view.id, number) for number in range(size)))
    opening = play("cruel", "bench-1", 0).columns[0]
    rows = (
        {
            **(columns(number) if columns else opening),
            **_attempt(view.id, number, number, view.terms.ends_at),
            "standing": write_standing("actions", standing),
        }
        for number, standing in enumerate(standings(size))
    )
    _insert(engine, games, rows)
    with engine.connect() as connection:
        connection.execute(challenges.update().values(entered=size, dealt=size))
    _write_out(engine)
    return view.id


def fill_dailies(engine: Engine, attempts: int) -> None:
    """Set the dailies of ``DAYS`` up, with so many attempts in all.

    A third of the attempts are won. Today is the day of ``START``, and the last who plays in it is
    the first player.
    """
    people = max(attempts // _OFTEN, 1)
    _insert(engine, players, (_player(number) for number in range(people)))
    chance = random.Random(attempts)
    dailies = [_daily(day) for day in range(DAYS)]
    _insert(engine, challenges, dailies)
    drawn = [(number % DAYS, chance.randrange(people)) for number in range(attempts - 1)]
    # Each once in a day.
    played = sorted({*drawn, (0, 0)}, reverse=True)
    stored = (
        {**_entry(str(dailies[day]["id"]), number), "player_id": game_id(player)}
        for number, (day, player) in enumerate(played)
    )
    _insert(engine, entries, ({**row, "disqualified_at": None} for row in stored))
    opening = play("cruel", "bench-1", 0).columns[0]
    _insert(engine, games, _daily_games(opening, dailies, played, chance))
    _write_out(engine)


def _daily(day: int) -> dict[str, Any]:
    """Give the columns of the daily of so many days ago."""
    midnight = START - START % DAY_MS - day * DAY_MS
    terms = settle_terms({"variant": "cruel", "starts_at": midnight}, None, midnight)
    name = daily_id("cruel", midnight)
    return {**new_row(name, None, name, terms, "bench-1", created_at=midnight)}


def _daily_games(
    opening: Columns,
    dailies: list[dict[str, Any]],
    played: list[tuple[int, int]],
    chance: random.Random,
) -> Iterator[Columns]:
    for number, (day, player) in enumerate(played):
        won, actions = number % 3 == 0, chance.randrange(60, 400)
        standing = Standing(won, 52 if won else 30, actions, 0, actions * 1_000)
        yield {
            **opening,
            **_attempt(dailies[day]["id"], number, player, dailies[day]["ends_at"]),
            "standing": write_standing("actions", standing),
            "status": (Status.WON if won else Status.RESIGNED).value,
            "moves": actions,
        }


def _attempt(challenge_id: str, number: int, player: int, deadline: int) -> Columns:
    return {
        "id": game_id(number),
        "challenge_id": challenge_id,
        "owner": game_id(player),
        "entry_id": game_id(number),
        "attempt": 1,
        "ranks": True,
        "deadline": deadline,
    }


def _player(number: int) -> Columns:
    player = {"id": game_id(number), "name": f"p{number}", "bot": False, "created_at": START}
    return {**player, "token_hash": token_hash(number)}


def _entry(challenge_id: str, number: int) -> Columns:
    return {
        "id": game_id(number),
        "challenge_id": challenge_id,
        "player_id": game_id(number),
        "entered_at": START,
        "dealt": 1,
        "deadline": START + DAY_MS,
        "disqualified_at": START if number % 100 == 1 else None,
    }


def _insert(engine: Engine, table: Any, rows: Iterable[Columns]) -> None:
    left = iter(rows)
    while batch := [dict(row) for row in islice(left, _BATCH)]:
        with write_transaction(engine) as connection:
            connection.execute(insert(table), batch)


def _write_out(engine: Engine) -> None:
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET statement_timeout = 0")
            connection.exec_driver_sql("VACUUM ANALYZE")
        else:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
