"""What a page of a ranking costs with more and more entries, beside a Redis sorted set.

The use case is called in this process, one page of 50 a call, without HTTP. A third of the entries
stands at the opening, all tied; one in a hundred is disqualified. Who asks, and where the deep
pages begin, is drawn by chance over the whole ranking. Redis is asked for the members and scores of
the same places, which is less than a page tells: names and states it does not have. The sets are
made under names of their own and removed at the end.
"""

import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from statistics import median
from typing import Any

from redis import Redis
from sqlalchemy import insert

from bench.databases import new_database
from bench.games import START, game_id, play, token_hash
from bench.report import Bound, Report, arguments, percentile, with_postgres
from service.db.engine import Engine, open_engine, write_transaction
from service.db.tables import challenges, entries, games, players
from service.usecases.challenges import create
from service.usecases.leaderboards import Leaderboard, read_leaderboard
from service.usecases.pages import Place
from service.usecases.standing import Standing, write_standing

SIZES = (1_000, 10_000, 100_000)
BOUND_MS = 30.0
BOUND_UP_TO = 100_000
QUESTIONS = ("first page", "deep page", "around me", "a player's rank")
_PAGE = 50
_BATCH = 50_000

Ask = Callable[[], object]


def main(words: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 where a bound is missed and --check was said."""
    parser = arguments(__doc__, rounds=3, seconds=1.0)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="ranked entries")
    parser.add_argument("--million", action="store_true", help="a million entries too")
    parser.add_argument("--redis", metavar="URL", help="a Redis server too, as redis://host:6379/0")
    with_postgres(parser)
    args = parser.parse_args(words)
    sizes = [*args.sizes, *([1_000_000] if args.million else [])]
    report = Report("leaderboards")
    for size in sizes:
        found: dict[str, dict[str, Ask]] = {}
        with ExitStack() as stack:
            found["SQLite"] = _database(stack, None, size)
            if args.postgres:
                found["PostgreSQL"] = _database(stack, args.postgres, size)
            if args.redis:
                found["Redis"] = _sorted_set(stack, args.redis, size)
            _measure(report, size, found, args.rounds, args.seconds)
    report.show(as_json=args.json)
    return report.exit_status(check=args.check)


def _measure(
    report: Report, size: int, found: dict[str, dict[str, Ask]], rounds: int, seconds: float
) -> None:
    rows = []
    for question in QUESTIONS:
        taken: dict[str, list[float]] = {name: [] for name in found}
        for _ in range(rounds):
            for name, asks in found.items():
                taken[name] += _times_ms(asks[question], seconds)
        beside = median(taken["Redis"]) if "Redis" in taken else None
        for name, times in taken.items():
            middle = median(times)
            ratio = "" if beside is None else f"{middle / beside:.1f}"
            cells = [f"{middle:.2f}", f"{percentile(times, 95):.2f}", ratio]
            rows.append([f"{question}, {name}", *cells])
            if name != "Redis" and size <= BOUND_UP_TO:
                what = f"{question}, {name}, {size:,} ranked, ms"
                report.bounds.append(Bound(what, middle, BOUND_MS, at_most=True))
    head = ["question", "p50 ms", "p95 ms", "times Redis"]
    report.table(f"A ranking of {size:,}", head, rows)


def _times_ms(ask: Ask, seconds: float) -> list[float]:
    ask()
    times: list[float] = []
    before = start = time.perf_counter()
    while before < start + seconds or not times:
        ask()
        now = time.perf_counter()
        times.append((now - before) * 1e3)
        before = now
    return times


def _standings(size: int) -> Iterator[Standing]:
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


def _database(stack: ExitStack, server: str | None, size: int) -> dict[str, Ask]:
    engine = open_engine(stack.enter_context(new_database(server)))
    stack.callback(engine.dispose)
    challenge_id = _fill(engine, size)
    chance = random.Random(size)

    def read(place: Place, number: int | None = None) -> Leaderboard:
        return read_leaderboard(
            engine,
            challenge_id,
            None if number is None else token_hash(number),
            around_me=number is not None,
            place=place,
            now=START,
        )

    first = Place(None, None, _PAGE)
    deep = [read(first, chance.randrange(size)).next for _ in range(20)]
    return {
        "first page": lambda: read(first),
        "deep page": lambda: read(Place(chance.choice(deep), None, _PAGE)),
        "around me": lambda: read(first, chance.randrange(size)),
        "a player's rank": lambda: read(Place(None, None, 1), chance.randrange(size)),
    }


def _fill(engine: Engine, size: int) -> str:
    """Set a challenge up in which so many have an attempt; give its id."""
    _insert(engine, players, (_player(number) for number in range(size)))
    view = create(engine, token_hash(0), {"title": "Bench", "variant": "cruel"}, START).view
    script = play("cruel", "bench-1", 0)
    shared = {**script.columns[0], "challenge_id": view.id, "attempt": 1, "ranks": True}
    shared["deadline"] = view.terms.ends_at
    _insert(engine, entries, (_entry(view.id, number) for number in range(size)))
    rows = (
        {
            **shared,
            "id": game_id(number),
            "owner": game_id(number),
            "entry_id": game_id(number),
            "standing": write_standing("actions", standing),
        }
        for number, standing in enumerate(_standings(size))
    )
    _insert(engine, games, rows)
    with engine.connect() as connection:
        connection.execute(challenges.update().values(entered=size, dealt=size))
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET statement_timeout = 0")
            connection.exec_driver_sql("VACUUM ANALYZE")
        else:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return view.id


def _player(number: int) -> dict[str, object]:
    player = {"id": game_id(number), "name": f"p{number}", "bot": False, "created_at": START}
    return {**player, "token_hash": token_hash(number)}


def _entry(challenge_id: str, number: int) -> dict[str, object]:
    return {
        "id": game_id(number),
        "challenge_id": challenge_id,
        "player_id": game_id(number),
        "entered_at": START,
        "dealt": 1,
        "deadline": START + 86_400_000,
        "disqualified_at": START if number % 100 == 1 else None,
    }


def _insert(engine: Engine, table: Any, rows: Iterator[dict[str, object]]) -> None:
    batch: list[dict[str, object]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            _write(engine, table, batch)
            batch = []
    if batch:
        _write(engine, table, batch)


def _write(engine: Engine, table: Any, batch: list[dict[str, object]]) -> None:
    with write_transaction(engine) as connection:
        connection.execute(insert(table), batch)


def _sorted_set(stack: ExitStack, url: str, size: int) -> dict[str, Ask]:
    redis: Any = Redis.from_url(url)
    stack.callback(redis.close)
    name = f"semilla-bench-{secrets.token_hex(6)}"
    stack.callback(redis.delete, name)
    scores: dict[str, float] = {}
    for number, standing in enumerate(_standings(size)):
        # What fits into a score of 53 bits.
        up, actions = standing.cards_up + 100 * standing.won, 99_999 - standing.actions
        scores[game_id(number)] = up * 1e12 + actions * 1e7 + (9_999_999 - standing.elapsed_ms)
        if len(scores) == _BATCH:
            redis.zadd(name, scores)
            scores = {}
    if scores:
        redis.zadd(name, scores)
    chance = random.Random(size)

    def page(start: int) -> Any:
        return redis.zrange(name, start, start + _PAGE - 1, desc=True, withscores=True)

    def rank() -> int:
        member = game_id(chance.randrange(size))
        better = redis.zcount(name, f"({redis.zscore(name, member)!r}", "+inf")
        return int(better) + 1

    def around() -> Any:
        place = redis.zrevrank(name, game_id(chance.randrange(size)))
        rank()
        return page(max(place - _PAGE // 2, 0))

    return {
        "first page": lambda: page(0),
        "deep page": lambda: page(chance.randrange(size)),
        "around me": around,
        "a player's rank": rank,
    }


if __name__ == "__main__":
    sys.exit(main())
