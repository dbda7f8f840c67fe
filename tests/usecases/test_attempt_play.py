"""Playing attempts of challenges straight at the use cases."""

import pytest
from sqlalchemy import select, update

from service.db.tables import games
from service.rules.errors import Invalid
from service.rules.family import Status
from service.usecases.errors import (
    Forbidden,
    GameOver,
    NotFound,
    StillSecret,
    TimeExpired,
    Unauthenticated,
)
from service.usecases.games import history, preview_redeal, read, record
from service.usecases.playing import play
from service.usecases.recent_games import recent_games
from service.usecases.verify import verify_games
from tests.challenges import SECRET_SEED, challenge_row, events_of, new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.usecases.entering import Entrant
from tests.usecases.sitting import FOUR_MOVES

DAY_MS = 86_400_000
LIMIT = 10_000


@pytest.fixture
def begin(db, clock):
    """Give a function that lets a player enter a new challenge and have the first attempt dealt."""

    def begin(name="ada", *, starts_in=0, **terms):
        terms["starts_at"] = NOON + starts_in
        challenge_id = new_challenge(db, new_entrant(db, f"host-of-{name}")[0], **terms)
        entrant = Entrant(db, clock, challenge_id, name)
        entrant.enter()
        clock.tick(starts_in)
        entrant.deal()
        return entrant

    return begin


def move(entrant, *moves, at, attempt=1, token_hash=None):
    game_id = entrant.games[attempt - 1]["id"]
    return play(entrant.db, game_id, token_hash or entrant.hash, moves, at, entrant.clock.ms)


def first_moves(entrant, count, attempt=1):
    """Play the first legal moves, a second apart."""
    game_id = entrant.games[attempt - 1]["id"]
    for at in range(count):
        entrant.clock.tick(1_000)
        view = read(entrant.db, game_id, entrant.hash, entrant.clock.ms)
        move(entrant, view.game.legal_moves()[0], at=at, attempt=attempt)


def decoded(row):
    """Read a standing of the order ``actions`` as won, cards up, actions, redeals, ms."""
    text = row["standing"]
    won, up, *fewer = text[0], text[1:3], text[3:8], text[8:13], text[13:23]
    highest = 99_999, 99_999, 9_999_999_999
    figures = [top - int(figure) for top, figure in zip(highest, fewer, strict=True)]
    return int(won), int(up), *figures


def faults(db):
    return [fault for verdict in verify_games(db) for fault in verdict.faults]


def test_a_move_is_recorded_with_the_standing_that_it_leads_to(begin, db):
    ada = begin(seed="semilla")
    assert decoded(ada.games[0]) == (0, 4, 0, 0, 0)
    ada.clock.tick(1_500)
    move(ada, *FOUR_MOVES[:2], at=0)
    ada.clock.tick(500)
    move(ada, "R", at=2)
    row = ada.games[0]
    assert decoded(row) == (0, row["cards_up"], 3, 1, 2_000)
    assert faults(db) == []


@pytest.mark.parametrize("warm", [True, False])
def test_to_resign_is_no_action_and_moves_no_standing(begin, db, warm):
    ada = begin()
    first_moves(ada, 2)
    before = ada.games[0]["standing"]
    ada.clock.tick(7_000)
    if not warm:
        recent_games(db).clear()
    move(ada, "Q", at=2)
    row = ada.games[0]
    assert (row["status"], row["standing"]) == ("resigned", before)
    assert events_of(db, ada.challenge_id)[-1] == (
        "attempt_ended",
        {"attempt": 1, "status": "resigned"},
    )
    assert faults(db) == []


def test_a_worse_attempt_leaves_the_standing_as_it_was(begin, db):
    ada = begin(attempts=3)
    first_moves(ada, 3)
    move(ada, "Q", at=3)
    best = ada.games[0]["standing"]
    ada.deal(2)
    first_moves(ada, 1, attempt=2)
    second = ada.games[1]
    higher = decoded(second)[:2] > decoded(ada.games[0])[:2]
    fewer = decoded(second)[2] < decoded(ada.games[0])[2]
    assert higher or fewer or second["standing"] == best
    assert second["standing"] >= best
    assert [row["ranks"] for row in ada.games] == [False, True]
    assert faults(db) == []


def test_the_move_that_ends_an_attempt_ends_it_in_the_challenge(begin, db, clock):
    ada = begin(clock="shared", starts_in=1_000)
    clock.tick(500)
    played = move(ada, "Q", at=0)
    assert played.view.game.status is Status.RESIGNED
    assert played.view.finished_at == clock.ms
    challenge = challenge_row(db, ada.challenge_id)
    assert (challenge["ended"], challenge["finishes_at"]) == (1, clock.ms)
    assert ada.read().state == "finished"


def test_the_last_move_that_comes_too_late_ends_nothing(begin, db):
    ada = begin()
    first_moves(ada, 1)
    row = ada.games[0]
    with db.connect() as connection:
        connection.execute(update(games).values(ranks=False))
    with pytest.raises(Exception, match="others keep playing"):
        move(ada, "Q", at=1)
    assert ada.games[0]["history"] == row["history"]
    assert [kind for kind, _ in events_of(db, ada.challenge_id)] == ["entered", "attempt_dealt"]


@pytest.mark.parametrize("warm", [True, False])
def test_from_the_deadline_on_nothing_is_recorded_but_what_is_there_is_told(begin, db, warm):
    ada = begin(time_limit_ms=LIMIT)
    first_moves(ada, 1)
    row = ada.games[0]
    entry = row["history"].partition("@")[0]
    ada.clock.ms = NOON + LIMIT - 1
    view = read(db, row["id"], ada.hash, ada.clock.ms)
    assert (view.game.status, view.finished_at) == (Status.IN_PROGRESS, None)
    ada.clock.tick(1)
    if not warm:
        recent_games(db).clear()
    for moves in (["Q"], [view.game.legal_moves()[0]]):
        with pytest.raises(TimeExpired) as caught:
            move(ada, *moves, at=1)
        assert caught.value.extra == {"at": 1}
    assert move(ada, entry, at=0).recorded == 1
    view = read(db, row["id"], ada.hash, ada.clock.ms)
    assert (view.game.status, view.finished_at) == (Status.TIMED_OUT, NOON + LIMIT)
    assert view.game.legal_moves() == []
    assert preview_redeal(db, row["id"], ada.hash, ada.clock.ms).refusal.reason == "game_over"
    assert ada.games[0] == row


def test_a_move_of_the_last_millisecond_counts(begin):
    ada = begin(time_limit_ms=LIMIT)
    ada.clock.ms = NOON + LIMIT - 1
    assert move(ada, "Q", at=0).view.game.status is Status.RESIGNED


def test_in_a_challenge_a_move_says_after_which_ply_it_comes(begin):
    ada = begin()
    for _ in range(2):
        with pytest.raises(Invalid) as caught:
            move(ada, "Q", at=None)
        assert caught.value.place == "/at"
    assert ada.games[0]["ply"] == 0


def test_an_ended_attempt_takes_no_more_moves(begin):
    ada = begin()
    move(ada, "Q", at=0)
    with pytest.raises(GameOver):
        move(ada, "Q", at=1)
    assert move(ada, "Q", at=0).recorded == 1


def test_an_attempt_is_its_players_alone_until_the_reveal(begin, db):
    ada, other = begin(), new_entrant(db, "bea")[1]
    other_hash = Entrant(db, ada.clock, ada.challenge_id, "cleo").hash
    game_id = ada.games[0]["id"]
    assert read(db, game_id, ada.hash, NOON).seed is None
    for token_hash in (None, other_hash):
        for ask in (read, preview_redeal, record):
            with pytest.raises(NotFound):
                ask(db, game_id, token_hash, NOON)
        with pytest.raises(NotFound):
            history(db, game_id, token_hash, NOON, after=None, before=None, limit=9)
        with pytest.raises((NotFound, Unauthenticated)):
            play(db, game_id, token_hash, ["Q"], 0, NOON)
    with pytest.raises(StillSecret):
        record(db, game_id, ada.hash, NOON)
    end = NOON + DAY_MS
    for token_hash in (None, other_hash, ada.hash):
        assert read(db, game_id, token_hash, end).seed == SECRET_SEED
        assert record(db, game_id, token_hash, end).seed == SECRET_SEED
    with pytest.raises(Forbidden, match="another player"):
        play(db, game_id, other_hash, ["Q"], 0, end)
    with pytest.raises(Unauthenticated, match="sp_"):
        play(db, game_id, None, ["Q"], 0, end)
    assert other


def test_faults_of_attempts_are_found(begin, db):
    ada = begin(time_limit_ms=LIMIT)
    first_moves(ada, 2)
    with db.connect() as connection:
        connection.execute(update(games).values(standing="9", deadline=NOON + 1_000))
        assert connection.execute(select(games.c.standing)).scalar_one() == "9"
    found = faults(db)
    assert len(found) == 2
    assert found[0] == "its history goes on after its deadline"
    assert found[1].startswith("its column standing holds '9'")
