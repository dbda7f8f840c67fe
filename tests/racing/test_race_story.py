"""Races from their beginning to their end."""

from tests.conftest import NOON
from tests.hosting import HOUR, MINUTE, SECOND, rfc
from tests.racing.deal import SEED, WON
from tests.racing.standings import standing
from tests.racing.story import Story

START, LIMIT = NOON + HOUR, HOUR
END = START + LIMIT
LAST = len(WON) - 1
RACE = {
    "clock": "shared",
    "starts_at": rfc(START),
    "ends_at": rfc(START + 5 * HOUR),
    "time_limit_ms": LIMIT,
    "order": "time",
}


def test_a_race_with_a_winner_a_time_out_a_forfeit_and_a_no_show(db, client, clock):
    names = ("win", "late", "quit", "absent")
    story = Story(db, client, clock, (*names, "tardy"), RACE)
    story.enter(*names, "tardy")
    story.do("tardy", "DELETE", "/entries/me", status=204)
    entries = dict.fromkeys(names, "registered")
    story.look("scheduled", entries, {})
    clock.ms = START - 1
    story.look("scheduled", entries, {})
    story.refuse("not_running", "win", "PUT", "/entries/me/attempts/1")
    clock.ms = START
    story.look("running", entries, {})
    story.refuse("entries_closed", "tardy", "PUT", "/entries/me")
    story.refuse("already_started", "hana", "PATCH", "", {"time_limit_ms": 1_000})

    play_the_race(story, clock)
    games = {("win", 1): "in_progress", ("late", 1): "in_progress", ("quit", 1): "resigned"}
    clock.ms = END - 1
    entries |= {"win": "playing", "late": "playing", "quit": "forfeited"}
    story.look("running", entries, games)
    assert story.play("win", 1, LAST, WON[-1])["status"] == "won"
    story.look("running", {**entries, "win": "finished"}, {**games, ("win", 1): "won"})

    clock.ms = END
    entries = {"win": "finished", "late": "timed_out", "quit": "forfeited", "absent": "no_show"}
    games |= {("win", 1): "won", ("late", 1): "timed_out"}
    story.look("finished", entries, games, revealed_at=END)
    story.too_late("late", 1, LAST, WON[-1])
    story.retry("late", 1, 0, *WON[:-1])
    story.retry("win", 1, 0, *WON)
    story.refuse("not_running", "absent", "PUT", "/entries/me/attempts/1")
    story.refuse("not_running", "late", "DELETE", "/entries/me")
    assert story.do("quit", "DELETE", "/entries/me")["state"] == "forfeited"
    check_standings(story)
    assert story.kinds() == [
        *["entered"] * 5,
        *("left", "attempt_dealt", "forfeited"),
        *("attempt_dealt", "attempt_dealt", "attempt_ended"),
    ]
    clock.tick(HOUR)
    story.look("finished", entries, games, revealed_at=END)


def play_the_race(story, clock):
    """Let each ask for the deal at another time: all have started at once."""
    clock.tick(10 * SECOND)
    game = story.deal("quit")
    assert (game["started_at"], game["elapsed_ms"]) == (rfc(START), 10_000)
    assert game["deadline"] == rfc(END)
    story.play("quit", 1, 0, WON[0])
    story.refuse("already_started", "hana", "POST", "/cancel")
    clock.tick(10 * SECOND)
    assert story.do("quit", "DELETE", "/entries/me")["state"] == "forfeited"
    for name in ("win", "late"):
        clock.tick(10 * SECOND)
        assert story.deal(name)["started_at"] == rfc(START)
        story.play(name, 1, 0, *WON[:-1])


def check_standings(story):
    redeals = WON.count("R")
    expected = {
        "win": (1, 52, LAST + 1, redeals, LIMIT - 1),
        "late": (0, 51, LAST, redeals, 40_000),
        "quit": (0, 5, 1, 0, 10_000),
    }
    for name, figures in expected.items():
        found = standing(story.db, story.games[name, 1], "time")
        assert found == (figures, None, None, True)


def test_a_race_is_over_and_revealed_once_all_have_ended(db, client, clock):
    story = Story(db, client, clock, ("win", "quit", "gone"), RACE)
    story.enter("win", "quit", "gone")
    clock.ms = START + MINUTE
    story.do("gone", "DELETE", "/entries/me")
    story.deal("win")
    story.play("win", 1, 0, *WON[:-1])
    story.deal("quit")
    clock.tick(MINUTE)
    entries = {"win": "playing", "quit": "playing", "gone": "forfeited"}
    games = {("win", 1): "in_progress", ("quit", 1): "in_progress"}
    story.look("running", entries, games)
    story.play("quit", 1, 0, "Q")
    story.look("running", {**entries, "quit": "finished"}, {**games, ("quit", 1): "resigned"})
    clock.tick(MINUTE)
    story.revealed_at = clock.ms
    ending = story.play("win", 1, LAST, WON[-1])
    assert (ending["status"], ending["seed"]) == ("won", SEED)
    entries |= {"win": "finished", "quit": "finished"}
    games = {("win", 1): "won", ("quit", 1): "resigned"}
    for passed in (0, END - clock.ms - 1, 1, 10 * HOUR):
        clock.tick(passed)
        story.look("finished", entries, games, revealed_at=START + 3 * MINUTE)
    assert story.kinds()[-2:] == ["attempt_ended", "attempt_ended"]


def test_a_race_is_over_when_the_last_one_gives_up(db, client, clock):
    story = Story(db, client, clock, ("one", "two"), RACE)
    story.enter("one", "two")
    clock.ms = START
    story.do("one", "DELETE", "/entries/me")
    story.look("running", {"one": "forfeited", "two": "registered"}, {})
    clock.tick(1)
    story.deal("two")
    story.revealed_at = clock.ms
    story.do("two", "DELETE", "/entries/me")
    entries = {"one": "forfeited", "two": "forfeited"}
    story.look("finished", entries, {("two", 1): "resigned"}, revealed_at=START + 1)
