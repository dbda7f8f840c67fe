"""What players have done over time, against games and challenges straight in the tables."""

from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from service.usecases.errors import NotFound
from service.usecases.outcomes import Ends
from service.usecases.pages import Place
from service.usecases.player_history import read_history
from service.usecases.player_statistics import read_statistics
from service.usecases.players import register, remove
from service.usecases.tokens import hash_token
from tests.conftest import NOON
from tests.player_rows import HOUR, add_challenge, add_entry, add_game, player_id
from tests.ranking import Result, encoded
from tests.statements import count_statements

DAY_MS = 24 * HOUR
SINCE = NOON - 100 * DAY_MS
WHOLE = Place(None, None, 200)


@pytest.fixture
def ana(db):
    """Register a player a hundred days ago; give the id."""
    return player_of(db, "Ana")


def player_of(db, name):
    register(db, name=name, bot=False, now=SINCE)
    return player_id(db, name)


def history(db, period="day", place=WHOLE, now=NOON, name="ana"):
    return read_history(db, name, period=period, place=place, now=now)


def first_of(period, ms):
    """Give the first day of the period in which an instant lies, by the standard library."""
    day = datetime.fromtimestamp(ms / 1000, UTC).date()
    if period == "week":
        return day - timedelta(days=day.isoweekday() - 1)
    return day.replace(day=1) if period == "month" else day


def day_of(span):
    return datetime.fromtimestamp(span.starts_at / 1000, UTC).date()


@pytest.mark.parametrize("period", ["day", "week", "month"])
def test_games_count_where_they_ended(db, ana, period):
    chance, by_hand = Random(7), []
    for number in range(150):
        end = SINCE + chance.randrange(105 * DAY_MS)
        status = chance.choice(["won", "won", "lost", "resigned", "in_progress"])
        variant = chance.choice(["cruel", "calculation", "perseverance"])
        free, running = chance.random() < 0.5, status == "in_progress"
        if not running and end > NOON:
            continue
        more = {} if free else {"challenge_id": "c", "attempt": number, "deadline": end}
        if not free and not running:
            more["deadline"] = end + HOUR
        actions = chance.randrange(90, 140)
        at = None if running else end
        asked = {"variant": variant, "status": status, "actions": actions, "finished_at": at}
        add_game(db, ana, started_at=SINCE, **asked, **more)
        if not running or (not free and end <= NOON):
            outcome = "timed_out" if running else status
            by_hand.append((first_of(period, end), variant, outcome, actions))
    found = history(db, period).items
    assert {day_of(item.span) for item in found} >= {day for day, *_ in by_hand}
    for item in found:
        here = [game for game in by_hand if game[0] == day_of(item.span)]
        assert [*item.variants] == sorted({game[1] for game in here})
        for variant, played in item.variants.items():
            of_variant = [game for game in here if game[1] == variant]
            counts = Counter(game[2] for game in of_variant)
            assert {name: count for name, count in asdict(played.ends).items() if count} == counts
            won = [game[3] for game in of_variant if game[2] == "won"]
            assert played.fewest_actions == min(won, default=None)
            assert played.actions == sum(won)
    # Together they are what the statistics tell.
    ends = sum((item.ends for item in found), start=Ends(0, 0, 0, 0))
    assert ends == read_statistics(db, "ana", NOON).tally.ends
    assert ends.finished == len(by_hand)


def test_of_a_running_game_nothing_is_told(db, ana):
    add_game(db, ana, cards_up=40, actions=77)
    add_game(db, ana, actions=99, challenge_id="c", attempt=1, deadline=NOON + 1)
    assert all(not item.variants for item in history(db).items)
    (latest, *others) = history(db, now=NOON + 1).items
    assert latest.ends == Ends(won=0, lost=0, resigned=0, timed_out=1)
    assert latest.variants["cruel"].fewest_actions is None
    assert all(not item.variants for item in others)


def test_a_game_counts_on_one_side_of_midnight(db, ana):
    midnight = NOON - 12 * HOUR
    for end in (midnight - 1, midnight, midnight):
        add_game(db, ana, status="won", actions=100, started_at=SINCE, finished_at=end)
    today, yesterday, *_ = history(db).items
    assert (today.ends.won, yesterday.ends.won) == (2, 1)
    assert today.span.starts_at == yesterday.span.ends_at == midnight


@pytest.mark.parametrize("limit", [1, 2, 7, 99, 101, 200])
def test_pages_are_the_whole_history_both_ways(db, ana, limit):
    assert ana
    whole = history(db).items
    assert len(whole) == 101
    pages = [history(db, place=Place(None, None, limit))]
    while pages[-1].next is not None:
        pages.append(history(db, place=Place(pages[-1].next, None, limit)))
    assert [item for page in pages for item in page.items] == whole
    assert pages[0].prev is None
    back = pages[-1]
    for page in reversed(pages[:-1]):
        back = history(db, place=Place(None, back.prev, limit))
        assert back == page


@pytest.mark.parametrize("key", [-(2**62), 0, 2**62])
def test_a_key_from_anywhere_gives_a_page_or_none(db, ana, key):
    assert ana
    shown = {
        side: len(history(db, place=Place(*place, 5)).items)
        for side, place in {"after": ((key,), None), "before": (None, (key,))}.items()
    }
    assert shown == ({"after": 5, "before": 0} if key > NOON else {"after": 0, "before": 5})


def entrant(db, challenge, player, actions, **columns):
    """Enter a player; ``actions``: of a won attempt, None for who has none."""
    dealt = actions is not None
    entry = add_entry(db, challenge, player, dealt=int(dealt), **columns)
    if dealt:
        result = Result(won=True, cards_up=52, actions=actions, redeals=0, elapsed_ms=9)
        add_game(
            db,
            player,
            status="won",
            actions=actions,
            challenge_id=challenge,
            entry_id=entry,
            attempt=1,
            deadline=NOON,
            standing=encoded("actions", result),
            ranks=True,
        )


@pytest.mark.parametrize(
    ("own", "others", "expected"),
    [
        (100, [], (1, 1)),
        (100, [101, 120], (1, 1)),
        (100, [100, 120], (1, 1)),
        (100, [99], (1, 0)),
        (100, [None], (1, 1)),
        (None, [], (1, 0)),
        (None, [100], (1, 0)),
    ],
)
def test_who_is_first_in_a_challenge_has_rank_1(db, ana, own, others, expected):
    challenge = add_challenge(db, ana, starts_at=NOON - HOUR, ends_at=NOON)
    entrant(db, challenge, ana, own)
    for number, actions in enumerate(others):
        entrant(db, challenge, player_of(db, f"rival-{number}"), actions)
    latest = history(db).items[0]
    assert (latest.challenges, latest.first) == expected
    assert history(db, now=NOON - 1).items[0].challenges == 0, "it has not finished"


def test_whoever_is_disqualified_counts_for_nothing_in_a_challenge(db, ana):
    rival, out = player_of(db, "rival"), {"disqualified_at": NOON}
    for own, others in ({}, out), (out, {}):
        challenge = add_challenge(db, ana, starts_at=NOON - HOUR, ends_at=NOON)
        entrant(db, challenge, ana, 100, **own)
        entrant(db, challenge, rival, 90, **others)
    latest = history(db).items[0]
    assert (latest.challenges, latest.first) == (1, 1)


def test_a_challenge_counts_where_it_finished(db, ana):
    midnight = NOON - 12 * HOUR
    for end in (midnight - 1, midnight):
        entrant(db, add_challenge(db, ana, starts_at=SINCE, ends_at=end), ana, 100)
    for more in ({"cancelled_at": NOON}, {"hidden_at": NOON}):
        entrant(db, add_challenge(db, ana, ends_at=NOON, **more), ana, 100)
    found = history(db).items
    assert [item.challenges for item in found[:3]] == [1, 1, 0]
    assert [item.first for item in found[:3]] == [1, 1, 0]


def test_nobody_has_a_history_by_a_name_that_nobody_has(db):
    with pytest.raises(NotFound):
        history(db, name="nobody-here")
    made = register(db, name="Bea", bot=False, now=SINCE)
    assert len(history(db, name="bea").items) == 101
    remove(db, hash_token(made.token), NOON)
    with pytest.raises(NotFound):
        history(db, name="bea")


def test_a_history_takes_three_selects_however_much_was_played(db, ana):
    for number in range(30):
        end = NOON - number * DAY_MS
        entrant(db, add_challenge(db, ana, starts_at=SINCE, ends_at=end), ana, 100)
    with count_statements(db) as seen:
        history(db)
    assert seen.verbs == ["SELECT"] * 3
