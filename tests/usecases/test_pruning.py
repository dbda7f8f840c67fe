"""Old games of nobody are deleted; a player's and a challenge's never."""

import pytest
from sqlalchemy import select, update

from service.db.tables import games
from service.usecases import new_games, pruning
from service.usecases.pruning import prune_games
from service.usecases.tokens import hash_token
from tests.challenges import new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.hosting import DAY
from tests.usecases.entering import Entrant


@pytest.fixture
def left(db):
    """Give a function that tells the ids of the games that are left."""

    def ids():
        with db.connect() as connection:
            return set(connection.execute(select(games.c.id)).scalars())

    return ids


def test_idle_games_of_nobody_are_deleted_and_no_others(sit, db, clock, left):
    old, ended, played, fresh = (sit() for _ in range(4))
    ended.play("Q")
    clock.tick(DAY)
    played.play("12>2", "6>9")
    assert prune_games(db, NOON + DAY, dry_run=True) == (4, 3)
    assert prune_games(db, NOON + DAY + 1, dry_run=True) == (4, 4)
    assert prune_games(db, NOON, dry_run=False) == (4, 0)
    assert left() == {old.id, ended.id, played.id, fresh.id}
    assert prune_games(db, NOON + DAY, dry_run=False) == (4, 3)
    assert left() == {played.id}


def test_a_move_counts_from_when_it_was_made(sit, db, clock, left):
    sitting = sit("cruel-semicolon")
    clock.tick(400 * DAY)
    sitting.play(*["R", "U"] * 20)
    assert prune_games(db, NOON + 400 * DAY, dry_run=False) == (1, 0)
    assert prune_games(db, NOON + 400 * DAY + 1, dry_run=False) == (1, 1)
    assert left() == set()


def test_games_of_players_and_of_challenges_stay(db, clock, left):
    _, token = new_entrant(db, "Ana")
    terms = {"options": {}, "seed": "semilla", "undo": None}
    new_games.create(db, variant="cruel", **terms, now=NOON, token_hash=hash_token(token), key=None)
    host, _ = new_entrant(db, "host")
    ada = Entrant(db, clock, new_challenge(db, host), "Ada")
    ada.enter()
    ada.deal()
    # Not even an attempt that has lost its owner.
    with db.connect() as connection:
        orphaned = update(games).where(games.c.challenge_id.is_not(None)).values(owner=None)
        connection.execute(orphaned)
    before = left()
    assert len(before) == 2
    assert prune_games(db, NOON + 1_000 * DAY, dry_run=False) == (0, 0)
    assert left() == before


def test_games_are_deleted_in_batches(sit, db, left, monkeypatch):
    monkeypatch.setattr(pruning, "_BATCH", 2)
    for _ in range(5):
        sit()
    assert prune_games(db, NOON + 1, dry_run=True) == (5, 5)
    assert len(left()) == 5
    assert prune_games(db, NOON + 1, dry_run=False) == (5, 5)
    assert left() == set()
    assert prune_games(db, NOON + 1, dry_run=False) == (0, 0)


def test_a_game_that_is_played_in_that_moment_stays(sit, db, left, monkeypatch):
    idle, sitting = sit(), sit()
    delete = pruning._delete  # noqa: SLF001 - the moment is between two statements

    def play_first(connection, found):
        sitting.play("12>2")
        return delete(connection, found)

    monkeypatch.setattr(pruning, "_delete", play_first)
    assert prune_games(db, NOON + 1, dry_run=False) == (2, 1)
    assert left() == {sitting.id}
    assert idle.id != sitting.id
