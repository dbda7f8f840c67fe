"""What a move costs with more and more stored games: it should stay the same.

The use case ``playing.play`` is called in this process, one move a call, without HTTP, so what is
measured is the statements and the rules. The moves are spread by chance over the whole table, and
each finds that the process does not remember the game: the dearer kind of move. Each
database has a table of each size at the same time, in a file or database of its own, filled with
real histories of about 60 entries; each round measures each size once, in turning order. After the
fill everything is written out and, in PostgreSQL, vacuumed; what the system keeps of the files in
memory stays there, so a large table is read from memory more than from disk, but hardly ever from
SQLite's own cache. A ratio is the median over the rounds of the ratio within a round.
"""

import random
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median

from bench.cpu import cpu_seconds
from bench.databases import new_database, server_pids
from bench.games import START, Script, game_id, long_scripts, store, token_hash
from bench.report import Bound, Report, arguments, paired, with_postgres
from service.db.engine import Engine, open_engine
from service.usecases import playing
from service.usecases.recent_games import recent_games

SIZES = (1_000, 100_000, 1_000_000)
FLAT = 1.2
# Games are stored at these plies, and can be played on from the last of them for a while.
_PLIES = range(50, 70)
LONGEST = 110
_WARM_UP_MOVES = 50


@dataclass
class Table:
    """A table of some size, and what each round measured of moves there."""

    size: int
    engine: Engine
    moves: Iterator[tuple[int, str, int]]
    filled_seconds: float
    wall_us: list[float] = field(default_factory=list)
    cpu_us: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """Play moves for some seconds, a few before to warm up; keep what one took."""
        for _ in range(_WARM_UP_MOVES):
            self._play()
        backends = server_pids(self.engine)
        walls: list[float] = []
        cpu, start = time.process_time() + cpu_seconds(backends), time.perf_counter()
        before = now = start
        while now < start + seconds or not walls:
            self._play()
            before, now = now, time.perf_counter()
            walls.append(now - before)
        cpu = time.process_time() + cpu_seconds(backends) - cpu
        self.wall_us.append(median(walls) * 1e6)
        self.cpu_us.append(cpu / len(walls) * 1e6)

    def _play(self) -> None:
        number, move, ply = next(self.moves)
        # What the process remembers would hold all games of a small table, and none of a large one.
        recent_games(self.engine).clear()
        playing.play(self.engine, game_id(number), token_hash(number), [move], ply, _now(ply))


def main(words: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 where a bound is missed and --check was said."""
    parser = arguments(__doc__, rounds=10, seconds=1.0)
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, help="stored games, the fewest first"
    )
    with_postgres(parser)
    args = parser.parse_args(words)
    scripts = long_scripts(8, LONGEST)
    report = Report("growth")
    for server in (None, args.postgres) if args.postgres else (None,):
        with ExitStack() as stack:
            tables = [_filled(stack, server, size, scripts) for size in args.sizes]
            order = list(tables)
            for _ in range(args.rounds):
                for table in order:
                    table.measure(args.seconds)
                order.append(order.pop(0))
            _add(report, "PostgreSQL" if server else "SQLite", tables)
    report.show(as_json=args.json)
    return report.exit_status(check=args.check)


def _filled(stack: ExitStack, server: str | None, size: int, scripts: list[Script]) -> Table:
    engine = open_engine(stack.enter_context(new_database(server)))
    stack.callback(engine.dispose)
    start = time.perf_counter()
    store(engine, (columns_of(scripts, n) for n in range(size)))
    with engine.connect() as connection:
        if server:
            connection.exec_driver_sql("SET statement_timeout = 0")
            connection.exec_driver_sql("VACUUM ANALYZE games")
        else:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    moves = draw_moves(scripts, size)
    return Table(size, engine, moves, time.perf_counter() - start)


def columns_of(scripts: list[Script], number: int) -> dict[str, object]:
    """Give the columns of the stored game of a number."""
    return _script(scripts, number).columns[_ply(number)]


def _script(scripts: list[Script], number: int) -> Script:
    return scripts[number // len(_PLIES) % len(scripts)]


def _ply(number: int) -> int:
    return _PLIES[number % len(_PLIES)]


def _now(ply: int) -> int:
    return START + 3_600_000 + ply


def draw_moves(scripts: list[Script], size: int) -> Iterator[tuple[int, str, int]]:
    """Draw games by chance, and give of each the number, its next move and how many it has."""
    chance = random.Random(size)
    played: dict[int, int] = {}
    while True:
        number = chance.randrange(size)
        ply = _ply(number) + played.get(number, 0)
        if ply < LONGEST:
            played[number] = played.get(number, 0) + 1
            yield number, _script(scripts, number).moves[ply], ply


def _add(report: Report, database: str, tables: list[Table]) -> None:
    fewest = tables[0]
    rows = []
    for table in tables:
        ratios = {
            "wall": paired(table.wall_us, fewest.wall_us),
            "CPU": paired(table.cpu_us, fewest.cpu_us),
        }
        costs = [f"{median(costs):,.0f}" for costs in (table.wall_us, table.cpu_us)]
        shown = [f"{ratio:.2f}" for ratio in ratios.values()]
        rows.append([f"{table.size:,}", *costs, *shown, f"{table.filled_seconds:.0f}"])
        if table is not fewest:
            report.bounds += [
                Bound(
                    f"{kind} of a move, {database}, {table.size:,} games", ratio, FLAT, at_most=True
                )
                for kind, ratio in ratios.items()
            ]
    head = ["stored games", "p50 µs", "CPU µs", "wall ratio", "CPU ratio", "filled in s"]
    report.table(f"A move in {database}", head, rows)


if __name__ == "__main__":
    sys.exit(main())
