"""The measuring programs run, print all that they promise, and clean up.

What they measure no test asserts.
"""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench import solver
from bench.report import Bound, Report
from service.rules import VARIANTS
from service.solver.census_summary import Share
from tests.postgres import server_url

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ("rules", "calculation_solver", "beside", "http", "growth", "leaderboards")
WITHOUT_DATABASE = ("rules", "calculation_solver", "beside")
QUESTIONS = ("first page", "deep page", "around me", "a player's rank")
DAILY_QUESTIONS = ("week", "all", "all, around me", "all, added up anew")

RATIOS = {
    "rules": {"replay of 300 actions, ms": "≤ 3"},
    "calculation_solver": {
        "deals won in 0.3 s, percent": "≥ 85",
        "deals won in 4.0 s, percent": "≥ 95",
        "hint p99, ms": "≤ 100",
    },
    "beside": {
        **{
            f"{what} beside a search of {variant} to alone": bound
            for variant in ("cruel", "calculation")
            for what, bound in (("moves", "≥ 0.8"), ("p99", "≤ 2"))
        },
        "hint in cruel, p99 ms": "≤ 100",
        "hint in calculation, p99 ms": "≤ 100",
    },
    "http": {
        "move/(a), SQLite FULL": "≥ 0.45",
        "GET/(a), SQLite FULL": "≥ 0.5",
        "(a)/(b), SQLite FULL": "≥ 0.7",
        "move/(a), SQLite NORMAL": "≥ 0.65",
        "GET/(a), SQLite NORMAL": "≥ 0.5",
        "(a)/(b), SQLite NORMAL": "≥ 0.7",
        "move/(a), PostgreSQL": "≥ 0.45",
        "GET/(a), PostgreSQL": "≥ 0.5",
        "(a)/(b), PostgreSQL": "≥ 0.7",
    },
    "growth": {
        f"{kind} of a move, {database}, {size} games": "≤ 1.2"
        for database in ("SQLite", "PostgreSQL")
        for size in ("40", "60")
        for kind in ("wall", "CPU")
    },
    "leaderboards": {
        **{
            f"{question}, {database}, {size} ranked, ms": "≤ 30"
            for size in ("20", "40")
            for question in QUESTIONS
            for database in ("SQLite", "PostgreSQL")
        },
        **{
            f"{question}, {database}, 60 attempts, ms": "≤ 30"
            for question in ("week", "all", "all, around me")
            for database in ("SQLite", "PostgreSQL")
        },
        **{
            f"CPU of a move, {database}, with the index to without": "≤ 1.1"
            for database in ("SQLite", "PostgreSQL")
        },
    },
}
DATABASES = ("SQLite FULL", "SQLite NORMAL", "PostgreSQL")
ROWS = {
    "rules": [*VARIANTS, "300"],
    "calculation_solver": ["0.3 s", "1.0 s", "4.0 s", "1"],
    "beside": [
        "saturated",
        "alone",
        "beside a search of cruel",
        "beside a search of calculation",
        "cruel",
        "calculation",
    ],
    "http": [
        *(f"{what}, {name}" for name in DATABASES for what in ("move", "GET", "(a) small route")),
        "(b) bare Flask",
    ],
    "growth": ["20", "40", "60"] * 2,
    "leaderboards": [
        f"{what}, {name}"
        for what in (*QUESTIONS, *DAILY_QUESTIONS, "wall", "CPU")
        for name in ("SQLite", "PostgreSQL")
    ],
}
WORDS = {
    "rules": ["--games", "1", "--seconds", "0.01"],
    "calculation_solver": ["--games", "1", "--seconds", "0.01", "--deals", "2"],
    "beside": ["--seconds", "0.2", "--hints", "3", "--games", "2000", "--search-ms", "100"],
    "http": ["--seconds", "0.2", "--connections", "2"],
    "growth": ["--seconds", "0.05", "--sizes", "20", "40", "60"],
    "leaderboards": [
        "--seconds",
        "0.05",
        "--sizes",
        "20",
        "40",
        "--dailies",
        "60",
        "--moves",
        "30",
    ],
}


def run(program, *words, folder):
    """Run a program at a tiny size; give its exit status and what it printed."""
    postgres = [] if program in WITHOUT_DATABASE else ["--postgres", server_url()]
    command = [sys.executable, "-m", f"bench.{program}", "--rounds", "1"]
    done = subprocess.run(
        [*command, *WORDS[program], *postgres, *words],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""
    return done.returncode, done.stdout


def rows(printed):
    """Give the cells of every row of the printed tables."""
    lines = [line for line in printed.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_prints_every_line_that_it_promises_and_leaves_nothing(program, tmp_path):
    status, printed = run(program, "--check", folder=tmp_path)
    cells = rows(printed)
    firsts = [row[0] for row in cells]
    for first in (*ROWS[program], *RATIOS[program]):
        assert firsts.count(first) >= [*ROWS[program], *RATIOS[program]].count(first), first
    verdicts = {row[0]: row[1:] for row in cells if row[-1] in ("ok", "MISSED")}
    assert {name: bound for name, (_, bound, _) in verdicts.items()} == RATIOS[program]
    assert all(re.fullmatch(r"\d+\.\d\d", measured) for measured, _, _ in verdicts.values())
    assert status == int("MISSED" in printed)
    assert list(tmp_path.iterdir()) == []


def test_the_solvers_program_prints_its_sets_and_its_bounds(capsys):
    status = solver.main(["--deals", "1", "--lines", "1", "--seconds", "0.1", "--check"])
    cells = rows(capsys.readouterr().out)
    names = [deals.name for deals in solver.SETS]
    assert [row[0] for row in cells if row[0] in names] == names
    bounds = [row for row in cells if row[-1] in ("ok", "MISSED")]
    assert len(bounds) == 10
    assert status == int(any(row[-1] == "MISSED" for row in bounds))
    assert solver.main(["--deals", "1", "--lines", "1", "--seconds", "0.1", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["bounds"]) == len(bounds)


def test_the_solvers_sets_are_those_that_figures_are_given_for():
    assert [(deals.name, deals.deals) for deals in solver.SETS] == [
        ("cruel", 5_000),
        ("cruel-strict", 5_000),
        ("ripple-fan", 5_000),
        ("limited-cruel", 1_000),
        ("limited-cruel 5", 1_000),
        ("royal-family", 1_000),
        ("cruel-pysol", 1_000),
    ]


def test_a_share_lies_in_its_interval():
    # Wilson's interval for 8 of 10, as textbooks give it.
    assert Share(8, 10).interval == pytest.approx((49.0, 94.3), abs=0.1)
    assert Share(0, 0).interval == (0.0, 100.0)
    assert Share(1, 4).percent == 25.0
    assert Share(0, 0).percent == 0.0


def test_a_program_prints_the_same_as_json(tmp_path):
    status, printed = run("rules", "--json", folder=tmp_path)
    data = json.loads(printed)
    assert status == 0
    assert [bound["name"] for bound in data["bounds"]] == list(RATIOS["rules"])
    variants = [
        row["variant"] for row in data["tables"]["Legal moves, one applied, and the status"]
    ]
    assert variants == list(VARIANTS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_says_what_it_measures(program, capsys):
    with pytest.raises(SystemExit) as end:
        importlib.import_module(f"bench.{program}").main(["--help"])
    assert end.value.code == 0
    helped = capsys.readouterr().out
    assert all(option in helped for option in ("--rounds", "--seconds", "--json", "--check"))


@pytest.mark.parametrize(
    ("bound", "kept"),
    [
        (Bound("a", 0.45, 0.45), True),
        (Bound("a", 0.44, 0.45), False),
        (Bound("a", 1.2, 1.2, at_most=True), True),
        (Bound("a", 1.21, 1.2, at_most=True), False),
    ],
)
def test_only_a_missed_bound_fails_and_only_where_that_is_asked_for(bound, kept):
    report = Report("anything")
    report.bounds.append(bound)
    assert bound.kept is kept
    assert report.exit_status(check=True) == int(not kept)
    assert report.exit_status(check=False) == 0
