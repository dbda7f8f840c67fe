"""What the index of the rankings adds to a move in a challenge."""

import time
from contextlib import ExitStack
from statistics import median

from bench.databases import new_database
from bench.games import Script, long_scripts
from bench.growth import LONGEST, Table, columns_of, draw_moves
from bench.ranking_rows import fill_ranking
from bench.report import Bound, Report, paired
from service.db.engine import open_engine

_AT_MOST = 1.1


def measure_moves(
    report: Report, name: str, server: str | None, size: int, rounds: int, seconds: float
) -> None:
    """Play moves in a challenge of so many with the index and in one without, in turning order."""
    scripts = long_scripts(8, LONGEST)
    with ExitStack() as stack:
        indexed = _challenge(stack, server, size, scripts)
        bare = _challenge(stack, server, size, scripts)
        with bare.engine.connect() as connection:
            connection.exec_driver_sql("DROP INDEX ix_games_standing")
        order = [indexed, bare]
        for _ in range(rounds):
            for table in order:
                table.measure(seconds)
            order.reverse()
    walls, cpus = (indexed.wall_us, bare.wall_us), (indexed.cpu_us, bare.cpu_us)
    rows = [
        [f"{kind}, {name}", *(f"{median(each):,.0f}" for each in both), f"{paired(*both):.2f}"]
        for kind, both in (("wall", walls), ("CPU", cpus))
    ]
    head = ["cost", "with the index µs", "without µs", "ratio"]
    report.table(f"A move in a challenge of {size:,}, {name}", head, rows)
    title = f"CPU of a move, {name}, with the index to without"
    report.bounds.append(Bound(title, paired(*cpus), _AT_MOST, at_most=True))


def _challenge(stack: ExitStack, server: str | None, size: int, scripts: list[Script]) -> Table:
    engine = open_engine(stack.enter_context(new_database(server)))
    stack.callback(engine.dispose)
    start = time.perf_counter()
    fill_ranking(engine, size, lambda number: columns_of(scripts, number))
    return Table(size, engine, draw_moves(scripts, size), time.perf_counter() - start)
