"""Running the commands that play, with what somebody types."""

import click
from click.testing import CliRunner

from service.cli.games import deal, play, replay
from service.rules.record_text import parse_record
from tests.boards.positions import BOARDS, GOLDEN, recorded

RECORDS = GOLDEN / "records"
CRUEL = (RECORDS / "cruel-won.txt").read_text("utf-8")
CALCULATION = (RECORDS / "calculation-won.txt").read_text("utf-8")
CRUEL_MOVES = " ".join(parse_record(CRUEL).moves)
CALCULATION_MOVES = " ".join(parse_record(CALCULATION).moves)


def run(*words, typed="", code=0):
    """Run a command with what is typed; its whole output, which is never a traceback."""
    group = click.Group("semilla", commands=[deal, play, replay])
    result = CliRunner().invoke(group, words, input=typed, prog_name="semilla")
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def flat(text):
    """Undo the wrapping."""
    return " ".join(text.split())


def why_not(move, plies=0):
    """Give the rule's sentence for a move that the recorded game refuses."""
    return recorded("cruel-won", plies).refusal(move).detail


def board(title):
    return (BOARDS / f"{title}.txt").read_text("ascii")
