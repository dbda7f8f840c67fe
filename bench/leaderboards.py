"""What a page of a ranking costs with more and more entries, beside a Redis sorted set.

And what one of the ranking over the dailies costs, and what the index of the rankings adds to a
move in a challenge.

The use case is called in this process, one page of 50 a call, without HTTP. A third of the entries
stands at the opening, all tied; one in a hundred is disqualified. Who asks, and where the deep
pages begin, is drawn by chance over the whole ranking. Redis is asked for the members and scores of
the same places, which is less than a page tells: names and states it does not have. The sets are
made under names of their own and removed at the end.

The dailies are of a year, and each player has played 20 of them. "Added up anew" is what a process
does once for each day that has passed. Moves are played in two databases that differ by the index
alone, in turning order: the ratio is the median over the rounds of that within a round.
"""

import argparse
import random
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from statistics import median
from typing import Any

from redis import Redis

from bench.databases import new_database
from bench.games import START, game_id, token_hash
from bench.indexed_moves import measure_moves
from bench.ranking_rows import fill_dailies, fill_ranking, standings
from bench.report import Bound, Report, arguments, percentile, with_postgres
from service.db.engine import open_engine
from service.usecases.daily_leaderboards import ALL, WEEK, DailyRanking, rank_dailies
from service.usecases.daily_totals import daily_totals
from service.usecases.leaderboards import Leaderboard, read_leaderboard
from service.usecases.pages import Place

SIZES = (1_000, 10_000, 100_000)
BOUND_MS = 30.0
BOUND_UP_TO = 100_000
ANEW = "all, added up anew"
_PAGE = 50
_BATCH = 50_000

Ask = Callable[[], object]


def main(words: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 where a bound is missed and --check was said."""
    parser = arguments(__doc__, rounds=3, seconds=1.0)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="ranked entries")
    parser.add_argument("--million", action="store_true", help="a million entries too")
    parser.add_argument("--redis", metavar="URL", help="a Redis server too, as redis://host:6379/0")
    parser.add_argument("--dailies", type=int, default=BOUND_UP_TO, help="attempts at the dailies")
    parser.add_argument(
        "--moves", type=int, default=BOUND_UP_TO, help="entries where moves are made"
    )
    with_postgres(parser)
    args = parser.parse_args(words)
    servers = {"SQLite": None, **({"PostgreSQL": args.postgres} if args.postgres else {})}
    report = Report("leaderboards")
    for size in [*args.sizes, *([1_000_000] if args.million else [])]:
        with ExitStack() as stack:
            found = {name: _database(stack, server, size) for name, server in servers.items()}
            if args.redis:
                found["Redis"] = _sorted_set(stack, args.redis, size)
            _measure(report, f"{size:,} ranked", found, size, args)
    with ExitStack() as stack:
        found = {name: _dailies(stack, server, args.dailies) for name, server in servers.items()}
        _measure(report, f"{args.dailies:,} attempts", found, args.dailies, args)
    for name, server in servers.items():
        measure_moves(report, name, server, args.moves, args.rounds, args.seconds)
    report.show(as_json=args.json)
    return report.exit_status(check=args.check)


def _measure(
    report: Report,
    what: str,
    found: dict[str, dict[str, Ask]],
    size: int,
    args: argparse.Namespace,
) -> None:
    rows = []
    for question in found["SQLite"]:
        taken: dict[str, list[float]] = {name: [] for name in found}
        for _ in range(args.rounds):
            for name, asks in found.items():
                taken[name] += _times_ms(asks[question], args.seconds)
        beside = median(taken["Redis"]) if "Redis" in taken else None
        for name, times in taken.items():
            middle = median(times)
            ratio = "" if beside is None else f"{middle / beside:.1f}"
            cells = [f"{middle:.2f}", f"{percentile(times, 95):.2f}", ratio]
            rows.append([f"{question}, {name}", *cells])
            if name != "Redis" and question != ANEW and size <= BOUND_UP_TO:
                title = f"{question}, {name}, {what}, ms"
                report.bounds.append(Bound(title, middle, BOUND_MS, at_most=True))
    head = ["question", "p50 ms", "p95 ms", "times Redis"]
    report.table(f"A ranking with {what}", head, rows)


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


def _database(stack: ExitStack, server: str | None, size: int) -> dict[str, Ask]:
    engine = open_engine(stack.enter_context(new_database(server)))
    stack.callback(engine.dispose)
    challenge_id = fill_ranking(engine, size)
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


def _dailies(stack: ExitStack, server: str | None, attempts: int) -> dict[str, Ask]:
    engine = open_engine(stack.enter_context(new_database(server)))
    stack.callback(engine.dispose)
    fill_dailies(engine, attempts)

    def read(period: str, *, around_me: bool = False) -> DailyRanking:
        return rank_dailies(
            engine,
            "cruel",
            token_hash(0),
            period=period,
            around_me=around_me,
            place=Place(None, None, _PAGE),
            now=START,
        )

    def anew() -> DailyRanking:
        daily_totals(engine).clear()
        return read(ALL)

    return {
        "week": lambda: read(WEEK),
        "all": lambda: read(ALL),
        "all, around me": lambda: read(ALL, around_me=True),
        ANEW: anew,
    }


def _sorted_set(stack: ExitStack, url: str, size: int) -> dict[str, Ask]:
    redis: Any = Redis.from_url(url)
    stack.callback(redis.close)
    name = f"semilla-bench-{secrets.token_hex(6)}"
    stack.callback(redis.delete, name)
    scores: dict[str, float] = {}
    for number, standing in enumerate(standings(size)):
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
