"""Sessions in a document: ``console`` blocks with commands after ``$`` and what they print below.

The blocks of a document are one session: they run in one shell, so that variables, functions and
files of one block are there in the next.
"""

import re
import secrets
import shutil
import subprocess
import sys
from itertools import count
from typing import NamedTuple

ADDRESS = "http://127.0.0.1:8000"
SECONDS = 60

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What differs from run to run. Ids, tokens, drawn seeds and what has 64 digits in hexadecimal, such
# as a commitment, are numbered in the order in which they come up, so that one may not stand for
# another.
_NUMBERED = re.compile(
    r"\b(?:(?P<id>[0-7][0-9a-hjkmnp-tv-z]{25})|(?P<token>s[gp]_[\w-]{43})"
    r"|(?P<seed>[0-9a-f]{32})|(?P<digest>[0-9a-f]{64}))(?![\w-])"
)
_CHANGING = [
    (re.compile(r'("request_id": ?")[0-9a-f]{16}"'), r'\1<request>"'),
    (re.compile(r"^(x-request-id|date|etag): .*", re.MULTILINE | re.IGNORECASE), r"\1: <changing>"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "<instant>"),
    (re.compile(r'("(?:elapsed|at)_ms": ?)\d+'), r"\1<ms>"),
    (re.compile(r"(?<=\S)@\d+\b"), "@<ms>"),
]


class Step(NamedTuple):
    """A command, which may have several lines, and what it prints."""

    command: str
    output: str


def read_session(document):
    """Read the steps of a document's sessions."""
    steps = []
    for block in _BLOCK.findall(document):
        lines = iter(block.splitlines())
        for line in lines:
            if line.startswith("$ "):
                command = line.removeprefix("$ ")
                while command.endswith("\\"):
                    command += "\n" + next(lines).removeprefix("> ")
                steps.append(Step(command, ""))
            else:
                assert steps, f"there is output before the first command: {line}"
                steps[-1] = steps[-1]._replace(output=f"{steps[-1].output}{line}\n")
    return steps


def run_session(steps, url, folder):
    """Run the commands in one shell, against a server at ``url``; give the steps as they went."""
    mark = f"--{secrets.token_hex(8)}--"
    commands = [step.command.replace(ADDRESS, url) for step in steps]
    # No trace of the marks stands in a command's own last line, even one without a newline.
    script = "".join(f"{command}\necho; echo {mark}\n" for command in commands)
    done = subprocess.run(
        [shutil.which("bash"), "-c", script],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    outputs = done.stdout.replace("\r", "").replace(url, ADDRESS).split(f"\n{mark}\n")
    assert outputs.pop() == "", done.stdout
    return [Step(step.command, output) for step, output in zip(steps, outputs, strict=True)]


def normalised(steps):
    """Give the steps with what differs from run to run put into words."""
    names = {}
    numbers = {kind: count(1) for kind in _NUMBERED.groupindex}

    def name(match):
        kind = match.lastgroup
        if match[0] not in names:
            names[match[0]] = f"<{kind} {next(numbers[kind])}>"
        return names[match[0]]

    result = []
    for step in steps:
        output = _NUMBERED.sub(name, step.output)
        for pattern, words in _CHANGING:
            output = pattern.sub(words, output)
        result.append(Step(step.command, output.rstrip("\n")))
    return result


def replay(document, url, folder):
    """Run a document's session; give what it shows and what came out, both normalised."""
    # Where the document is read, `make` has made the environment.
    (folder / ".venv").symlink_to(sys.prefix)
    shown = read_session(document)
    return normalised(shown), normalised(run_session(shown, url, folder))
