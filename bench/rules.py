"""How fast the rules are, without database and HTTP.

For each variant: legal moves, one of them applied, and the status after it, over positions of
games that seeded chance played. And the checked replay of a record of 300 actions. Beside the
times stand their multiples of a loop in plain Python that is timed in the same rounds: they hardly
hang on the machine, nor on what else runs there.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from statistics import median

from bench.games import Script, long_scripts, play
from bench.report import Bound, Report, arguments, paired
from service.rules import VARIANTS
from service.rules.record import Record

REPLAYED_ACTIONS = 300
REPLAY_MS = 3.0
_LONGEST = 60


def main(words: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 where a bound is missed and --check was said."""
    parser = arguments(__doc__, rounds=20, seconds=0.2)
    parser.add_argument("--games", type=int, default=20, help="played for the positions")
    args = parser.parse_args(words)
    played = {
        name: [play(name, f"bench-{number}", _LONGEST) for number in range(args.games)]
        for name in VARIANTS
    }
    works: dict[str, Callable[[], int]] = {
        "baseline": _baseline,
        "replay": partial(_replay, long_record(REPLAYED_ACTIONS)),
        **{name: partial(_walk, scripts) for name, scripts in played.items()},
    }
    each_us: dict[str, list[float]] = {name: [] for name in works}
    for number in range(args.rounds):
        for name in _rotated(list(works), number):
            each_us[name].append(_time_us(works[name], args.seconds))
    report = _report(each_us, {name: _positions(scripts) for name, scripts in played.items()})
    report.show(as_json=args.json)
    return report.exit_status(check=args.check)


def long_record(actions: int) -> Record:
    """Give the record of a game of Cruel of so many actions, redeals among them."""
    script = long_scripts(1, actions)[0]
    opening = script.games[0]
    algorithm = str(script.columns[0]["deal_algorithm"])
    moves = tuple(script.moves)
    return Record("cruel", opening.rules, script.seed, algorithm, None, opening.undo, moves)


def _rotated(names: list[str], by: int) -> list[str]:
    by %= len(names)
    return names[by:] + names[:by]


def _time_us(work: Callable[[], int], seconds: float) -> float:
    """Do the work for some seconds; give the µs that each of the things it counts has taken."""
    done, start = 0, time.perf_counter()
    while (now := time.perf_counter()) < start + seconds or not done:
        done += work()
    return (now - start) / done * 1e6


def _baseline() -> int:
    """Split, look up, join and compare: what such rules are made of, and none of their code."""
    ranks = {rank: number for number, rank in enumerate("A23456789TJQK")}
    for pile in "AC 2C 3D 4D / 5H 6H 7S 8S / 9C TC JD QD".split(" / ") * 20:
        cards = pile.split(" ")
        fits = [a for a, b in pairwise(cards) if ranks[a[0]] + 1 == ranks[b[0]]]
        sorted([*fits, " ".join(cards)])
    return 1


def _replay(record: Record) -> int:
    game, failure = record.replay()
    if failure or game.ply != REPLAYED_ACTIONS:
        message = f"the game does not replay: {failure}"
        raise RuntimeError(message)
    return 1


def _walk(scripts: list[Script]) -> int:
    for script in scripts:
        rules = script.games[0].rules
        for game, move in zip(script.games, script.moves, strict=False):
            rules.moves(game.position)
            rules.status(rules.apply(game.position, move))
    return _positions(scripts)


def _positions(scripts: list[Script]) -> int:
    return sum(len(script.moves) for script in scripts)


def _report(each_us: dict[str, list[float]], positions: dict[str, int]) -> Report:
    base = each_us["baseline"]
    rows = [
        [
            name,
            f"{count}",
            f"{1e6 / median(each_us[name]):,.0f}",
            f"{median(each_us[name]):.1f}",
            f"{paired(each_us[name], base):.3f}",
        ]
        for name, count in positions.items()
    ]
    report = Report("the rules")
    head = ["variant", "positions", "per second", "µs each", "of the baseline"]
    report.table("Legal moves, one applied, and the status", head, rows)
    replay_ms = median(each_us["replay"]) / 1_000
    times = [f"{replay_ms:.2f}", f"{paired(each_us['replay'], base):.1f}"]
    head = ["actions", "ms", "of the baseline"]
    report.table("Checked replay", head, [[f"{REPLAYED_ACTIONS}", *times]])
    report.table("Baseline", ["µs"], [[f"{median(base):.1f}"]])
    report.bounds.append(Bound("replay of 300 actions, ms", replay_ms, REPLAY_MS, at_most=True))
    return report


if __name__ == "__main__":
    sys.exit(main())
