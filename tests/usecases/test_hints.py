"""Hints: a next move for who plays, from nothing that its player does not see."""

import random
from threading import Thread

import pytest
from sqlalchemy import update

from service.db.tables import games
from service.solver.calculation_hint import hint as guess
from service.solver.solution import Budget, Verdict
from service.usecases import hints
from service.usecases.errors import Busy, GameOver, HintForbidden, NotFound, Unauthenticated
from service.usecases.hints import Hint, Sample
from service.usecases.solver_slot import one_at_a_time
from tests.challenges import new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.hosting import DAY
from tests.solving import HARD, UNWINNABLE, WINNABLE, searching_by_nodes
from tests.statements import count_statements

NODES = 2_000
# Nobody has a token like this.
NOBODY = bytes(32)


@pytest.fixture(autouse=True)
def search(monkeypatch):
    """Search by nodes, and count how often; nothing is remembered yet."""
    found = searching_by_nodes(NODES)
    monkeypatch.setattr(hints, "search", found)
    monkeypatch.setattr(hints, "CALCULATION_BUDGET", Budget(nodes=1_000))
    hints._lines.clear()  # noqa: SLF001 - what a new process knows
    return found


def hint(sitting, *, now=NOON, token=None):
    return hints.hint(sitting.db, sitting.id, token, now)


def write_position(sitting, position):
    with sitting.db.connect() as connection:
        changed = update(games).where(games.c.id == sitting.id)
        connection.execute(changed.values(position=position))


# ---- the Cruel family ----


@pytest.mark.parametrize("variant", ["cruel", "ripple-fan", "cruel-semicolon"])
def test_whoever_follows_the_hints_wins_with_each_a_move_nearer(sit, variant, search):
    sitting = sit(variant, seed=WINNABLE)
    given = hint(sitting)
    left = given.length
    while left:
        assert given == Hint(sitting.view().game.ply, Verdict.WINNABLE, given.move, left, None)
        view = sitting.play(given.move).view
        left -= 1
        if left:
            given = hint(sitting)
    assert view.game.status == "won"
    assert search.calls == 1


def test_who_takes_a_hint_back_gets_the_same_again(sit):
    sitting = sit(seed=WINNABLE)
    first = hint(sitting)
    sitting.play(first.move)
    second = hint(sitting)
    sitting.play("U")
    assert hint(sitting) == Hint(2, Verdict.WINNABLE, first.move, first.length, None)
    sitting.play(first.move)
    assert hint(sitting) == Hint(3, Verdict.WINNABLE, second.move, second.length, None)


def test_who_leaves_the_line_is_shown_another(sit, search):
    sitting = sit(seed=WINNABLE)
    move = hint(sitting).move
    other = next(each for each in sitting.view().game.legal_moves() if each != move)
    sitting.play(other)
    assert hint(sitting).verdict is Verdict.WINNABLE
    assert search.calls == 2


def test_a_position_that_is_lost_is_told_so(sit):
    assert hint(sit(seed=UNWINNABLE)) == Hint(0, Verdict.UNWINNABLE, None, None, None)


def test_where_the_search_comes_to_no_end_there_is_no_move(sit):
    assert hint(sit(seed=HARD)) == Hint(0, Verdict.UNKNOWN, None, None, None)


def test_only_so_many_lines_are_remembered_the_last_ones(sit, search, monkeypatch):
    monkeypatch.setattr(hints, "_REMEMBERED", 4)
    first, *others = (sit(seed=seed) for seed in ("32", "semilla", "7"))
    for sitting in (first, others[0], first, others[1]):
        hint(sitting)
    assert len(hints._lines) == 4  # noqa: SLF001 - how much is held
    assert search.calls == 3
    hint(first)
    assert search.calls == 3
    hint(others[0])
    assert search.calls == 4


# ---- Calculation ----


def test_a_hint_of_calculation_is_a_legal_move_with_what_speaks_for_it(sit):
    sitting = sit("calculation")
    given = hint(sitting)
    assert given.move in sitting.view().game.legal_moves()
    assert (given.verdict, given.length) == (Verdict.UNKNOWN, None)
    assert given.sample.orders >= given.sample.wins >= 0
    assert given.sample.orders > 0
    assert not given.sample.all_orders


def test_it_rests_on_what_lies_face_up_and_not_on_how_the_stock_lies(sit):
    sitting = sit("calculation")
    for move in ("S>W1", "S>W2", "S>W1"):
        sitting.play(move)
    game, expected = sitting.view().game, hint(sitting)
    turned, *unseen = game.position.stock
    dice = random.Random("other orders")
    for _ in range(5):
        dice.shuffle(unseen)
        other = game.position._replace(stock=bytes([turned, *unseen]))
        write_position(sitting, game.rules.format_position(other))
        assert hint(sitting) == expected


def test_the_solver_is_never_shown_how_the_stock_lies(sit, monkeypatch):
    shown = []

    def noted(rules, position, budget):
        shown.append(position)
        return guess(rules, position, budget)

    monkeypatch.setattr(hints, "guess", noted)
    sitting = sit("calculation")
    hint(sitting)
    real = sitting.view().game.position
    assert shown == [real._replace(stock=real.stock[:1] + bytes(sorted(real.stock[1:])))]
    assert shown != [real]


def test_once_every_card_is_turned_nothing_is_sampled(sit):
    sitting = sit("calculation")
    write_position(sitting, "QC KD KH KS | - / - / - / - | KC")
    given = hint(sitting)
    assert given == Hint(0, Verdict.WINNABLE, "S>F1", None, None)


def test_a_game_of_calculation_that_is_lost_in_every_order_is_told_so(sit):
    sitting = sit("calculation")
    # The queen lies under the king that waits for it.
    write_position(sitting, "9C KD KH KS | QC KC / - / - / - | JC TC")
    assert hint(sitting) == Hint(0, Verdict.UNWINNABLE, None, None, None)


def test_where_there_was_no_time_for_a_trial_it_says_so(sit, monkeypatch):
    monkeypatch.setattr(hints, "CALCULATION_BUDGET", Budget(nodes=0))
    given = hint(sit("calculation"))
    assert given.sample == Sample(0, 0, all_orders=False)
    assert given.move is not None


def test_of_a_few_unseen_cards_every_order_is_tried(sit):
    sitting = sit("calculation")
    # The king that comes last has to wait for the other three, whichever they are.
    write_position(sitting, "TC KD KH KS | - / - / - / - | QC JC KC")
    given = hint(sitting)
    assert given.verdict is Verdict.UNKNOWN
    assert given.sample == Sample(2, 2, all_orders=True)


# ---- who may ask, and when ----


def test_whoever_may_read_a_game_may_ask(sit):
    sitting, other = sit(seed=WINNABLE), sit()
    assert hint(sitting) == hint(sitting, token=sitting.hash) == hint(sitting, token=other.hash)
    with pytest.raises(Unauthenticated):
        hint(sitting, token=NOBODY)
    sitting.id = "nothing"
    with pytest.raises(NotFound):
        hint(sitting)


@pytest.mark.parametrize("seed", [WINNABLE, "135"])
def test_a_game_that_has_ended_has_no_next_move(sit, seed):
    sitting = sit(seed=seed)
    if seed == WINNABLE:
        sitting.play("Q")
    with pytest.raises(GameOver, match=r"resigned|lost"):
        hint(sitting)


@pytest.mark.parametrize("columns", [{}, {"cancelled_at": NOON}, {"finishes_at": NOON}])
def test_a_deal_that_is_played_in_a_challenge_has_no_hints_until_that_is_over(sit, db, columns):
    host, _ = new_entrant(db, "host")
    new_challenge(db, host, seed="pysol-ms7", **columns)
    sitting = sit(seed="pysol-7")
    if columns:
        assert hint(sitting).verdict is not None
        return
    for now in (NOON, NOON + DAY - 1):
        with pytest.raises(HintForbidden, match="being played in a challenge"):
            hint(sitting, now=now)
    assert hint(sitting, now=NOON + DAY).verdict is not None


def test_a_hint_takes_the_selects_of_reading_the_game_and_one_more_and_writes_nothing(sit):
    sitting = sit(seed=WINNABLE)
    with count_statements(sitting.db) as seen:
        hint(sitting, token=sitting.hash)
    assert seen.verbs == ["SELECT"] * 2


# ---- one after the other ----


def test_a_hint_waits_for_the_one_before_it_but_not_for_long(sit, monkeypatch):
    sitting = sit(seed=WINNABLE)
    with hints._turn:  # noqa: SLF001 - another hint is under way
        with pytest.raises(Busy) as refused:
            hint(sitting)
        assert refused.value.extra == {"retry_after": 1}
        monkeypatch.setattr(hints, "_WAIT_S", 30)
        given = []
        thread = Thread(target=lambda: given.append(hint(sitting)))
        thread.start()
        thread.join(0.05)
        assert given == []
    thread.join()
    assert given[0].verdict is Verdict.WINNABLE


def test_a_search_for_somebody_else_holds_no_hint_up(sit):
    with one_at_a_time():
        assert hint(sit(seed=WINNABLE)).verdict is Verdict.WINNABLE
