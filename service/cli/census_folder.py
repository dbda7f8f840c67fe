"""The folder of a census: a line for each deal, the summary, and the picture."""

import csv
import fcntl
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields
from itertools import groupby
from pathlib import Path
from typing import IO

import click
import orjson

from service import __version__
from service.cli.census_picture import draw_census
from service.solver.census import SEEDS, Answer, Terms, seed_of
from service.solver.census_summary import Summary
from service.solver.solution import Verdict

DEALS, SUMMARY, PICTURE = "deals.csv", "summary.json", "histogram.svg"
_COLUMNS = ("seed", *(field.name for field in fields(Answer)[1:]))
_HEADER = ",".join(_COLUMNS) + "\n"
_FLAGS = {"true": True, "false": False}


class CensusFolder:
    """A folder that holds one census: what is added is kept, however the command ends."""

    def __init__(self, path: Path, terms: Terms, table: IO[str]) -> None:
        self._path, self._terms, self._table = path, terms, table
        self.answers: dict[int, Answer] = {}

    @classmethod
    @contextmanager
    def open(cls, path: Path, terms: Terms) -> Iterator["CensusFolder"]:
        """Open a folder for more of the same census, or make it; write what it comes to at the end.

        Raises ``click.ClickException`` where it holds the census of other terms, or something else,
        where another process writes to it, or where it cannot be written.
        """
        with _faults_of(path):
            path.mkdir(parents=True, exist_ok=True)
            table = (path / DEALS).open("a+", encoding="ascii", errors="replace", newline="")
        with table, _alone(path):
            folder = cls(path, terms, table)
            with _faults_of(path):
                folder._begin()
            try:
                yield folder
            finally:
                with _faults_of(path):
                    folder._finish()

    def add(self, answers: Iterable[Answer]) -> None:
        """Keep some answers."""
        added = {answer.number: answer for answer in answers}
        self.answers |= added
        with _faults_of(self._path):
            self._table.write(_lines(added.values()))
            self._table.flush()

    def summary(self) -> Summary:
        """Sum up what the folder holds."""
        return Summary.of(self.answers.values())

    def _begin(self) -> None:
        """Read what is there, less a last line that was broken off."""
        self._table.seek(0)
        text = self._table.read()
        if text:
            self._check_terms()
        whole = text[: text.rfind("\n") + 1]
        try:
            self.answers = {answer.number: answer for answer in _read_all(whole or _HEADER)}
        except (ValueError, csv.Error) as error:
            name = click.format_filename(self._path / DEALS)
            message = f"{name} is no table of a census, or is damaged: name another folder (--out)"
            raise click.ClickException(message) from error
        # First of all: a table without terms would be nobody's.
        self._write_summary()
        self._table.truncate(len(whole))
        if not whole:
            self._table.write(_HEADER)
            self._table.flush()

    def _check_terms(self) -> None:
        try:
            there = dict(orjson.loads((self._path / SUMMARY).read_bytes())["terms"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            there = {}
        differ = [name for name, value in self._terms.json().items() if there.get(name) != value]
        if differ:
            name = click.format_filename(self._path)
            message = (
                f"{name} holds a census of other terms ({', '.join(differ)}): name another "
                "folder (--out), or the terms in its summary.json"
            )
            raise click.ClickException(message)

    def _finish(self) -> None:
        self._write(DEALS, _HEADER + _lines(self._sorted()))
        self._write_summary()
        self._write(PICTURE, draw_census(self._terms, self.summary()))

    def _sorted(self) -> list[Answer]:
        return [self.answers[number] for number in sorted(self.answers)]

    def _write_summary(self) -> None:
        summary = {
            "terms": self._terms.json(),
            "version": __version__,
            "seeds": _runs(sorted(self.answers)),
            **self.summary().json(),
        }
        self._write(SUMMARY, orjson.dumps(summary, option=orjson.OPT_INDENT_2).decode() + "\n")

    def _write(self, name: str, text: str) -> None:
        part = self._path / f"{name}.part"
        part.write_text(text, "utf-8")
        part.replace(self._path / name)


@contextmanager
def _faults_of(path: Path) -> Iterator[None]:
    """End the command in one line where the folder fails."""
    try:
        yield
    except OSError as error:
        message = f"cannot use the folder {click.format_filename(path)}: {error.strerror}"
        raise click.ClickException(message) from error


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the folder for this process alone."""
    lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"another census is writing to {click.format_filename(path)}"
            raise click.ClickException(message) from error
        yield
    finally:
        os.close(lock)


def _runs(numbers: list[int]) -> list[str]:
    """Tell which seeds there are, such as ``census-1 to census-50``."""
    runs = []
    # As long as numbers follow each other, they are as far from their places.
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [seed_of(number) for _, number in group]
        runs.append(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}")
    return runs


def _lines(answers: Iterable[Answer]) -> str:
    return "".join(f"{','.join(_words(answer))}\n" for answer in answers)


def _words(answer: Answer) -> Iterator[str]:
    number, *rest = astuple(answer)
    yield seed_of(number)
    for value in rest:
        yield "" if value is None else str(value).lower()


def _read_all(text: str) -> Iterator[Answer]:
    """Read a table; ``ValueError`` where it is none, or damaged."""
    header, *rows = csv.reader(io.StringIO(text), strict=True)
    if tuple(header) != _COLUMNS:
        raise ValueError(header)
    for row in rows:
        yield _read(row)


def _read(row: list[str]) -> Answer:
    """Read a line; ``ValueError`` for what is none."""
    seed, verdict, length, proven, bound, nodes, ms = row
    if not seed.startswith(SEEDS) or proven not in _FLAGS:
        raise ValueError(row)
    return Answer(
        number=int(seed.removeprefix(SEEDS)),
        verdict=Verdict(verdict),
        length=_number(length),
        proven_shortest=_FLAGS[proven],
        lower_bound=int(bound),
        nodes=_number(nodes),
        ms=_number(ms),
    )


def _number(word: str) -> int | None:
    return int(word) if word else None
