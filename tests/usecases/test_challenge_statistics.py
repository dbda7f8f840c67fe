"""Statistics of challenges against a naive count, and what they cost."""

from collections import Counter
from random import Random

import pytest
from sqlalchemy import update

from service.db.tables import games
from service.usecases.challenge_statistics import read_statistics
from service.usecases.outcomes import OUTCOMES
from tests.challenges import change_challenge
from tests.conftest import NOON
from tests.ranking import fill
from tests.statements import count_statements

KINDS = [("actions", 1), ("actions", 3), ("time", 1)]
# In the order of the draw: what a game that is not won may stand at.
OTHERWISE = ["lost", "resigned", "in_progress"]


def finished(db, seed, *, order, attempts, **more):
    """Give a finished challenge, and of each attempt that counts how it ended: by its runner."""
    challenge_id, runners = fill(db, seed, order=order, attempts=attempts, **more)
    change_challenge(db, challenge_id, finishes_at=NOON)
    chance, ended = Random(seed), {}
    with db.connect() as connection:
        connection.execute(update(games).values(deadline=NOON))
        for runner in runners:
            for game_id, result in zip(runner.games, runner.results, strict=True):
                status = "won" if result.won else chance.choice(OTHERWISE)
                at = None if status == "in_progress" else NOON + result.elapsed_ms
                changed = update(games).where(games.c.id == game_id)
                connection.execute(changed.values(status=status, finished_at=at))
                ended[game_id] = "timed_out" if at is None else status
    return challenge_id, runners, ended


def best_win(inside, figure):
    """Give what is told of the win with the least of a figure, None where nobody has won."""
    wins = [
        (getattr(result, figure), result.elapsed_ms, runner.entry_id, number, runner)
        for runner in inside
        for number, result in enumerate(runner.results, 1)
        if result.won
    ]
    if not wins:
        return None
    least, _, _, number, runner = min(wins, key=lambda win: win[:4])
    alike = {entry_id for each, _, entry_id, *_ in wins if each == least}
    return runner.name, runner.bot, number, runner.games[number - 1], least, len(alike)


def told(win):
    return win and (
        win.player,
        win.bot,
        win.attempt,
        win.game_id,
        win.figure,
        win.shared_by,
    )


@pytest.mark.parametrize(("order", "attempts"), KINDS)
@pytest.mark.parametrize("seed", [3, 4])
def test_they_are_what_counting_by_hand_gives(db, order, attempts, seed):
    challenge_id, runners, ended = finished(db, seed, order=order, attempts=attempts, many=40)
    # Another challenge beside it changes nothing.
    finished(db, seed + 10, order=order, attempts=attempts, many=5)
    inside = [each for each in runners if each.results and not each.disqualified]
    best = [each.best(order)[1] for each in inside]
    found = read_statistics(db, challenge_id, None, NOON)
    assert found.entered == len(runners)
    assert found.disqualified == sum(each.disqualified for each in runners) > 0
    assert found.ranked == len(inside) < len(runners) - found.disqualified
    assert found.won == sum(any(result.won for result in each.results) for each in inside) > 0
    counted = Counter(ended[game_id] for each in inside for game_id in each.games)
    assert {name: getattr(found.ends, name) for name in OUTCOMES} == counted
    actions = Counter(result.actions // 10 * 10 for result in best if result.won)
    assert [*found.actions.items()] == sorted(actions.items())
    cards_up = Counter(result.cards_up for result in best)
    assert [*found.cards_up.items()] == sorted(cards_up.items())
    assert told(found.fewest_actions) == best_win(inside, "actions")
    assert told(found.fastest) == best_win(inside, "elapsed_ms")
    assert found.fewest_actions.shared_by > 1, "there are ties"


def test_the_best_win_may_be_that_of_a_deleted_player(db):
    challenge_id, runners, _ = finished(
        db, 2, order="actions", attempts=1, many=30, gone=1, out=0, idle=0
    )
    found = read_statistics(db, challenge_id, None, NOON)
    assert told(found.fastest) == best_win(runners, "elapsed_ms")
    assert found.fastest.player is None


@pytest.mark.parametrize("share", ["idle", "out"])
def test_where_nobody_is_ranked_there_is_nothing_to_tell(db, share):
    shares = {"idle": 0, "out": 0, share: 1}
    challenge_id, _, _ = finished(db, 5, order="actions", attempts=1, many=3, **shares)
    found = read_statistics(db, challenge_id, None, NOON)
    assert (found.entered, found.ranked, found.won, found.ends.finished) == (3, 0, 0, 0)
    assert found.disqualified == (3 if share == "out" else 0)
    assert (found.actions, found.cards_up) == ({}, {})
    assert (found.fewest_actions, found.fastest) == (None, None)


def test_they_take_eight_selects_however_many_have_played(db):
    challenge_id, _, _ = finished(db, 6, order="actions", attempts=3, many=30)
    with count_statements(db) as seen:
        read_statistics(db, challenge_id, None, NOON)
    # SQLite tells how a statement begins, PostgreSQL what it is.
    assert len(seen) == 8
    assert set(seen.verbs) <= {"SELECT", "WITH"}
