"""Patience in the terminal, without a server: ``deal``, ``play`` and ``replay``."""

import secrets
from pathlib import Path
from typing import BinaryIO

import click
import orjson

from service.boards.terminal import draw_game, draw_words
from service.cli.table import Table, title
from service.rules import DEFAULT_VARIANT, VARIANTS, find_variant
from service.rules.deals import algorithm_of
from service.rules.errors import Invalid
from service.rules.record import Record, read_json
from service.rules.record_text import parse_option_value, parse_record

_SEED_BYTES = 16
VARIANT_NAME = click.Choice(list(VARIANTS))


class _NoRecord(click.ClickException):
    """A file that holds no record: to be told from a record with a refused move, which exits 1."""

    exit_code = 2


def _read_options(
    ctx: click.Context, param: click.Parameter, words: tuple[str, ...]
) -> dict[str, object]:
    pairs = [word.partition("=") for word in words]
    for name, equals, _ in pairs:
        if not equals:
            message = f"{name!r} is not written NAME=VALUE"
            raise click.BadParameter(message, ctx, param)
    return {name: parse_option_value(value) for name, _, value in pairs}


with_options = click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_read_options,
    help="Change one option of the variant, such as redeal_limit=3, redeal_limit=none or "
    "bases=AC,2D,3H,4S. May be given several times.",
)


@click.command()
@click.argument("variant", type=VARIANT_NAME, metavar="VARIANT")
@click.argument("seed")
@with_options
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a board.")
def deal(variant: str, seed: str, options: dict[str, object], *, as_json: bool) -> None:
    """Show the opening that SEED deals, face-down cards included: the seed tells them anyway."""
    record = record_of(variant, seed, options)
    game = record.start()
    position = game.rules.position_json(game.position)
    if as_json:
        what = {
            "variant": variant,
            "options": game.rules.options(),
            "seed": seed,
            "deal_algorithm": record.deal_algorithm,
        }
        click.echo(orjson.dumps(what | position))
        return
    click.echo(f"{title(record)}\n\n{draw_game(game)}", nl=False)
    stock = position.get("stock")
    if isinstance(stock, list):
        click.echo("\nThe whole stock, in the order in which it is turned:\n")
        click.echo(draw_words("Stock", " ".join(stock)), nl=False)


@click.command()
@click.argument("variant", required=False, type=VARIANT_NAME, metavar="[VARIANT]")
@click.option("--seed", help="The deal to play; one is drawn if there is none.")
@with_options
@click.option("--no-undo", is_flag=True, help="Play without taking back.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the game's record to a new file. It holds the seed.",
)
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Go on with the game of a record, and save it there, unless --save names another file.",
)
def play(
    variant: str | None,
    seed: str | None,
    options: dict[str, object],
    save: Path | None,
    resume: Path | None,
    *,
    no_undo: bool,
) -> None:
    """Play VARIANT (cruel, if none is named) in the terminal; `help` there lists the moves.

    Where cards lie face down, a seed that was drawn is shown only when the game has ended.
    """
    if save and save.exists() and save != resume:
        message = f"{click.format_filename(save)} is there already: resume it, or name a new file"
        raise click.BadParameter(message, param_hint="'--save'")
    if resume:
        if variant or seed is not None or options or no_undo:
            message = "--resume takes the game from its file: name no variant, seed or options"
            raise click.UsageError(message)
        record = _read_record(resume.read_bytes())
    else:
        drawn = secrets.token_hex(_SEED_BYTES)
        record = record_of(variant or DEFAULT_VARIANT, drawn if seed is None else seed, options)
        record = record._replace(undo=record.undo and not no_undo)
    open_seed = seed is not None or not record.rules.hides_cards
    Table(record, save or resume, open_seed=open_seed).play()


@click.command()
@click.argument("file", type=click.File("rb"))
def replay(file: BinaryIO) -> None:
    """Replay the record in FILE (`-` for standard input) and verify it.

    A record may be written as text or as JSON. Exits with 1 where a move of it is refused, and with
    2 where it is no record.
    """
    record = _read_record(file.read())
    game, failure = record.replay()
    click.echo(f"{title(record)}\n\n{draw_game(game)}")
    if failure:
        message = f"not verified: the move at index {failure.index} is refused: {failure.detail}"
        raise click.ClickException(message)
    click.echo(f"Verified: all {len(record.moves)} entries of the history were accepted.")


def record_of(variant: str, seed: str, options: dict[str, object]) -> Record:
    """Give the record of a game that has just been dealt; ``BadParameter`` where none can be."""
    try:
        algorithm = algorithm_of(seed)
    except Invalid as error:
        raise click.BadParameter(error.detail, param_hint="'SEED'") from error
    try:
        rules = find_variant(variant).configured(options, seed)
    except Invalid as error:
        raise click.BadParameter(error.detail, param_hint="'-o'") from error
    return Record(variant, rules, seed, algorithm, None, not rules.hides_cards, ())


def _read_record(content: bytes) -> Record:
    """Read either form of a record; a first character ``{`` tells which."""
    try:
        text = content.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            return read_json(orjson.loads(text))
        return parse_record(text)
    except ValueError as error:
        # Names in a stranger's record may hold what would run wild in a terminal.
        fault = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(error))
        message = f"this is no record: {fault}"
        raise _NoRecord(message) from error
