"""What a stranger does first: clone, and ``make serve``."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import Server, ask, is_ready

ROOT = Path(__file__).parents[2]


def git(*words):
    command = [shutil.which("git"), "-c", "safe.directory=*", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


@pytest.mark.slow
def test_make_serve_comes_up_in_a_fresh_clone(tmp_path):
    clone = tmp_path / "clone"
    git("clone", "--quiet", ROOT, clone)
    ours = str(Path(sys.prefix) / "bin")
    path = [folder for folder in os.environ["PATH"].split(os.pathsep) if folder != ours]
    env = {"PATH": os.pathsep.join(path), "HOME": os.environ["HOME"], "PORT": "0"}
    server = Server(tmp_path, command=[shutil.which("make"), "serve"], env=env, cwd=clone)
    try:
        server.wait_until_ready(300)
        reply = ask(f"{server.url}/v1/games", {"seed": "32"})
        assert reply.status == 201
        assert ask(f"{server.url}/v1/games/{reply.json['id']}").json["seed"] == "32"
        assert ask(f"{server.url}/docs").status == 200
    finally:
        server.stop()
    assert not is_ready(server.url)
    assert "Traceback" not in server.output
    assert (clone / "data" / "semilla.db").is_file()
    assert git("-C", clone, "status", "--porcelain") == ""
