"""``semilla census``: its files, how it goes on, who solves, and how it ends."""

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from sqlalchemy import select

from service import __version__
from service.cli import census, census_folder, census_workers
from service.cli.census_workers import Workers
from service.db.tables import solutions
from service.rules import VARIANTS
from service.solver.census import Terms
from service.solver.census import survey as solve_all
from service.usecases.solutions import deal_key
from tests.cli.operating import complaint, invoke
from tests.servers import SEMILLA, environment
from tests.solving import wins

NODES = ["--nodes", "400"]
COLUMNS = "seed,verdict,length,proven_shortest,lower_bound,nodes,ms"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Work in a folder where nothing is; give that of the census."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "census" / "cruel"


@pytest.fixture
def solved(monkeypatch):
    """Solve in threads of this process; give the numbers that were solved."""
    numbers = []

    def survey(terms, piece):
        numbers.extend(piece)
        return solve_all(terms, piece)

    @contextmanager
    def processes(_terms, count):
        with ThreadPoolExecutor(1) as executor:
            yield Workers(executor, count)

    monkeypatch.setattr(census, "processes", processes)
    monkeypatch.setattr(census_workers, "survey", survey)
    return numbers


def rows(folder):
    with (folder / "deals.csv").open(newline="", encoding="ascii") as table:
        return list(csv.DictReader(table))


def summary(folder):
    return json.loads((folder / "summary.json").read_text("utf-8"))


def timeless(folder):
    return [{**row, "ms": ""} for row in rows(folder)]


# ---- files ----


@pytest.mark.usefixtures("solved")
def test_a_census_writes_a_line_for_each_deal_a_summary_and_a_picture(folder):
    output = invoke("census", "--from", "3", "--to", "22", *NODES).stdout
    assert sorted(path.name for path in folder.iterdir()) == [
        "deals.csv",
        "histogram.svg",
        "summary.json",
    ]
    deals = rows(folder)
    assert [row["seed"] for row in deals] == [f"census-{number}" for number in range(3, 23)]
    assert (folder / "deals.csv").read_text("ascii").startswith(f"{COLUMNS}\n")
    won = [row for row in deals if row["verdict"] == "winnable"]
    lost = [row for row in deals if row["verdict"] == "unwinnable"]
    assert all(int(row["length"]) >= int(row["lower_bound"]) == 48 for row in won)
    assert all((row["length"], row["lower_bound"]) == ("", "0") for row in lost)
    assert {row["proven_shortest"] for row in deals} == {"false"}
    assert all(1 <= int(row["nodes"]) <= 400 for row in deals)

    found = summary(folder)
    assert (found["seeds"], found["deals"]) == (["census-3 to census-22"], 20)
    assert found["version"] == __version__
    assert found["terms"]["nodes_per_deal"] == 400
    assert found["verdicts"]["winnable"]["deals"] == len(won)
    assert sum(found["lengths"]["counts"].values()) == len(won)

    assert output.startswith("cruel, goal line, 400 positions a deal at most\n\n")
    assert f"  Wins     {len(won)} of 20: {100 * len(won) / 20:.2f} % (95 % interval " in output
    assert f"  No win   {len(lost)} of 20: " in output
    assert all(len(line) <= 80 for line in output.splitlines())


@pytest.mark.usefixtures("solved")
@pytest.mark.parametrize("goal", ["verdict", "line", "shortest"])
def test_a_goal_is_what_each_deal_is_asked_for(folder, goal):
    output = invoke("census", "--to", "4", "--goal", goal, *NODES).stdout
    assert f"cruel, goal {goal}, " in output
    lines = [row["length"] for row in rows(folder) if row["verdict"] == "winnable"]
    assert lines
    assert all(bool(length) is (goal != "verdict") for length in lines)
    assert (summary(folder)["lengths"] is None) is (goal == "verdict")
    assert ("Actions" in output) is (goal != "verdict")
    assert ("Actions" in (folder / "histogram.svg").read_text("utf-8")) is (goal != "verdict")


@pytest.mark.usefixtures("solved")
def test_variant_and_options_are_named_as_elsewhere(tmp_path):
    words = ["--variant", "limited-cruel", "-o", "redeal_limit=9", "--out", "mine"]
    invoke("census", "--to", "2", *words, *NODES)
    terms = summary(tmp_path / "mine")["terms"]
    assert (terms["variant"], terms["options"]["redeal_limit"]) == ("limited-cruel", 9)


@pytest.mark.usefixtures("solved")
@pytest.mark.parametrize("to", [1, 2, 40])
def test_the_picture_says_in_words_what_it_draws(folder, to):
    invoke("census", "--to", str(to), *NODES)
    root = ET.fromstring((folder / "histogram.svg").read_text("utf-8"))  # noqa: S314 - our own
    title, described, *_ = (element.text for element in root)
    assert title == f"Cruel: {to} deals"
    verdicts = summary(folder)["verdicts"]
    assert f"{verdicts['winnable']['percent']:.2f} % can be won." in described
    assert f"{verdicts['unknown']['percent']:.2f} % not settled." in described
    width, height = (float(root.get(side)) for side in ("width", "height"))
    for box in root.iter("{http://www.w3.org/2000/svg}rect"):
        x, y, wide, high = (float(box.get(name, 0)) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= width
        assert 0 <= y <= y + high <= height


@pytest.mark.usefixtures("solved")
def test_the_picture_has_a_column_as_high_as_its_share_for_each_length(folder):
    invoke("census", "--to", "60", *NODES)
    counts = summary(folder)["lengths"]["counts"]
    drawn = ET.fromstring((folder / "histogram.svg").read_text("utf-8"))  # noqa: S314 - our own
    (lengths, _nodes) = drawn.findall("{http://www.w3.org/2000/svg}g")
    heights = [float(box.get("height")) for box in lengths if box.tag.endswith("rect")]
    unit = max(heights) / max(counts.values())
    assert [round(height / unit) for height in heights] == list(counts.values())


# ---- going on ----


def test_no_deal_is_solved_twice(folder, solved):
    invoke("census", "--to", "10", *NODES)
    first = (folder / "deals.csv").read_bytes()
    invoke("census", "--to", "10", *NODES)
    assert (folder / "deals.csv").read_bytes() == first
    invoke("census", "--from", "5", "--to", "14", *NODES)
    assert sorted(solved) == list(range(1, 15))
    assert [row["seed"] for row in rows(folder)] == [f"census-{n}" for n in range(1, 15)]


@pytest.mark.usefixtures("solved")
def test_a_summary_names_the_seeds_that_are_there(folder):
    for first, last in [(1, 3), (7, 7), (9, 10)]:
        invoke("census", "--from", str(first), "--to", str(last), *NODES)
    assert summary(folder)["seeds"] == ["census-1 to census-3", "census-7", "census-9 to census-10"]


@pytest.mark.parametrize("lost", range(1, 40))
def test_a_last_line_that_was_broken_off_is_solved_again(folder, solved, lost):
    invoke("census", "--to", "3", *NODES)
    whole = timeless(folder)
    text = (folder / "deals.csv").read_text("ascii")
    (folder / "deals.csv").write_text(text[:-lost], "ascii")
    kept = text[:-lost].count("\n") - 1
    solved.clear()
    invoke("census", "--to", "3", *NODES)
    assert sorted(solved) == list(range(kept + 1, 4))
    assert timeless(folder) == whole


@pytest.mark.usefixtures("solved")
def test_a_table_without_its_head_begins_anew(folder):
    folder.mkdir(parents=True)
    (folder / "deals.csv").write_text("")
    invoke("census", "--to", "2", *NODES)
    assert len(rows(folder)) == 2


@pytest.mark.usefixtures("solved")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--nodes", "401"], "nodes_per_deal"),
        ([*NODES, "--goal", "verdict"], "goal"),
        ([*NODES, "--variant", "perseverance"], "variant, options"),
        ([*NODES, "-o", "redeal_limit=1"], "options"),
    ],
)
def test_answers_to_other_terms_are_not_mixed(folder, words, named):
    invoke("census", "--to", "2", *NODES)
    before = (folder / "deals.csv").read_bytes()
    said = complaint("census", "--to", "3", "--out", str(folder), *words)
    assert f"holds a census of other terms ({named}): name another folder (--out)" in said
    assert (folder / "deals.csv").read_bytes() == before


@pytest.mark.usefixtures("solved")
@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n",
        f"{COLUMNS}\ncensus-1,winnable\n",
        f"{COLUMNS}\ncensus-1,won,60,false,48,100,1\n",
        f"{COLUMNS}\ncensus-1,winnable,60,no,48,100,1\n",
        f"{COLUMNS}\nmine-1,winnable,60,false,48,100,1\n",
        f"{COLUMNS}\ncensus-x,winnable,60,false,48,100,1\n",
        f"{COLUMNS}\ncensus-1,winnable,60,false,48,100,\u0661\n",
        f'{COLUMNS}\n"census-1,winnable,60,false,48,100,1\n',
    ],
)
def test_what_is_no_table_of_a_census_is_left_as_it_is(folder, text):
    invoke("census", "--to", "1", *NODES)
    (folder / "deals.csv").write_text(text, "utf-8")
    said = complaint("census", "--to", "2", *NODES)
    assert "deals.csv is no table of a census, or is damaged" in said.replace("census/cruel/", "")
    assert (folder / "deals.csv").read_text("utf-8") == text


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"terms": 1}'])
@pytest.mark.usefixtures("solved")
def test_a_table_without_its_terms_is_nobodys(folder, text):
    invoke("census", "--to", "1", *NODES)
    (folder / "summary.json").unlink()
    if text is not None:
        (folder / "summary.json").write_text(text)
    assert "of other terms" in complaint("census", "--to", "2", *NODES)


@pytest.mark.usefixtures("solved")
def test_two_at_once_in_one_folder_are_one_too_many(folder):
    terms = Terms("cruel", VARIANTS["cruel"], census.Goal("line"), 400)
    with census_folder.CensusFolder.open(folder, terms):
        said = complaint("census", "--to", "2", *NODES)
    assert said == "Error: another census is writing to census/cruel"


@pytest.mark.usefixtures("solved")
def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "census").write_text("")
    said = complaint("census", "--to", "2", *NODES)
    assert said == "Error: cannot use the folder census/cruel: Not a directory"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--to", "0"],
        ["--from", "3", "--to", "2"],
        ["--to", "2", "--variant", "patience"],
        ["--to", "2", "-o", "redeal=never"],
        ["--to", "2", "--nodes", "0"],
        ["--to", "2", "--workers", "0"],
        ["--to", "2", "--workers", "2", "--scheduler", "tcp://127.0.0.1:1"],
    ],
)
def test_wrong_words_exit_with_2_and_make_no_folder(tmp_path, words):
    assert invoke("census", *words, code=2).stdout == ""
    assert list(tmp_path.iterdir()) == []


# ---- the database ----


@pytest.fixture
def settings(config):
    return {"SEMILLA_DATA": str(config.data), "DATABASE_URL": config.database_url or None}


def test_with_the_database_deals_that_are_known_are_not_solved(db, settings, folder, solved):
    invoke("census", "--to", "9", "--out", "one", "--database", *NODES, **settings)
    invoke("census", "--to", "12", "--database", *NODES, **settings)
    # A search in vain is known too; those of fewer nodes are not.
    assert sorted(solved) == list(range(1, 13))
    first, second = rows(folder.parent.parent / "one"), rows(folder)
    unsearched = [{**row, "nodes": "", "ms": ""} for row in first]
    assert second[:9] == unsearched
    rules = VARIANTS["cruel"]
    with db.connect() as connection:
        kept = {row.deal: row for row in connection.execute(select(solutions))}
    assert len(kept) == 12
    for row in first:
        found = kept[deal_key(rules, rules.opening("deal/1", row["seed"]))]
        assert found.verdict == row["verdict"]
        assert str(found.length or "") == row["length"]
        assert found.line is None or wins("cruel", row["seed"], found.line.split())


@pytest.mark.usefixtures("solved")
def test_without_it_no_database_is_made(tmp_path):
    invoke("census", "--to", "1", *NODES)
    assert [path.name for path in tmp_path.iterdir()] == ["census"]


@pytest.mark.usefixtures("solved")
def test_a_database_that_is_not_ready_ends_it(tmp_path):
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    assert "schema" in complaint("census", "--to", "1", "--database", *NODES, DATABASE_URL=url)


# ---- processes ----


@pytest.mark.usefixtures("solved")
def test_processes_find_what_one_finds_and_a_terminal_shows_how_far_they_are(tmp_path, folder):
    invoke("census", "--to", "20", "--out", "one", *NODES)
    ours, theirs = pty.openpty()
    words = [SEMILLA, "census", "--to", "20", "--workers", "2", *NODES]
    places = {"cwd": tmp_path, "env": environment(tmp_path), "stderr": theirs}
    subprocess.run(words, **places, stdout=subprocess.DEVNULL, check=True)
    os.close(theirs)
    told = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "0/20" in told
    assert "20/20" in told
    assert timeless(folder) == timeless(tmp_path / "one")


def started(folder):
    """Start a census that goes on for long, and wait until it has solved a few deals."""
    process = subprocess.Popen(
        [SEMILLA, "census", "--to", "1000000", "--nodes", "100", "--workers", "2"],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    table = folder / "census" / "cruel" / "deals.csv"
    deadline = time.monotonic() + 120
    while not table.exists() or table.read_bytes().count(b"\n") < 50:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def children(pid):
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(word) for word in listed.stdout.split()]


def wait_for_the_end(pids):
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_who_stops_it_gets_one_line_and_loses_nothing(tmp_path, folder, stop):
    process = started(tmp_path)
    there = children(process.pid)
    # A terminal sends Ctrl-C to all of its processes.
    os.killpg(process.pid, stop) if stop == signal.SIGINT else process.send_signal(stop)
    output, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (output, said) == ("", "Stopped: the same command goes on from here.\n")
    wait_for_the_end(there)
    assert (folder / "histogram.svg").exists()
    assert len(rows(folder)) == summary(folder)["deals"] >= 49


def test_a_census_that_is_killed_leaves_its_table_and_no_process(tmp_path, folder, solved):
    process = started(tmp_path)
    there = children(process.pid)
    assert len(there) >= 2
    process.kill()
    process.communicate(timeout=60)
    wait_for_the_end(there)
    found = (folder / "deals.csv").read_text("ascii").count("\n") - 1
    invoke("census", "--to", "100", "--nodes", "100")
    assert len(rows(folder)) >= max(found, 100)
    assert len(solved) <= 60


# ---- progress ----


@pytest.mark.usefixtures("solved")
def test_where_nobody_looks_nothing_is_shown():
    assert invoke("census", "--to", "2", *NODES).stderr == ""


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        (BrokenExecutor("a child"), "(a child)"),
        (CancelledError(), "(CancelledError)"),
        (OSError("closed"), "(closed)"),
    ],
)
def test_where_those_who_solve_are_gone_it_ends_and_keeps_what_is_there(
    solved, monkeypatch, folder, fault, named
):
    survey = census_workers.survey

    def fail(terms, piece):
        if 33 in piece:
            raise fault
        return survey(terms, piece)

    monkeypatch.setattr(census_workers, "survey", fail)
    said = complaint("census", "--to", "64", "--workers", "1", *NODES)
    assert f"those who solve are gone, perhaps for want of memory {named}: " in said
    assert said.endswith(": the same command goes on from here")
    # No more than the pieces that were ready at the same moment is solved again.
    kept = {row["seed"] for row in rows(folder)}
    assert {f"census-{number}" for number in range(1, 9)} <= kept
    assert "census-33" not in kept
    monkeypatch.setattr(census_workers, "survey", survey)
    solved.clear()
    invoke("census", "--to", "64", *NODES)
    assert len(solved) == 64 - len(kept)
    assert len(rows(folder)) == 64


def test_a_full_disk_ends_it_in_one_line(solved, monkeypatch, folder):
    def fail(_lines):
        raise OSError(28, "No space left on device")

    invoke("census", "--to", "8", *NODES)
    monkeypatch.setattr(census_folder, "_lines", fail)
    said = complaint("census", "--to", "16", *NODES)
    assert said == "Error: cannot use the folder census/cruel: No space left on device"
    assert len(rows(folder)) == 8
    assert len(solved) >= 8


# ---- a Dask cluster ----


@pytest.fixture
def scheduler():
    """Give the address of a scheduler with one worker."""
    distributed = pytest.importorskip("distributed", reason="the extra census is not installed")
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False}
    with distributed.LocalCluster(**options, dashboard_address=None, protocol="tcp") as cluster:
        yield cluster.scheduler_address


def test_a_cluster_finds_what_processes_find(folder, solved, scheduler, monkeypatch):
    invoke("census", "--to", "20", "--out", "one", *NODES)
    monkeypatch.setattr(census_workers, "survey", solve_all)
    solved.clear()
    invoke("census", "--to", "20", "--scheduler", scheduler, *NODES)
    assert timeless(folder) == timeless(folder.parent.parent / "one")
    assert solved == []


def test_workers_of_another_release_are_refused(scheduler, monkeypatch):
    monkeypatch.setattr(census_workers, "_version", str)
    said = complaint("census", "--to", "2", "--scheduler", scheduler, *NODES)
    assert said == f"Error: the workers have another release than this one ({__version__})"


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "bogus://x", "127.0.0.1:x"])
def test_a_scheduler_that_does_not_answer_is_named(address, monkeypatch):
    monkeypatch.setattr(census_workers, "_CONNECT_S", 0.5)
    pytest.importorskip("distributed", reason="the extra census is not installed")
    said = complaint("census", "--to", "2", "--scheduler", address, *NODES)
    assert said.startswith(f"Error: no scheduler of Dask answers at {address}: ")


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = complaint("census", "--to", "2", "--scheduler", "tcp://127.0.0.1:1", *NODES)
    assert re.search(r"--scheduler needs the extra census: pip install 'semilla\[census\]'", said)
