"""Players who do anything at any time: what must hold for a challenge holds after every step."""

from itertools import pairwise
from random import Random

import pytest

from service.rules.family import Status
from service.usecases.challenge_states import EntryState, revealed_at
from tests.challenges import challenge_row, events_of, new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.usecases.entering import Entrant, outcome

STEPS = 50
FINAL = (
    EntryState.FINISHED,
    EntryState.FORFEITED,
    EntryState.TIMED_OUT,
    EntryState.NO_SHOW,
)
ACTIONS = ("enter", "enter", "leave", "deal 1", "deal 1", "deal 2", "deal 3", "end", "wait", "wait")


def step(entrant, chance):
    """Do something; time passes only here, so that nothing else changes what is seen."""
    verb, *numbers = chance.choice(ACTIONS).split()
    if verb == "wait":
        entrant.clock.tick(chance.choice([1, 100, 400]))
    elif verb == "end":
        if entrant.games and entrant.clock.ms < entrant.games[-1]["deadline"]:
            entrant.end(chance.choice([Status.WON, Status.LOST, Status.RESIGNED]))
    else:
        outcome(getattr(entrant, verb), *map(int, numbers))


def check_games(entrant):
    """Check that the latest attempt has the rank, and that all before it have ended."""
    found, now = entrant.games, entrant.clock.ms
    assert [row["attempt"] for row in found] == list(range(1, len(found) + 1))
    assert [row["ranks"] for row in found] == [False] * len(found[:-1]) + [True] * len(found[-1:])
    for row, following in pairwise(found):
        over = row["status"] != Status.IN_PROGRESS or row["deadline"] <= following["started_at"]
        assert over
        assert following["earlier_standing"] == row["standing"]
        assert following["standing"] >= row["standing"]
    assert all(row["started_at"] <= now for row in found)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("clock_kind", ["own", "shared"])
def test_whatever_players_do_the_challenge_stays_sound(db, clock, clock_kind, seed):
    chance = Random(f"{clock_kind} {seed}")
    host, _ = new_entrant(db, "host")
    challenge_id = new_challenge(
        db,
        host,
        clock=clock_kind,
        attempts=3 if clock_kind == "own" else 1,
        starts_at=NOON + 500,
        ends_at=NOON + 5_000,
        time_limit_ms=chance.choice([None, 1_000]),
    )
    entrants = [Entrant(db, clock, challenge_id, name) for name in ("ada", "bea", "cleo")]
    revealed, final, events = None, {}, []
    for _ in range(STEPS):
        step(chance.choice(entrants), chance)
        after = events_of(db, challenge_id)
        assert after[: len(events)] == events
        events = after
        at = revealed_at(challenge_row(db, challenge_id), clock.ms)
        assert revealed in (None, at)
        revealed = at
        for entrant in entrants:
            check_games(entrant)
            if outcome(entrant.read) != "NotEntered":
                state = entrant.read().state
                assert final.get(entrant.name, state) == state
                if state in FINAL:
                    final[entrant.name] = state
            else:
                assert entrant.name not in final
