"""How many deals of Calculation the solver wins in which time, and how good and quick hints are.

The deals are those of the seeds `census-1`, `census-2` …, each searched for a line for so many
seconds at most; games that follow every hint are those of `hint-1` ….
"""

import sys
from statistics import median
from time import perf_counter, process_time

from bench.report import Bound, Report, arguments, percentile
from service.rules.calculation import Calculation
from service.rules.family import Status
from service.solver import solve
from service.solver.calculation_hint import hint
from service.solver.solution import Budget, Goal, Solution

WON_PERCENT = {0.3: 85.0, 1.0: None, 4.0: 95.0}
HINT_MS = 100.0
_RULES = Calculation()


def main(words: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 where a bound is missed and --check was said."""
    parser = arguments(__doc__, rounds=1, seconds=4.0)
    parser.add_argument("--deals", type=int, default=200, help="searched for a line")
    parser.add_argument("--games", type=int, default=20, help="played by hints alone")
    args = parser.parse_args(words)
    _solved("warm-up", 1.0)  # compiles what is not compiled yet
    report = Report("the solver of Calculation")
    _deals(report, args.deals, args.rounds, args.seconds)
    _games(report, args.games)
    report.show(as_json=args.json)
    return report.exit_status(check=args.check)


def _deals(report: Report, deals: int, rounds: int, seconds: float) -> None:
    """Solve the deals, and report in which time how many were won, and by how long lines."""
    seeds = [f"census-{number}" for number in range(1, deals + 1)]
    tries = [[_solved(seed, seconds) for _ in range(rounds)] for seed in seeds]
    took = [median(each for _, each in of_one) for of_one in tries]
    found = [of_one[-1][0] for of_one in tries]
    rows = []
    for limit, percent in WON_PERCENT.items():
        pairs = zip(found, took, strict=True)
        won = [solution for solution, each in pairs if solution.line and each <= limit]
        share = 100 * len(won) / deals
        lengths = [len(solution.line or ()) for solution in won]
        middle = f"{median(lengths):.0f}" if lengths else "-"
        rows.append([f"{limit} s", f"{deals}", f"{len(won)}", f"{share:.1f}", middle])
        if percent is not None:
            report.bounds.append(Bound(f"deals won in {limit} s, percent", share, percent))
    report.table("Deals won", ["within", "deals", "won", "percent", "actions, median"], rows)
    nodes = sum(solution.nodes for solution in found)
    report.table(
        "The search",
        ["nodes", "nodes per second", "longest, s"],
        [[f"{nodes}", f"{nodes / sum(took):,.0f}", f"{max(took):.2f}"]],
    )


def _games(report: Report, games: int) -> None:
    """Play games by hints alone, and report how long these took and how the games ended."""
    each_ms: list[float] = []
    cpu_ms: list[float] = []
    won, cards_up = 0, 0
    for number in range(1, games + 1):
        position = _RULES.opening("deal/1", f"hint-{number}")
        while _RULES.status(position) is Status.IN_PROGRESS:
            start, worked = perf_counter(), process_time()
            given = hint(_RULES, position)
            each_ms.append((perf_counter() - start) * 1000)
            cpu_ms.append((process_time() - worked) * 1000)
            if given.move is None:
                break
            position = _RULES.apply(position, given.move)
        won += _RULES.status(position) is Status.WON
        cards_up += _RULES.cards_up(position)
    p99 = percentile(each_ms, 99)
    report.table(
        "Games by hints alone",
        ["games", "won", "cards up", "hints", "p50 ms", "p99 ms", "CPU p99 ms"],
        [
            [
                f"{games}",
                f"{won}",
                f"{cards_up / games:.1f}",
                f"{len(each_ms)}",
                f"{percentile(each_ms, 50):.0f}",
                f"{p99:.0f}",
                f"{percentile(cpu_ms, 99):.0f}",
            ]
        ],
    )
    report.bounds.append(Bound("hint p99, ms", p99, HINT_MS, at_most=True))


def _solved(seed: str, seconds: float) -> tuple[Solution, float]:
    opening, budget = _RULES.opening("deal/1", seed), Budget(ms=int(seconds * 1000))
    start = perf_counter()
    solution = solve(_RULES, opening, Goal.LINE, budget)
    return solution, perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
