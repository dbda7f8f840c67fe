"""The commands of the operations guide, run as they stand there: copies, upgrade and downgrade."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from service.cli.database import LOST_BELOW
from tests.e2e.sessions import Step, normalised, read_session, run_session
from tests.postgres import connect, new_database, server_url
from tests.servers import SEMILLA, ask, environment, running_server

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "operations.md").read_text("utf-8")
RECORDED = ("12>F", "3>F", "5>F", "7>F", "7>F", "9>F", "12>F", "9>11", "9>12", "9>F", "3>10", "1>3")


def session(title):
    """Give the steps of a section of the guide."""
    found = re.search(rf"^#+ {title}\n(.*?)(?=^#+ |\Z)", GUIDE, re.MULTILINE | re.DOTALL)
    steps = read_session(found[1])
    assert steps, title
    return steps


def run(steps, folder, monkeypatch, normal=None, **settings):
    """Run steps, which must print what the guide shows but for its numbers.

    ``normal`` leaves other things out of the comparison.
    """
    for name, value in environment(folder, **settings).items():
        monkeypatch.setenv(name, value)
    path = os.pathsep.join((str(SEMILLA.parent), os.environ["PATH"]))
    monkeypatch.setenv("PATH", path)
    happened = run_session(steps, "http://unused.invalid", folder)
    normal = normal or (lambda found: [numbered(step) for step in found])
    # A command that fails says so: no step of the guide does.
    assert normal(happened) == normal(steps)
    return happened


def numbered(step):
    """Give what a step prints without its numbers, but for those of revisions."""
    return re.sub(r"\b(?!0\d{3}\b)\d+\b", "<n>", step.output).rstrip("\n")


def count_of(steps):
    """Give how many games were checked last."""
    return int(re.findall(r"(\d+) games checked, 0 faulty", "".join(s.output for s in steps))[-1])


def split(steps, first):
    """Split a session where a command begins with a word."""
    at = next(n for n, step in enumerate(steps) if step.command.startswith(first))
    return steps[:at], steps[at:]


class Load:
    """Players who start games and play moves, one after the other, until it is enough."""

    def __init__(self, url):
        self.url, self.enough, self.moves = url, Event(), 0

    def __enter__(self):
        self.pool = ThreadPoolExecutor(3)
        self.players = [self.pool.submit(self.play) for _ in range(3)]
        return self

    def __exit__(self, *_):
        self.enough.set()
        self.pool.shutdown()
        self.moves = sum(player.result() for player in self.players)

    def play(self):
        played = 0
        while not self.enough.is_set():
            game = ask(f"{self.url}/v1/games", {"seed": "32"}, timeout=60).json
            path = f"{self.url}/v1/games/{game['id']}/moves"
            for at, move in enumerate(RECORDED):
                body = {"at": at, "moves": [move]}
                assert ask(path, body, token=game["token"], timeout=60).status == 200
                played += 1
                if self.enough.is_set():
                    break
        return played


def play_some(url, games=5):
    for _ in range(games):
        game = ask(f"{url}/v1/games", {"seed": "32"}).json
        path = f"{url}/v1/games/{game['id']}/moves"
        assert ask(path, {"moves": RECORDED[:7]}, token=game["token"]).status == 200


def sqlite_rows(file):
    with closing(sqlite3.connect(file)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        return {
            name: connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall()  # noqa: S608
            for (name,) in names
        }


def test_every_command_of_the_guide_is_run_by_a_test():
    titles = ("Players", "Prune", "SQLite", "PostgreSQL", "Upgrade", "Downgrade")
    assert [step for title in titles for step in session(title)] == read_session(GUIDE)


def test_a_copy_of_sqlite_under_load_is_whole_and_restored(tmp_path, monkeypatch):
    back_up, restore = split(session("SQLite"), "DATA=")
    with running_server(tmp_path) as url:
        play_some(url)
        with Load(url) as load:
            checked = run(back_up, tmp_path, monkeypatch)
        assert load.moves
    copy = sqlite_rows(tmp_path / "backup.db")
    assert len(copy["games"]) == count_of(checked) >= 5
    # What came after the copy is gone after it is restored, what was in it is there.
    assert len(sqlite_rows(tmp_path / "data" / "semilla.db")["games"]) >= len(copy["games"])
    with running_server(tmp_path) as url:
        play_some(url, 1)
    restored = run(restore, tmp_path, monkeypatch)
    assert sqlite_rows(tmp_path / "data" / "semilla.db") == copy
    assert count_of(restored) == len(copy["games"])
    with running_server(tmp_path) as url:
        game = copy["games"][0][0]
        assert ask(f"{url}/v1/games/{game}").status == 200


def test_an_operator_helps_players_while_the_service_runs(tmp_path, monkeypatch):
    steps = session("Players")
    with running_server(tmp_path) as url:
        old = ask(f"{url}/v1/players", {"name": "ana"}).json["token"]
        happened = run(steps, tmp_path, monkeypatch, normal=normalised)
        (new,) = re.findall(r"^sp_.*", "".join(step.output for step in happened), re.MULTILINE)
        assert ask(f"{url}/v1/players/me", token=old).status == 401
        assert ask(f"{url}/v1/players/me", token=new).json["name"] == "ana-2"
    lines = [json.loads(line) for line in (tmp_path / "operator.log").read_text().splitlines()]
    (example,) = [json.loads(line) for line in GUIDE.splitlines() if '"service.operator"' in line]
    assert [line["message"].split()[1] for line in lines] == ["disable", "token", "rename"]
    changing = ("time", "pid")
    assert example.keys() == lines[0].keys()
    assert {**example, **{name: lines[0][name] for name in changing}} == lines[0]


def test_games_are_pruned_while_the_service_runs(tmp_path, monkeypatch):
    with running_server(tmp_path) as url:
        for _ in range(3):
            ask(f"{url}/v1/games", {})
        run(session("Prune"), tmp_path, monkeypatch)
    (line,) = (tmp_path / "operator.log").read_text().splitlines()
    assert json.loads(line)["message"] == "prune"


def test_upgrade_and_downgrade_keep_every_row(tmp_path, monkeypatch):
    run(session("Upgrade"), tmp_path, monkeypatch)
    with running_server(tmp_path) as url:
        play_some(url)
    before = sqlite_rows(tmp_path / "data" / "semilla.db")
    run(session("Downgrade"), tmp_path, monkeypatch)
    run(session("Upgrade"), tmp_path, monkeypatch)
    after = sqlite_rows(tmp_path / "data" / "semilla.db")
    assert after == before
    verified = run(
        [Step("semilla verify-games", "5 games checked, 0 faulty")], tmp_path, monkeypatch
    )
    assert count_of(verified) == 5


def test_the_guide_tells_what_is_lost_below_each_revision_that_loses_anything():
    table = re.search(r"\| below \| you lose \|\n\|---\|---\|\n((?:\|.*\n)+)", GUIDE)[1]
    told = re.findall(r"^\| (\d{4}) \|", table, re.MULTILINE)
    migrations = sorted((ROOT / "migrations" / "versions").glob("0*.py"))
    undone = {
        file.name[:4]: file.read_text("utf-8").partition("def downgrade")[2] for file in migrations
    }
    assert told[::-1] == [number for number, code in undone.items() if "drop_table" in code]
    asking = re.findall(r"^\| (\d{4}) \|.*it asks for `--yes` \|$", table, re.MULTILINE)
    assert sorted(asking) == sorted(LOST_BELOW)


@pytest.fixture
def database_url():
    """Give an empty database of the test's own, as the tools of PostgreSQL take its URL too."""
    for tool in ("pg_dump", "pg_restore", "psql"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is missing: install postgresql-client")
    with new_database(server_url()) as url:
        yield url.replace("postgresql+psycopg://", "postgresql://")


def postgres_rows(url):
    with connect(url) as connection:
        names = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
        return {
            name: connection.execute(f'SELECT * FROM "{name}" ORDER BY 1').fetchall()  # noqa: S608
            for (name,) in names
        }


def test_a_copy_of_postgresql_under_load_is_whole_and_restored(tmp_path, monkeypatch, database_url):
    settings = {"DATABASE_URL": database_url}
    dump, restore = split(session("PostgreSQL"), "psql ")
    run(session("Upgrade"), tmp_path, monkeypatch, **settings)
    with running_server(tmp_path, **settings) as url:
        play_some(url)
        before = postgres_rows(database_url)
        with Load(url) as load:
            run(dump, tmp_path, monkeypatch, **settings)
        assert load.moves
    restored = run(restore, tmp_path, monkeypatch, **settings)
    after = postgres_rows(database_url)
    assert count_of(restored) == len(after["games"]) >= 5
    assert after.keys() == before.keys()
    assert all(row in after["games"] for row in before["games"])
    # What is restored is what was copied, row by row.
    second = tmp_path / "second"
    second.mkdir()
    run(dump, second, monkeypatch, **settings)
    listing = ["pg_restore", "--data-only", "--file=-"]
    texts = [
        subprocess.run(
            [*listing, folder / "backup.dump"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for folder in (tmp_path, second)
    ]
    data = [sorted(line for line in text.splitlines() if "\t" in line) for text in texts]
    assert data[0] == data[1]
    assert len(data[0]) >= 5
