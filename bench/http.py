"""How fast requests are, under two gunicorn workers.

Targets: durable moves (POST /v1/games/{id}/moves, one move each), where each connection plays a
game of its own as players do, and where moves of many games come over any connection; reads of a
game, a small JSON route of the same application behind the same middleware, and a bare Flask
application; all but the last on SQLite with synchronous FULL and NORMAL, and on PostgreSQL. All
servers run at once. Each round measures each target once, in turning order, with a fixed number of
kept connections in a closed loop; a ratio is the median over the rounds of the ratio of throughputs
within a round.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle
from statistics import median

from bench.apps import SMALL
from bench.cpu import cpu_seconds
from bench.databases import folder, new_database, server_pids
from bench.games import Script, game_id, long_scripts, store, token
from bench.load import connect, run
from bench.report import Bound, Report, arguments, paired, percentile, with_postgres
from bench.servers import serve
from service.db.engine import Engine, open_engine

# Moves stored before the first round, and moves left to play, at least.
STORED = 40
_LEFT = 40
# More moves a second than any machine here makes: what the games must last for.
_MOVES_A_SECOND = 5_000
_WARM_UP_SECONDS = 0.1
_NO_MOVE_LEFT = RuntimeError("no move is left: measure for less time")

# At least: of the throughput of the small route, by database; the small route of the bare one.
MOVE_BOUNDS = {"SQLite FULL": 0.45, "SQLite NORMAL": 0.65, "PostgreSQL": 0.45}
GET_BOUND = 0.5
SMALL_BOUND = 0.7


@dataclass
class Target:
    """One kind of request to one server, and what each round measured."""

    name: str
    port: int
    requests: Sequence[Iterator[bytes]]
    database: Engine | None = None
    per_second: list[float] = field(default_factory=list)
    cpu_us: list[float] = field(default_factory=list)
    database_us: list[float] = field(default_factory=list)
    client_share: list[float] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)

    def measure(self, seconds: float, connections: int) -> None:
        """Send requests for some seconds, and a few before to warm up; keep what that took."""
        # Whichever worker has them, a connection goes on with what it was at.
        for timed in (False, True):
            opened, workers = connect(self.port, small(), connections)
            backends = server_pids(self.database) if self.database else []
            before = cpu_seconds(workers), cpu_seconds(backends)
            load = run(opened, self.requests, seconds if timed else _WARM_UP_SECONDS)
            after = cpu_seconds(workers), cpu_seconds(backends)
        served = len(load.latencies_ms)
        self.per_second.append(served / load.seconds)
        self.cpu_us.append((after[0] - before[0]) / served * 1e6)
        self.database_us.append((after[1] - before[1]) / served * 1e6)
        self.client_share.append(load.client_cpu_seconds / load.seconds)
        self.latencies_ms += load.latencies_ms

    def cells(self) -> list[str]:
        """Give the row of a table."""
        return [
            self.name,
            f"{median(self.per_second):,.0f}",
            f"{median(self.cpu_us):,.0f}",
            f"{median(self.database_us):,.0f}",
            f"{percentile(self.latencies_ms, 50):.1f}",
            f"{percentile(self.latencies_ms, 99):.1f}",
            f"{median(self.client_share):.0%}",
        ]


def main(words: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 where a bound is missed and --check was said."""
    parser = arguments(__doc__, rounds=9, seconds=1.0)
    parser.add_argument("--connections", type=int, default=8, help="kept open at once, even")
    with_postgres(parser)
    args = parser.parse_args(words)
    with ExitStack() as stack:
        scripts = long_scripts(8, STORED + _LEFT)
        # A round has a warm-up too; each target draws from games of its own database.
        moves = int(args.rounds * (args.seconds + _WARM_UP_SECONDS) * _MOVES_A_SECOND)
        games = max(2 * moves // _LEFT, 400)
        targets = _targets(stack, args, scripts, games)
        order = list(targets.values())
        for _ in range(args.rounds):
            for target in order:
                target.measure(args.seconds, args.connections)
            order.append(order.pop(0))
    report = _report(targets)
    report.show(as_json=args.json)
    return report.exit_status(check=args.check)


def _targets(
    stack: ExitStack, args: Namespace, scripts: list[Script], count: int
) -> dict[str, Target]:
    """Start the servers, each with games of its own, and give what to ask of them."""
    logs = stack.enter_context(folder())
    databases: dict[str, tuple[str | None, dict[str, str]]] = {
        "SQLite FULL": (None, {"SQLITE_SYNCHRONOUS": "FULL"}),
        "SQLite NORMAL": (None, {"SQLITE_SYNCHRONOUS": "NORMAL"}),
    }
    if args.postgres:
        databases["PostgreSQL"] = (args.postgres, {})
    smalls, targets = [cycle([small()])] * args.connections, []
    for name, (server, settings) in databases.items():
        url = stack.enter_context(new_database(server))
        engine = open_engine(url)
        stack.callback(engine.dispose)
        store(engine, (script_of(scripts, n).columns[n % STORED] for n in range(count)))
        settings["DATABASE_URL"] = url.render_as_string(hide_password=False)
        port = stack.enter_context(serve("semilla", logs / f"{name}.log", **settings))
        own = count // 2
        targets += [
            Target(f"move, {name}", port, own_moves(scripts, own, args.connections), engine),
            Target(
                f"move of any game, {name}",
                port,
                [_moves(scripts, own, count)] * args.connections,
                engine,
            ),
            Target(f"GET, {name}", port, [_gets(count)] * args.connections, engine),
            Target(f"(a) small route, {name}", port, smalls),
        ]
    port = stack.enter_context(serve("bare", logs / "bare.log"))
    targets.append(Target("(b) bare Flask", port, smalls))
    return {target.name: target for target in targets}


def script_of(scripts: list[Script], number: int) -> Script:
    """Give the script of a stored game; games of one script stand at different plies."""
    return scripts[number // STORED % len(scripts)]


def _head(method: str, path: str, number: int | None = None) -> str:
    bearer = "" if number is None else f"Authorization: Bearer {token(number)}\r\n"
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n"
        f"User-Agent: semilla-bench\r\n{bearer}"
    )


def small() -> bytes:
    """Give a request of the small route."""
    return f"{_head('GET', SMALL)}\r\n".encode()


def _gets(count: int) -> Iterator[bytes]:
    """Read every game in turn, as who plays it."""
    numbers = cycle(range(count))
    return (f"{_head('GET', f'/v1/games/{game_id(n)}', n)}\r\n".encode() for n in numbers)


def own_moves(scripts: list[Script], count: int, connections: int) -> list[Iterator[bytes]]:
    """Let each connection play on games of its own, one after the other, as players do."""

    def own(first: int) -> Iterator[bytes]:
        for number in range(first, count, connections):
            for played in range(_LEFT):
                yield _move(scripts, number, played)
        raise _NO_MOVE_LEFT

    return [own(first) for first in range(connections)]


def _moves(scripts: list[Script], first: int, end: int) -> Iterator[bytes]:
    """Play every game on by a move in turn, whichever connection is free."""
    for played in range(_LEFT):
        for number in range(first, end):
            yield _move(scripts, number, played)
    raise _NO_MOVE_LEFT


def _move(scripts: list[Script], number: int, played: int) -> bytes:
    ply = number % STORED + played
    body = f'{{"moves":["{script_of(scripts, number).moves[ply]}"],"at":{ply}}}'
    head = _head("POST", f"/v1/games/{game_id(number)}/moves", number)
    kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}{kind}\r\n{body}".encode()


def _report(targets: dict[str, Target]) -> Report:
    report = Report("requests")
    head = [
        "target",
        "requests/s",
        "CPU µs",
        "database's CPU µs",
        "p50 ms",
        "p99 ms",
        "client's share of a core",
    ]
    report.table("Each kind of request", head, [target.cells() for target in targets.values()])
    bare = targets["(b) bare Flask"]
    pairs: list[tuple[str, Target, Target, float | None]] = []
    for name, bound in MOVE_BOUNDS.items():
        small = targets.get(f"(a) small route, {name}")
        if small:
            any_game = targets[f"move of any game, {name}"]
            pairs += [
                (f"move/(a), {name}", targets[f"move, {name}"], small, bound),
                (f"move of any game/(a), {name}", any_game, small, None),
                (f"GET/(a), {name}", targets[f"GET, {name}"], small, GET_BOUND),
                (f"(a)/(b), {name}", small, bare, SMALL_BOUND),
            ]
    rows = []
    for name, target, base, bound in pairs:
        ratio = paired(target.per_second, base.per_second)
        # Less CPU is better: turned over, so that both ratios read alike.
        rows.append([name, f"{ratio:.2f}", f"{paired(base.cpu_us, target.cpu_us):.2f}"])
        if bound is not None:
            report.bounds.append(Bound(name, ratio, bound))
    head = ["ratio", "requests/s", "CPU per request"]
    report.table("All ratios, for information", head, rows)
    return report


if __name__ == "__main__":
    sys.exit(main())
