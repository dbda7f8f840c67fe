"""``semilla verify-challenge``: from a file, from a server, and what strangers send."""

import copy
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest

from service.cli import records
from tests.cli.operating import complaint, invoke
from tests.proofs.conftest import recorded  # noqa: F401 - a fixture
from tests.proofs.world import END, played_own
from tests.racing.deal import SEED

TABLE = """\
rank  player  attempt  won  cards_up  actions  redeals  elapsed_ms
1     first   1        yes  52        60       1        2000
2     second  1        yes  52        60       1        3000
3     third   1        no   4         0        0        0
"""
VERIFIED = "Verified: commitment, deal, all 3 attempts and the ranking."
SHOWN = "Verified: commitment, deal, all 3 attempts and the ranking, which the leaderboard shows."


@pytest.fixture
def race(recorded):  # noqa: F811 - the fixture
    return copy.deepcopy(recorded["race"][0])


@contextmanager
def serving(answer):
    """Serve what ``answer`` gives for a path and a query: a status and a body."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            url = urlsplit(self.path)
            status, body = answer(url.path, parse_qs(url.query))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/challenges/x"
    finally:
        server.shutdown()
        server.server_close()


def saved(tmp_path, data):
    file = tmp_path / "record.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return str(file)


def head(race):
    return f"challenge   {race['id']}\ncommitment  {race['commitment']}\n"


def split(page):
    """Cut a record into a page for each attempt."""
    items = page["items"]
    pages = [{**page, "items": [item]} for item in items]
    for number, each in enumerate(pages):
        each["prev"] = f"p{number}" if number else None
        each["next"] = f"n{number}" if number < len(items) - 1 else None
    return pages


@pytest.mark.parametrize("cut", [False, True])
def test_a_file_is_verified(race, tmp_path, cut):
    file = saved(tmp_path, split(race) if cut else race)
    output = invoke("verify-challenge", file).stdout
    assert output == f"{head(race)}\n{TABLE}\n{VERIFIED}\n"


def row(race, name, rank, actions, redeals, elapsed_ms):
    """Give a row of the leaderboard of the race, as the table has it."""
    (item,) = (item for item in race["items"] if item["player"]["name"] == name)
    won = actions > 0
    return {
        "rank": rank,
        "player": {"name": name, "bot": False},
        "attempt": 1,
        "won": won,
        "cards_up": 52 if won else 4,
        "actions": actions,
        "redeals": redeals,
        "elapsed_ms": elapsed_ms,
        "status": item["status"],
        "game_id": item["game_id"],
    }


@pytest.fixture
def rows(race):
    """Give the rows of a leaderboard that shows the truth."""
    return [
        row(race, "first", 1, 60, 1, 2_000),
        row(race, "second", 2, 60, 1, 3_000),
        row(race, "third", 3, 0, 0, 0),
    ]


def server(race, rows, asked):
    """Give the answers of a server with this record and this leaderboard, a row a page."""
    boards = split({"items": rows}) if rows else [{"items": [], "prev": None, "next": None}]
    lists = {"record": split(race), "leaderboard": boards}

    def answer(path, query):
        asked.append((path, query))
        number = int(query["cursor"][0][1:]) + 1 if "cursor" in query else 0
        return 200, json.dumps(lists[path.rpartition("/")[2]][number]).encode()

    return answer


@pytest.mark.parametrize("below", ["", "/", "/record", "/record?limit=3"])
def test_all_pages_of_a_server_are_fetched(race, rows, below):
    asked = []
    with serving(server(race, rows, asked)) as url:
        output = invoke("verify-challenge", url + below).stdout
    assert output == f"{head(race)}\n{TABLE}\n{SHOWN}\n"
    assert [path for path, _ in asked] == [
        *["/v1/challenges/x/record"] * 3,
        *["/v1/challenges/x/leaderboard"] * 3,
    ]
    assert asked[1][1] == asked[4][1] == {"limit": ["200"], "cursor": ["n0"]}


def without_third(rows):
    del rows[2]


def twice_third(rows):
    rows.append(rows[2])


def swap(rows):
    rows[:2] = rows[1::-1]


def of(number, **changes):
    return lambda rows: rows[number].update(changes)


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        (swap, "row 1 of the leaderboard says player second, and the record gives first"),
        (of(1, rank=1), "row 2 of the leaderboard says rank 1, and the record gives 2"),
        (of(1, attempt=2), "row 2 of the leaderboard says attempt 2, and the record gives 1"),
        (
            of(0, status="lost"),
            "row 1 of the leaderboard says status lost, and the record gives won",
        ),
        (of(2, won=True), "row 3 of the leaderboard says won yes, and the record gives no"),
        (of(2, cards_up=5), "row 3 of the leaderboard says cards_up 5, and the record gives 4"),
        (of(0, actions=59), "row 1 of the leaderboard says actions 59, and the record gives 60"),
        (of(0, redeals=0), "row 1 of the leaderboard says redeals 0, and the record gives 1"),
        (of(0, elapsed_ms=1), "row 1 of the leaderboard says elapsed_ms 1, and the record gives"),
        (of(0, game_id="g"), "row 1 of the leaderboard says game_id g, and the record gives"),
        (
            of(0, player={"name": None}),
            "row 1 of the leaderboard says player (deleted), and the record gives first",
        ),
        (without_third, "row 3 of the leaderboard is missing: the record gives third there"),
        (twice_third, "row 4 of the leaderboard is too much: the record gives nobody there"),
        (list.clear, "row 1 of the leaderboard is missing: the record gives first there"),
    ],
)
def test_a_server_that_lies_in_its_leaderboard_is_found_out(race, rows, lie, says):
    lie(rows)
    with serving(server(race, rows, [])) as url:
        output = invoke("verify-challenge", url, code=1).stdout
        found = json.loads(invoke("verify-challenge", "--json", url, code=1).stdout)
    assert f"\nfault: {says}" in output
    assert output.endswith("\nNot verified: 1 faults.\n")
    assert (found["verified"], len(found["faults"])) == (False, 1)


@pytest.mark.parametrize(
    ("board", "says"),
    [
        ([], "a page of the leaderboard is not an object"),
        ({"items": [1]}, "a row of the leaderboard is not an object"),
        ({"items": [{"rank": 1}]}, "player is not an object"),
        ({"items": [], "prev": "p1"}, "pages of the leaderboard are missing"),
    ],
)
def test_what_is_no_leaderboard_is_said_in_a_line(race, board, says):
    def answer(path, _):
        found = race if path.endswith("/record") else board
        return 200, json.dumps(found).encode()

    with serving(answer) as url:
        assert f"not verified: {says}" in complaint("verify-challenge", url)


def test_the_leaderboard_of_the_service_shows_what_follows_from_its_records(
    client, db, clock, monkeypatch
):
    drawn = SimpleNamespace(token_hex=lambda _count: SEED)
    monkeypatch.setattr("service.usecases.drawing.secrets", drawn)
    world = played_own(client, db, clock)
    clock.ms = END
    path = world.path

    def answer(asked, query):
        below = asked.removeprefix("/v1/challenges/x")
        reply = client.get(f"{path}{below}", query_string={**query, "limit": 2})
        return reply.status_code, reply.data

    with serving(answer) as url:
        output = invoke("verify-challenge", url).stdout
    assert output.endswith("all 8 attempts and the ranking, which the leaderboard shows.\n")


def test_json_is_for_programs(race, tmp_path):
    found = json.loads(invoke("verify-challenge", "--json", saved(tmp_path, race)).stdout)
    assert list(found) == [
        *("challenge", "commitment", "verified", "attempts", "ranking", "disqualified", "faults")
    ]
    assert (found["challenge"], found["commitment"]) == (race["id"], race["commitment"])
    assert (found["verified"], found["attempts"], found["faults"]) == (True, 3, [])
    assert found["ranking"][0] == {
        "rank": 1,
        "entry": race["items"][0]["entry"],
        "player": "first",
        "attempt": 1,
        "won": True,
        "cards_up": 52,
        "actions": 60,
        "redeals": 1,
        "elapsed_ms": 2000,
    }


def test_a_fault_is_told_and_is_exit_status_1(race, tmp_path):
    race["items"][0]["moves"][0] = "1>2"
    race["items"][1]["player"]["name"] = None
    race["items"][2]["disqualified"] = {"at": "", "reason": ""}
    file = saved(tmp_path, race)
    output = invoke("verify-challenge", file, code=1).stdout
    game = race["items"][0]["game_id"]
    assert f"\nfault: game {game}: move 1 is refused: 1>2: " in output
    assert output.endswith("\nNot verified: 1 faults.\n")
    assert "(deleted)" in output
    assert "\ndisqualified: third\n" in output
    found = json.loads(invoke("verify-challenge", "--json", file, code=1).stdout)
    assert (found["verified"], len(found["faults"])) == (False, 1)


def test_nothing_of_a_strangers_record_runs_wild_in_a_terminal(race, tmp_path):
    race["items"][0]["player"]["name"] = "\x1b[31mred\u202e"
    race["id"] = "\x07"
    output = invoke("verify-challenge", saved(tmp_path, race)).stdout
    assert r"\x1b[31mred\u202e" in output
    assert output.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no JSON"),
        ("{", "holds no JSON"),
        ('"\\ud800"', "holds no JSON"),
        ("{}", "not verified: a page of the record of a challenge is an object"),
        ("[]", "not verified: a page of the record of a challenge is an object"),
        ("1", "not verified: a page is not an object"),
    ],
)
def test_what_is_no_record_is_said_in_a_line(tmp_path, text, says):
    assert says in complaint("verify-challenge", saved(tmp_path, text))


def test_a_file_that_cannot_be_read_is_said_in_a_line(tmp_path):
    line = complaint("verify-challenge", str(tmp_path / "none.json"))
    assert line == f"Error: cannot read {tmp_path / 'none.json'}: No such file or directory"


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (b'{"detail": "ask again\\u0007 then"}', r"HTTP Error 409: Conflict: ask again\x07 then"),
        (b"{}", "HTTP Error 409: Conflict"),
        (b'{"detail": 1}', "HTTP Error 409: Conflict"),
        (b"[]", "HTTP Error 409: Conflict"),
        (b"<html>", "HTTP Error 409: Conflict"),
        (b'{"detail": "' + 70_000 * b"x" + b'"}', "HTTP Error 409: Conflict"),
    ],
)
def test_what_a_server_refuses_is_said_in_a_line(problem, says):
    with serving(lambda *_: (409, problem)) as url:
        line = complaint("verify-challenge", url)
    assert line == f"Error: cannot fetch {url}/record?limit=200: {says}"
    line = complaint("verify-challenge", url)
    assert "Connection refused" in line
    assert "cannot fetch" in complaint("verify-challenge", "http://[")


def test_a_server_that_sends_without_end_is_left_alone(race, monkeypatch):
    monkeypatch.setattr(records, "_MOST_PAGES", 3)
    body = json.dumps({**race, "next": "more"}).encode()
    with serving(lambda *_: (200, body)) as url:
        assert "more than 3 pages" in complaint("verify-challenge", url)
        monkeypatch.setattr(records, "_LONGEST_PAGE", 10)
        assert "more than 10 bytes" in complaint("verify-challenge", url)


def test_the_input_is_read_for_a_dash(race, monkeypatch, tmp_path):
    with open(saved(tmp_path, race), "rb") as file:  # noqa: PTH123 - as a pipe
        monkeypatch.setattr(records.sys, "stdin", type("Input", (), {"buffer": file}))
        assert records._read("-") == [race]  # noqa: SLF001 - click's runner has an input of its own
