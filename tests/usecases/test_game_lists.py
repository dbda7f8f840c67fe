"""Lists of games: who sees which."""

import pytest

from service.usecases import new_games
from service.usecases.errors import Unauthenticated
from service.usecases.game_lists import list_games
from service.usecases.pages import Place
from service.usecases.playing import play
from service.usecases.tokens import hash_token
from tests.challenges import SECRET_SEED, change_challenge, new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.statements import count_statements
from tests.usecases.entering import Entrant

END = NOON + 86_400_000


@pytest.fixture
def ada(db, clock):
    """Give a player who has a free game that goes on, one that has ended, and an attempt."""
    challenge_id = new_challenge(db, new_entrant(db, "host")[0])
    ada = Entrant(db, clock, challenge_id, "Ada")
    ada.ids = {}
    for number, name in enumerate(("running", "resigned")):
        clock.ms = NOON + number
        ada.ids[name] = start(ada)
    play(db, ada.ids["resigned"], ada.hash, ["Q"], 0, clock.ms)
    clock.ms = NOON + 5
    ada.enter()
    ada.ids["attempt"] = ada.deal().view.id
    return ada


def start(player, variant="cruel"):
    new = new_games.create(
        player.db,
        variant=variant,
        options={},
        seed=None,
        undo=None,
        now=player.clock.ms,
        token_hash=player.hash,
    )
    assert new.token is None
    return new.view.id


def listed(whose, token_hash, now, *, after=None, before=None, limit=50, **terms):
    asked = {"player": "ada", "challenge": None, "status": None, "variant": None, **terms}
    place = Place(after, before, limit)
    return list_games(whose.db, token_hash, **asked, place=place, now=now)


def names(whose, token_hash, now, **terms):
    """Name the games that are listed."""
    known = {id_: name for name, id_ in whose.ids.items()}
    return [known[view.id] for view in listed(whose, token_hash, now, **terms).items]


def test_players_see_all_their_games_newest_first(ada):
    assert names(ada, ada.hash, NOON + 9) == ["attempt", "resigned", "running"]


@pytest.mark.parametrize("who", ["nobody", "another player"])
def test_others_see_free_games_that_have_ended_and_attempts_once_they_are_revealed(ada, db, who):
    other = hash_token(new_entrant(db, "bea")[1]) if who != "nobody" else None
    assert names(ada, other, END - 1) == ["resigned"]
    assert names(ada, other, END) == ["attempt", "resigned"]
    assert names(ada, other, END - 1, player=None, challenge=ada.challenge_id) == []
    assert names(ada, other, END, player=None, challenge=ada.challenge_id) == ["attempt"]


def test_nobody_is_led_to_an_unlisted_challenge_or_to_a_hidden_one(ada, db):
    change_challenge(db, ada.challenge_id, visibility="unlisted")
    assert names(ada, None, END) == ["resigned"]
    assert names(ada, None, END, challenge=ada.challenge_id) == ["attempt"]
    change_challenge(db, ada.challenge_id, hidden_at=NOON)
    assert names(ada, None, END, challenge=ada.challenge_id) == []
    assert names(ada, ada.hash, END, challenge=ada.challenge_id) == ["attempt"]


def test_the_attempts_of_a_cancelled_challenge_stay_their_players_own(ada, db):
    change_challenge(db, ada.challenge_id, cancelled_at=NOON + 7)
    assert names(ada, None, END, challenge=ada.challenge_id) == []
    assert names(ada, ada.hash, END, challenge=ada.challenge_id) == ["attempt"]


@pytest.mark.parametrize(
    ("status", "now", "found"),
    [
        ("in_progress", END - 1, ["attempt", "running"]),
        ("in_progress", END, ["running"]),
        ("timed_out", END - 1, []),
        ("timed_out", END, ["attempt"]),
        ("resigned", END, ["resigned"]),
        ("won", END, []),
    ],
)
def test_a_status_is_that_of_the_time_now(ada, status, now, found):
    assert names(ada, ada.hash, now, status=status) == found
    views = listed(ada, ada.hash, now, status=status).items
    assert {view.game.status for view in views} <= {status}


def test_a_variant_narrows_the_list(ada):
    ada.ids["calculation"] = start(ada, "calculation")
    assert names(ada, ada.hash, END, variant="calculation") == ["calculation"]


def test_a_name_is_found_in_any_capitals_and_an_unknown_one_has_no_games(ada):
    assert names(ada, None, END, player="ADA") == ["attempt", "resigned"]
    assert names(ada, None, END, player="nobody-here") == []


def test_seeds_are_told_as_the_games_themselves_tell_them(ada):
    def seeds(now):
        return {view.id: view.seed for view in listed(ada, ada.hash, now).items}

    assert seeds(END - 1)[ada.ids["attempt"]] is None
    assert seeds(END)[ada.ids["attempt"]] == SECRET_SEED
    hidden = start(ada, "calculation")
    assert seeds(END)[hidden] is None


def test_pages_follow_each_other_both_ways(ada):
    for number in range(5):
        ada.ids[f"more {number}"] = start(ada)
    whole = [view.id for view in listed(ada, ada.hash, END).items]
    for limit in range(1, 8):
        found, page = [], listed(ada, ada.hash, END, limit=limit)
        while True:
            found.append([view.id for view in page.items])
            if page.next is None:
                break
            page = listed(ada, ada.hash, END, limit=limit, after=page.next)
        assert sum(found, []) == whole  # noqa: RUF017 - a few
        back = [found[-1]]
        while page.prev is not None:
            page = listed(ada, ada.hash, END, limit=limit, before=page.prev)
            back.insert(0, [view.id for view in page.items])
        assert sum(back, []) == whole  # noqa: RUF017


def test_a_list_takes_one_select_and_one_for_the_caller(ada, db):
    for token_hash, count in ((None, 1), (ada.hash, 2)):
        with count_statements(db) as seen:
            listed(ada, token_hash, END)
        assert seen.verbs == ["SELECT"] * count


def test_a_token_that_nobody_has_is_refused(ada):
    with pytest.raises(Unauthenticated):
        listed(ada, bytes(32), END)
