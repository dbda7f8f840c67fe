"""``semilla solve``: whether a deal or a position can be won, and how."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click
import orjson

from service.boards.terminal import draw_words
from service.cli.environment import configuration, database, now_ms
from service.cli.games import VARIANT_NAME, record_of, with_options
from service.cli.table import title
from service.db.engine import DatabaseBusy, DatabaseDown, Engine
from service.rules import DEFAULT_VARIANT, find_variant
from service.rules.errors import Invalid, InvalidPosition, Within, pointer
from service.rules.record import Record
from service.solver.solution import Goal, Solution, Verdict
from service.usecases.health import check_ready
from service.usecases.solver_slot import begin
from service.usecases.solving import Solved, solve_game

_EXIT = {Verdict.WINNABLE: 0, Verdict.UNWINNABLE: 1, Verdict.UNKNOWN: 3}
_BUDGET_MS = 10_000
# What takes no longer than this needs no progress bar; how often one moves; in seconds.
_MOMENT_S, _TICK_S = 1.0, 0.1


class _Fault(click.ClickException):
    """Something is wrong: to be told from a deal that cannot be won, which exits with 1."""

    exit_code = 2


@click.command()
@click.argument("source", metavar="SEED|FILE")
@click.option(
    "--variant",
    type=VARIANT_NAME,
    metavar="VARIANT",
    help=f"The game to solve; {DEFAULT_VARIANT}, if none is named.",
)
@with_options
@click.option(
    "--goal",
    type=click.Choice([goal.value for goal in Goal]),
    default=Goal.LINE.value,
    show_default=True,
    help="Whether it can be won, moves that win it, or the fewest.",
)
@click.option(
    "--budget-ms",
    type=click.IntRange(1),
    default=_BUDGET_MS,
    show_default=True,
    help="How long to search, in ms.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def solve(
    source: str,
    variant: str | None,
    options: dict[str, object],
    goal: str,
    budget_ms: int,
    *,
    as_json: bool,
) -> None:
    """Find out whether a deal can be won, and how.

    FILE (`-` for standard input) is JSON with variant, position and, if they are to change,
    options, as /v1/evaluate takes them; whatever is no file is a SEED. Where the service has a
    database, what is found of a seed is kept there, and told again without a search.

    Exits with 0 where it can be won, 1 where it cannot, 3 where neither is clear, and 2 where
    something is wrong.
    """
    is_file = source == "-" or Path(source).is_file()
    if is_file and (variant or options):
        message = "FILE says what is played: name no variant or options"
        raise click.UsageError(message)
    record = _read(source) if is_file else record_of(variant or DEFAULT_VARIANT, source, options)
    with _store(needed=not is_file) as db:
        game = record.start()
        solved = _watched(lambda: solve_game(db, game, Goal(goal), budget_ms, now_ms()), budget_ms)
    click.echo(orjson.dumps(_json(record, solved)) if as_json else _draw(record, solved))
    sys.exit(_EXIT[solved.solution.verdict])


def _read(name: str) -> Record:
    """Read a position with its variant; ``_Fault`` where there is none."""
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return _record(orjson.loads(content))
    except OSError as error:
        message = f"cannot read {click.format_filename(name)}: {error.strerror}"
    except Invalid as error:
        message = f"{click.format_filename(name)} holds no position: {error}"
    except orjson.JSONDecodeError as error:
        message = f"{click.format_filename(name)} holds no JSON: {error}"
    raise _Fault(message)


def _record(data: object) -> Record:
    fields = {"variant", "options", "position"}
    if not isinstance(data, dict) or not {"variant", "position"} <= data.keys():
        detail = "it is an object with variant, position and, if they change, options"
        raise InvalidPosition(detail)
    for name in data.keys() - fields:
        detail = "there is no such field"
        raise InvalidPosition(detail, pointer(ascii(name)[1:-1]))
    with Within("/variant"):
        preset = find_variant(str(data["variant"]))
    with Within("/options"):
        options = data.get("options", {})
        if not isinstance(options, dict):
            detail = "options are an object"
            raise InvalidPosition(detail)
        rules = preset.configured(options, None)
    with Within("/position"):
        position = rules.read_position(data["position"])
    return Record(str(data["variant"]), rules, None, None, position, undo=False, moves=())


@contextmanager
def _store(*, needed: bool) -> Iterator[Engine | None]:
    """Give the database of the service, None where it has none that is ready: it goes without."""
    try:
        config = configuration()
        if not needed or (config.embedded and not (config.data / "semilla.db").exists()):
            yield None
            return
        with database() as db:
            yield db if _is_ready(db) else None
    except click.ClickException as error:
        raise _Fault(error.message) from error


def _is_ready(db: Engine) -> bool:
    try:
        check_ready(db)
    except (DatabaseBusy, DatabaseDown) as error:
        click.echo(f"What is found is not kept: {error}", err=True)
        return False
    return True


def _watched(work: Callable[[], Solved], budget_ms: int) -> Solved:
    """Do some work; on a terminal with a progress bar, once it has taken longer than a moment."""
    if not sys.stderr.isatty():
        return work()
    began = time.monotonic()
    done = begin(work)
    with suppress(TimeoutError):
        return done.result(_MOMENT_S)
    with click.progressbar(length=budget_ms, label="Searching", file=sys.stderr) as bar:
        while not done.done():
            with suppress(TimeoutError):
                done.exception(_TICK_S)
            spent = int((time.monotonic() - began) * 1_000)
            bar.update(min(spent, budget_ms) - bar.pos)
    return done.result()


def _json(record: Record, solved: Solved) -> dict[str, object]:
    rules = record.rules
    start: dict[str, object] = {"seed": record.seed}
    if record.seed is None:
        start = {"position": rules.position_json(record.position)}
    return {
        "variant": record.variant,
        "options": rules.options(),
        **start,
        **solved.as_json(),
    }


def _draw(record: Record, solved: Solved) -> str:
    solution = solved.solution
    drawn = f"{title(record)}\n\n{draw_words('Verdict', _sentence(solution))}"
    if solution.line:
        drawn += draw_words("Line", " ".join(solution.line))
    spent = f"{solution.nodes} positions in {solution.elapsed_ms} ms"
    search = "none was needed" if solved.known else spent
    return drawn + draw_words("Search", search).rstrip()


def _sentence(solution: Solution) -> str:
    if solution.verdict is not Verdict.WINNABLE:
        reason = {Verdict.UNWINNABLE: "no line wins", Verdict.UNKNOWN: "the budget is spent"}
        return f"{solution.verdict}: {reason[solution.verdict]}"
    if solution.length is None:
        return solution.verdict
    least = "none is shorter" if solution.proven_shortest else f"{solution.lower_bound} at least"
    return f"{solution.verdict} in {solution.length} actions ({least})"
