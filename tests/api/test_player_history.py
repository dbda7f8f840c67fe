"""What players have done over time, over HTTP."""

import pytest

from tests.api.problems import assert_problem
from tests.conftest import NOON
from tests.contract.replies import assert_documented
from tests.player_rows import HOUR, add_challenge, add_entry, add_game, player_id

DAY = 24 * HOUR
PATH = "/v1/players/ana/history"
NOTHING = dict.fromkeys(("finished", "won", "lost", "resigned", "timed_out"), 0)


@pytest.fixture
def ana(client, db, clock):
    """Register a player three days before noon; give the id."""
    clock.tick(-3 * DAY)
    assert client.post("/v1/players", json={"name": "Ana"}).status_code == 201
    clock.tick(3 * DAY)
    return player_id(db, "Ana")


def test_a_history_tells_what_ended_in_each_day(client, db, ana):
    for actions in (118, 124, 121):
        add_game(db, ana, status="won", cards_up=52, actions=actions)
    add_game(db, ana, status="won", actions=48, variant="calculation", finished_at=NOON - 2 * DAY)
    add_game(db, ana, challenge_id="c", attempt=1, deadline=NOON)
    add_game(db, ana, status="resigned", variant="perseverance")
    add_game(db, ana, cards_up=50)
    add_entry(db, add_challenge(db, ana, ends_at=NOON), ana)
    reply = client.get(PATH)
    assert_documented(reply)
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.json["next"] is reply.json["prev"] is None
    today, yesterday, before, registered = reply.json["items"]
    assert today == {
        "starts_at": "2026-01-01T00:00:00.000Z",
        "ends_at": "2026-01-02T00:00:00.000Z",
        "total": {**NOTHING, "finished": 5, "won": 3, "resigned": 1, "timed_out": 1},
        "variants": [
            {
                "variant": "cruel",
                **NOTHING,
                "finished": 4,
                "won": 3,
                "timed_out": 1,
                "actions": {"fewest": 118, "mean": 121.0},
            },
            {
                "variant": "perseverance",
                **NOTHING,
                "finished": 1,
                "resigned": 1,
                "actions": None,
            },
        ],
        "challenges": {"entered": 1, "first": 0},
    }
    empty = {"total": NOTHING, "variants": [], "challenges": {"entered": 0, "first": 0}}
    assert yesterday == {
        "starts_at": "2025-12-31T00:00:00.000Z",
        "ends_at": "2026-01-01T00:00:00.000Z",
        **empty,
    }
    assert before["variants"][0]["actions"] == {"fewest": 48, "mean": 48.0}
    assert registered["starts_at"] == "2025-12-29T00:00:00.000Z"


def test_a_mean_has_two_decimals(client, db, ana):
    for actions in (118, 118, 119):
        add_game(db, ana, status="won", actions=actions)
    (played,) = client.get(PATH).json["items"][0]["variants"]
    assert played["actions"] == {"fewest": 118, "mean": 118.33}


@pytest.mark.parametrize(
    ("period", "starts"),
    [
        ("day", ["2026-01-01", "2025-12-31", "2025-12-30", "2025-12-29"]),
        ("week", ["2025-12-29"]),
        ("month", ["2026-01-01", "2025-12-01"]),
    ],
)
def test_periods_go_back_to_that_of_the_registration(client, ana, period, starts):
    assert ana
    whole = client.get(f"{PATH}?period={period}").json["items"]
    assert [item["starts_at"][:10] for item in whole] == starts
    found, reply = [], client.get(f"{PATH}?period={period}&limit=1").json
    while True:
        found += reply["items"]
        if reply["next"] is None:
            break
        reply = client.get(f"{PATH}?period={period}&limit=1&cursor={reply['next']}").json
    assert found == whole


def test_what_is_no_period_limit_or_cursor_is_refused(client, ana):
    assert ana
    assert_problem(client.get(f"{PATH}?period=year"), "validation_failed", parameters=["period"])
    assert_problem(client.get(f"{PATH}?limit=201"), "validation_failed", parameters=["limit"])
    assert_problem(client.get(f"{PATH}?before=1"), "validation_failed", parameters=["before"])
    for cursor in ("x", "", "W10"):
        assert_problem(client.get(f"{PATH}?cursor={cursor}"), "bad_cursor")


def test_the_history_of_nobody_is_not_found(client, ana):
    assert ana
    for name in ("nobody-here", "ab", "me", "a%20b"):
        assert_problem(client.get(f"/v1/players/{name}/history"), "not_found")
    reply = client.get(PATH, headers={"Authorization": "Bearer sp_nobody"})
    assert_problem(reply, "unauthenticated")
