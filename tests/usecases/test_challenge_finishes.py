"""What has been seen finished stays finished, also for who looked at the clock before."""

import pytest

from service.usecases import challenge_changes, challenges, entries, operated_challenges
from service.usecases.challenge_changes import ANY_REVISION
from service.usecases.challenge_states import ChallengeState
from service.usecases.errors import NotRunning
from service.usecases.tokens import hash_token
from tests.challenges import HOUR_MS
from tests.conftest import NOON
from tests.players import new_player

END = NOON + HOUR_MS
LAST_MS = 15_000
RACE = {"clock": "shared", "starts_at": NOON + 1_000}


@pytest.fixture
def host(db):
    """Give the hash of a host's token."""
    return hash_token(new_player(db, "Ana"))


@pytest.fixture
def acts(db, host):
    """Give what a host and an operator do to a challenge that would keep it from finishing."""

    def change(made, now, **asked):
        return challenge_changes.change(db, made, host, asked, ANY_REVISION, now)

    return {
        "terms": lambda made, now: change(made, now, attempts=2),
        "end": lambda made, now: change(made, now, ends_at=END + HOUR_MS),
        "cancel": lambda made, now: challenges.cancel(db, made, host, now),
        "operator": lambda made, now: operated_challenges.cancel(db, made, now),
        "title": lambda made, now: change(made, now, title="Sunday"),
    }


def create(db, host, **terms):
    body = {"title": "x", "variant": "cruel", "ends_at": END, **terms}
    return challenges.create(db, host, body, NOON).view.id


@pytest.mark.parametrize("act", ["terms", "end", "cancel", "operator"])
def test_who_comes_in_the_last_seconds_undoes_no_finish_that_others_have_seen(db, host, acts, act):
    made = create(db, host)
    seen = challenges.read(db, made, None, END)
    assert (seen.state, seen.revealed_at) == (ChallengeState.FINISHED, END)
    for late in (END - LAST_MS, END - 1):
        with pytest.raises(NotRunning, match="ends within 15 seconds"):
            acts[act](made, late)
    assert acts["title"](made, END - 1).title == "Sunday"
    after = challenges.read(db, made, None, END)
    assert (after.state, after.seed) == (ChallengeState.FINISHED, seen.seed)
    acts[act](made, END - LAST_MS - 1)


def test_a_race_that_all_have_forfeited_stays_finished(db, host, acts):
    made = create(db, host, **RACE)
    entries.enter(db, made, host, NOON)
    gone = NOON + 5_000
    assert entries.leave(db, made, host, gone) is not None
    assert challenges.read(db, made, None, gone).state is ChallengeState.FINISHED
    for act in ("cancel", "operator"):
        with pytest.raises(NotRunning):
            acts[act](made, gone - 1)
    assert challenges.read(db, made, None, gone).state is ChallengeState.FINISHED
