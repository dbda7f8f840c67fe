"""The host disqualifies and reinstates."""

import pytest
from sqlalchemy import update

from service.db.tables import players
from service.usecases import disqualifications
from service.usecases.errors import Forbidden, NotFound, NotRunning
from tests.challenges import HOUR_MS, change_challenge, events_of, new_challenge
from tests.conftest import NOON
from tests.usecases.entering import Entrant, outcome


@pytest.fixture
def host(db, clock):
    """Give the host of a challenge with Ada in it."""
    host = Entrant(db, clock, None, "host")
    host.challenge_id = new_challenge(db, host.id, attempts=2)
    return host


@pytest.fixture
def ada(host):
    ada = Entrant(host.db, host.clock, host.challenge_id, "Ada")
    ada.enter()
    return ada


def judge(by, player, *, disqualified=True, reason="a solver"):
    return disqualifications.disqualify(
        by.db,
        by.challenge_id,
        player,
        by.hash,
        disqualified=disqualified,
        reason=reason,
        now=by.clock.ms,
    )


def flag(view):
    return view.disqualified_at, view.disqualified_reason


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA"])
def test_the_host_disqualifies_by_name_whatever_its_case(host, ada, name):
    view = judge(host, name)
    assert (view.player, view.state, view.attempts) == ("Ada", "registered", None)
    assert flag(view) == flag(ada.read()) == (NOON, "a solver")
    assert view.revision == ada.read().revision == 2


@pytest.mark.usefixtures("ada")
def test_the_same_again_changes_nothing(host, clock):
    for reason in ("a solver", "a solver", "two accounts", "two accounts"):
        flagged = judge(host, "Ada", reason=reason)
        clock.tick(10)
    assert flag(flagged) == (NOON, "two accounts")
    for reason in ("my mistake", "my mistake", "again"):
        assert flag(judge(host, "Ada", disqualified=False, reason=reason)) == (None, None)
    assert events_of(host.db, host.challenge_id)[1:] == [
        ("disqualified", {"reason": "a solver"}),
        ("disqualified", {"reason": "two accounts"}),
        ("reinstated", {"reason": "my mistake"}),
    ]


@pytest.mark.usefixtures("ada")
def test_who_is_not_disqualified_is_not_reinstated(host):
    judge(host, "Ada", disqualified=False)
    assert events_of(host.db, host.challenge_id) == [("entered", {})]


def test_a_disqualified_player_plays_on(host, ada):
    judge(host, "Ada")
    assert outcome(ada.deal) == "new"
    ada.end()
    assert outcome(ada.deal, 2) == "new"
    assert outcome(ada.leave) == "forfeited"
    assert flag(ada.read()) == (NOON, "a solver")


def test_nobody_is_rid_of_it_by_leaving_and_entering_again(host, ada):
    judge(host, "Ada")
    assert outcome(ada.leave) == "Forbidden"
    assert flag(ada.enter().view) == (NOON, "a solver")
    judge(host, "Ada", disqualified=False, reason="my mistake")
    assert outcome(ada.leave) == "gone"
    assert flag(ada.enter().view) == (None, None)


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize("after_ms", [0, 24 * HOUR_MS, 1_000 * HOUR_MS])
def test_it_is_possible_in_any_state_but_cancelled(host, clock, after_ms):
    clock.tick(after_ms)
    assert flag(judge(host, "Ada")) == (clock.ms, "a solver")
    change_challenge(host.db, host.challenge_id, cancelled_at=NOON)
    for disqualified in (True, False):
        with pytest.raises(NotRunning, match="cancelled"):
            judge(host, "Ada", disqualified=disqualified)


def test_nobody_but_the_host_does(host, ada):
    for name in ("Ada", "nobody"):
        with pytest.raises(Forbidden, match="only the host"):
            judge(ada, name)
    change_challenge(host.db, host.challenge_id, host=None)
    assert outcome(judge, host, "Ada") == "Forbidden"


@pytest.mark.usefixtures("ada")
def test_without_a_players_token_nobody_does(host):
    host.hash = None
    assert outcome(judge, host, "Ada") == "Unauthenticated"


@pytest.mark.usefixtures("ada")
def test_only_who_is_in_is_disqualified(host):
    Entrant(host.db, host.clock, host.challenge_id, "bea")
    for name in ("bea", "nobody", "", "me"):
        with pytest.raises(NotFound, match="nobody of this name"):
            judge(host, name)
    host.challenge_id = "nothing"
    with pytest.raises(NotFound, match="no challenge"):
        judge(host, "Ada")


def test_who_has_deleted_themselves_is_found_by_their_entry(host, ada, db):
    entry_id = ada.read().id
    with db.connect() as connection:
        changed = update(players).where(players.c.id == ada.id)
        connection.execute(changed.values(name=None, token_hash=None))
    assert outcome(judge, host, "Ada") == "NotFound"
    view = judge(host, entry_id)
    assert (view.player, view.disqualified_reason) == (None, "a solver")
