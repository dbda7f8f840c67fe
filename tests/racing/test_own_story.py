"""A challenge on the own clock from its beginning to its end: three attempts of an hour each."""

from tests.conftest import NOON
from tests.hosting import HOUR, MINUTE, rfc
from tests.racing.deal import WON
from tests.racing.standings import standing
from tests.racing.story import Story, naive_game

START, LIMIT, END = NOON + HOUR, HOUR, NOON + 11 * HOUR


def test_an_own_clock_challenge_from_its_beginning_to_its_end(db, client, clock):
    names = ("ada", "bea", "cleo", "dan", "eva")
    terms = {"starts_at": rfc(START), "ends_at": rfc(END), "attempts": 3}
    story = Story(db, client, clock, names, {**terms, "time_limit_ms": 2 * LIMIT})
    changed = story.do("hana", "PATCH", "", {"time_limit_ms": LIMIT})
    assert changed["commitment"] != story.made["commitment"]
    assert [each["commitment"] for each in changed["former_terms"]] == [story.made["commitment"]]

    before_the_start(story, clock)
    first_attempt(story, clock)
    worse_attempt(story, clock)
    forfeit(story, clock)
    best_attempt(story, clock)
    after_the_end(story, clock)


def before_the_start(story, clock):
    story.enter("ada", "bea", "dan", "eva")
    story.refuse("has_entries", "hana", "PATCH", "", {"time_limit_ms": 2 * LIMIT})
    story.do("dan", "DELETE", "/entries/me", status=204)
    entries = dict.fromkeys(("ada", "bea", "eva"), "registered")
    story.look("scheduled", entries, {})
    clock.ms = START - 1
    story.look("scheduled", entries, {})
    story.refuse("not_running", "ada", "PUT", "/entries/me/attempts/1")
    clock.ms = START
    story.look("running", entries, {})


def first_attempt(story, clock):
    """Play until the time of attempt 1 runs out, and try a ms before and exactly then."""
    game = story.deal("ada")
    assert (game["started_at"], game["deadline"]) == (rfc(START), rfc(START + LIMIT))
    assert figures(story, "ada", 1) == ((0, 4, 0, 0, 0), None, None, True)
    clock.tick(1_000)
    story.play("ada", 1, 0, *WON[:2])
    clock.tick(4_000)
    story.play("ada", 1, 2, *WON[2:5])
    assert figures(story, "ada", 1)[0] == (0, 9, 5, 0, 5_000)
    story.enter("cleo")
    entries = {"ada": "playing", "bea": "registered", "cleo": "registered", "eva": "registered"}

    clock.ms = START + LIMIT - 1
    story.look("running", entries, {("ada", 1): "in_progress"})
    story.refuse("attempt_in_progress", "ada", "PUT", "/entries/me/attempts/2")
    story.play("ada", 1, 5, WON[5])
    clock.ms = START + LIMIT
    story.look("running", entries, {("ada", 1): "timed_out"})
    story.too_late("ada", 1, 6, WON[6])
    story.retry("ada", 1, 0, *WON[:6])
    assert figures(story, "ada", 1)[0] == (0, 10, 6, 0, LIMIT - 1)


def worse_attempt(story, clock):
    """Let a worse attempt replace nothing."""
    clock.tick(MINUTE)
    story.refuse("attempt_in_progress", "ada", "PUT", "/entries/me/attempts/3")
    story.deal("ada", 2)
    best = (0, 10, 6, 0, LIMIT - 1)
    assert figures(story, "ada", 1)[3] is False
    assert figures(story, "ada", 2) == (best, best, 1, True)
    clock.tick(MINUTE)
    assert story.play("ada", 2, 0, "5>F", "R")["score"] == naive_game("5>F", "R").state()["score"]
    story.refuse(
        "undo_forbidden", "ada", "POST", f"/v1/games/{story.games['ada', 2]}/undo", {"at": 2}
    )
    story.play("ada", 2, 2, "Q")
    assert figures(story, "ada", 2) == (best, best, 1, True)
    again = story.do("ada", "PUT", "/entries/me/attempts/1")
    assert (again["id"], again["status"]) == (story.games["ada", 1], "timed_out")


def forfeit(story, clock):
    story.deal("eva")
    story.play("eva", 1, 0, *WON[:3])
    clock.tick(MINUTE)
    assert story.do("eva", "DELETE", "/entries/me")["state"] == "forfeited"
    story.refuse("entries_closed", "eva", "PUT", "/entries/me")
    story.refuse("entries_closed", "eva", "PUT", "/entries/me/attempts/2")
    # What was played counts as it stood: giving up is no action.
    assert figures(story, "eva", 1)[0] == (0, 7, 3, 0, 0)
    out = {"disqualified": True, "reason": "two accounts"}
    assert story.do("hana", "PATCH", "/entries/eva", out)["disqualified"]["reason"] == out["reason"]
    back = {"disqualified": False, "reason": "only one"}
    assert story.do("hana", "PATCH", "/entries/eva", back)["disqualified"] is None


def best_attempt(story, clock):
    """Win a ms before the end, and miss it by one."""
    clock.ms = END - 30 * MINUTE
    for name, number in (("ada", 3), ("bea", 1)):
        assert story.deal(name, number)["deadline"] == rfc(END)
        story.play(name, number, 0, *WON[:-1])
    clock.ms = END - 1
    entries = {"ada": "playing", "bea": "playing", "cleo": "registered", "eva": "forfeited"}
    games = {
        ("ada", 1): "timed_out",
        ("ada", 2): "resigned",
        ("ada", 3): "in_progress",
        ("bea", 1): "in_progress",
        ("eva", 1): "resigned",
    }
    story.look("running", entries, games)
    assert story.play("ada", 3, len(WON) - 1, WON[-1])["status"] == "won"
    story.look("running", {**entries, "ada": "finished"}, {**games, ("ada", 3): "won"})
    story.refuse("attempts_exhausted", "ada", "PUT", "/entries/me/attempts/4")
    won = (1, 52, len(WON), WON.count("R"), 30 * MINUTE - 1)
    assert figures(story, "ada", 3) == (won, (0, 10, 6, 0, LIMIT - 1), 1, True)


def after_the_end(story, clock):
    clock.ms = END
    last = len(WON) - 1
    entries = {"ada": "finished", "bea": "timed_out", "cleo": "no_show", "eva": "forfeited"}
    games = {
        ("ada", 1): "timed_out",
        ("ada", 2): "resigned",
        ("ada", 3): "won",
        ("bea", 1): "timed_out",
        ("eva", 1): "resigned",
    }
    story.look("finished", entries, games, revealed_at=END)
    story.too_late("bea", 1, last, WON[-1])
    story.retry("bea", 1, 0, *WON[:-1])
    story.retry("ada", 3, last, WON[-1])
    story.refuse("not_running", "cleo", "PUT", "/entries/me/attempts/1")
    story.refuse("not_running", "bea", "DELETE", "/entries/me")
    story.refuse("entries_closed", "dan", "PUT", "/entries/me")
    story.refuse("not_running", "hana", "POST", "/cancel")
    story.do("hana", "PATCH", "", {"title": "Last weekend"})
    clock.tick(HOUR)
    story.look("finished", entries, games, revealed_at=END)
    assert figures(story, "bea", 1)[0] == (0, 51, last, WON.count("R"), 0)
    assert story.kinds() == [
        *("changed", "entered", "entered", "entered", "entered", "left"),
        *("attempt_dealt", "entered", "attempt_dealt", "attempt_ended"),
        *("attempt_dealt", "forfeited", "disqualified", "reinstated"),
        *("attempt_dealt", "attempt_dealt", "attempt_ended", "changed"),
    ]


def figures(story, name, number):
    return standing(story.db, story.games[name, number], "actions")
