"""The same done twice at the same moment, and what excludes each other: of each exactly one."""

import threading
from collections import Counter

import pytest
from sqlalchemy import update

from service.db.engine import write_transaction
from service.db.tables import games
from service.rules import find_variant
from service.usecases import disqualifications
from service.usecases.challenge_events import lock_challenge, record_event
from service.usecases.challenge_states import ChallengeState, challenge_state
from service.usecases.verify import verify_games
from tests.challenges import challenge_row, kinds_of_events, new_challenge
from tests.conftest import NOON
from tests.usecases.entering import Entrant, outcome
from tests.usecases.test_races import at_once

ROUNDS = 4


@pytest.fixture
def challenged(db, clock):
    """Give a function that makes a challenge with a host and a player in it or about to enter."""
    host = Entrant(db, clock, None, "host")
    numbers = iter(range(1_000))

    def make(**terms):
        host.challenge_id = new_challenge(db, host.id, **terms)
        ada = Entrant(db, clock, host.challenge_id, f"ada{next(numbers)}")
        return host, ada

    return make


def together(*acts):
    """Let each act happen in a thread of its own; how each went."""
    return at_once(*[lambda act=act: outcome(*act) for act in acts])


def test_twins_enter_once(challenged, db):
    for _ in range(ROUNDS):
        _, ada = challenged()
        assert Counter(together(*[(ada.enter,)] * 4)) == {"new": 1, "same": 3}
        assert kinds_of_events(db, ada.challenge_id) == ["entered"]


def test_twins_are_dealt_one_attempt(challenged, db):
    for _ in range(ROUNDS):
        _, ada = challenged(attempts=2)
        ada.enter()
        assert Counter(together(*[(ada.deal,)] * 4)) == {"new": 1, "same": 3}
        ada.end()
        assert Counter(together(*[(ada.deal, 2)] * 4)) == {"new": 1, "same": 3}
        assert len(ada.games) == 2
        assert kinds_of_events(db, ada.challenge_id)[1:] == [
            "attempt_dealt",
            "attempt_ended",
            "attempt_dealt",
        ]


def test_twins_leave_once(challenged, db):
    for _ in range(ROUNDS):
        _, ada = challenged()
        ada.enter()
        assert together(*[(ada.leave,)] * 3) == ["gone"] * 3
        assert kinds_of_events(db, ada.challenge_id) == ["entered", "left"]


def test_twins_forfeit_once(challenged, db):
    for _ in range(ROUNDS):
        _, ada = challenged()
        ada.enter()
        ada.deal()
        assert together(*[(ada.leave,)] * 3) == ["forfeited"] * 3
        assert kinds_of_events(db, ada.challenge_id)[2:] == ["forfeited"]
        assert ada.games[0]["history"] == "Q@0"


def test_twins_disqualify_once(challenged, db):
    for _ in range(ROUNDS):
        host, ada = challenged()
        ada.enter()

        def judge(host=host, ada=ada):
            terms = {"disqualified": True, "reason": "a solver", "now": NOON}
            return disqualifications.disqualify(db, host.challenge_id, ada.name, host.hash, **terms)

        assert together(*[(judge,)] * 3) == ["registered"] * 3
        assert kinds_of_events(db, ada.challenge_id) == ["entered", "disqualified"]


def test_who_leaves_is_not_dealt_an_attempt_and_who_was_dealt_one_forfeits(challenged, db):
    for _ in range(ROUNDS):
        _, ada = challenged()
        ada.enter()
        went = together((ada.leave,), (ada.deal,))
        assert went in (["gone", "NotEntered"], ["forfeited", "new"])
        expected = ["left"] if went[0] == "gone" else ["attempt_dealt", "forfeited"]
        assert kinds_of_events(db, ada.challenge_id)[1:] == expected


def test_who_wins_while_forfeiting_has_done_one_of_both(challenged, db):
    for _ in range(ROUNDS):
        _, ada = challenged()
        ada.enter()
        ada.deal()
        left, ended = at_once(ada.leave, ada.end)
        kinds = kinds_of_events(db, ada.challenge_id)[2:]
        if ended is None:
            assert (left.state, kinds) == ("forfeited", ["forfeited"])
            assert (ada.games[0]["status"], ada.games[0]["history"]) == ("resigned", "Q@0")
        else:
            assert (left.state, kinds) == ("finished", ["attempt_ended"])
            assert (ada.games[0]["status"], ada.games[0]["history"]) == ("won", "")


def test_who_forfeits_resigns_after_a_move_that_is_just_being_recorded(challenged, db):
    _, ada = challenged(seed="semilla")
    ada.enter()
    ada.deal()
    rules = find_variant("cruel")
    position = rules.apply(rules.opening("deal/1", "semilla"), "6>9")
    move = {
        "history": "6>9@0",
        "ply": 1,
        "moves": 1,
        "position": rules.format_position(position),
        # Not won, 4 cards up, 1 action, no redeal, after no time.
        "standing": "0" + "04" + "99998" + "99999" + "9999999999",
    }
    with write_transaction(db) as connection:
        connection.execute(update(games).where(games.c.owner == ada.id).values(move))
        forfeiting = threading.Thread(target=ada.leave)
        forfeiting.start()
        forfeiting.join(0.2)
        assert forfeiting.is_alive()
    forfeiting.join(60)
    assert (ada.games[0]["history"], ada.games[0]["ply"]) == ("6>9@0 Q@0", 2)
    assert [verdict.faults for verdict in verify_games(db)] == [()]


def test_cancelling_against_joining(challenged, db, clock):
    for _ in range(ROUNDS):
        host, ada = challenged()

        def cancel(host=host):
            with write_transaction(db) as connection:
                challenge = lock_challenge(connection, host.challenge_id, NOON)
                if challenge["dealt"]:
                    return host.read()  # which is refused, for the host has not entered
                at = clock.ms
                record_event(connection, challenge, "cancelled", host.id, at, cancelled_at=at)
                return None

        def join(ada=ada):
            ada.enter()
            return ada.deal()

        cancelled, joined = together((cancel,), (join,))
        state = challenge_state(challenge_row(db, ada.challenge_id), clock.ms)
        kinds = kinds_of_events(db, ada.challenge_id)
        assert (cancelled, joined, state, kinds) in [
            ("gone", "EntriesClosed", ChallengeState.CANCELLED, ["cancelled"]),
            ("gone", "NotRunning", ChallengeState.CANCELLED, ["entered", "cancelled"]),
            ("NotEntered", "new", ChallengeState.RUNNING, ["entered", "attempt_dealt"]),
        ]


def test_two_who_end_a_race_at_once_finish_it(challenged, db, clock):
    for _ in range(ROUNDS):
        clock.ms = NOON
        _, ada = challenged(clock="shared", starts_at=NOON + 10)
        bea = Entrant(db, clock, ada.challenge_id, f"bea{ada.name}")
        ada.enter()
        bea.enter()
        clock.tick(20)
        ada.deal()
        bea.deal()
        at_once(ada.end, bea.leave)
        challenge = challenge_row(db, ada.challenge_id)
        assert (challenge["ended"], challenge["finishes_at"]) == (2, clock.ms)
        assert sorted(kinds_of_events(db, ada.challenge_id)[-2:]) == ["attempt_ended", "forfeited"]


def test_a_deal_that_waited_for_the_lock_finds_what_was_done_before_it(challenged, db, clock):
    _, ada = challenged()
    ada.enter()
    went = []
    with write_transaction(db) as connection:
        challenge = lock_challenge(connection, ada.challenge_id, NOON)
        waiting = threading.Thread(target=lambda: went.append(outcome(ada.deal)))
        waiting.start()
        waiting.join(0.2)
        assert not went
        at = clock.ms
        record_event(connection, challenge, "cancelled", None, at, cancelled_at=at)
    waiting.join(60)
    assert went == ["NotRunning"]
    assert ada.games == []
