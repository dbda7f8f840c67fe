"""A wheel, installed into an environment of its own and run far from the source."""

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from service import __version__
from service.db.migrations import head_revision
from service.rules import VARIANTS
from tests.servers import Server, ask, environment

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "data", "dist")
# Everything but what could lead back to the source or to this environment.
ENVIRON = {
    name: text
    for name, text in environment(Path()).items()
    if not name.startswith(("COV", "PYTHON", "SEMILLA", "VIRTUAL_ENV"))
}


def run(*words, cwd, **settings):
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**ENVIRON, **settings},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy of the tree, since a build leaves files there."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "tree", ignore=LEFT_OUT)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", "..", ".", cwd=folder / "tree")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def programs(wheel, tmp_path_factory):
    """Install the wheel; give the folder of the environment's programs."""
    folder = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(folder, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    python = folder / "bin" / "python"
    run(*pip, "--python", python, "install", "--quiet", wheel, cwd=folder)
    run(*pip, "--python", python, "check", cwd=folder)
    return folder / "bin"


def files(folder):
    found = {path.relative_to(ROOT).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if "__pycache__" not in name and not name.endswith(".new")}


def test_the_wheel_holds_the_package_its_data_and_the_migrations_and_nothing_else(wheel):
    source = files(ROOT / "service") | files(ROOT / "migrations")
    wanted = {re.sub(r"^migrations/", "service/migrations/", name) for name in source}
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = archive.read(f"semilla-{__version__}.dist-info/METADATA").decode()
    assert held == wanted
    assert "service/migrations/versions/0001_games.py" in held
    assert "License-Expression: MIT" in metadata or "License: MIT" in metadata
    assert "Requires-Python: >=3.11" in metadata
    assert not re.search(r"^Requires-Dist: (pytest|ruff|mypy)\b(?!.*extra)", metadata, re.MULTILINE)


def test_the_installed_command_runs_anywhere(programs, tmp_path):
    semilla = programs / "semilla"
    assert (
        run(semilla, "--version", cwd=tmp_path)
        == f"semilla {__version__}, schema {head_revision()}\n"
    )
    assert run(semilla, "db", "upgrade", cwd=tmp_path) == f"the schema is at {head_revision()}\n"
    assert (tmp_path / "data" / "semilla.db").is_file()
    assert "as this release needs it" in run(semilla, "db", "check", cwd=tmp_path)
    assert run(semilla, "verify-games", cwd=tmp_path).startswith("0 games checked")
    assert "Moves    " in run(semilla, "deal", "cruel", "32", cwd=tmp_path)


def test_the_installed_service_serves_its_contract_texts_viewer_and_page(programs, tmp_path):
    env = {**ENVIRON, "HOST": "127.0.0.1", "PORT": "0"}
    server = Server(tmp_path, command=[programs / "semilla", "serve"], env=env)
    try:
        server.wait_until_ready()
        contract = ask(f"{server.url}/openapi.yaml")
        assert contract.text == (ROOT / "service" / "api" / "openapi.yaml").read_text("utf-8")
        page = ask(f"{server.url}/docs")
        assert page.headers.get_content_type() == "text/html"
        linked = re.findall(r'(?:href|src)="([^"]+)"', page.text)
        assert len(linked) > 4
        for name in linked:
            assert ask(f"{server.url}/{name}").status == 200
        home = ask(f"{server.url}/")
        linked = re.findall(r'(?:href|src)="(page/[^"]+)"', home.text)
        assert len(linked) > 10
        for name in linked:
            assert ask(f"{server.url}/{name}").status == 200
        picture = ask(f"{server.url}/v1/deals/cruel/32/board.png")
        assert picture.body.startswith(b"\x89PNG")
        texts = {}
        for language in ("en", "es"):
            reply = ask(f"{server.url}/v1/variants", Accept_Language=language)
            texts[language] = {item["variant"]: item["rules"] for item in reply.json["items"]}
        assert texts["en"].keys() == texts["es"].keys() == VARIANTS.keys()
        assert all(texts["en"][name] != texts["es"][name] for name in VARIANTS)
        assert ask(f"{server.url}/v1/games", {"seed": "32"}).status == 201
    finally:
        assert server.stop() == 0
