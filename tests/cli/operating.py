"""Running the commands of an operator, each with the settings that it is to see."""

from click.testing import CliRunner

from service.cli import main
from service.config import SETTINGS

UNSET = {variable: None for variable, _ in SETTINGS.values()}


def invoke(*words, code=0, **settings):
    """Run a command with these settings and no others; it never ends with a traceback."""
    result = CliRunner().invoke(main, words, env={**UNSET, **settings}, prog_name="semilla")
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def complaint(*words, **settings):
    """Run a command that fails with status 1 and one line on stderr; give that line."""
    result = invoke(*words, code=1, **settings)
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removesuffix("\n")
