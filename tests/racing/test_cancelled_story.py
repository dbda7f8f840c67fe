"""Challenges that are cancelled: nothing goes on, and nothing is ever revealed."""

import pytest

from service.usecases import operated_challenges
from tests.conftest import NOON
from tests.hosting import HOUR, MINUTE, rfc
from tests.racing.deal import WON
from tests.racing.story import Story

START = NOON + HOUR
TERMS = {"starts_at": rfc(START), "ends_at": rfc(START + 5 * HOUR)}
CLOCKS = pytest.mark.parametrize("kind", ["own", "shared"])


@CLOCKS
@pytest.mark.parametrize("cancelled_at", [NOON, START - 1, START, START + MINUTE])
def test_a_host_cancels_while_nothing_is_dealt(db, client, clock, kind, cancelled_at):
    story = Story(db, client, clock, ("ada",), {"clock": kind, **TERMS})
    story.enter("ada")
    clock.ms = cancelled_at
    story.refuse("forbidden", "ada", "POST", "/cancel")
    assert story.do("hana", "POST", "/cancel")["cancelled_at"] == rfc(cancelled_at)
    for at in (cancelled_at, START - 1, START, START + 5 * HOUR, START + 500 * HOUR):
        clock.ms = at
        story.look("cancelled", {"ada": "registered"}, {})
        story.refuse("not_running", "ada", "PUT", "/entries/me/attempts/1")
        story.refuse("not_running", "ada", "DELETE", "/entries/me")
    assert story.kinds() == ["entered", "cancelled"]


@CLOCKS
def test_an_operator_cancels_what_is_being_played(db, client, clock, kind):
    attempts = 2 if kind == "own" else 1
    story = Story(db, client, clock, ("ada", "bea"), {"clock": kind, "attempts": attempts, **TERMS})
    story.enter("ada", "bea")
    clock.ms = START
    story.deal("ada")
    story.play("ada", 1, 0, *WON[:3])
    story.deal("bea")
    story.play("bea", 1, 0, "Q")
    story.refuse("already_started", "hana", "POST", "/cancel")
    clock.tick(MINUTE)
    for _ in range(2):
        operated_challenges.cancel(db, story.path.rpartition("/")[2], clock.ms)
    entries = {"ada": "timed_out", "bea": "finished"}
    for at in (clock.ms, START + 5 * HOUR, START + 500 * HOUR):
        clock.ms = at
        story.look("cancelled", entries, {("ada", 1): "timed_out", ("bea", 1): "resigned"})
        story.too_late("ada", 1, 3, WON[3])
        story.retry("ada", 1, 0, *WON[:3])
        story.refuse("not_running", "bea", "PUT", "/entries/me/attempts/2")
    assert story.kinds()[-1] == "cancelled"
    assert story.kinds().count("cancelled") == 1
