"""How many statements it takes to enter a challenge and to play in it, and to look on."""

from contextlib import suppress

import pytest

from service.usecases import disqualifications, entries, game_lists, games, playing
from service.usecases.errors import Refused
from service.usecases.pages import Place
from service.usecases.recent_games import recent_games
from tests.challenges import change_challenge, new_challenge
from tests.statements import count_statements
from tests.usecases.entering import Entrant
from tests.usecases.sitting import FOUR_MOVES, Sitting
from tests.usecases.test_challenge_budget import BEGIN, COMMIT

READ = ["SELECT"]
# Who asks, the challenge under its lock, and their entry in it.
LOCKED = [BEGIN, "SELECT", "SELECT", "SELECT"]
# The challenge's counts and revision, and the event.
RECORDED = ["UPDATE", "INSERT"]
REFUSED = "ROLLBACK"


@pytest.fixture
def host(db, clock):
    return Entrant(db, clock, None, "host")


@pytest.fixture
def ada(db, clock, host):
    """Give somebody who is about to enter a challenge of the seed that the moves are for."""
    host.challenge_id = new_challenge(db, host.id, seed="semilla", attempts=2)
    return Entrant(db, clock, host.challenge_id, "ada")


@pytest.fixture
def attempt(ada):
    """Give a function that plays the one attempt of somebody who has had it dealt."""
    ada.enter()
    ada.deal()
    (game,) = ada.games

    def play(*moves, at):
        return playing.play(ada.db, game["id"], ada.hash, moves, at, ada.clock.ms)

    return play


def spent(db, act):
    """Give the verbs of the statements that an act takes, refused or not."""
    with count_statements(db) as seen, suppress(Refused):
        act()
    return seen.verbs


def cold(db, act):
    """Give them as of a process that has played none of the games before."""
    recent_games(db).clear()
    return spent(db, act)


def begun(verbs):
    """Give a transaction that was rolled back, without what psycopg forgets after it."""
    return verbs[: verbs.index(REFUSED) + 1]


# ---- to play ----


@pytest.mark.parametrize("moves", [FOUR_MOVES[:1], FOUR_MOVES])
def test_a_cold_move_takes_one_select_more_than_in_a_free_game(attempt, db, clock, moves):
    free = Sitting(db, clock)
    in_free_game = cold(db, lambda: free.play(*moves, at=0))
    in_challenge = cold(db, lambda: attempt(*moves, at=0))
    assert in_free_game == ["SELECT", "UPDATE"]
    assert in_challenge == ["SELECT", *in_free_game]


def test_a_warm_move_is_one_update_as_in_a_free_game(attempt, db, clock):
    free = Sitting(db, clock)
    for play in (free.play, attempt):
        play(FOUR_MOVES[0], at=0)
        for at in (1, 2, 3):
            assert spent(db, lambda at=at, play=play: play(FOUR_MOVES[at], at=at)) == ["UPDATE"]


def test_a_retry_and_what_is_refused_read_only(attempt, db, clock):
    attempt(*FOUR_MOVES, at=0)
    for moves, at in ((FOUR_MOVES, 0), (["7>7"], 4), (["12>2"], 0), (["12>2"], 9)):
        assert cold(db, lambda moves=moves, at=at: attempt(*moves, at=at)) == READ * 2
    clock.tick(25 * 3_600_000)
    assert cold(db, lambda: attempt("R", at=4)) == READ * 2


@pytest.mark.parametrize("start", [cold, spent], ids=["cold", "warm"])
def test_the_move_that_ends_an_attempt_is_one_transaction(attempt, db, start):
    attempt(FOUR_MOVES[0], at=0)
    # The lock, the entry, the game, the entry once more, and what is told of it.
    ending = [BEGIN, "SELECT", "SELECT", "UPDATE", "UPDATE", *RECORDED, COMMIT]
    assert start(db, lambda: attempt("Q", at=1)) == [*READ * 2, *ending]


# ---- to enter, to leave, to have an attempt dealt ----


def test_to_enter_is_one_transaction_and_once_more_it_only_reads(ada, db):
    entered = [*LOCKED, "INSERT", *RECORDED, "SELECT", "SELECT", COMMIT]
    assert spent(db, ada.enter) == entered
    assert spent(db, ada.enter) == [*LOCKED, "SELECT", COMMIT]


def test_to_leave_is_one_transaction_and_once_more_it_only_reads(ada, db):
    ada.enter()
    assert spent(db, ada.leave) == [*LOCKED, "DELETE", *RECORDED, COMMIT]
    assert spent(db, ada.leave) == [*LOCKED, COMMIT]


def test_to_forfeit_is_one_transaction_that_resigns_too(ada, attempt, db):
    assert attempt
    resigned = ["SELECT", "UPDATE"]
    forfeited = [*LOCKED, *resigned, "UPDATE", *RECORDED, "SELECT", COMMIT]
    assert spent(db, ada.leave) == forfeited
    assert spent(db, ada.leave) == [*LOCKED, "SELECT", COMMIT]


def test_to_be_dealt_an_attempt_is_one_transaction_and_then_the_game_is_read(ada, db):
    ada.enter()
    dealt = [*LOCKED, "INSERT", "UPDATE", *RECORDED, "SELECT", COMMIT]
    assert spent(db, ada.deal) == [*dealt, *READ * 2]
    assert spent(db, ada.deal) == [*LOCKED, "SELECT", COMMIT, *READ * 2]
    ada.end()
    # The rank is taken from the one before.
    later = [*LOCKED, "UPDATE", *dealt[len(LOCKED) :]]
    assert spent(db, lambda: ada.deal(2)) == [*later, *READ * 2]


def test_what_is_refused_is_rolled_back_after_what_it_has_read(ada, db):
    assert begun(spent(db, ada.deal)) == [*LOCKED, REFUSED]
    change_challenge(db, ada.challenge_id, cancelled_at=ada.clock.ms)
    assert begun(spent(db, ada.enter)) == [*LOCKED, REFUSED]


def test_to_disqualify_is_one_transaction(ada, host, db):
    ada.enter()

    def judge():
        terms = {"disqualified": True, "reason": "a solver", "now": ada.clock.ms}
        disqualifications.disqualify(db, ada.challenge_id, "ada", host.hash, **terms)

    assert spent(db, judge) == [*LOCKED, "SELECT", "UPDATE", *RECORDED, COMMIT]
    assert spent(db, judge) == [*LOCKED, "SELECT", COMMIT]


# ---- to look on ----


def test_to_read_ones_own_entry_takes_four_selects_however_many_attempts(ada, db):
    ada.enter()
    assert spent(db, ada.read) == READ * 4
    ada.deal()
    assert spent(db, ada.read) == READ * 4


@pytest.mark.parametrize("many", [1, 4])
def test_a_page_of_entries_is_two_selects_and_two_for_the_caller(ada, db, clock, many):
    for number in range(many):
        Entrant(db, clock, ada.challenge_id, f"bea{number}").enter()

    def page(token_hash):
        place = {"place": Place(None, None, 3), "now": clock.ms}
        return spent(db, lambda: entries.list_entries(db, ada.challenge_id, token_hash, **place))

    assert page(None) == READ * 2
    assert page(ada.hash) == READ * 4


@pytest.mark.parametrize("many", [1, 4])
def test_a_page_of_games_is_one_select_and_one_for_the_caller(ada, db, clock, many):
    for number in range(many):
        entrant = Entrant(db, clock, ada.challenge_id, f"bea{number}")
        entrant.enter()
        entrant.deal()
    clock.tick(25 * 3_600_000)

    def page(token_hash, **named):
        asked = {"player": None, "challenge": None, "status": None, "variant": None, **named}
        place = {"place": Place(None, None, 3), "now": clock.ms}
        return spent(db, lambda: game_lists.list_games(db, token_hash, **asked, **place))

    assert page(None, challenge=ada.challenge_id) == READ
    assert page(ada.hash, player="bea0", challenge=ada.challenge_id) == READ * 2


def test_to_read_an_attempt_takes_one_select_more_than_a_free_game(ada, host, attempt, db):
    attempt(FOUR_MOVES[0], at=0)
    (game,) = ada.games

    def read(token_hash):
        return spent(db, lambda: games.read(db, game["id"], token_hash, ada.clock.ms))

    assert read(ada.hash) == read(host.hash) == read(None) == READ * 2
    whole = {"after": None, "before": None, "limit": 9}
    history = lambda: games.history(db, game["id"], ada.hash, ada.clock.ms, **whole)  # noqa: E731
    assert spent(db, history) == READ * 2
    assert spent(db, lambda: games.record(db, game["id"], ada.hash, ada.clock.ms)) == READ * 2
