"""Dealing attempts and ending them."""

import pytest

from service.rules import find_variant
from service.rules.family import Status
from service.usecases.errors import AttemptInProgress, AttemptsExhausted, NotRunning
from service.usecases.standing import Standing, read_standing, write_standing
from service.usecases.verify import verify_games
from tests.challenges import (
    HOUR_MS,
    SECRET_SEED,
    challenge_row,
    events_of,
    kinds_of_events,
    new_challenge,
)
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.usecases.entering import Entrant, outcome
from tests.usecases.sitting import LOST_SEEDS

BASES = ["AC", "2D", "3H", "4S"]


@pytest.fixture
def enter(db, clock):
    """Give a function that makes a challenge with one player in it: ``enter(attempts=2)``."""

    def make_entrant(**terms):
        host, _ = new_entrant(db, "host")
        ada = Entrant(db, clock, new_challenge(db, host, **terms), "ada")
        ada.enter()
        return ada

    return make_entrant


def standing(order="actions", **figures):
    figures = {"won": False, "cards_up": 4, "actions": 0, "redeals": 0, "elapsed_ms": 0, **figures}
    return write_standing(order, Standing(**figures))


# ---- the game ----


def test_the_game_is_that_of_the_challenge(enter, db, clock):
    ada = enter(seed="semilla", variant="cruel-strict", time_limit_ms=60_000)
    clock.tick(20)
    view = ada.deal().view
    rules = find_variant("cruel-strict")
    assert view.game.rules.options() == rules.options()
    assert view.game.position == rules.opening("deal/1", "semilla")
    assert (view.started_at, view.finished_at, view.now) == (NOON + 20, None, NOON + 20)
    [row] = ada.games
    assert row["id"] == view.id
    assert (row["variant"], row["seed"], row["seed_named"]) == ("cruel-strict", "semilla", True)
    assert (row["undo"], row["owner"], row["token_hash"]) == (False, ada.id, None)
    assert (row["challenge_id"], row["entry_id"]) == (ada.challenge_id, ada.read().id)
    assert (row["attempt"], row["ranks"], row["deadline"]) == (1, True, NOON + 60_020)
    assert (row["standing"], row["earlier_standing"], row["earlier_attempt"]) == (
        standing(),
        None,
        None,
    )
    view = ada.read()
    assert (view.dealt, view.deadline, view.state) == (1, NOON + 60_020, "playing")
    assert events_of(db, ada.challenge_id)[1:] == [("attempt_dealt", {"attempt": 1})]
    assert [verdict.faults for verdict in verify_games(db)] == [()]


def test_every_family_is_dealt(enter):
    ada = enter(variant="calculation", order="time", clock="shared", starts_at=NOON + 1)
    ada.clock.tick(1)
    assert ada.deal().view.game.rules.options() == {"bases": BASES}
    assert ada.games[0]["standing"] == standing("time")


def test_a_drawn_seed_is_a_secret_until_the_challenge_has_finished(enter, clock):
    ada = enter()
    assert ada.deal().view.seed is None
    ada.end()
    assert ada.deal().view.seed is None
    clock.tick(24 * HOUR_MS - 1)
    assert ada.deal().view.seed is None
    clock.tick(1)
    assert ada.deal().view.seed == SECRET_SEED


def test_a_seed_that_the_host_named_is_none(enter):
    assert enter(seed="semilla").deal().view.seed == "semilla"


def test_a_retry_gives_the_same_game_in_whatever_state_it_is(enter, clock):
    ada = enter(attempts=2)
    first = ada.deal().view
    clock.tick(5)
    ada.end(Status.WON)
    again = ada.deal()
    assert (again.new, again.view.id, again.view.now) == (False, first.id, clock.ms)
    assert (again.view.game.status, again.view.finished_at) == (Status.WON, clock.ms)
    second = ada.deal(2).view
    assert second.id != first.id
    assert ada.deal().view.id == first.id
    clock.tick(24 * HOUR_MS)
    assert ada.deal(2).view.id == second.id


@pytest.mark.parametrize(("finished", "starts"), [(0, 50), (9, 59)])
def test_an_attempt_starts_once_the_one_before_has_ended(enter, clock, finished, starts):
    ada = enter(attempts=2, time_limit_ms=1_000)
    ada.deal()
    begun = clock.ms
    clock.tick(50)
    # The time of a game never goes back, whatever the clock does.
    ada.end(finished_at=clock.ms + finished)
    clock.tick(-7)  # the time at which ada asked for the next one, and waited for the lock
    view = ada.deal(2).view
    assert view.started_at == begun + starts
    assert ada.games[1]["deadline"] == ada.read().deadline == begun + starts + 1_000


@pytest.mark.parametrize("number", [0, -1])
def test_attempts_are_numbered_from_one(enter, number):
    assert outcome(enter().deal, number) == "NotFound"


# ---- when ----


def test_on_the_shared_clock_all_start_at_once_whenever_they_ask(enter, clock):
    ada = enter(clock="shared", starts_at=NOON + 1_000, time_limit_ms=10_000)
    assert outcome(ada.deal) == "NotRunning"
    clock.tick(7_000)
    view = ada.deal().view
    assert (view.started_at, view.now) == (NOON + 1_000, NOON + 7_000)
    assert ada.games[0]["deadline"] == ada.read().deadline == NOON + 11_000


@pytest.mark.parametrize("clock_kind", ["own", "shared"])
def test_nothing_is_dealt_from_the_end_on(enter, clock, clock_kind):
    ada = enter(clock=clock_kind, starts_at=NOON + 1_000, ends_at=NOON + 3_000)
    clock.tick(3_000)
    with pytest.raises(NotRunning, match="finished"):
        ada.deal()
    assert ada.games == []
    clock.tick(-1)
    assert outcome(ada.deal) == "new"


def test_a_deadline_is_never_after_the_end(enter, clock):
    ada = enter(ends_at=NOON + 3_000, time_limit_ms=2_000)
    clock.tick(2_500)
    ada.deal()
    assert ada.read().deadline == NOON + 3_000


def test_a_refusal_says_which_attempt_to_deal_or_to_end(enter):
    ada = enter(attempts=3)
    with pytest.raises(AttemptInProgress, match=r"attempt 1 comes first.*attempts/1") as refused:
        ada.deal(3)
    assert refused.value.extra == {"attempt": 1}
    ada.deal()
    for number in (2, 3):
        with pytest.raises(AttemptInProgress, match="attempt 1 has not ended") as refused:
            ada.deal(number)
        assert refused.value.extra == {"attempt": 1}
    ada.end()
    with pytest.raises(AttemptInProgress, match="attempt 2 comes first"):
        ada.deal(3)
    with pytest.raises(AttemptsExhausted, match="1 to 3"):
        ada.deal(10**9)


# ---- standings ----


def test_a_later_attempt_starts_from_the_best_before_it(enter):
    ada = enter(attempts=4)
    best = standing(cards_up=20, actions=30, elapsed_ms=900)
    worse = standing(cards_up=10)
    ada.deal()
    ada.end(Status.RESIGNED, standing=worse)
    ada.deal(2)
    ada.end(Status.LOST, standing=best)
    ada.deal(3)
    ada.end(Status.RESIGNED)
    ada.deal(4)
    found = [
        (row["standing"], row["earlier_standing"], row["earlier_attempt"], row["ranks"])
        for row in ada.games
    ]
    assert found == [
        (worse, None, None, False),
        (best, worse, 1, False),
        (best, best, 2, False),
        (best, best, 2, True),
    ]


def test_an_opening_that_is_better_than_what_was_played_ranks(enter):
    ada = enter(attempts=2)
    ada.deal()
    played = standing(actions=3, elapsed_ms=500)
    ada.end(Status.RESIGNED, standing=played)
    ada.deal(2)
    second = ada.games[1]
    assert (second["standing"], second["earlier_standing"]) == (standing(), played)
    assert read_standing("actions", second["standing"]).actions == 0


# ---- ends ----


@pytest.mark.parametrize("status", [Status.WON, Status.LOST, Status.RESIGNED])
def test_an_end_is_told_with_its_attempt(enter, db, clock, status):
    ada = enter(attempts=2)
    ada.deal()
    clock.tick(9)
    after = ada.end(status)
    told = ("attempt_ended", {"attempt": 1, "status": status.value})
    assert events_of(db, ada.challenge_id)[-1] == told
    assert after == challenge_row(db, ada.challenge_id)
    assert after["ended"] == 0
    ada.deal(2)
    assert ada.end(status)["ended"] == 1


def test_a_deal_that_is_lost_at_the_opening_ends_at_once(enter, db):
    ada = enter(seed=LOST_SEEDS[0], attempts=2)
    view = ada.deal().view
    assert (view.game.status, view.finished_at) == (Status.LOST, NOON)
    assert outcome(ada.deal, 2) == "new"
    assert ada.read().state == "finished"
    assert events_of(db, ada.challenge_id)[1:3] == [
        ("attempt_dealt", {"attempt": 1}),
        ("attempt_ended", {"attempt": 1, "status": "lost"}),
    ]
    assert kinds_of_events(db, ada.challenge_id)[3:] == ["attempt_dealt", "attempt_ended"]
    assert [verdict.faults for verdict in verify_games(db)] == [()] * 2


def test_a_race_that_is_lost_at_the_opening_ends_when_all_have_seen_it(enter, db, clock):
    ada = enter(seed=LOST_SEEDS[0], clock="shared", starts_at=NOON + 10)
    bea = Entrant(db, clock, ada.challenge_id, "bea")
    bea.enter()
    clock.tick(15)
    ada.deal()
    clock.tick(15)
    assert bea.deal().view.finished_at == NOON + 10
    assert challenge_row(db, ada.challenge_id)["finishes_at"] == clock.ms
    assert [verdict.faults for verdict in verify_games(db)] == [()] * 2
