"""Known deals, won over HTTP by the real curl and nothing else."""

import json
import re
import shutil
import subprocess

import pytest

from service.rules.record_text import parse_record
from tests.boards.positions import BOARDS, GOLDEN
from tests.servers import running_server

CURL = shutil.which("curl")
TEXT = ("-H", "Accept: text/plain")


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("curl")) as url:
        yield f"{url}/v1"


def curl(*words):
    """Run curl; fail unless the server answers with success."""
    command = [CURL, "--silent", "--show-error", "--fail-with-body", "--max-time", "20", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def won(name):
    record = parse_record((GOLDEN / "records" / f"{name}-won.txt").read_text("ascii"))
    return record, (BOARDS / f"{name}-won.txt").read_text("ascii")


@pytest.mark.parametrize("name", ["cruel", "calculation"])
def test_a_game_is_won_move_by_move_in_json(name, url):
    record, _ = won(name)
    body = json.dumps({"variant": record.variant, "seed": record.seed, "undo": record.undo})
    game = json.loads(curl("--json", body, f"{url}/games"))
    assert (game["status"], game["ply"]) == ("in_progress", 0)
    path = f"{url}/games/{game['id']}"
    auth = ("-H", f"Authorization: Bearer {game['token']}")
    for at, move in enumerate(record.moves):
        assert (game["status"], game["ply"]) == ("in_progress", at)
        assert move in game["legal_moves"]
        game = json.loads(
            curl(*auth, "--json", json.dumps({"at": at, "moves": [move]}), f"{path}/moves")
        )
        assert game["recorded"] == 0
    assert (game["status"], game["score"]["cards_up"], game["legal_moves"]) == ("won", 52, [])
    assert game["finished_at"] is not None
    seen = json.loads(curl(path))
    assert (seen["status"], seen["seed"]) == ("won", record.seed)
    verified = json.loads(curl("--json", curl(f"{path}/record"), f"{url}/evaluate"))
    assert (verified["status"], verified["ply"]) == ("won", len(record.moves))


@pytest.mark.parametrize("name", ["cruel", "calculation"])
def test_a_game_is_won_in_plain_text_alone(name, url):
    record, board = won(name)
    body = json.dumps({"variant": record.variant, "seed": record.seed})
    shown = curl(*TEXT, "--json", body, f"{url}/games")
    game, token = (
        re.search(rf"^{label} +(\S+)", shown, re.MULTILINE)[1] for label in ("game", "token")
    )
    path = f"{url}/games/{game}"
    auth = ("-H", f"Authorization: Bearer {token}")
    for move in record.moves:
        assert "  Status   in progress, " in shown
        assert move in re.search(r"^  Moves    (.*(?:\n {11}.*)*)", shown, re.MULTILINE)[1].split()
        shown = curl(*TEXT, *auth, "--json", f'{{"moves": ["{move}"]}}', f"{path}/moves")
    assert "  Status   won, 52 of 52 cards up" in shown
    assert board in shown
    assert curl(*TEXT, path) == shown
    told = parse_record(curl(*TEXT, f"{path}/record"))
    assert told._replace(times_ms=None) == record


def test_a_game_is_won_in_one_request_that_may_be_sent_again(url):
    record, _ = won("cruel")
    game = json.loads(curl("--json", json.dumps({"seed": record.seed}), f"{url}/games"))
    auth = ("-H", f"Authorization: Bearer {game['token']}")
    request = (*auth, "--json", json.dumps({"at": 0, "moves": record.moves}))
    for recorded in (0, len(record.moves)):
        reply = json.loads(curl(*request, f"{url}/games/{game['id']}/moves"))
        assert (reply["status"], reply["recorded"]) == ("won", recorded)


def test_the_command_that_the_board_prints_plays_as_it_is(url):
    shown = curl(*TEXT, "--json", '{"seed": "32"}', f"{url}/games")
    command = shown.partition("Play, for example:\n")[2]
    script = command.replace("curl ", f"{CURL} --silent --max-time 20 ")
    done = subprocess.run(
        [shutil.which("sh"), "-eu"],
        input=script,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert "  Score    moves 1, " in done.stdout


def test_a_refusal_makes_curl_fail_when_it_is_asked_to(url):
    game = json.loads(curl("--json", '{"seed": "32"}', f"{url}/games"))
    command = [
        CURL,
        "--silent",
        "--fail-with-body",
        "--max-time",
        "20",
        "--json",
        '{"moves": ["1>1"]}',
    ]
    auth = ["-H", f"Authorization: Bearer {game['token']}"]
    done = subprocess.run(
        [*command, *auth, f"{url}/games/{game['id']}/moves"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 22
    assert json.loads(done.stdout)["code"] == "illegal_move"
    assert done.stdout.endswith("}\n")
