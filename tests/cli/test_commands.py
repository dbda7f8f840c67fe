import re

import click
import pytest

from service import __version__
from service.cli import main
from service.db.migrations import head_revision
from tests.cli.operating import invoke


def tree(command, path=()):
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from tree(below, (*path, name))


COMMANDS = dict(tree(main))
every_command = pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) or "none")


def test_the_commands_are_those_that_others_rely_on():
    assert {
        " ".join(path) for path, command in COMMANDS.items() if not hasattr(command, "commands")
    } == {
        "serve",
        "play",
        "deal",
        "replay",
        "solve",
        "census",
        "db upgrade",
        "db downgrade",
        "db check",
        "db backup",
        "db revision",
        "player token",
        "player rename",
        "player disable",
        "verify-games",
        "challenge cancel",
        "challenge hide",
        "verify-challenge",
        "prune",
    }


@every_command
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_has_help(path, flag):
    output = invoke(*path, flag).stdout
    assert output.startswith(f"Usage: {' '.join(['semilla', *path])} ")
    assert COMMANDS[path].help.split()[0] in output
    assert all(len(line) <= 80 for line in output.splitlines())


@every_command
def test_every_option_has_help(path):
    output = invoke(*path, "--help").stdout
    for option in COMMANDS[path].params:
        if isinstance(option, click.Option):
            assert option.help
            assert option.opts[-1] in output


@every_command
def test_a_list_of_commands_says_of_each_what_it_does(path):
    output = invoke(*path, "--help").stdout
    for name in getattr(COMMANDS[path], "commands", {}):
        assert re.search(rf"^  {name} +[A-Z].{{10,}}", output, re.MULTILINE)


def test_the_version_is_that_of_the_package():
    assert invoke("--version").stdout == f"semilla {__version__}, schema {head_revision()}\n"


@pytest.mark.parametrize(
    "words", [["bogus"], ["db", "bogus"], ["serve", "--bogus"], ["verify-games", "bogus"]]
)
def test_what_is_no_command_or_option_is_named(words):
    result = invoke(*words, code=2)
    assert result.stdout == ""
    assert "bogus" in result.stderr.splitlines()[-1]
