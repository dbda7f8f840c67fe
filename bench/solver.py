"""How many deals the solver decides, how fast, and how short its lines are.

The deals are fixed: those of the seeds census-1, census-2 … of each set of rules. Beside the
measured time stands what it took of the processor, which hangs less on what else runs there.
"""

import argparse
import sys
import time
from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

from bench.report import Bound, Report
from service.rules import VARIANTS
from service.solver import Budget, Engine, Goal, Solution, Verdict, solve
from service.solver.census_summary import Share
from service.solver.engines import default_engine

ENOUGH_S, SOON_S, AT_ONCE_S = 10.0, 1.0, 0.2
LINES, QUICK_LINES = 100, 10
QUICK = 100
NEAR = 2


class Deals(NamedTuple):
    """Deals under the same rules, and which percentages are asked for in 1 s and in 10 s."""

    variant: str
    options: Mapping[str, int]
    deals: int
    soon: float | None
    in_time: float | None

    @property
    def name(self) -> str:
        """The variant, and its limit where that is not the usual one."""
        return " ".join([self.variant, *map(str, self.options.values())])


class Timed(NamedTuple):
    """An answer, the seconds that it took, and those of the processor."""

    solution: Solution
    wall_s: float
    cpu_s: float


SETS = (
    Deals("cruel", {}, 5_000, 99.5, 99.7),
    Deals("cruel-strict", {}, 5_000, 100, None),
    Deals("ripple-fan", {}, 5_000, 100, None),
    Deals("limited-cruel", {}, 1_000, None, 98.5),
    Deals("limited-cruel", {"redeal_limit": 5}, 1_000, None, 98.5),
    Deals("royal-family", {}, 1_000, None, 98.5),
    Deals("cruel-pysol", {}, 1_000, None, 98.5),
)


def main(words: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 where a bound is missed and --check was said."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} deals of each set")
    parser.add_argument("--deals", type=int, help="so many deals of each set at most")
    parser.add_argument("--lines", type=int, help=f"so many shortest lines instead of {LINES}")
    parser.add_argument("--seconds", type=float, default=ENOUGH_S, help="of each search")
    parser.add_argument(
        "--engine", type=Engine, choices=list(Engine), default=default_engine(), help="it runs on"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    args = parser.parse_args(words)
    most = args.deals or (QUICK if args.quick else max(deals.deals for deals in SETS))
    lines = args.lines or (QUICK_LINES if args.quick else LINES)
    # Whatever is compiled on first use.
    _timed(SETS[0], 1, Goal.SHORTEST, 0, args.engine)
    report = Report("the solver")
    rows = []
    for deals in SETS:
        numbers = range(1, min(most, deals.deals) + 1)
        found = [_timed(deals, n, Goal.VERDICT, args.seconds, args.engine) for n in numbers]
        rows.append(_row(deals, found))
        report.bounds += _bounds(deals, found)
    head = ["deals of", "deals", "winnable", "winnable %", "unknown", "median ms"]
    report.table("Verdicts", [*head, "CPU median ms", "slowest s", "CPU slowest s"], rows)
    _lines(report, lines, args.seconds, args.engine)
    report.show(as_json=args.json)
    return report.exit_status(check=args.check)


def _timed(deals: Deals, number: int, goal: Goal, seconds: float, engine: Engine) -> Timed:
    rules = VARIANTS[deals.variant].configured(deals.options, None)
    position = rules.opening("deal/1", f"census-{number}")
    budget = Budget(ms=round(seconds * 1_000))
    wall, cpu = time.perf_counter(), time.process_time()
    solution = solve(rules, position, goal, budget, engine=engine)
    return Timed(solution, time.perf_counter() - wall, time.process_time() - cpu)


def _row(deals: Deals, found: list[Timed]) -> list[str]:
    decided = [one for one in found if one.solution.verdict is not Verdict.UNKNOWN]
    won = sum(one.solution.verdict is Verdict.WINNABLE for one in decided)
    winnable = Share(won, len(decided))
    low, high = winnable.interval
    return [
        deals.name,
        f"{len(found)}",
        f"{won}",
        f"{winnable.percent:.1f} ({low:.1f} to {high:.1f})",
        f"{len(found) - len(decided)}",
        f"{median(one.wall_s for one in found) * 1_000:.2f}",
        f"{median(one.cpu_s for one in found) * 1_000:.2f}",
        f"{max(one.wall_s for one in found):.2f}",
        f"{max(one.cpu_s for one in found):.2f}",
    ]


def _bounds(deals: Deals, found: list[Timed]) -> list[Bound]:
    decided = [one.wall_s for one in found if one.solution.verdict is not Verdict.UNKNOWN]
    asked = ((SOON_S, deals.soon), (ENOUGH_S, deals.in_time))
    return [
        Bound(
            f"{deals.name}: decided in {seconds:g} s, %",
            Share(sum(taken <= seconds for taken in decided), len(found)).percent,
            least,
        )
        for seconds, least in asked
        if least is not None
    ]


def _lines(report: Report, count: int, seconds: float, engine: Engine) -> None:
    """Ask twice for the shortest lines of the first winnable deals of Cruel."""
    near, proven, taken, lengths = 0, 0, [], []
    number = 0
    while len(lengths) < count:
        number += 1
        first = _timed(SETS[0], number, Goal.SHORTEST, AT_ONCE_S, engine).solution.length
        if first is None:
            continue
        best = _timed(SETS[0], number, Goal.SHORTEST, seconds, engine)
        length = best.solution.length or first
        near += first <= min(length, first) + NEAR
        proven += best.solution.proven_shortest
        lengths.append(length)
        taken.append(best.cpu_s)
    row = [f"{count}", f"{min(lengths)} to {max(lengths)}", f"{proven}", f"{median(taken):.2f}"]
    head = ["winnable deals", "actions", "proven shortest", "CPU median s"]
    report.table("Shortest lines", head, [row])
    report.bounds += [
        Bound(f"within {NEAR} of the best in {AT_ONCE_S:g} s, %", Share(near, count).percent, 90),
        Bound(f"proven shortest in {ENOUGH_S:g} s, %", Share(proven, count).percent, 95),
    ]


if __name__ == "__main__":
    sys.exit(main())
