"""Entering, leaving, forfeiting, and who sees whom."""

import pytest
from sqlalchemy import update

from service.db.tables import games, players
from service.rules import find_variant
from service.rules.record_text import parse_moves
from service.usecases import entries
from service.usecases.errors import NotFound, Unauthenticated
from service.usecases.pages import Place
from service.usecases.standing import Standing, write_standing
from service.usecases.verify import verify_games
from tests.challenges import (
    HOUR_MS,
    challenge_row,
    change_challenge,
    events_of,
    kinds_of_events,
    new_challenge,
)
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.statements import count_statements
from tests.usecases.entering import Entrant, outcome
from tests.usecases.sitting import Sitting

RACE = {"clock": "shared", "starts_at": NOON + 1_000, "time_limit_ms": 10_000}


@pytest.fixture
def make(db, clock):
    """Give a function that makes a challenge and players for it: ``make("ada", attempts=2)``."""

    def make_challenge(*names, **terms):
        host, _ = new_entrant(db, "host")
        challenge_id = new_challenge(db, host, **terms)
        found = [Entrant(db, clock, challenge_id, name) for name in names]
        return found[0] if len(found) == 1 else found

    return make_challenge


def page(entrant, token_hash=None, *, after=None, before=None, limit=50):
    return entries.list_entries(
        entrant.db,
        entrant.challenge_id,
        token_hash,
        place=Place(after, before, limit),
        now=entrant.clock.ms,
    )


# ---- entering ----


def test_an_entry_says_who_is_in_since_when(make, clock):
    ada = make("Ada")
    clock.tick(5)
    view = ada.enter().view
    assert (view.player, view.bot, view.state) == ("Ada", False, "registered")
    assert (view.entered_at, view.now, view.dealt, view.revision) == (NOON + 5, NOON + 5, 0, 1)
    assert (view.deadline, view.forfeited_at, view.disqualified_at) == (None, None, None)
    assert view.attempts == ()
    clock.tick(5)
    again = ada.enter().view
    assert (again.id, again.entered_at, again.now) == (view.id, NOON + 5, NOON + 10)


def test_the_id_of_an_unlisted_challenge_is_enough(make):
    ada = make("ada", visibility="unlisted")
    assert outcome(ada.enter) == "new"
    assert [view.player for view in page(ada).items] == ["ada"]


def test_a_hidden_challenge_is_there_for_its_host_and_who_is_in_only(make, db, clock):
    ada, bea = make("ada", "bea")
    ada.enter()
    change_challenge(db, ada.challenge_id, hidden_at=clock.ms)
    for act in (bea.enter, bea.leave, bea.read, bea.deal):
        assert outcome(act) == "NotFound"
    assert outcome(ada.enter) == "same"
    assert outcome(ada.deal) == "new"
    for token_hash in (None, bea.hash):
        with pytest.raises(NotFound, match="no challenge"):
            page(ada, token_hash)
    change_challenge(db, ada.challenge_id, host=bea.id)
    for token_hash in (ada.hash, bea.hash):
        assert [view.player for view in page(ada, token_hash).items] == ["ada"]
    assert outcome(bea.read) == "NotEntered"


def test_there_is_nothing_in_a_challenge_that_does_not_exist(make):
    ada = make("ada")
    ada.challenge_id = "nothing"
    for act in (ada.enter, ada.leave, ada.read, ada.deal):
        assert outcome(act) == "NotFound"
    with pytest.raises(NotFound):
        page(ada)


def test_without_the_token_of_a_player_nobody_enters(make):
    ada = make("ada")
    for token_hash in (None, bytes(32)):
        ada.hash = token_hash
        for act in (ada.enter, ada.leave, ada.read, ada.deal):
            assert outcome(act) == "Unauthenticated"
    assert kinds_of_events(ada.db, ada.challenge_id) == []


# ---- when a race finishes ----


def test_a_race_lasts_until_its_deadline_whoever_is_in(make, db):
    ada, bea = make("ada", "bea", **RACE)
    finish = [challenge_row(db, ada.challenge_id)["finishes_at"]]
    for act in (ada.enter, bea.enter, ada.leave, bea.leave):
        act()
        finish.append(challenge_row(db, ada.challenge_id)["finishes_at"])
    end = NOON + 11_000
    assert finish == [end] * 5


def test_a_race_of_two_ends_early_when_both_have_ended(make, clock, db):
    ada, bea = make("ada", "bea", **RACE)
    ada.enter()
    bea.enter()
    clock.tick(1_000)
    ada.deal()
    bea.deal()
    clock.tick(3_000)
    assert ada.end()["finishes_at"] == NOON + 11_000
    assert bea.read().state == "playing"
    clock.tick(10)
    assert bea.end()["finishes_at"] == clock.ms
    assert [ada.read().state, bea.read().state] == ["finished", "finished"]
    assert kinds_of_events(db, ada.challenge_id)[-2:] == ["attempt_ended"] * 2
    clock.tick(10)
    assert outcome(ada.leave) == "NotRunning"
    assert challenge_row(db, ada.challenge_id)["finishes_at"] == clock.ms - 10


@pytest.mark.parametrize("dealt", [False, True])
def test_a_race_ends_early_when_the_last_one_forfeits(make, clock, db, dealt):
    ada, bea = make("ada", "bea", **RACE)
    ada.enter()
    bea.enter()
    clock.tick(1_500)
    if dealt:
        bea.deal()
    bea.leave()
    ada.deal()
    ada.end()
    assert challenge_row(db, ada.challenge_id)["finishes_at"] == clock.ms
    assert [ada.read().state, bea.read().state] == ["finished", "forfeited"]


@pytest.mark.parametrize("ended", [False, True])
def test_who_comes_too_late_enters_or_leaves_no_race_whatever_time_it_took(make, clock, db, ended):
    ada, bea, cleo = make("ada", "bea", "cleo", **RACE)
    ada.enter()
    bea.enter()
    clock.tick(1_005)
    ada.deal()
    if ended:
        ada.end()
    clock.tick(-10)  # the time at which the others asked, and waited for their turn
    assert outcome(cleo.enter) == "EntriesClosed"
    assert outcome(bea.leave) == "forfeited"
    finish = challenge_row(db, ada.challenge_id)["finishes_at"]
    assert finish == (NOON + 1_005 if ended else NOON + 11_000)
    assert kinds_of_events(db, ada.challenge_id)[-1] == "forfeited"


@pytest.mark.parametrize("late", ["end", "leave"])
@pytest.mark.parametrize(
    ("first", "finish"),
    [
        # By a move, or given up with or without a deal.
        (lambda bea: [bea.deal(), bea.end()], 5_000),
        (lambda bea: [bea.deal(), bea.leave()], 5_000),
        (lambda bea: [bea.leave()], 5_000),
        # The time of a game never goes back, whatever the clock does.
        (lambda bea: [bea.deal(), bea.end(finished_at=NOON + 5_004)], 5_004),
        # Nor is a race over later than at its deadline.
        (lambda bea: [bea.deal(), bea.end(finished_at=NOON + 99_000)], 11_000),
    ],
)
def test_a_race_finishes_with_the_latest_end_whoever_has_waited_longest(
    make, clock, db, first, finish, late
):
    ada, bea = make("ada", "bea", **RACE)
    ada.enter()
    bea.enter()
    clock.ms = NOON + 4_990
    ada.deal()
    clock.ms = NOON + 5_000
    first(bea)
    clock.tick(-7)  # the time at which ada asked, and waited for the lock
    getattr(ada, late)()
    assert challenge_row(db, ada.challenge_id)["finishes_at"] == NOON + finish


def test_on_the_own_clock_nothing_ends_early(make, db):
    ada = make("ada")
    ada.enter()
    ada.deal()
    ada.end()
    assert challenge_row(db, ada.challenge_id)["finishes_at"] == NOON + 24 * HOUR_MS


# ---- leaving and forfeiting ----


def test_who_leaves_may_come_back(make, db):
    ada = make("ada")
    first = ada.enter().view.id
    assert outcome(ada.leave) == "gone"
    assert page(ada).items == []
    assert outcome(ada.enter) == "new"
    assert ada.read().id != first
    assert kinds_of_events(db, ada.challenge_id) == ["entered", "left", "entered"]


@pytest.mark.parametrize("played", ["", "6>9@40"])
def test_forfeiting_resigns_the_running_game(make, db, clock, played):
    ada = make("ada", seed="semilla")
    ada.enter()
    ada.deal()
    [dealt] = ada.games
    if played:
        rules = find_variant("cruel")
        position = rules.apply(rules.opening("deal/1", "semilla"), "6>9")
        columns = {"history": played, "ply": 1, "moves": 1}
        columns["position"] = rules.format_position(position)
        standing = Standing(won=False, cards_up=4, actions=1, redeals=0, elapsed_ms=40)
        columns["standing"] = write_standing("actions", standing)
        dealt = {**dealt, **columns}
        with db.connect() as connection:
            changed = update(games).where(games.c.id == dealt["id"])
            connection.execute(changed.values(columns))
    clock.tick(70)
    view = ada.leave()
    assert (view.state, view.forfeited_at) == ("forfeited", clock.ms)
    [game] = ada.games
    moves, times = parse_moves(game["history"])
    assert (moves[-1], times[-1]) == ("Q", 70)
    assert (game["status"], game["ply"], game["finished_at"]) == (
        "resigned",
        len(moves),
        clock.ms,
    )
    assert game["standing"] == dealt["standing"]
    [attempt] = view.attempts
    assert (attempt.status, attempt.finished_at) == ("resigned", clock.ms)
    assert events_of(db, ada.challenge_id)[-1] == ("forfeited", {})
    assert [verdict.faults for verdict in verify_games(db)] == [()]


def test_a_clock_that_was_set_back_never_goes_back_in_a_history(make, clock):
    ada = make("ada", seed="semilla")
    ada.enter()
    ada.deal()
    clock.tick(-50)
    ada.leave()
    [game] = ada.games
    assert (game["history"], game["finished_at"]) == ("Q@0", game["started_at"])


def test_forfeiting_between_attempts_leaves_the_games_as_they_are(make, db):
    ada = make("ada", attempts=3)
    ada.enter()
    ada.deal()
    ada.end()
    before = ada.games
    assert ada.leave().state == "forfeited"
    assert ada.games == before
    assert challenge_row(db, ada.challenge_id)["ended"] == 1


def test_forfeiting_after_the_deadline_resigns_nothing(make, clock):
    ada = make("ada", attempts=2, time_limit_ms=100)
    ada.enter()
    ada.deal()
    clock.tick(100)
    before = ada.games
    assert ada.leave().state == "forfeited"
    assert ada.games == before


def test_a_game_whose_history_is_full_rests_as_it_is(make, monkeypatch):
    monkeypatch.setattr(entries, "MAX_HISTORY", 0)
    ada = make("ada")
    ada.enter()
    ada.deal()
    before = ada.games
    assert ada.leave().state == "forfeited"
    assert ada.games == before


# ---- reading ----


def test_only_the_player_sees_the_games_of_an_entry(make):
    ada = make("ada", attempts=2)
    ada.enter()
    ada.deal()
    ada.end()
    ada.deal(2)
    ids = [row["id"] for row in ada.games]
    found = [(attempt.number, attempt.game_id) for attempt in ada.read().attempts]
    assert found == [(1, ids[0]), (2, ids[1])]
    for token_hash in (None, ada.hash):
        [view] = page(ada, token_hash).items
        assert (view.state, view.dealt, view.attempts) == ("playing", 2, None)


def test_a_deleted_player_has_no_name(make, db):
    ada = make("ada")
    ada.enter()
    with db.connect() as connection:
        deleted = update(players).where(players.c.id == ada.id)
        connection.execute(deleted.values(name=None, token_hash=None))
    assert [view.player for view in page(ada).items] == [None]


def test_a_token_that_nobody_has_sees_no_list_and_a_games_token_sees_it(make, clock):
    ada = make("ada")
    ada.enter()
    with pytest.raises(Unauthenticated, match="nobody has this token"):
        page(ada, bytes(32))
    sitting = Sitting(ada.db, clock)
    assert len(page(ada, sitting.hash).items) == 1


def test_pages_follow_each_other_in_both_directions(make, clock):
    found = make(*[f"player{number}" for number in range(5)])
    for each in found:
        clock.tick(1)
        each.enter()
    names = [each.name for each in found]

    def read(**place):
        got = page(found[0], **place, limit=2)
        return [view.player for view in got.items], got.prev, got.next

    ids = [(each.read().id,) for each in found]
    assert read() == (names[:2], None, ids[1])
    assert read(after=ids[1]) == (names[2:4], ids[2], ids[3])
    assert read(after=ids[3]) == (names[4:], ids[4], None)
    assert read(before=ids[4]) == (names[2:4], ids[2], ids[3])
    assert read(before=ids[2]) == (names[:2], None, ids[1])
    assert read(after=ids[4]) == ([], None, None)


# ---- what it costs ----


def test_reading_ones_entry_takes_four_statements(make, db):
    ada = make("ada")
    ada.enter()
    with count_statements(db) as seen:
        ada.read()
    assert seen.verbs == ["SELECT"] * 4
