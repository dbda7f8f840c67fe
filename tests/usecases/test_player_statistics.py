"""Statistics and what is in play, against games written straight into the table."""

from collections import Counter
from dataclasses import asdict
from itertools import groupby

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from service.db.tables import games
from service.usecases.errors import NotFound
from service.usecases.player_statistics import read_statistics
from service.usecases.players import register
from service.usecases.players_in_play import read_self
from service.usecases.tokens import hash_token
from tests.conftest import NOON
from tests.player_rows import HOUR, SEED, add_challenge, add_entry, add_game, player_id
from tests.statements import count_statements

ENDED = ("won", "lost", "resigned")


@pytest.fixture
def ana(db):
    """Register a player; give the id and the hash of the token."""
    new = register(db, name="Ana", bot=False, now=NOON)
    return player_id(db, "Ana"), hash_token(new.token)


def statistics(db, now=NOON, name="ana"):
    return read_statistics(db, name, now)


def tally(found):
    ends = found.tally.ends
    return {"started": found.tally.started, **asdict(ends), "finished": ends.finished}


def attempt(number=1, deadline=NOON + HOUR, **more):
    return {"challenge_id": "c", "attempt": number, "deadline": deadline, **more}


def test_who_has_played_nothing_has_no_variants(db, ana):
    assert ana
    found = statistics(db)
    assert (found.player.name, found.player.bot, found.player.created_at) == ("Ana", False, NOON)
    assert set(tally(found).values()) == {0}
    assert (found.variants, found.current_streak, found.longest_streak) == ({}, 0, 0)


def test_a_name_that_nobody_has_leads_nowhere(db):
    with pytest.raises(NotFound):
        statistics(db, name="nobody-here")


def test_every_game_is_counted_once(db, ana):
    player, _ = ana
    for number, status in enumerate(ENDED, 1):
        add_game(db, player, status=status)
        add_game(db, player, **attempt(number, status=status))
    add_game(db, player)
    add_game(db, player, **attempt(7))
    add_game(db, player, **attempt(8, deadline=NOON))
    add_game(db, player, **attempt(9, deadline=NOON - 1))
    add_game(db, player, variant="calculation", status="won")
    add_game(db, player_of(db, "bea"), status="won")
    expected = {"started": 11, "finished": 9, "won": 3, "lost": 2, "resigned": 2, "timed_out": 2}
    assert tally(statistics(db)) == expected
    assert tally(statistics(db).variants["calculation"])["started"] == 1
    # The clock alone ends the running attempt; a free game has no time to run out.
    assert tally(statistics(db, NOON + HOUR)) == {**expected, "finished": 10, "timed_out": 3}


def player_of(db, name):
    register(db, name=name, bot=False, now=NOON)
    return player_id(db, name)


def test_of_a_running_game_nothing_is_told_but_that_it_was_started(db, ana):
    add_game(db, ana[0], cards_up=40, actions=77)
    add_game(db, ana[0], cards_up=50, actions=99, **attempt())
    (found,) = statistics(db).variants.values()
    assert (found.fewest_actions, found.most_cards_up, found.actions) == (None, None, {})
    assert SEED not in repr(statistics(db))


def test_the_best_game_is_the_shortest_won_or_else_that_with_most_cards_up(db, ana):
    player, _ = ana
    add_game(db, player, status="lost", cards_up=31, actions=5)
    add_game(db, player, status="resigned", cards_up=12, actions=1)
    add_game(db, player, cards_up=33, **attempt(1, deadline=NOON))

    def best(variant="cruel"):
        found = statistics(db).variants[variant]
        return found.most_cards_up, found.fewest_actions

    assert best() == (33, None)
    add_game(db, player, status="won", cards_up=52, actions=163)
    add_game(db, player, status="won", cards_up=52, actions=118, **attempt(2))
    assert best() == (52, 118)
    add_game(db, player, variant="calculation", status="lost", cards_up=20)
    assert best("calculation") == (20, None)


def test_actions_of_won_games_are_distributed_over_tens(db, ana):
    for actions in (118, 119, 120, 129, 130, 9, 0, 10_000):
        add_game(db, ana[0], status="won", actions=actions)
    add_game(db, ana[0], status="lost", actions=120)
    found = statistics(db).variants["cruel"].actions
    assert [*found.items()] == [(0, 2), (110, 2), (120, 2), (130, 1), (10_000, 1)]


@pytest.mark.parametrize(
    ("outcomes", "current", "longest"),
    [
        ("", 0, 0),
        ("w", 1, 1),
        ("l", 0, 0),
        ("www", 3, 3),
        ("wwlw", 1, 2),
        ("wrwwt", 0, 2),
        ("lwwwtw", 1, 3),
        ("tttt", 0, 0),
    ],
)
def test_a_streak_is_broken_by_whatever_is_not_won(db, ana, outcomes, current, longest):
    words = {"w": "won", "l": "lost", "r": "resigned", "t": "in_progress"}
    for number, letter in enumerate(outcomes, 1):
        end = NOON + number
        ended = {"finished_at": None if letter == "t" else end}
        add_game(db, ana[0], **attempt(number, end, status=words[letter], **ended))
    found = statistics(db, NOON + HOUR)
    assert (found.current_streak, found.longest_streak) == (current, longest)


def test_streaks_follow_the_ends_and_not_the_starts(db, ana):
    for number, (status, end) in enumerate([("won", 3), ("won", 1), ("lost", 2)], 1):
        add_game(db, ana[0], **attempt(number, status=status, finished_at=NOON + end))
    found = statistics(db)
    assert (found.current_streak, found.longest_streak) == (1, 1)


def test_free_and_running_games_neither_make_nor_break_a_streak(db, ana):
    add_game(db, ana[0], **attempt(1, status="won", finished_at=NOON))
    add_game(db, ana[0], **attempt(2, NOON + 2 * HOUR))
    add_game(db, ana[0], status="lost", finished_at=NOON + 1)
    add_game(db, ana[0], status="won", finished_at=NOON + 1)
    found = statistics(db, NOON + HOUR)
    assert (found.current_streak, found.longest_streak) == (1, 1)


GAMES = st.lists(
    st.tuples(
        st.sampled_from(["cruel", "calculation", "perseverance"]),
        st.sampled_from([*ENDED, "in_progress"]),
        st.booleans(),
        st.integers(0, 300),
        st.integers(4, 52),
        st.integers(-9, 9),
    ),
    max_size=14,
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(played=GAMES)
def test_statistics_are_what_counting_by_hand_gives(db, ana, played):
    with db.connect() as connection:
        connection.execute(delete(games))
    by_hand = []
    for number, (variant, status, free, actions, up, at) in enumerate(played):
        running, end = status == "in_progress", NOON + at
        more = {} if free else attempt(number, end if running else NOON + HOUR)
        finished = {"finished_at": None if running else end}
        asked = {"variant": variant, "status": status, "actions": actions, "cards_up": up}
        game_id = add_game(db, ana[0], **asked, **more, **finished)
        outcome = status if not running else ("running" if free or at > 0 else "timed_out")
        by_hand.append((variant, outcome, free, actions, up, (end, game_id)))
    found = statistics(db)
    assert set(found.variants) == {variant for variant, *_ in by_hand}
    for variant, stats in found.variants.items():
        of_variant = [game for game in by_hand if game[0] == variant]
        outcomes = Counter(game[1] for game in of_variant)
        ended = stats.tally.ends.finished
        assert stats.tally.started == len(of_variant) == ended + outcomes["running"]
        assert {name: outcomes[name] for name in (*ENDED, "timed_out")} == {
            name: getattr(stats.tally.ends, name) for name in (*ENDED, "timed_out")
        }
        won = [game[3] for game in of_variant if game[1] == "won"]
        assert stats.fewest_actions == min(won, default=None)
        ended = [game[4] for game in of_variant if game[1] != "running"]
        assert stats.most_cards_up == max(ended, default=None)
        assert stats.actions == Counter(actions // 10 * 10 for actions in won)
    raced = [game for game in by_hand if not game[2] and game[1] != "running"]
    results = [game[1] == "won" for game in sorted(raced, key=lambda game: game[5])]
    streaks = [(won, len([*run])) for won, run in groupby(results)]
    assert found.longest_streak == max((size for won, size in streaks if won), default=0)
    assert found.current_streak == (streaks[-1][1] if results and results[-1] else 0)


def test_statistics_take_three_selects_however_much_was_played(db, ana):
    for number in range(30):
        variant = ("cruel", "calculation", "perseverance")[number % 3]
        add_game(db, ana[0], variant=variant, **attempt(number, status="won", actions=number * 7))
    with count_statements(db) as seen:
        statistics(db)
    assert seen.verbs == ["SELECT"] * 3
    with count_statements(db) as seen, pytest.raises(NotFound):
        statistics(db, name="nobody-here")
    assert seen.verbs == ["SELECT"]


# ---- in play ----


def test_games_in_play_are_ones_own_that_can_be_played_newest_first(db, ana):
    player, shown = ana
    free = add_game(db, player, started_at=NOON - 5)
    add_game(db, player, status="lost")
    raced = add_game(db, player, variant="calculation", **attempt(3, NOON + 1))
    add_game(db, player, **attempt(4, NOON))
    add_game(db, player_of(db, "bea"))
    latest, first = read_self(db, shown, NOON).games
    assert asdict_of(latest) == (raced, "calculation", "c", 3, NOON, NOON + 1)
    assert asdict_of(first) == (free, "cruel", None, None, NOON - 5, None)


def asdict_of(game):
    return tuple(asdict(game).values())


def test_at_most_fifty_games_are_shown(db, ana):
    ids = [add_game(db, ana[0]) for _ in range(52)]
    assert [game.id for game in read_self(db, ana[1], NOON).games] == ids[:1:-1]


def challenges_of(db, shown, now=NOON):
    return {challenge.id: challenge for challenge in read_self(db, shown, now).challenges}


def test_challenges_in_play_are_those_hosted_or_entered_that_are_not_over(db, ana):
    player, shown = ana
    other = player_of(db, "bea")
    hosted = add_challenge(db, player, starts_at=NOON + 1, clock="shared")
    entered = add_challenge(db, other, created_at=NOON + 1)
    add_entry(db, entered, player)
    add_entry(db, hosted, other)
    both = add_challenge(db, player, created_at=NOON + 2)
    add_entry(db, both, player, dealt=1, deadline=NOON + HOUR)
    add_entry(db, both, other)
    for over in ({"ends_at": NOON}, {"cancelled_at": NOON}, {"finishes_at": NOON}):
        add_entry(db, add_challenge(db, player, **over), player)
    add_challenge(db, other)
    found = challenges_of(db, shown)
    assert [*found] == [both, entered, hosted]
    assert [(one.hosting, one.entry, one.state) for one in found.values()] == [
        (True, "playing", "running"),
        (False, "registered", "running"),
        (True, None, "scheduled"),
    ]
    race = found[hosted]
    assert (race.title, race.variant, race.clock) == ("Friday", "cruel", "shared")
    assert (race.starts_at, race.ends_at) == (NOON + 1, NOON + HOUR)
    assert challenges_of(db, shown, NOON + HOUR) == {}


@pytest.mark.parametrize(
    ("columns", "state"),
    [
        ({"forfeited_at": NOON}, "forfeited"),
        ({"dealt": 1, "deadline": NOON}, "timed_out"),
        ({"dealt": 1, "deadline": NOON + 1, "attempt_ended_at": NOON}, "finished"),
    ],
)
def test_an_entry_that_is_over_is_shown_while_the_challenge_is_not(db, ana, columns, state):
    challenge = add_challenge(db, player_of(db, "bea"))
    add_entry(db, challenge, ana[0], **columns)
    assert challenges_of(db, ana[1])[challenge].entry == state


def test_at_most_fifty_challenges_are_shown(db, ana):
    ids = [add_challenge(db, ana[0], created_at=NOON + number) for number in range(52)]
    assert [*challenges_of(db, ana[1])] == ids[:1:-1]


def test_to_see_oneself_takes_three_selects_however_much_is_in_play(db, ana):
    player, shown = ana
    for number in range(9):
        challenge = add_challenge(db, player)
        add_entry(db, challenge, player, dealt=1, deadline=NOON + HOUR)
        add_game(db, player, **attempt(number))
    with count_statements(db) as seen:
        found = read_self(db, shown, NOON)
    assert len(found.games) == len(found.challenges) == 9
    assert seen.verbs == ["SELECT"] * 3
    assert SEED not in repr(found)
