"""What a search takes from those who play meanwhile, and how long a hint takes, over HTTP.

Under two gunicorn workers on SQLite, moves are offered at half the rate at which they saturate the
workers: alone, then while one client after the other has a deal solved for as long as a search may
take. Each round measures both, and a ratio is the median over the rounds. A latency counts from
when the time of a move had come, so that waiting for a connection is part of it. Hints are asked
for one at a time, each for a position of its own.
"""

import http.client
import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from itertools import count
from statistics import median
from threading import Event, Thread

from bench.databases import folder, new_database
from bench.games import game_id, long_scripts, store, token
from bench.http import STORED, own_moves, script_of, small
from bench.load import Load, connect, run, run_at
from bench.report import Bound, Report, arguments, paired, percentile
from bench.servers import serve
from service.db.engine import Engine, open_engine

CONNECTIONS = 8
THROUGHPUT, P99, HINT_MS = 0.8, 2.0, 100.0
SEARCHED = ("cruel", "calculation")
_LEFT = 40
_GAMES = 20_000
# Positions for hints, from the opening on, in games of each variant.
_HINT_PLIES = 40


def main(words: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 where a bound is missed and --check was said."""
    parser = arguments(__doc__, rounds=5, seconds=3.0)
    parser.add_argument("--hints", type=int, default=400, help="asked for of each variant")
    parser.add_argument("--search-ms", type=int, default=10_000, help="what a search may take")
    parser.add_argument("--games", type=int, default=_GAMES, help="stored for the moves")
    args = parser.parse_args(words)
    report = Report("a search beside moves, and of hints")
    with ExitStack() as stack:
        logs = stack.enter_context(folder())
        url = stack.enter_context(new_database(None))
        engine = open_engine(url)
        stack.callback(engine.dispose)
        scripts = long_scripts(8, STORED + _LEFT)
        store(engine, (script_of(scripts, n).columns[n % STORED] for n in range(args.games)))
        hints = _store_hints(engine, args.games, args.hints)
        settings = {
            "DATABASE_URL": url.render_as_string(hide_password=False),
            "RATE_LIMIT_CREATE": "1000000",
        }
        port = stack.enter_context(serve("semilla", logs / "beside.log", **settings))
        moves = own_moves(scripts, args.games, CONNECTIONS)
        _beside(report, port, moves, args)
        _hints(report, port, hints)
    report.show(as_json=args.json)
    return report.exit_status(check=args.check)


def _beside(report: Report, port: int, moves: list[Iterator[bytes]], args: Namespace) -> None:
    found: dict[str, list[Load]] = {name: [] for name in ("alone", *SEARCHED)}
    rates = []
    for _ in range(args.rounds):
        saturated = run(connect(port, small(), CONNECTIONS)[0], moves, args.seconds)
        rates.append(len(saturated.latencies_ms) / saturated.seconds)
        for name, loads in found.items():
            with ExitStack() as stack:
                if name in SEARCHED:
                    stack.enter_context(_searching(port, name, args.search_ms))
                opened = connect(port, small(), CONNECTIONS)[0]
                loads.append(run_at(opened, moves, args.seconds, rates[-1] / 2))
    rows = [["saturated", f"{median(rates):,.0f}", "", ""]]
    answered = {name: [len(one.latencies_ms) for one in loads] for name, loads in found.items()}
    slowest = {
        name: [percentile(one.latencies_ms, 99) for one in loads] for name, loads in found.items()
    }
    for name, loads in found.items():
        each = [ms for one in loads for ms in one.latencies_ms]
        per_second = median(answered[name]) / args.seconds
        p50, p99 = percentile(each, 50), median(slowest[name])
        title = "alone" if name == "alone" else f"beside a search of {name}"
        rows.append([title, f"{per_second:,.0f}", f"{p50:.1f}", f"{p99:.1f}"])
    report.table("Moves at half the saturated rate", ["", "moves/s", "p50 ms", "p99 ms"], rows)
    for name in SEARCHED:
        share = paired(answered[name], answered["alone"])
        slower = paired(slowest[name], slowest["alone"])
        report.bounds += [
            Bound(f"moves beside a search of {name} to alone", share, THROUGHPUT),
            Bound(f"p99 beside a search of {name} to alone", slower, P99, at_most=True),
        ]


@contextmanager
def _searching(port: int, variant: str, budget_ms: int) -> Iterator[None]:
    """Have deals solved one after the other, the shortest lines, which takes all the time given."""
    ended = Event()

    def search() -> None:
        for number in count(1):
            asked = {"variant": variant, "seed": f"beside-{number}", "goal": "shortest"}
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            body = json.dumps({**asked, "budget_ms": budget_ms})
            client.request("POST", "/v1/solve", body, {"Content-Type": "application/json"})
            client.getresponse().read()
            client.close()
            if ended.is_set():
                return

    thread = Thread(target=search)
    thread.start()
    try:
        yield
    finally:
        # The last search goes on until its budget is spent, and the next round has no other.
        ended.set()
        thread.join()


def _store_hints(engine: Engine, first: int, count_each: int) -> dict[str, range]:
    """Store games to ask for hints in, behind those for moves; give their numbers by variant."""
    numbers = {}
    for variant in SEARCHED:
        scripts = long_scripts(8, _HINT_PLIES, variant)
        columns = (
            scripts[n % len(scripts)].columns[n // len(scripts) % _HINT_PLIES]
            for n in range(count_each)
        )
        store(engine, columns, first)
        numbers[variant] = range(first, first + count_each)
        first += count_each
    return numbers


def _hints(report: Report, port: int, numbers: dict[str, range]) -> None:
    rows = []
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for variant, ours in numbers.items():
        latencies: list[float] = []
        for number in ours:
            headers = {"Authorization": f"Bearer {token(number)}"}
            start = time.perf_counter()
            client.request("GET", f"/v1/games/{game_id(number)}/hint", headers=headers)
            reply = client.getresponse()
            reply.read()
            latencies.append((time.perf_counter() - start) * 1e3)
            if reply.status != HTTPStatus.OK:
                message = f"no hint: {reply.status}"
                raise RuntimeError(message)
        cells = [f"{percentile(latencies, percent):.1f}" for percent in (50, 95, 99)]
        rows.append([variant, f"{len(latencies)}", *cells])
        p99 = percentile(latencies, 99)
        report.bounds.append(Bound(f"hint in {variant}, p99 ms", p99, HINT_MS, at_most=True))
    client.close()
    report.table("Hints", ["variant", "hints", "p50 ms", "p95 ms", "p99 ms"], rows)


if __name__ == "__main__":
    sys.exit(main())
