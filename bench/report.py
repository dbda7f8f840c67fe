"""What every program here prints: tables, and ratios with their bounds."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Bound(NamedTuple):
    """A measured value beside the bound that it must keep: at least, or at most, ``bound``."""

    name: str
    value: float
    bound: float
    at_most: bool = False

    @property
    def kept(self) -> bool:
        """Whether the value keeps its bound."""
        return self.value <= self.bound if self.at_most else self.value >= self.bound

    def cells(self) -> list[str]:
        """Give the row of a table."""
        sign = "≤" if self.at_most else "≥"
        return [
            self.name,
            f"{self.value:.2f}",
            f"{sign} {self.bound:g}",
            "ok" if self.kept else "MISSED",
        ]


class Report:
    """Collects tables and bounds of something, and prints them as Markdown or as JSON."""

    def __init__(self, of: str) -> None:
        self.of = of
        self.tables: dict[str, list[dict[str, str]]] = {}
        self.bounds: list[Bound] = []

    def table(self, title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table."""
        self.tables[title] = [dict(zip(head, row, strict=True)) for row in rows]

    def show(self, *, as_json: bool) -> None:
        """Print everything."""
        if as_json:
            bounds = [{**bound._asdict(), "kept": bound.kept} for bound in self.bounds]
            print(json.dumps({"tables": self.tables, "bounds": bounds}, ensure_ascii=False))
            return
        for title, rows in self.tables.items():
            print_table(title, list(rows[0]), [list(row.values()) for row in rows])
        head = ["ratio", "measured", "asked for", "verdict"]
        print_table(f"Asked for of {self.of}", head, [bound.cells() for bound in self.bounds])

    def exit_status(self, *, check: bool) -> int:
        """Give 1 where a bound is missed and the caller asked to ``check``, else 0."""
        return int(check and not all(bound.kept for bound in self.bounds))


def print_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table under its title."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    print(f"\n### {title}\n")
    for row in (head, ["-" * width for width in widths], *rows):
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(f"| {' | '.join(padded)} |")


def arguments(description: str | None, rounds: int, seconds: float) -> argparse.ArgumentParser:
    """Give the options that every program has, with the defaults of this one."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=rounds, help="how often each is measured")
    parser.add_argument(
        "--seconds", type=float, default=seconds, help="how long each is measured in a round"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    return parser


def with_postgres(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a PostgreSQL server."""
    parser.add_argument(
        "--postgres",
        metavar="URL",
        help="a PostgreSQL server too, as postgresql+psycopg://user@host/database: "
        "a database is made there and dropped at the end",
    )


def paired(values: Sequence[float], base: Sequence[float]) -> float:
    """Give the median over the rounds of the ratio of two values of the same round."""
    return median(value / of for value, of in zip(values, base, strict=True))


def percentile(values: Sequence[float], percent: int) -> float:
    """Give the value that so many percent of the values do not exceed."""
    return sorted(values)[(len(values) - 1) * percent // 100]
