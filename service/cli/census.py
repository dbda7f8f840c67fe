"""``semilla census``: how many deals of a variant can be won, and in how many actions."""

import signal
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import click

from service.boards.terminal import draw_words
from service.cli.census_folder import DEALS, PICTURE, SUMMARY, CensusFolder
from service.cli.census_workers import PIECE, Workers, cluster, cores_here, processes, surveyed
from service.cli.environment import now_ms, ready_database
from service.cli.games import VARIANT_NAME, record_of, with_options
from service.db.engine import Engine
from service.rules import DEFAULT_VARIANT
from service.solver.census import Answer, Terms, seed_of
from service.solver.census_summary import Share, Spread, Summary
from service.solver.solution import Goal, Verdict
from service.usecases.census import keep_answers, known_answers

_NODES = 2_000_000
_STOPPED = 130


@click.command()
@click.option(
    "--variant",
    type=VARIANT_NAME,
    metavar="VARIANT",
    default=DEFAULT_VARIANT,
    show_default=True,
    help="The game whose deals are counted.",
)
@with_options
@click.option(
    "--from",
    "first",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="The first deal: N for the seed census-N.",
)
@click.option("--to", "last", type=click.IntRange(1), required=True, help="The last deal.")
@click.option(
    "--goal",
    type=click.Choice([goal.value for goal in Goal]),
    default=Goal.LINE.value,
    show_default=True,
    help="Whether each can be won, moves that win it, or the fewest.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=_NODES,
    show_default=True,
    help="How many positions the search of a deal may look at: the same deals are settled on "
    "every machine.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write to, and to go on with.  [default: census/VARIANT]",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="How many processes solve, each in 500 MB at most.  [default: one for each core]",
)
@click.option("--scheduler", metavar="ADDRESS", help="Solve on the Dask cluster of this scheduler.")
@click.option(
    "--database",
    "with_database",
    is_flag=True,
    help="Take what the service's database knows, and keep there what is found.",
)
def census(  # noqa: PLR0913, PLR0917 - click passes each option by its name
    variant: str,
    options: dict[str, object],
    first: int,
    last: int,
    goal: str,
    nodes: int,
    out: Path | None,
    workers: int | None,
    scheduler: str | None,
    *,
    with_database: bool,
) -> None:
    """Solve many deals, and tell how many can be won, and in how many actions.

    The folder holds deals.csv (a line for each deal), summary.json (shares and how lengths are
    spread) and histogram.svg. No deal that stands there is solved again: the same command goes on
    with a census that was stopped, and others add to it.
    """
    if last < first:
        message = f"the last deal, {last}, comes before the first, {first}"
        raise click.UsageError(message)
    if workers and scheduler:
        message = "--workers are processes of this machine: the scheduler has its own"
        raise click.UsageError(message)
    rules = record_of(variant, seed_of(first), options).rules
    terms = Terms(variant, rules, Goal(goal), nodes)
    path = out or Path("census", variant)
    database = ready_database() if with_database else nullcontext()
    with database as db, CensusFolder.open(path, terms) as folder, _stopped_by_sigterm():
        wanted = [number for number in range(first, last + 1) if number not in folder.answers]
        try:
            if wanted:
                _solve(db, folder, terms, wanted, _workers(terms, workers, scheduler))
        except KeyboardInterrupt:
            click.echo("Stopped: the same command goes on from here.", err=True)
            raise SystemExit(_STOPPED) from None
        except (BrokenExecutor, CancelledError, OSError) as error:
            message = (
                "those who solve are gone, perhaps for want of memory "
                f"({str(error) or type(error).__name__}): the same command goes on from here"
            )
            raise click.ClickException(message) from error
    click.echo(_draw(terms, folder.summary(), path))


@contextmanager
def _stopped_by_sigterm() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _workers(
    terms: Terms, count: int | None, scheduler: str | None
) -> AbstractContextManager[Workers]:
    return cluster(scheduler) if scheduler else processes(terms, count or cores_here())


def _solve(
    db: Engine | None,
    folder: CensusFolder,
    terms: Terms,
    numbers: list[int],
    workers: AbstractContextManager[Workers],
) -> None:
    """Solve deals into a folder, with a progress bar on a terminal."""
    bar = click.progressbar(
        length=len(numbers),
        label=terms.variant,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        show_pos=True,
    )
    with bar:

        def add(answers: list[Answer]) -> None:
            folder.add(answers)
            bar.update(len(answers))

        def unknown() -> Iterator[list[int]]:
            for start in range(0, len(numbers), PIECE):
                piece = numbers[start : start + PIECE]
                known = [] if db is None else known_answers(db, terms, piece)
                add(known)
                left = set(piece) - {answer.number for answer in known}
                if left:
                    yield sorted(left)

        with workers as there:
            for found in surveyed(there, terms, unknown()):
                if db is not None:
                    keep_answers(db, terms, found, now_ms())
                add([Answer.of(number, solution) for number, solution in found.items()])


def _draw(terms: Terms, summary: Summary, path: Path) -> str:
    name = click.format_filename(path)
    rows = {
        "Wins": _share(summary.share(Verdict.WINNABLE)),
        "No win": _share(summary.share(Verdict.UNWINNABLE)),
        "Unknown": _share(summary.share(Verdict.UNKNOWN)),
        "Actions": _spread(summary.length),
        "Nodes": _spread(summary.nodes),
        "Files": f"{name}: {DEALS}, {SUMMARY}, {PICTURE}",
    }
    heading = f"{terms.variant}, goal {terms.goal}, {terms.nodes} positions a deal at most"
    drawn = "".join(draw_words(title, words) for title, words in rows.items() if words)
    return f"{heading}\n\n{drawn}".rstrip()


def _share(share: Share) -> str:
    low, high = share.interval
    return (
        f"{share.deals} of {share.of}: {share.percent:.2f} % "
        f"(95 % interval {low:.2f} to {high:.2f} %)"
    )


def _spread(spread: Spread | None) -> str:
    if spread is None:
        return ""
    return f"{spread.least} to {spread.most}, mean {spread.mean:.1f}, median {spread.median}"
