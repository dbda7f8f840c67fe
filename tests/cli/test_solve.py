"""``semilla solve``: lines that win, exit statuses, files, and what a database keeps."""

import io
import json
import re
import sys
import time

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from service.cli import main, solver
from service.db.engine import open_engine
from service.db.tables import solutions
from service.solver.solution import Solution, Verdict
from service.usecases import solving
from service.usecases.solving import Solved
from tests.boards.positions import GOLDEN
from tests.cli.operating import UNSET, invoke
from tests.cli.running import flat
from tests.solving import HARD, LOST, UNWINNABLE, WINNABLE, searching_by_nodes, wins

# Four kings and a queen are left: five moves, in any order that the rules allow.
LAST = {"piles": [["KC"], ["KD"], ["KH", "QH"], ["KS"], *[[]] * 8]}


@pytest.fixture(autouse=True)
def search(monkeypatch, tmp_path):
    """Search by nodes, in a folder where nothing is."""
    found = searching_by_nodes(2_000)
    monkeypatch.setattr(solving, "search", found)
    monkeypatch.chdir(tmp_path)
    return found


def line_of(output):
    """Give the line that is written below the verdict."""
    words = flat(output.partition("  Line ")[2].partition("  Search ")[0])
    return words.split()


def test_a_deal_that_can_be_won_is_shown_with_its_line():
    output = invoke("solve", WINNABLE).stdout
    assert output.startswith(f"cruel, seed {WINNABLE}\n\n  Verdict  winnable in ")
    line = line_of(output)
    assert wins("cruel", WINNABLE, line)
    assert f"winnable in {len(line)} actions (48 at least)\n" in output
    assert re.search(r"\n  Search   \d+ positions in \d+ ms\n$", output)
    assert all(len(row) <= 80 for row in output.splitlines())


def test_variant_and_options_are_named_as_elsewhere():
    words = ["--variant", "limited-cruel", "-o", "redeal_limit=9", "-o", "deal=by_pile"]
    output = invoke("solve", "7", *words).stdout
    assert output.startswith("limited-cruel, seed 7, deal=by_pile, redeal_limit=9\n")
    calculation = invoke("solve", "semilla", "--variant", "calculation").stdout
    assert wins("calculation", "semilla", line_of(calculation))


@pytest.mark.parametrize(
    ("seed", "code", "words"),
    [
        (UNWINNABLE, 1, "unwinnable: no line wins"),
        (LOST, 1, "unwinnable: no line wins"),
        (HARD, 3, "unknown: the budget is spent"),
    ],
)
def test_the_exit_status_tells_the_verdict(seed, code, words):
    output = invoke("solve", seed, code=code).stdout
    assert f"  Verdict  {words}\n" in output
    assert "Line" not in output


def test_who_asks_for_the_verdict_gets_that():
    output = invoke("solve", WINNABLE, "--goal", "verdict").stdout
    assert "  Verdict  winnable\n" in output
    assert "Line" not in output


def test_as_json_it_has_the_fields_of_the_api_and_what_is_solved():
    found = json.loads(invoke("solve", WINNABLE, "--json").stdout)
    assert list(found)[:3] == ["variant", "options", "seed"]
    assert (found["variant"], found["seed"]) == ("cruel", WINNABLE)
    assert found["options"]["redeal_limit"] is None
    assert (found["verdict"], found["known"]) == ("winnable", False)
    assert wins("cruel", WINNABLE, found["line"])
    assert found["length"] == len(found["line"])
    assert json.loads(invoke("solve", UNWINNABLE, "--json", code=1).stdout)["line"] is None


# ---- files ----


@pytest.mark.parametrize("source", ["last.json", "-"])
def test_a_position_is_solved_from_a_file_or_the_input(tmp_path, source):
    text = json.dumps({"variant": "cruel", "position": LAST})
    (tmp_path / "last.json").write_text(text)
    words = ["solve", source, "--goal", "shortest"]
    output = CliRunner().invoke(main, words, input=text, env=UNSET).stdout
    assert output.startswith("cruel\n\n  Verdict  winnable in 5 actions (none is shorter)\n")
    assert sorted(line_of(output)) == ["1>F", "2>F", "3>F", "3>F", "4>F"]


def test_a_position_as_json_is_given_back_whole(tmp_path):
    options = {"redeal_limit": 2}
    text = json.dumps({"variant": "cruel", "options": options, "position": LAST})
    (tmp_path / "last.json").write_text(text)
    found = json.loads(invoke("solve", "last.json", "--json").stdout)
    assert list(found)[:3] == ["variant", "options", "position"]
    assert found["options"]["redeal_limit"] == 2
    assert found["position"] == {"foundations": ["QC", "QD", "JH", "QS"], **LAST}
    assert found["length"] == 5


def test_deals_of_which_the_answer_is_known_are_solved_as_they_are_known(tmp_path):
    deals = json.loads((GOLDEN / "solved_cruel.json").read_text("utf-8"))["deals"]
    for deal in [each for each in deals if not each["winnable"]][:3]:
        piles = [pile.split() for pile in deal["piles"]]
        file = tmp_path / "deal.json"
        file.write_text(json.dumps({"variant": "cruel", "position": {"piles": piles}}))
        result = invoke("solve", "deal.json", code=1)
        assert "unwinnable" in result.stdout


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("{", "holds no JSON"),
        ("[]", "an object with variant, position"),
        ('{"variant": "cruel"}', "an object with variant, position"),
        ({"variant": "patience", "position": LAST}, "/variant"),
        ({"variant": 7, "position": LAST}, "/variant"),
        ({"variant": "cruel", "position": {"piles": [["KC"], ["KC"], *[[]] * 10]}}, "KC"),
        ({"variant": "cruel", "position": []}, "/position"),
        ({"variant": "cruel", "options": {"redeal": "never"}, "position": LAST}, "/options/redeal"),
        ({"variant": "cruel", "options": 1, "position": LAST}, "/options"),
        ({"variant": "cruel", "moves\u202e": [], "position": LAST}, "/moves\\u202e"),
    ],
)
def test_what_is_no_position_exits_with_2_and_says_why(tmp_path, data, says):
    (tmp_path / "x.json").write_text(data if isinstance(data, str) else json.dumps(data))
    result = invoke("solve", "x.json", code=2)
    assert result.stdout == ""
    assert result.stderr.startswith("Error: x.json holds no ")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_file_that_cannot_be_read_exits_with_2(tmp_path, monkeypatch):
    (tmp_path / "x.json").write_text("{}")

    def fail(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", fail)
    result = invoke("solve", "x.json", code=2)
    assert result.stderr == "Error: cannot read x.json: Permission denied\n"


@pytest.mark.parametrize(
    "words",
    [
        ["-x"],
        ["32", "--variant", "patience"],
        ["32", "-o", "redeal=never"],
        ["32", "-o", "redeal"],
        ["32", "--goal", "win"],
        ["32", "--budget-ms", "0"],
        ["no seed"],
        [],
    ],
)
def test_wrong_words_exit_with_2(words):
    assert invoke("solve", *words, code=2).stdout == ""


@pytest.mark.parametrize("words", [["--variant", "cruel"], ["-o", "redeal_limit=3"]])
def test_a_file_says_itself_what_is_played(tmp_path, words):
    (tmp_path / "last.json").write_text(json.dumps({"variant": "cruel", "position": LAST}))
    assert "name no variant" in invoke("solve", "last.json", *words, code=2).stderr


def test_a_faulty_setting_exits_with_2():
    result = invoke("solve", WINNABLE, code=2, PORT="x")
    assert result.stderr == "Error: PORT is 'x', and must be a whole number from 0 to 65535\n"


# ---- what a database keeps ----


def test_without_a_database_none_is_made(tmp_path, search):
    invoke("solve", WINNABLE)
    invoke("solve", WINNABLE)
    assert list(tmp_path.iterdir()) == []
    assert search.calls == 2


def test_what_was_found_is_kept_in_the_database_of_the_service(tmp_path, search):
    invoke("db", "upgrade")
    first = json.loads(invoke("solve", WINNABLE, "--json").stdout)
    second = json.loads(invoke("solve", WINNABLE, "--json").stdout)
    assert second == {**first, "nodes": 0, "elapsed_ms": 0, "known": True}
    assert invoke("solve", WINNABLE).stdout.endswith("\n  Search   none was needed\n")
    assert search.calls == 1
    engine = open_engine(f"sqlite:///{tmp_path / 'data' / 'semilla.db'}")
    with engine.connect() as connection:
        assert connection.execute(select(solutions.c.verdict)).scalars().all() == ["winnable"]
    engine.dispose()


def test_a_position_from_a_file_is_not_kept(tmp_path, search):
    invoke("db", "upgrade")
    (tmp_path / "last.json").write_text(json.dumps({"variant": "cruel", "position": LAST}))
    for _ in range(2):
        assert not json.loads(invoke("solve", "last.json", "--json").stdout)["known"]
    assert search.calls == 2


def test_a_database_that_is_not_ready_is_done_without(tmp_path):
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    result = invoke("solve", WINNABLE, DATABASE_URL=url)
    assert "winnable in" in result.stdout
    assert result.stderr.startswith("What is found is not kept: there is no schema")


# ---- progress ----


class Terminal(io.StringIO):
    """Standard error on a terminal."""

    def isatty(self):
        return True


SOLVED = Solved(Solution(Verdict.UNKNOWN, None, False, 0, 9, 40), known=False)  # noqa: FBT003


@pytest.mark.parametrize(("moment", "seen"), [(30, False), (0.001, True)])
def test_long_work_shows_on_a_terminal_how_far_it_is(monkeypatch, moment, seen):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(solver, "_MOMENT_S", moment)
    monkeypatch.setattr(solver, "_TICK_S", 0.005)

    def work():
        time.sleep(0.05)
        return SOLVED

    assert solver._watched(work, 40) is SOLVED  # noqa: SLF001 - what a terminal would show
    told = sys.stderr.getvalue()
    assert ("Searching" in told) is seen
    assert ("%" in told) is seen


@pytest.mark.parametrize("moment", [30, 0.001])
def test_what_goes_wrong_behind_the_bar_is_raised(monkeypatch, moment):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(solver, "_MOMENT_S", moment)

    def work():
        time.sleep(0.02)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        solver._watched(work, 40)  # noqa: SLF001 - as above


def test_where_nobody_looks_nothing_is_shown(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert solver._watched(lambda: SOLVED, 40) is SOLVED  # noqa: SLF001 - as above
    assert sys.stderr.getvalue() == ""
