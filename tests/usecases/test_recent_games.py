"""Games that a process remembers: never trusted, and never more than so many."""

import pytest
from sqlalchemy import text

from service.usecases import operated_challenges
from service.usecases.errors import Forbidden, PlyConflict, TimeExpired, Unauthenticated
from service.usecases.games import read
from service.usecases.playing import play
from service.usecases.recent_games import MOST, RecentGames, recent_games
from service.usecases.tokens import hash_token
from tests.challenges import new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.usecases.entering import Entrant
from tests.usecases.sitting import FOUR_MOVES


class Remembered:
    """Whatever has an id."""

    def __init__(self, name):
        self.row = {"id": name}


def test_a_game_is_given_once_and_the_oldest_is_forgotten():
    recent = RecentGames()
    games = [Remembered(f"{number}") for number in range(MOST + 1)]
    for game in games:
        recent.keep(game)
    assert recent.take("0") is None
    assert recent.take("1") is games[1]
    assert recent.take("1") is None
    assert recent.take(f"{MOST}") is games[MOST]


def test_a_game_that_is_kept_again_is_the_newest():
    recent = RecentGames()
    first = Remembered("first")
    recent.keep(first)
    for number in range(MOST - 1):
        recent.keep(Remembered(f"{number}"))
    recent.keep(recent.take("first"))
    recent.keep(Remembered("one more"))
    assert recent.take("first") is first
    assert recent.take("0") is None


def test_a_game_that_has_ended_is_not_remembered(sit):
    sitting = sit()
    sitting.play("6>9")
    sitting.play("Q")
    assert recent_games(sitting.db).take(sitting.id) is None


def test_what_others_have_played_meanwhile_is_seen(sit):
    sitting = sit()
    sitting.play("6>9")
    remembered = recent_games(sitting.db).take(sitting.id)
    sitting.play("1>11")
    recent_games(sitting.db).keep(remembered)
    with pytest.raises(PlyConflict) as caught:
        sitting.play("12>2", at=1)
    assert caught.value.extra["at"] == 2
    recent_games(sitting.db).keep(remembered)
    assert sitting.play("12>2").view.game.ply == 3
    assert sitting.moves == ["6>9", "1>11", "12>2"]


def test_another_position_at_the_same_ply_is_never_played_on(sit):
    """As after a copy of the database has been put back under a running service."""
    sitting = sit()
    sitting.play("6>9")
    remembered = recent_games(sitting.db).take(sitting.id)
    other = sit()
    other.play("12>2")
    row = other.row
    sitting.write(history=row["history"], position=row["position"])
    recent_games(sitting.db).keep(remembered)
    sitting.play("1>11", at=1)
    assert sitting.moves == ["12>2", "1>11"]
    assert sitting.view().game == sitting.replayed()


def test_a_token_that_has_been_voided_meanwhile_plays_nothing(sit):
    sitting = sit()
    sitting.play("6>9")
    sitting.write(token_hash=hash_token("sg_another"))
    with pytest.raises(Unauthenticated):
        sitting.play("1>11")
    assert sitting.row["ply"] == 1


@pytest.mark.parametrize("whose", ["nobody", "another game's"])
def test_a_remembered_game_is_played_by_its_own_token_alone(sit, whose):
    sitting, other = sit(), sit()
    sitting.play("6>9")
    token_hash = other.hash if whose == "another game's" else None
    refusal = Forbidden if whose == "another game's" else Unauthenticated
    with pytest.raises(refusal):
        play(sitting.db, sitting.id, token_hash, ["1>11"], 1, NOON)
    assert sitting.row["ply"] == 1


def test_a_game_that_is_gone_is_gone(sit, db):
    sitting = sit()
    sitting.play("6>9")
    with db.connect() as connection:
        connection.execute(text("DELETE FROM games"))
    with pytest.raises(Unauthenticated):
        sitting.play("1>11")


def test_moves_from_memory_and_from_the_database_lead_to_the_same_game(sit, clock):
    warm, cold = sit(), sit()
    for sitting in (warm, cold):
        for number, move in enumerate((*FOUR_MOVES[:3], "U", "1>6", "R")):
            clock.ms = NOON + 7 * number
            if sitting is cold:
                recent_games(sitting.db).clear()
            sitting.play(move, at=number)
    skipped = {"id", "token_hash"}
    rows = [{k: v for k, v in sitting.row.items() if k not in skipped} for sitting in (warm, cold)]
    assert rows[0] == rows[1]
    assert read(warm.db, warm.id, None, NOON).game == warm.replayed()


def test_an_operator_who_cancels_a_challenge_stops_the_games_that_are_remembered(db, clock):
    host, _ = new_entrant(db, "host")
    ada = Entrant(db, clock, new_challenge(db, host, seed="semilla"), "ada")
    ada.enter()
    game = ada.deal().view.id
    play(db, game, ada.hash, FOUR_MOVES[:1], 0, clock.ms)
    operated_challenges.cancel(db, ada.challenge_id, clock.ms)
    with pytest.raises(TimeExpired) as caught:
        play(db, game, ada.hash, FOUR_MOVES[1:2], 1, clock.ms)
    assert caught.value.extra["at"] == 1
