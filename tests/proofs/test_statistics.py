"""The statistics of a challenge over HTTP: what they hold, and who may have them when."""

from service.usecases import operated_challenges
from tests.api.problems import assert_problem
from tests.contract.replies import assert_documented
from tests.hosting import HOUR, SECOND, change_row
from tests.proofs.world import END, OWN, World
from tests.racing.deal import WON

BELOW = "/statistics"
LOW = len(WON) // 10 * 10


def best(player, attempt, **figures):
    return {"player": {"name": player, "bot": False}, "attempt": attempt, **figures}


def without_game(win):
    assert win.pop("game_id")
    return win


def test_statistics_hold_how_a_challenge_was_solved(own):
    reply = own.get(BELOW)
    assert_documented(reply)
    assert reply.headers["Cache-Control"] == "no-store"
    found = reply.json
    game_id = own.get().json["items"][1]["game_id"]
    assert found["fewest_actions"]["game_id"] == found["fastest"]["game_id"] == game_id
    # Two have won in the same number of actions and the same time, and a third is disqualified.
    for win in (found["fewest_actions"], found["fastest"]):
        del win["game_id"]
    assert found == {
        "entered": 7,
        "disqualified": 1,
        "ranked": 5,
        "won": 2,
        "solve_rate": 0.4,
        "attempts": {"finished": 7, "won": 2, "lost": 0, "resigned": 3, "timed_out": 2},
        "actions": [{"low": LOW, "high": LOW + 9, "players": 2}],
        # The first nine moves of the line all play to the foundations.
        "cards_up": [
            {"cards_up": 4 + 2, "players": 1},
            {"cards_up": 4 + 5, "players": 1},
            {"cards_up": 4 + 9, "players": 1},
            {"cards_up": 52, "players": 2},
        ],
        "fewest_actions": best("win", 2, actions=len(WON), shared_by=2),
        "fastest": best("win", 2, elapsed_ms=2 * SECOND, shared_by=2),
    }


def test_whoever_is_disqualified_or_reinstated_later_leaves_or_returns(own):
    own.judge("cheat", disqualified=False)
    found = own.get(BELOW).json
    counts = [found[name] for name in ("disqualified", "ranked", "won", "solve_rate")]
    assert counts == [0, 6, 3, 0.5]
    fastest = best("cheat", 1, elapsed_ms=1, shared_by=1)
    assert without_game(found["fastest"]) == fastest
    own.judge("win")
    found = own.get(BELOW).json
    counts = [found[name] for name in ("disqualified", "ranked", "won", "solve_rate")]
    assert counts == [1, 5, 2, 0.4]
    assert without_game(found["fewest_actions"]) == best("tie", 2, actions=len(WON), shared_by=2)


def test_a_share_has_four_decimals(race):
    found = race.get(BELOW).json
    assert (found["won"], found["ranked"], found["solve_rate"]) == (2, 3, 0.6667)
    first = best("first", 1, elapsed_ms=2 * SECOND, shared_by=1)
    assert without_game(found["fastest"]) == first


def test_a_deleted_player_has_a_null_name(own):
    own.send("win", "DELETE", "/v1/players/me")
    assert own.get(BELOW).json["fastest"]["player"] == {"name": None, "bot": False}


def test_statistics_are_a_secret_until_the_reveal(client, db, clock):
    world = World(client, db, clock, **OWN)
    world.enter("ada")
    world.deal("ada")
    world.play("ada", *WON)
    clock.ms = END - 1
    for headers in ({}, world.host.auth, world.people["ada"].auth):
        reply = client.get(f"{world.path}{BELOW}", headers=headers)
        says = "nobody is told the statistics until the challenge has finished: ask again then"
        assert_problem(reply, "still_secret", says=says)
    clock.ms = END
    assert world.get(BELOW).json["won"] == 1


def test_the_statistics_of_a_cancelled_challenge_are_never_told(client, db, clock):
    world = World(client, db, clock, **OWN)
    world.host.cancel()
    clock.ms = END + HOUR
    says = "this challenge is cancelled: nobody is ever told its statistics"
    assert_problem(world.get(BELOW), "still_secret", says=says)


def test_a_hidden_challenge_shows_its_statistics_to_who_is_in_it(own, db, clock):
    operated_challenges.hide(db, own.host.id, clock.ms)
    assert_problem(own.get(BELOW), "not_found")
    for name in ("win", "hana"):
        assert own.send(name, "GET", BELOW).json["won"] == 2
    reply = own.client.get(f"{own.path}{BELOW}", headers={"Authorization": "Bearer sp_nobody"})
    assert_problem(reply, "unauthenticated")


def test_where_nobody_has_entered_everything_is_nothing(client, db, clock):
    world = World(client, db, clock, **OWN)
    assert_problem(client.get(f"/v1/challenges/none{BELOW}"), "not_found")
    change_row(db, world.host.id, finishes_at=clock.ms)
    reply = world.get(BELOW)
    assert_documented(reply)
    assert reply.json == {
        "entered": 0,
        "disqualified": 0,
        "ranked": 0,
        "won": 0,
        "solve_rate": None,
        "attempts": {"finished": 0, "won": 0, "lost": 0, "resigned": 0, "timed_out": 0},
        "actions": [],
        "cards_up": [],
        "fewest_actions": None,
        "fastest": None,
    }
