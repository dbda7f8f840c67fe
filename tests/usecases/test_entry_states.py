"""Every state of an entry times everything that its player may do: each done twice."""

import pytest

from service.rules.family import Status
from tests.challenges import change_challenge, events_of, kinds_of_events, new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.usecases.entering import Entrant, outcome

START, LIMIT, END = NOON + 1_000, 10_000, NOON + 101_000
ACTIONS = ("enter", "leave", "read", "deal 1", "deal 2", "deal 3")

# How an entrant comes into each state; numbers are instants to which the clock is moved. Then how
# each of the actions goes.
NOT_IN = ("NotEntered",) * 4
NEVER = ("NotRunning",) * 3
OWN = {
    # The challenge has not started.
    "stranger early": ([], ("new", "gone", *NOT_IN)),
    "registered early": (["enter"], ("same", "gone", "registered", *NEVER)),
    "left early": (["enter", "leave"], ("new", "gone", *NOT_IN)),
    # It runs.
    "stranger": ([START], ("new", "gone", *NOT_IN)),
    "registered": (
        ["enter", START],
        ("same", "gone", "registered", "new", "AttemptInProgress", "AttemptsExhausted"),
    ),
    "playing": (
        ["enter", START, "deal 1"],
        ("same", "forfeited", "playing", "same", "AttemptInProgress", "AttemptsExhausted"),
    ),
    "playing, a ms before the deadline": (
        ["enter", START, "deal 1", START + LIMIT - 1],
        ("same", "forfeited", "playing", "same", "AttemptInProgress", "AttemptsExhausted"),
    ),
    "between attempts": (
        ["enter", START, "deal 1", "end"],
        ("same", "forfeited", "playing", "same", "new", "AttemptsExhausted"),
    ),
    "between attempts, by the clock": (
        ["enter", START, "deal 1", START + LIMIT],
        ("same", "forfeited", "playing", "same", "new", "AttemptsExhausted"),
    ),
    "playing the last": (
        ["enter", START, "deal 1", "end", "deal 2"],
        ("same", "forfeited", "playing", "same", "same", "AttemptsExhausted"),
    ),
    "finished": (
        ["enter", START, "deal 1", "end", "deal 2", "end"],
        ("same", "finished", "finished", "same", "same", "AttemptsExhausted"),
    ),
    "timed out": (
        ["enter", START, "deal 1", "end", "deal 2", START + LIMIT],
        ("same", "timed_out", "timed_out", "same", "same", "AttemptsExhausted"),
    ),
    "forfeited": (
        ["enter", START, "deal 1", "leave"],
        ("EntriesClosed", "forfeited", "forfeited", "same", "EntriesClosed", "EntriesClosed"),
    ),
    "forfeited between attempts": (
        ["enter", START, "deal 1", "end", "leave"],
        ("EntriesClosed", "forfeited", "forfeited", "same", "EntriesClosed", "EntriesClosed"),
    ),
    "a ms before the end": (
        ["enter", END - 1],
        ("same", "gone", "registered", "new", "AttemptInProgress", "AttemptsExhausted"),
    ),
    # It has finished.
    "stranger late": ([END], ("EntriesClosed", "gone", *NOT_IN)),
    "no show": (["enter", END], ("same", "NotRunning", "no_show", *NEVER)),
    "finished late": (
        ["enter", START, "deal 1", "end", END],
        ("same", "NotRunning", "finished", "same", *NEVER[1:]),
    ),
    "timed out late": (
        ["enter", START, "deal 1", END],
        ("same", "NotRunning", "timed_out", "same", *NEVER[1:]),
    ),
    "forfeited late": (
        ["enter", START, "deal 1", "leave", END],
        ("EntriesClosed", "forfeited", "forfeited", "same", *NEVER[1:]),
    ),
    # It is cancelled.
    "stranger in vain": (["cancel"], ("EntriesClosed", "gone", *NOT_IN)),
    "registered in vain": (["enter", "cancel"], ("same", "NotRunning", "registered", *NEVER)),
    "registered in vain, after the end": (
        ["enter", "cancel", END],
        ("same", "NotRunning", "registered", *NEVER),
    ),
    # No other attempt follows.
    "ended in vain": (
        ["enter", START, "deal 1", "end", "cancel"],
        ("same", "NotRunning", "finished", "same", *NEVER[1:]),
    ),
    "timed out in vain": (
        ["enter", START, "deal 1", START + LIMIT, "cancel"],
        ("same", "NotRunning", "timed_out", "same", *NEVER[1:]),
    ),
}
EXHAUSTED = ("AttemptsExhausted",) * 2
SHARED = {
    "stranger early": ([], ("new", "gone", *NOT_IN)),
    "registered early": (["enter", START - 1], ("same", "gone", "registered", *NEVER)),
    "stranger": ([START], ("EntriesClosed", "gone", *NOT_IN)),
    "registered": (["enter", START], ("same", "forfeited", "registered", "new", *EXHAUSTED)),
    "playing": (
        ["enter", START, "deal 1"],
        ("same", "forfeited", "playing", "same", *EXHAUSTED),
    ),
    "finished": (
        ["enter", START, "deal 1", "end"],
        ("same", "finished", "finished", "same", *EXHAUSTED),
    ),
    "forfeited": (
        ["enter", START, "deal 1", "leave"],
        ("EntriesClosed", "forfeited", "forfeited", "same", *("EntriesClosed",) * 2),
    ),
    "forfeited, nothing dealt": (
        ["enter", START, "leave"],
        ("EntriesClosed", "forfeited", "forfeited", *("EntriesClosed",) * 3),
    ),
    "stranger late": ([START + LIMIT], ("EntriesClosed", "gone", *NOT_IN)),
    "no show": (["enter", START + LIMIT], ("same", "NotRunning", "no_show", *NEVER)),
    "timed out": (
        ["enter", START, "deal 1", START + LIMIT],
        ("same", "NotRunning", "timed_out", "same", *NEVER[1:]),
    ),
    "finished late": (
        ["enter", START, "deal 1", "end", START + LIMIT],
        ("same", "NotRunning", "finished", "same", *NEVER[1:]),
    ),
    "forfeited late": (
        ["enter", START, "leave", START + LIMIT],
        ("EntriesClosed", "forfeited", "forfeited", *NEVER),
    ),
    "stranger in vain": (["cancel", START], ("EntriesClosed", "gone", *NOT_IN)),
    "registered in vain": (["enter", "cancel"], ("same", "NotRunning", "registered", *NEVER)),
}
# What the same action gives the second time, where it changed something.
AGAIN = {"new": "same"}


def product():
    for clock_kind, table in (("own", OWN), ("shared", SHARED)):
        for state, (steps, outcomes) in table.items():
            for action, expected in zip(ACTIONS, outcomes, strict=True):
                name = f"{clock_kind}: {state}: {action}"
                yield pytest.param(clock_kind, steps, action, expected, id=name)


def arrange(db, clock, clock_kind, steps):
    """Make a challenge with somebody in it who does nothing, and bring another into a state."""
    terms = {"own": {"attempts": 2}, "shared": {}}[clock_kind]
    host, _ = new_entrant(db, "host")
    challenge_id = new_challenge(
        db, host, clock=clock_kind, starts_at=START, ends_at=END, time_limit_ms=LIMIT, **terms
    )
    Entrant(db, clock, challenge_id, "bea").enter()
    ada = Entrant(db, clock, challenge_id, "ada")
    for step in steps:
        if isinstance(step, int):
            clock.ms = step
        elif step == "cancel":
            change_challenge(db, challenge_id, cancelled_at=clock.ms)
        else:
            act(ada, step)
    return ada


def act(entrant, action):
    verb, *numbers = action.split()
    return getattr(entrant, verb)(*map(int, numbers))


@pytest.mark.parametrize(("clock_kind", "steps", "action", "expected"), [*product()])
def test_in_every_state_every_action_goes_as_it_should(
    db, clock, clock_kind, steps, action, expected
):
    ada = arrange(db, clock, clock_kind, steps)
    assert outcome(act, ada, action) == expected
    after = events_of(db, ada.challenge_id)
    assert outcome(act, ada, action) == AGAIN.get(expected, expected)
    assert events_of(db, ada.challenge_id) == after


@pytest.mark.parametrize("clock_kind", ["own", "shared"])
def test_what_is_refused_or_was_done_before_writes_no_event(db, clock, clock_kind):
    ada = arrange(db, clock, clock_kind, ["enter", START, "deal 1"])
    before = kinds_of_events(db, ada.challenge_id)
    assert before == ["entered", "entered", "attempt_dealt"]
    for action in ("enter", "read", "deal 1", "deal 2", "deal 3"):
        outcome(act, ada, action)
    assert kinds_of_events(db, ada.challenge_id) == before


def test_time_runs_out_without_a_write(db, clock):
    ada = arrange(db, clock, "own", ["enter", START, "deal 1", "end", "deal 2"])
    revision = ada.read().revision
    clock.ms = START + LIMIT - 1
    assert ada.read().state == "playing"
    clock.ms = START + LIMIT
    view = ada.read()
    assert (view.state, view.revision) == ("timed_out", revision)
    assert [attempt.status for attempt in view.attempts] == [Status.WON, Status.TIMED_OUT]
