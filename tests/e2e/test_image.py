"""The container image, without a container engine.

The Dockerfile's own instructions are run in a folder that stands for the image (``dockerfile.py``),
and its commands as its user, with no capability and only the image's environment. What takes an
engine is not shown here: that the base image is there, and that its Python does what this one does.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
import yaml

from tests.e2e.dockerfile import (
    DESCRIBING,
    PINNED,
    Container,
    Image,
    confined,
    context,
    only,
    read_stages,
)
from tests.postgres import new_database, server_url
from tests.servers import Server, ask, free_port

ROOT = Path(__file__).parents[2]
STAGES = read_stages((ROOT / "Dockerfile").read_text("utf-8"))
SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
# What only root can do: the owner of a folder.
ONLY_ROOT = ["install --directory --owner=10001 --group=10001 /data"]
# Ready within this many seconds, or never.
SECONDS = 60


# ---- Dockerfile ----


def test_both_stages_stand_on_one_base_pinned_by_its_whole_version():
    build, last = (only(stage, "FROM").text for stage in STAGES)
    assert build == f"{last} AS build"
    assert last.startswith("python:3.")
    assert PINNED.fullmatch(last)


def test_the_image_takes_over_the_installed_package_and_nothing_else():
    _, last = STAGES
    words = {instruction.word for instruction in last} - set(DESCRIBING)
    assert words == {"FROM", "RUN", "COPY", "ENV"}
    assert [only(last, "RUN").text] == ONLY_ROOT
    assert only(last, "COPY").text == "--from=build /opt/venv /opt/venv"


def test_nothing_is_installed_but_by_pip_without_a_cache():
    runs = [instruction.text for stage in STAGES for instruction in stage]
    assert not any(re.search(r"\b(apt|apt-get|curl|wget|gcc)\b", run) for run in runs)
    assert ["--no-cache-dir" in run for run in runs if "pip install" in run] == [True]


def test_the_image_runs_as_a_number_that_is_not_root():
    user = only(STAGES[-1], "USER").text
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    folder, volume = only(STAGES[-1], "RUN").text, only(STAGES[-1], "VOLUME").text
    owner, group = user.split(":")
    assert folder == f"install --directory --owner={owner} --group={group} {volume}"


def test_one_port_is_served_exposed_asked_for_health_and_published():
    last = STAGES[-1]
    port = only(last, "EXPOSE").text
    settings = only(last, "ENV").text.split()
    assert f"PORT={port}" in settings
    assert "HOST=0.0.0.0" in settings
    assert f"SEMILLA_DATA={only(last, 'VOLUME').text}" in settings
    assert "os.environ['PORT']" in only(last, "HEALTHCHECK").text
    assert SERVICES["web"]["ports"] == [f"127.0.0.1:{port}:{port}"]


def test_no_shell_stands_between_docker_and_the_service():
    last = STAGES[-1]
    assert only(last, "ENTRYPOINT").words == ["semilla"]
    assert only(last, "CMD").words == SERVICES["web"]["command"] == ["serve"]
    assert only(last, "STOPSIGNAL").text == "SIGTERM"


def test_a_build_sees_what_the_package_is_made_of_and_nothing_else(tmp_path):
    wanted = ["LICENSE", "README.md", "migrations/env.py", "service/api/texts/en/cruel.md"]
    wanted += ["pyproject.toml", "service/app.py", "setup.cfg"]
    others = [".env", ".git/config", ".venv/bin/python", "compose.yaml", "data/semilla.db"]
    others += ["Dockerfile", "docs/api.md", "migrations/__pycache__/env.cpython-311.pyc"]
    others += ["service/api/__pycache__/spec.cpython-311.pyc", "service/api/openapi.yaml.new"]
    others += ["semilla.egg-info/PKG-INFO", "tests/conftest.py"]
    for name in wanted + others:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    shutil.copy(ROOT / ".dockerignore", tmp_path)
    assert context(tmp_path) == sorted(wanted)


# ---- the image, built and run ----


def python_for(user):
    """Give a Python that ``user`` may run as we do: that of these tests may be in root's home."""
    asked = "import ensurepip, sys; print(sys.version)"
    for python in (Path(sys.executable).resolve(), Path("/usr/bin/python3").resolve()):
        ours, theirs = (
            subprocess.run(
                [*words, python, "-c", asked], cwd="/", env={}, capture_output=True, check=False
            )
            for words in ([], confined(user))
        )
        # The version tells: without its own library it takes that of another Python.
        if not theirs.returncode and ours.stdout == theirs.stdout:
            return python
    pytest.skip("no Python with ensurepip that another user may run")


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.fixture(scope="module")
def image():
    """Build the image in a folder that every user can enter, as into none of pytest's."""
    user = only(STAGES[-1], "USER").text
    with tempfile.TemporaryDirectory(prefix="semilla-image-") as folder:
        Path(folder).chmod(0o755)
        image = Image(ROOT, Path(folder), python_for(user))
        if image.not_run:
            (image.root / "data").mkdir()
        yield image


def serve_a_game(container, folder):
    """Start the service, wait for its health check, play a move, stop it."""
    assert not container.is_healthy()
    server = Server(folder, command=container.command(), env=container.env, cwd=container.cwd)
    try:
        deadline = time.monotonic() + SECONDS
        while not container.is_healthy():
            assert server.process.poll() is None, server.output
            assert time.monotonic() < deadline, server.output
        url = f"http://127.0.0.1:{container.env['PORT']}/v1/games"
        game = ask(url, {"seed": "32"}).json
        body = {"moves": game["legal_moves"][:1]}
        played = ask(f"{url}/{game['id']}/moves", body, token=game["token"])
        assert played.status == 200
        assert played.json["score"]["moves"] == 1
    finally:
        status = server.stop()
    assert status == 0, server.output
    assert "Traceback" not in server.output


@pytest.mark.slow
def test_the_image_holds_what_serves_and_nothing_else(image):
    assert image.not_run == (ONLY_ROOT if os.geteuid() else [])
    assert {path.name for path in image.root.iterdir()} == {"data", "opt", "usr"}
    assert {path.name for path in (image.root / "opt").iterdir()} == {"venv"}
    (packages,) = image.root.glob("opt/venv/lib/python3*/site-packages")
    there = {path.name for path in packages.iterdir()}
    assert {"service", "flask", "gunicorn", "psycopg", "psycopg_binary", "redis"} <= there
    assert not there & {"pip", "setuptools", "pytest", "tests", "ruff", "mypy"}


@pytest.mark.slow
def test_the_solver_is_compiled_in_the_image_and_solves_as_its_user(image):
    kept = {name for name in files(image.root) if "service/solver" in name and ".nb" in name}
    assert kept
    deal = ["semilla", "solve", "semilla", "--json", "--budget-ms", "2000"]
    container = Container(image)
    assert json.loads(container.run(*container.command(*deal[1:])))["verdict"] == "winnable"
    again = {name for name in files(image.root) if "service/solver" in name and ".nb" in name}
    assert again == kept


@pytest.mark.slow
def test_the_image_alone_serves_a_game_stops_when_told_and_writes_to_its_volume_only(
    image, tmp_path
):
    built = files(image.root)
    serve_a_game(Container(image, PORT=free_port()), tmp_path)
    assert {name.split("/")[0] for name in files(image.root) - built} == {"data"}
    database = image.root / "data" / "semilla.db"
    assert f"{database.stat().st_uid}:{database.stat().st_gid}" == (
        f"{os.getuid()}:{os.getgid()}" if os.geteuid() else image.says["USER"].text
    )


@pytest.mark.slow
def test_the_image_migrates_and_serves_postgresql(image, tmp_path):
    with new_database(server_url()) as url:
        container = Container(image, PORT=free_port(), DATABASE_URL=url)
        migrate = container.command(*SERVICES["migrate"]["command"])
        assert container.run(*migrate).startswith("the schema is at ")
        serve_a_game(container, tmp_path)
