"""The public record of a challenge over HTTP: what it holds, and who may have it when."""

import json
from itertools import pairwise

import pytest

from service.api.paging import write_key_cursor
from service.usecases import operated_challenges
from tests.api.problems import assert_problem
from tests.conftest import NOON
from tests.contract.replies import assert_documented
from tests.hosting import HOUR, MINUTE, SECOND, change_row, commitment, rfc
from tests.proofs.world import END, OWN, World
from tests.racing.deal import SEED, WON

HEAD = [
    *("record", "id", "terms", "commitment", "seed", "former_terms"),
    *("rules_version", "revealed_at", "dealt", "items", "next", "prev"),
]


def names(page):
    return [(item["player"]["name"], item["attempt"]) for item in page["items"]]


def test_a_record_holds_terms_seed_and_every_history(own):
    reply = own.get()
    assert_documented(reply)
    assert reply.headers["Cache-Control"] == "no-store"
    page = reply.json
    assert list(page) == HEAD
    assert page["record"] == "semilla-challenge/1"
    assert (page["seed"], page["revealed_at"]) == (SEED, rfc(END))
    assert page["commitment"] == commitment(SEED, page["terms"])
    assert json.loads(page["terms"])["time_limit_ms"] == 20 * MINUTE
    former = page["former_terms"]
    assert [each["revision"] for each in former] == [1]
    assert former[0]["commitment"] == commitment(former[0]["seed"], former[0]["terms"])
    assert (page["next"], page["prev"], page["dealt"], page["rules_version"]) == (None, None, 8, 1)
    assert names(page) == [
        *(("win", 1), ("win", 2), ("tie", 1), ("tie", 2)),
        *(("late", 1), ("quit", 1), ("cheat", 1), (None, 1)),
    ]


def test_an_attempt_is_recorded_with_its_moves_times_and_score(own):
    items = own.get().json["items"]
    won = items[1]
    started = NOON + 7 + 4 * SECOND  # entries take a millisecond each
    assert won == {
        "entry": items[0]["entry"],
        "player": {"name": "win", "bot": False},
        "disqualified": None,
        "attempt": 2,
        "game_id": won["game_id"],
        "started_at": rfc(started),
        "deadline": rfc(started + 20 * MINUTE),
        "status": "won",
        "score": {
            "cards_up": 52,
            "moves": len(WON) - 1,
            "redeals": 1,
            "actions": len(WON),
            "elapsed_ms": 2 * SECOND,
        },
        "moves": WON,
        "times_ms": [SECOND] * 30 + [2 * SECOND] * (len(WON) - 30),
    }
    assert items[0]["moves"] == [*WON[:3], "Q"]
    # The time of a resignation is no action's.
    assert items[0]["score"]["elapsed_ms"] == SECOND
    statuses = [item["status"] for item in items]
    assert statuses == [
        *("resigned", "won", "resigned", "won", "timed_out", "resigned", "won", "timed_out")
    ]
    judged = [item["disqualified"] for item in items if item["disqualified"]]
    assert [judgement["reason"] for judgement in judged] == ["two accounts"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8])
def test_pages_are_the_whole_record_both_ways(own, limit):
    whole = own.get().json["items"]
    pages = own.pages(limit)
    assert [item for page in pages for item in page["items"]] == whole
    assert pages[0]["prev"] is None
    for before, page in pairwise(pages):
        back = own.get(limit=limit, cursor=page["prev"]).json
        assert back["items"] == before["items"]
    heads = [{name: page[name] for name in HEAD[:-3]} for page in pages]
    assert all(head == heads[0] for head in heads)


def test_a_cursor_that_is_none_of_a_record_is_refused(own):
    for cursor in ("x", "", "W10", write_key_cursor("after", ("an entry",))):
        assert_problem(own.get(cursor=cursor), "bad_cursor")
    assert_problem(own.get(limit=0), "validation_failed", parameters=["limit"])
    assert_problem(own.get(after=1), "validation_failed", parameters=["after"])


def test_a_record_is_a_secret_until_the_reveal(client, db, clock):
    world = World(client, db, clock, **OWN)
    world.enter("ada")
    world.deal("ada")
    world.play("ada", *WON)
    clock.ms = END - 1
    for headers in ({}, world.host.auth, world.people["ada"].auth):
        reply = client.get(f"{world.path}/record", headers=headers)
        says = "nobody is told the record until the challenge has finished: ask again then"
        assert_problem(reply, "still_secret", says=says)
        assert SEED not in reply.text
    clock.ms = END
    assert world.get().status_code == 200


def test_the_record_of_attempts_at_a_public_seed_is_a_secret_too(client, db, clock):
    world = World(client, db, clock, seed="semilla", **OWN)
    assert_problem(world.get(), "still_secret")
    clock.ms = END
    assert world.get().json["seed"] == "semilla"


def test_the_record_of_a_cancelled_challenge_is_never_told(client, db, clock):
    world = World(client, db, clock, **OWN)
    world.host.cancel()
    clock.ms = END + HOUR
    says = "this challenge is cancelled: nobody is ever told its record"
    assert_problem(world.get(), "still_secret", says=says)


def test_a_hidden_challenge_shows_its_record_to_who_is_in_it(own, db, clock):
    operated_challenges.hide(db, own.host.id, clock.ms)
    assert_problem(own.get(), "not_found")
    for name in ("win", "tie"):
        assert own.send(name, "GET", "/record").status_code == 200
    assert own.send("hana", "GET", "/record").status_code == 200
    reply = own.client.get(f"{own.path}/record", headers={"Authorization": "Bearer sp_nobody"})
    assert_problem(reply, "unauthenticated")


def test_a_race_is_recorded_as_soon_as_all_have_ended(race, clock):
    page = race.get().json
    assert page["revealed_at"] == rfc(clock.ms)
    assert [item["started_at"] for item in page["items"]] == [rfc(NOON + SECOND)] * 3


def test_there_is_no_record_of_what_is_not_there(client, db, clock):
    world = World(client, db, clock, **OWN)
    assert_problem(client.get("/v1/challenges/none/record"), "not_found")
    change_row(db, world.host.id, finishes_at=clock.ms)
    assert world.get().json["items"] == []
