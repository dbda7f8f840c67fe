"""A Dockerfile, read and carried out without a container engine, and containers of its image.

A folder stands for the root of the image: the absolute paths that the file names are moved into it,
in commands and settings alike. The base image is this machine's Python.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from string import Template
from typing import NamedTuple

from docker.utils import exclude_paths

BASE_PATH = ("/usr/bin", "/bin")
# What the image puts at its root. Everything else that commands name is the base image's.
OURS = re.compile(r"(?<![\w./-])/(?=(?:data|opt|src)\b)")
# What says how containers run, and does nothing while an image is built.
DESCRIBING = ("CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "USER", "VOLUME")
# How this machine reaches the package index; Docker's builder is told in ways of its own.
INDEX = re.compile(r"PIP_|https?_proxy|no_proxy", re.IGNORECASE)

# The whole version of an image, and perhaps its digest.
PINNED = re.compile(r"[a-z]+:\d+(\.\d+)+-(slim-)?bookworm(@sha256:[0-9a-f]{64})?")


class Instruction(NamedTuple):
    """A word in capitals, and the text after it on one line."""

    word: str
    text: str

    @property
    def words(self):
        """The exec form's words."""
        return json.loads(self.text)


def read_stages(text):
    """Give the instructions of each stage."""
    lines = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", "", lines).splitlines()
    stages = []
    for line in filter(None, lines):
        word, text = line.split(maxsplit=1)
        if word == "FROM":
            stages.append([])
        stages[-1].append(Instruction(word, text))
    return stages


def only(stage, word):
    """Give the one instruction of a stage that has this word."""
    found = [instruction for instruction in stage if instruction.word == word]
    assert len(found) == 1, f"{word} stands {len(found)} times in the stage"
    return found[0]


def read_ignored(text):
    """Give the patterns of a ``.dockerignore``."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def context(source):
    """Give the files that a build sees, as paths from ``source``."""
    patterns = read_ignored((source / ".dockerignore").read_text("utf-8"))
    # Docker sends these two in any case, and so does this function; COPY leaves them out.
    seen = set(exclude_paths(source, patterns)) - {"Dockerfile", ".dockerignore"}
    return sorted(name for name in seen if (source / name).is_file())


class Image:
    """The folder, the environment and the description of an image built from ``source``.

    ``not_run`` lists the instructions that only root can carry out, where we are not.
    """

    def __init__(self, source, folder, python):
        self.source = source
        self.folder = folder
        self.python = python
        self.root = folder / "root"
        self.not_run = []
        for stage in read_stages((source / "Dockerfile").read_text("utf-8")):
            for instruction in stage:
                self._carry_out(instruction)

    def moved(self, text):
        """Give a text with the image's own paths moved into its folder."""
        return OURS.sub(f"{self.root}/", text)

    def _carry_out(self, instruction):
        if instruction.word in DESCRIBING:
            self.says[instruction.word] = instruction
            return
        getattr(self, f"_{instruction.word.lower()}")(instruction.text)

    def _from(self, text):
        # The stage before keeps its name and loses its place: programs of a virtual environment
        # work in one place only, and the next stage is to be in that place.
        if self.root.exists():
            self.root.rename(self.folder / self.stage)
        self.stage = text.partition(" AS ")[2] or "last"
        programs = self.root / "usr" / "local" / "bin"
        programs.mkdir(parents=True)
        (programs / "python").symlink_to(self.python)
        self.env = {"PATH": os.pathsep.join((str(programs), *BASE_PATH))}
        self.workdir = self.root
        self.says = {}

    def _workdir(self, text):
        self.workdir = Path(self.moved(text))
        self.workdir.mkdir(parents=True, exist_ok=True)

    def _env(self, text):
        values = dict(pair.split("=", 1) for pair in text.split())
        self.env |= {
            name: self.moved(Template(value).substitute(self.env)) for name, value in values.items()
        }

    def _copy(self, text):
        words = text.split()
        if words[0].startswith("--from="):
            stage, source, target = words
            place = self.folder / stage.removeprefix("--from=") / source.lstrip("/")
            shutil.copytree(place, self.moved(target), symlinks=True)
            return
        assert words == [".", "."]
        for name in context(self.source):
            (self.workdir / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.source / name, self.workdir / name, follow_symlinks=False)

    def _run(self, text):
        if "--owner=" in text and os.geteuid():
            self.not_run.append(text)
            return
        index = {name: value for name, value in os.environ.items() if INDEX.match(name)}
        done = subprocess.run(
            ["/bin/sh", "-c", self.moved(text)],
            cwd=self.workdir,
            env={**index, "HOME": str(self.root / "root"), **self.env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def confined(user):
    """Give the words that run a command as ``user`` (uid:gid), with no capability to be had.

    Where we are not root, commands run as we do.
    """
    if os.geteuid():
        return []
    uid, gid = user.split(":")
    lower = [f"--reuid={uid}", f"--regid={gid}", "--clear-groups", "--no-new-privs"]
    return [shutil.which("setpriv"), *lower, "--bounding-set=-all", "--inh-caps=-all"]


class Container:
    """An image's commands, with its user and its environment; ``settings`` are added to that."""

    def __init__(self, image, **settings):
        self.cwd = image.root
        self.env = {**image.env, **settings}
        self._says = image.says
        self._lower = confined(self._says["USER"].text)

    def command(self, *words):
        """Give the words that ``docker run IMAGE WORDS`` runs."""
        return self._found(*self._says["ENTRYPOINT"].words, *(words or self._says["CMD"].words))

    def run(self, *words):
        """Run a command and give what it prints; it must end well."""
        done = self._execute(words, 60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def is_healthy(self):
        """Run the command of HEALTHCHECK once."""
        options, _, words = self._says["HEALTHCHECK"].text.partition(" CMD ")
        seconds = int(re.search(r"--timeout=(\d+)s", options)[1])
        return self._execute(self._found(*json.loads(words)), seconds).returncode == 0

    def _found(self, program, *words):
        return [*self._lower, shutil.which(program, path=self.env["PATH"]), *words]

    def _execute(self, words, seconds):
        return subprocess.run(
            words,
            cwd=self.cwd,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
