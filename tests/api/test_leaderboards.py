"""Rankings over HTTP: bodies, headers, cursors, the table for spreadsheets, and who may ask."""

import csv
import io

import pytest

from tests.api.problems import assert_problem
from tests.challenges import change_challenge
from tests.conftest import NOON, Player
from tests.contract.replies import assert_documented
from tests.entrants import new_entrant
from tests.ranking import fill, ranking

NOON_TEXT = "2026-01-01T12:00:00.000Z"


@pytest.fixture
def filled(db):
    """Give the path of a challenge's leaderboard, its runners and the ranking."""
    challenge_id, runners = fill(db, 21, order="actions", attempts=2, many=25)
    path = f"/v1/challenges/{challenge_id}/leaderboard"
    return path, runners, ranking(runners, "actions")


def auth(token):
    return {"Authorization": f"Bearer {token}"}


def as_json(rank, runner, number, result, game_id=None):
    """Give an item by the contract, all but what the clock decides."""
    return {
        "rank": rank,
        "player": {"name": runner.name, "bot": runner.bot},
        "attempt": number,
        **result._asdict(),
        "game_id": game_id,
        "to_par": None,
    }


def known(item):
    return {name: item[name] for name in item if name not in ("status", "state")}


def test_every_page_both_ways_by_its_cursors(filled, client):
    path, runners, model = filled
    rows = [as_json(*row) for row in model]
    for limit in (1, 2, 3, 4, 5, 6, 7, 200):
        pages, cursor = [], {}
        while cursor is not None:
            reply = client.get(path, query_string={"limit": limit, **cursor})
            assert reply.status_code == 200
            pages.append(reply.json)
            cursor = reply.json["next"] and {"cursor": reply.json["next"]}
        assert [known(item) for page in pages for item in page["items"]] == rows
        before = {"limit": limit, "cursor": pages[-1]["prev"]}
        if len(pages) > 1:
            assert client.get(path, query_string=before).json == pages[-2]
    assert_documented(reply)
    assert reply.headers["Cache-Control"] == "no-store"
    rest = {name: reply.json[name] for name in reply.json if name != "items"}
    assert rest == {
        "next": None,
        "prev": None,
        "provisional": True,
        "revision": 25,
        "order": "actions",
        "entered": len(runners),
        "ranked": len(rows),
        "par": None,
        "now": NOON_TEXT,
    }


def test_around_me_is_for_who_has_entered(filled, client, db):
    path, _, model = filled
    index, row = next((n, row) for n, row in enumerate(model) if n > 5 and row[1].name)
    reply = client.get(f"{path}?around=me&limit=3", headers=auth(row[1].token))
    assert [known(item) for item in reply.json["items"]] == [
        as_json(*each) for each in model[index - 1 : index + 2]
    ]
    game = Player(client)
    game.start()
    _, other = new_entrant(db, "other")
    for headers, code in (
        ({}, "unauthenticated"),
        (auth("sp_nobody"), "unauthenticated"),
        (game.auth, "forbidden"),
        (auth(other), "not_entered"),
    ):
        assert_problem(client.get(f"{path}?around=me", headers=headers), code)
    assert client.get(path, headers=game.auth).status_code == 200
    assert_problem(client.get(path, headers=auth("sp_nobody")), "unauthenticated")


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("around=you", ["around"]),
        ("around=", ["around"]),
        ("around=me&cursor=x", ["around"]),
        ("limit=0", ["limit"]),
        ("limit=201", ["limit"]),
        ("order=time", ["order"]),
    ],
)
def test_a_query_that_means_nothing_is_refused(filled, client, query, parameters):
    assert_problem(client.get(f"{filled[0]}?{query}"), "validation_failed", parameters=parameters)


# `["after", 0, 1, "", ""]`, `["after", 1, 2, "", ""]`, `["after", "x"]`, and no base 64 of JSON.
@pytest.mark.parametrize(
    "cursor",
    ["WyJhZnRlciIsMCwxLCIiLCIiXQ", "WyJhZnRlciIsMSwyLCIiLCIiXQ", "WyJhZnRlciIsIngiXQ", "%00"],
)
def test_what_is_no_cursor_is_refused(filled, client, cursor):
    assert_problem(client.get(f"{filled[0]}?cursor={cursor}"), "bad_cursor")


def test_the_table_for_spreadsheets_has_everybody_and_no_formula(filled, client, db):
    path, _, model = filled
    challenge_id = path.split("/")[3]
    change_challenge(db, challenge_id, finishes_at=NOON)
    reply = client.get(f"{path}.csv")
    assert reply.status_code == 200
    assert reply.content_type == "text/csv; charset=utf-8"
    assert reply.headers["Content-Disposition"] == f'attachment; filename="{challenge_id}.csv"'
    assert reply.text.endswith("\r\n")
    found = [*csv.DictReader(io.StringIO(reply.text, newline=""))]
    assert [
        {name: row[name] for name in row if name not in ("status", "state")} for row in found
    ] == [
        {
            "rank": str(rank),
            "player": "" if runner.name is None else f"'{runner.name}",
            "bot": str(runner.bot).lower(),
            "attempt": str(number),
            "won": str(result.won).lower(),
            "cards_up": str(result.cards_up),
            "actions": str(result.actions),
            "redeals": str(result.redeals),
            "elapsed_ms": str(result.elapsed_ms),
            "game_id": runner.games[number - 1],
            "to_par": "",
        }
        for rank, runner, number, result in model
    ]
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in found for cell in row.values())
    assert all(row["status"] and row["state"] for row in found)


def test_at_a_terminal_it_is_a_table_of_80_columns_with_the_way_on(filled, client):
    path, _, model = filled
    text = {"Accept": "text/plain"}
    reply = client.get(f"{path}?limit=4", headers=text)
    assert reply.content_type == "text/plain; charset=utf-8"
    table = reply.text.split("\n\n")[1].splitlines()
    assert len(table) == 5
    for line, (rank, runner, _, result) in zip(table[1:], model, strict=False):
        words = line.split()
        assert words[:2] == [str(rank), runner.name or "(deleted)"]
        assert str(result.cards_up) in words
    table = [line for line in reply.text.splitlines() if "http" not in line]
    assert all(len(line) <= 80 for line in table)
    assert "provisional" in reply.text
    assert "Before:" not in reply.text
    url = reply.text.split("After:\n")[1].split("'")[3]
    after = client.get(url, headers=text)
    assert "Before:" in after.text
    first = after.text.split("\n\n")[1].splitlines()[1].split()
    assert first[:2] == [str(model[4][0]), model[4][1].name or "(deleted)"]


def test_where_nobody_is_ranked_there_is_nothing_to_draw(client, db):
    challenge_id, _ = fill(db, 1, order="actions", attempts=1, many=2, idle=1)
    path = f"/v1/challenges/{challenge_id}/leaderboard"
    assert client.get(path).json["items"] == []
    drawn = client.get(path, headers={"Accept": "text/plain"}).text
    assert "ranked     0 of 2, provisional\n" in drawn
    assert "player" not in drawn
    assert client.get(f"{path}.csv").text.count("\r\n") == 1


def test_a_challenge_that_nobody_may_see_has_no_ranking(filled, client, db):
    path, runners, _ = filled
    change_challenge(db, path.split("/")[3], hidden_at=NOON)
    for end in ("", ".csv"):
        assert_problem(client.get(f"{path}{end}"), "not_found")
        assert_problem(client.get(f"/v1/challenges/none/leaderboard{end}"), "not_found")
        assert_problem(client.get(f"/v1/challenges/%00/leaderboard{end}"), "not_found")
        inside = next(each for each in runners if each.name)
        assert client.get(f"{path}{end}", headers=auth(inside.token)).status_code == 200
