"""Checking a challenge from its record alone: what it comes to, and that no forgery passes."""

import copy
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.usecases.challenge_claims import NoRecord
from service.usecases.verify_challenge import verify_challenge
from tests.hosting import SECOND, commitment
from tests.racing.deal import WON

OTHER_SEED = "0" * 64


def ranking(report):
    return [(each.rank, each.player, each.attempt) for each in report.ranking]


def terms_with(page, **changes):
    """Publish other terms, and commit to them as if they had always been so."""
    terms = json.dumps({**json.loads(page["terms"]), **changes}, separators=(",", ":"))
    page["terms"], page["commitment"] = terms, commitment(page["seed"], terms)


def test_a_challenge_on_the_own_clock_is_verified(recorded):
    report = verify_challenge(recorded["own"])
    assert report.faults == ()
    assert (report.challenge_id, report.attempts) == (recorded["own"][0]["id"], 8)
    assert report.commitment == recorded["own"][0]["commitment"]
    # Both have won in the same time; who is gone got further than who gave up.
    assert sorted(ranking(report)[:2]) == [(1, "tie", 2), (1, "win", 2)]
    assert ranking(report)[2:] == [(3, None, 1), (4, "late", 1), (5, "quit", 1)]
    assert report.disqualified == ("cheat",)
    first = report.ranking[0].standing
    assert first == (True, 52, len(WON), 1, 2 * SECOND)


def test_a_race_is_ranked_by_time(recorded):
    report = verify_challenge(recorded["race"])
    assert report.faults == ()
    assert ranking(report) == [(1, "first", 1), (2, "second", 1), (3, "third", 1)]
    standings = [each.standing.elapsed_ms for each in report.ranking]
    assert standings == [2 * SECOND, 3 * SECOND, 0]


def test_a_challenge_at_calculation_is_verified(recorded):
    report = verify_challenge(recorded["calculation"])
    assert report.faults == ()
    assert ranking(report) == [(1, "win", 1), (2, "quit", 1)]


def test_pages_are_joined_in_their_order(own):
    whole = verify_challenge(own.pages())
    for limit in (1, 3):
        assert verify_challenge(own.pages(limit)) == whole


@pytest.mark.parametrize("kept", [slice(1, None), slice(None, -1), slice(0, 0)])
def test_a_part_of_the_pages_is_no_record(race, kept):
    with pytest.raises(NoRecord):
        verify_challenge(race.pages(1)[kept])


def test_pages_of_two_records_are_none(recorded):
    first, second = copy.deepcopy(recorded["own"][0]), recorded["race"][0]
    first["next"], second = "more", {**second, "prev": "less"}
    with pytest.raises(NoRecord, match="heads differ"):
        verify_challenge([first, second])


def test_a_page_in_the_middle_that_is_missing_is_a_fault(race):
    pages = race.pages(1)
    report = verify_challenge([pages[0], pages[2]])
    assert report.faults == ("3 attempts were dealt, and 2 are here",)


# What is changed in the record of the own clock, and what is said of it.
FORGERIES = {
    "a move": (lambda page: page["items"][1]["moves"].__setitem__(0, "4>F"), "move 1 is refused"),
    "a text that is none": (
        lambda page: page["items"][1]["moves"].__setitem__(0, "4>13"),
        "'4>13' is no move here",
    ),
    "an undo": (
        lambda page: page["items"][1]["moves"].__setitem__(5, "U"),
        "move 6 is refused: U: this game is played without undo",
    ),
    "a move less": (
        lambda page: (page["items"][1]["moves"].pop(), page["items"][1]["times_ms"].pop()),
        "its status is not timed_out",
    ),
    "a resignation less": (
        lambda page: (page["items"][0]["moves"].pop(), page["items"][0]["times_ms"].pop()),
        "its status is not timed_out",
    ),
    "a time that goes back": (
        lambda page: page["items"][1]["times_ms"].__setitem__(1, 0),
        "its times go back",
    ),
    "a negative time": (
        lambda page: page["items"][1]["times_ms"].__setitem__(0, -1),
        "its times go back",
    ),
    "the last time": (
        lambda page: page["items"][1]["times_ms"].__setitem__(-1, 2 * SECOND + 1),
        "elapsed_ms is not 2001",
    ),
    "a time after the deadline": (
        lambda page: page["items"][1]["times_ms"].__setitem__(-1, 20 * 60 * SECOND),
        "its moves go on after its deadline",
    ),
    "the seed": (
        lambda page: page.__setitem__("seed", OTHER_SEED),
        "the commitment is not that of seed and terms",
    ),
    "a seed that is not drawn": (
        lambda page: page.__setitem__("seed", "semilla"),
        "the seed is said to be drawn",
    ),
    "the commitment": (
        lambda page: page.__setitem__("commitment", OTHER_SEED),
        "the commitment is not that of seed and terms",
    ),
    "the seed of former terms": (
        lambda page: page["former_terms"][0].__setitem__("seed", OTHER_SEED),
        "revision 1 replaced",
    ),
    "a term": (
        lambda page: page.__setitem__("terms", page["terms"].replace("1200000", "1200001")),
        "the commitment is not that of seed and terms",
    ),
    "terms with a shorter limit": (
        lambda page: terms_with(page, time_limit_ms=1_000),
        "its deadline is not the one that its start gives",
    ),
    "terms with fewer attempts": (
        lambda page: terms_with(page, attempts=1),
        "the terms give 1 attempts",
    ),
    "terms with a later start": (
        lambda page: terms_with(page, starts_at="2026-01-01T12:30:00.000Z"),
        "it started at another time than the terms allow",
    ),
    "terms with a later end": (
        lambda page: terms_with(page, ends_at="2026-01-01T13:30:00.000Z"),
        "it was revealed at another time",
    ),
    "the rules of the terms": (
        lambda page: terms_with(
            page,
            variant="royal-family",
            options={
                **json.loads(page["terms"])["options"],
                "build": "alternate_up",
            },
        ),
        "is refused",
    ),
    "a status": (
        lambda page: page["items"][4].__setitem__("status", "won"),
        "its status is not timed_out",
    ),
    "a figure": (
        lambda page: page["items"][4]["score"].__setitem__("cards_up", 52),
        "cards_up is not",
    ),
    "an attempt less": (
        lambda page: page["items"].pop(0),
        "its attempts are not numbered 1, 2, 3, …",
    ),
    "an attempt twice": (
        lambda page: page["items"].append(page["items"][0]),
        "stands here 2 times",
    ),
    "another's attempt": (
        lambda page: page["items"][1].__setitem__("entry", page["items"][2]["entry"]),
        "its attempts are not all of one player",
    ),
    "a disqualification of half an entry": (
        lambda page: page["items"][0].__setitem__("disqualified", {}),
        "its attempts are not all of one player",
    ),
    "an attempt beside the one before": (
        lambda page: page["items"][1].update(
            started_at=page["items"][0]["started_at"], deadline=page["items"][0]["deadline"]
        ),
        "attempt 2 starts before the last one has ended",
    ),
    "a player with two entries": (
        lambda page: page["items"][4]["player"].__setitem__("name", "quit"),
        "player quit: has 2 entries",
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_a_fault(recorded, forgery):
    forge, says = FORGERIES[forgery]
    page = copy.deepcopy(recorded["own"][0])
    forge(page)
    faults = verify_challenge([page]).faults
    assert [fault for fault in faults if says in fault], faults


def a_minute_after(instant):
    return f"{instant[:14]}{int(instant[14:16]) + 1:02}{instant[16:]}"


def test_whoever_lets_an_attempt_run_out_plays_again_after_its_deadline(recorded):
    page = copy.deepcopy(recorded["own"][0])
    late = next(item for item in page["items"] if item["player"]["name"] == "late")
    again = {**late, "attempt": 2, "game_id": "another"}
    page["items"].insert(page["items"].index(late) + 1, again)
    page["dealt"] += 1
    terms_with(page, time_limit_ms=60 * SECOND)
    for item in page["items"]:
        item["deadline"] = a_minute_after(item["started_at"])
    (fault,) = verify_challenge([page]).faults
    assert fault.endswith("attempt 2 starts before the last one has ended")
    again["started_at"] = late["deadline"]
    again["deadline"] = a_minute_after(late["deadline"])
    assert verify_challenge([page]).faults == ()


def test_a_race_in_which_somebody_starts_earlier_is_a_fault(recorded):
    page = copy.deepcopy(recorded["race"][0])
    page["items"][0]["started_at"] = "2026-01-01T12:00:00.999Z"
    (fault,) = verify_challenge([page]).faults
    assert fault.endswith("it started at another time than the terms allow")


@pytest.mark.parametrize(
    "revealed",
    [
        "2026-01-01T12:00:00.999Z",  # before the start
        "2026-01-01T12:00:04.999Z",  # before the last of all moves
        "2026-01-01T12:59:59.999Z",  # before the end, while the time of some ran on
        "2026-01-01T13:00:00.001Z",
    ],
)
def test_a_race_that_was_revealed_too_early_or_too_late_is_a_fault(recorded, revealed):
    page = copy.deepcopy(recorded["race"][0])
    assert page["revealed_at"] == "2026-01-01T12:00:05.000Z"
    page["revealed_at"] = revealed
    if revealed.startswith("2026-01-01T12:59"):
        third = page["items"][2]
        third["moves"], third["times_ms"], third["status"] = [], [], "timed_out"
    (fault,) = verify_challenge([page]).faults
    assert fault == "it was revealed at another time than its terms and its attempts say"


def test_a_race_that_all_forfeit_without_a_deal_is_revealed_early(recorded):
    page = {**recorded["race"][0], "items": [], "dealt": 0}
    for revealed, faults in (("12:00:01.000", 0), ("12:00:00.999", 1)):
        page["revealed_at"] = f"2026-01-01T{revealed}Z"
        assert len(verify_challenge([page]).faults) == faults


def test_a_race_that_somebody_lets_run_out_is_revealed_at_its_end(recorded):
    page = copy.deepcopy(recorded["race"][0])
    third = page["items"][2]
    third["moves"], third["times_ms"], third["status"] = [], [], "timed_out"
    page["revealed_at"] = "2026-01-01T13:00:00.000Z"
    assert verify_challenge([page]).faults == ()


# What makes a record none at all, and what is said of it.
NO_RECORDS = {
    "another form": ({"record": "semilla/1"}, "semilla-challenge/1"),
    "other rules": ({"rules_version": 2}, "rules of another version than 1"),
    "a seed that is none": ({"seed": "-"}, "its seed is none"),
    "a seed of another kind": ({"seed": "pysol-1"}, "do not deal by pysol"),
    "terms that are no JSON": ({"terms": "{"}, "its terms are no JSON object"),
    "terms that are a list": ({"terms": "[]"}, "its terms are no JSON object"),
    "terms that are deep": ({"terms": "[" * 200_000}, "its terms are no JSON object"),
    "terms without a variant": ({"terms": "{}"}, "its terms cannot be read"),
    "a number that is none": ({"dealt": True}, "dealt is not a whole number"),
    "an instant that is none": ({"revealed_at": "2026-13-01T00:00:00.000Z"}, "no instant"),
    "an instant in words": ({"revealed_at": "noon"}, "no instant"),
    "no items": ({"items": None}, "items is not a list"),
    "an item that is none": ({"items": [1]}, "one of items is not an object"),
    "no former terms": ({"former_terms": None}, "former_terms is not a list"),
}


@pytest.mark.parametrize("what", NO_RECORDS)
def test_what_is_no_record_is_said_to_be_none(recorded, what):
    changes, says = NO_RECORDS[what]
    with pytest.raises(NoRecord, match=says):
        verify_challenge([{**recorded["own"][0], **changes}])


@pytest.mark.parametrize(
    "changes",
    [
        {"clock": "none"},
        {"order": "none"},
        {"attempts": 0},
        {"time_limit_ms": 0},
        {"v": 2},
        {"more": 1},
        {"seed_public": 0},
        {"require_winnable": None},
    ],
)
def test_terms_in_another_form_are_none(recorded, changes):
    page = copy.deepcopy(recorded["own"][0])
    terms_with(page, **changes)
    with pytest.raises(NoRecord):
        verify_challenge([page])


@pytest.mark.parametrize("value", [0, "", "no", [], False])
def test_a_disqualification_is_null_or_an_object(recorded, value):
    page = copy.deepcopy(recorded["own"][0])
    page["items"][0]["disqualified"] = value
    with pytest.raises(NoRecord, match="disqualified is not an object"):
        verify_challenge([page])


@pytest.mark.parametrize("missing", ["disqualified", "name"])
def test_what_may_be_null_is_never_left_out(recorded, missing):
    page = copy.deepcopy(recorded["own"][0])
    item = page["items"][0]
    del (item["player"] if missing == "name" else item)[missing]
    with pytest.raises(NoRecord, match=f"{missing} is missing"):
        verify_challenge([page])


def test_a_history_without_its_times_is_none(recorded):
    page = copy.deepcopy(recorded["own"][0])
    page["items"][0]["times_ms"].pop()
    with pytest.raises(NoRecord, match="a time for each"):
        verify_challenge([page])


@pytest.mark.parametrize("pages", [[], [None], [[]], ["x"], [{}]])
def test_what_is_no_page_is_no_record(pages):
    with pytest.raises(NoRecord):
        verify_challenge(pages)


def places(value, path=()):
    """Give the place of every value within a JSON value."""
    yield path
    if isinstance(value, dict | list):
        steps = value if isinstance(value, dict) else range(len(value))
        for step in steps:
            yield from places(value[step], (*path, step))


JSON = st.none() | st.booleans() | st.integers(-1, 2**62) | st.text(max_size=9)
JSON |= st.lists(JSON, max_size=2) | st.dictionaries(st.text(max_size=9), JSON, max_size=2)


@given(st.data())
def test_whatever_is_changed_is_judged_in_words(recorded, data):
    page = copy.deepcopy(recorded["race"][0])
    *path, last = data.draw(st.sampled_from([path for path in places(page) if path]))
    inner = page
    for step in path:
        inner = inner[step]
    before = copy.deepcopy(inner[last])
    inner[last] = data.draw(JSON)
    faults = None
    with suppress(NoRecord):
        faults = verify_challenge([page]).faults
    # Nobody can prove a name, an id, a time within bounds, or why somebody is out.
    free = {"player", "name", "bot", "id", "game_id", "entry", "disqualified", "times_ms"}
    unproven = bool({*path, last} & free) or last in {"next", "prev"}
    assert faults != () or unproven or inner[last] == before, (path, last)
