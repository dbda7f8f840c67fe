import pytest
from sqlalchemy import select

from service.db.direct import connect_directly
from service.db.tables import games
from service.rules.errors import Invalid
from service.rules.family import Status
from service.usecases.errors import NotFound, Unauthenticated
from service.usecases.game_views import load_game, stored_game, stored_rules
from service.usecases.tokens import hash_token
from tests.conftest import NOON
from tests.usecases.sitting import FOUR_MOVES


def load(sitting, token_hash):
    with connect_directly(sitting.db) as connection:
        return load_game(connection, sitting.id, token_hash, NOON, whole=True)


def test_a_stored_game_is_that_of_its_row_and_holds_its_past_as_texts(sit, clock):
    sitting = sit()
    clock.tick(5)
    sitting.play(*FOUR_MOVES[:2])
    stored = load(sitting, None)
    assert stored.game == sitting.view().game
    assert stored.history() == (FOUR_MOVES[:2], [5, 5])
    assert stored.opening() == sitting.opened.game
    assert (stored.ended, stored.row["finished_at"]) == (False, None)


def test_a_stored_game_without_entries_has_an_empty_past(sit):
    assert load(sit(), None).history() == ([], [])


def test_a_stored_game_cannot_undo_without_its_past(sit):
    sitting = sit()
    sitting.play("6>9")
    with pytest.raises(LookupError, match="replay its history"):
        load(sitting, None).game.play("U")


def test_only_its_own_token_plays_a_game(sit):
    sitting = sit()
    assert load(sitting, sitting.hash).plays
    assert not load(sitting, None).plays
    assert not load(sitting, sit().hash).plays
    with pytest.raises(Unauthenticated):
        load(sitting, hash_token("sg_nobody"))


def test_a_game_without_a_token_is_played_by_nobody(sit):
    sitting = sit()
    sitting.write(token_hash=None)
    assert not load(sitting, None).plays
    with pytest.raises(Unauthenticated):
        load(sitting, sitting.hash)


def test_there_is_no_game_with_another_id(db):
    with connect_directly(db) as connection, pytest.raises(NotFound):
        load_game(connection, "no-such-game", None, NOON)


@pytest.mark.parametrize(("moves", "status"), [(["Q"], "resigned"), (FOUR_MOVES, "lost")])
def test_a_game_that_is_over_has_ended(sit, clock, moves, status):
    sitting = sit(redeal_limit=0)
    clock.tick(9)
    sitting.play(*moves)
    stored = load(sitting, None)
    assert (stored.ended, stored.game.status) == (True, status)
    assert stored.view(NOON + 50).finished_at == stored.row["finished_at"] == NOON + 9


def test_the_rules_of_stored_games_are_made_once(sit):
    sitting, other = sit(redeal_limit=7), sit(redeal_limit=7)
    rules = load(sitting, None).game.rules
    assert rules is load(other, None).game.rules
    assert rules is stored_rules("cruel", sitting.row["options"])


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("variant", "bridge"),
        ("options", "no JSON"),
        ("options", '{"deal": "by_hand"}'),
        ("position", ""),
        ("position", "AC AD AH AS | KC"),
        ("status", "nonsense"),
    ],
)
def test_a_row_that_cannot_be_read_is_no_mistake_of_who_asks(sit, column, value):
    sitting = sit()
    sitting.write(**{column: value})
    with pytest.raises(RuntimeError, match=f"game {sitting.id} cannot be read") as caught:
        sitting.view()
    assert not isinstance(caught.value, Invalid)


@pytest.mark.parametrize("status", Status)
def test_every_status_is_read_as_it_is_stored(sit, status):
    sitting = sit()
    sitting.write(status=status.value)
    with sitting.db.connect() as connection:
        row = connection.execute(select(games)).mappings().one()
    assert stored_game(row).status is status
