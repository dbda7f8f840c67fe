"""The program of docs/fair-play.md: it finds what the service ranks, and every forgery."""

import copy
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from service.usecases.verify_challenge import verify_challenge

PROGRAM = Path(__file__).parent / "verify.mjs"


@pytest.fixture
def check(tmp_path):
    """Give a function that runs the program on pages: its lines, None where it fails."""
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI runs the JavaScript of docs/fair-play.md, and needs node")
        pytest.skip("there is no node to run the JavaScript of docs/fair-play.md")

    def run(pages):
        files = []
        for number, page in enumerate(pages):
            files.append(tmp_path / f"{number}.json")
            files[-1].write_text(json.dumps(page), "utf-8")
        command = [node, PROGRAM, *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        return done.stdout.splitlines() if done.returncode == 0 else None

    return run


def test_the_program_has_at_most_60_lines_of_code():
    lines = PROGRAM.read_text("utf-8").splitlines()
    assert len([line for line in lines if line and not line.startswith("//")]) <= 60


@pytest.mark.parametrize("kind", ["own", "race", "calculation"])
def test_the_program_ranks_as_the_service_does(check, recorded, kind):
    pages = recorded[kind]
    expected = []
    for each in verify_challenge(pages).ranking:
        won, cards_up, actions, redeals, elapsed_ms = each.standing
        figures = (int(won), cards_up, actions, redeals, elapsed_ms)
        words = (each.rank, each.player or "(deleted)", each.attempt, *figures)
        expected.append(" ".join(map(str, words)))
    assert check(pages) == expected


def forge(page, *path, value):
    inner = page
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("items", 1, "moves", 0), "4>F"),
        (("items", 1, "moves", 0), "R"),
        (("items", 1, "moves", 0), "nonsense"),
        (("items", 1, "attempt"), 1),
        (("items", 1, "times_ms"), []),
        (("items", 1, "times_ms", -1), 2_001),
        (("items", 1, "times_ms", 1), 0),
        (("items", 1, "started_at"), "2026-01-01T12:00:00.000Z"),
        (("items", 4, "status"), "won"),
        (("items", 4, "score", "cards_up"), 52),
        (("record",), "semilla-challenge/2"),
        (("rules_version",), 2),
        (("seed",), "0" * 64),
        (("commitment",), "0" * 64),
        (("former_terms", 0, "seed"), "0" * 64),
        (("dealt",), 9),
        (("next",), "more"),
    ],
)
def test_the_program_fails_on_a_forgery(check, recorded, path, value):
    page = copy.deepcopy(recorded["own"][0])
    forge(page, *path, value=value)
    assert check([page]) is None


def test_the_program_fails_on_another_term(check, recorded):
    page = copy.deepcopy(recorded["own"][0])
    page["terms"] = page["terms"].replace("1200000", "1200001")
    assert check([page]) is None


def test_the_program_fails_on_an_attempt_beyond_the_last(check, recorded):
    page = copy.deepcopy(recorded["own"][0])
    third = {**page["items"][1], "attempt": 3, "game_id": "another"}
    page["items"].insert(2, third)
    page["dealt"] += 1
    assert check([page]) is None


# Texts for the move that stands at a place of the winner's, which mean it in no game, or another's.
@pytest.mark.parametrize(
    ("kind", "place", "text"),
    [
        # The first card of the deck, which is on top of pile 1 and goes up: but there is no stock.
        ("race", 48, "S>F"),
        ("race", 48, "W1>F"),
        ("race", 48, "1>F1"),
        ("race", 10, "10>"),
        ("race", 10, "10>W7"),
        ("calculation", 0, "S>4"),
        ("calculation", 0, "S>W"),
        ("calculation", 1, "4>F3"),
        ("calculation", 1, "W4>F"),
    ],
)
def test_the_program_knows_no_moves_but_those_of_the_variant(check, recorded, kind, place, text):
    page = copy.deepcopy(recorded[kind][0])
    item = next(item for item in page["items"] if item["status"] == "won")
    del item["moves"][place + 1 :], item["times_ms"][place + 1 :]
    moves, times = item["moves"], item["times_ms"]
    redeals, up = moves.count("R"), sum("F" in move for move in moves)
    figures = {"cards_up": 4 + up, "moves": len(moves) - redeals, "redeals": redeals}
    item["score"] = {**figures, "actions": len(moves), "elapsed_ms": times[-1]}
    item["status"] = "timed_out"
    assert check([page]) is not None
    assert ("F" in text) == ("F" in moves[place])
    moves[place] = text
    assert check([page]) is None
