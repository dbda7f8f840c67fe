"""Hints for Calculation: they win, they tell nothing of the stock, and they say what is lost."""

import random

import pytest

from service.rules import VARIANTS
from service.rules.cards import rank_of
from service.rules.family import Status
from service.solver.calculation_hint import SAMPLES, Hint, candidates, hint
from service.solver.solution import Budget, Verdict
from tests.rules.tables import calculation
from tests.solver.test_calculation import endgame, fewest

RULES = VARIANTS["calculation"]
QUICK = Budget(nodes=300)


def in_play(seed, actions):
    """Play so many moves from an opening by seeded chance, to foundations where that goes."""
    rng, position = random.Random(seed), RULES.opening("deal/1", seed)
    for _ in range(actions):
        moves = RULES.moves(position)
        position = RULES.apply(position, rng.choice([m for m in moves if ">F" in m] or moves))
    return position


# ---- secrecy ----


@pytest.mark.parametrize("actions", [0, 1, 9, 25])
def test_the_same_cards_in_sight_give_the_same_hint_whatever_the_stock(actions):
    position = in_play("secret", actions)
    expected = hint(RULES, position, QUICK)
    turned, hidden = position.stock[:1], list(position.stock[1:])
    for number in range(4):
        random.Random(number).shuffle(hidden)
        assert hint(RULES, position._replace(stock=turned + bytes(hidden)), QUICK) == expected


def test_with_few_cards_unseen_the_hint_is_still_the_same_in_every_order():
    for number in range(5):
        position = RULES.read_position(endgame(f"few-{number}", 10, 4))
        turned, hidden = position.stock[:1], position.stock[1:]
        other = position._replace(stock=turned + hidden[::-1])
        assert hint(RULES, other) == hint(RULES, position)


def test_other_cards_in_sight_are_tried_against_other_orders():
    given = {hint(RULES, in_play(f"seed-{n}", 3), Budget(nodes=2_000)) for n in range(4)}
    assert len(given) > 1


# ---- what it says ----


def test_a_hint_is_a_move_and_how_many_orders_it_wins():
    position = in_play("semilla", 20)
    given = hint(RULES, position, Budget(nodes=3_000))
    assert given.move in RULES.moves(position)
    assert 0 <= given.wins <= given.samples <= SAMPLES
    assert given.samples > 0
    assert (given.verdict, given.exact) == (Verdict.UNKNOWN, False)


def test_without_anything_to_spend_it_is_still_a_move():
    position = in_play("semilla", 4)
    given = hint(RULES, position, Budget(nodes=0))
    assert given.move in RULES.moves(position)
    assert (given.samples, given.wins) == (0, 0)


@pytest.mark.parametrize("turned", [0, 1, 2])
def test_with_at_most_one_card_unseen_it_is_exact(turned):
    for number in range(6):
        start = endgame(f"exact-{turned}-{number}", 9, turned)
        position = RULES.read_position(start)
        given = hint(RULES, position, Budget())
        assert given.exact
        if fewest(start) is None:
            assert (given.move, given.verdict) == (None, Verdict.UNWINNABLE)
            continue
        assert given.verdict is Verdict.WINNABLE
        after = RULES.apply(position, given.move)
        assert fewest(RULES.position_json(after)) is not None


def test_what_can_be_lost_in_some_order_is_not_called_won_nor_lost():
    verdicts = set()
    for number in range(12):
        start = endgame(f"three-{number}", 8, 3)
        turned, one, other = start["stock"]
        given = hint(RULES, RULES.read_position(start), Budget())
        orders = [{**start, "stock": [turned, *rest]} for rest in ((one, other), (other, one))]
        winnable = [fewest(order) is not None for order in orders]
        verdicts.add(given.verdict)
        assert (given.verdict is Verdict.UNWINNABLE) == (not any(winnable))
        assert given.wins <= given.samples <= 2
        assert (given.move is None) == (given.verdict is Verdict.UNWINNABLE)
        assert given.verdict is not Verdict.WINNABLE or one[0] == other[0]
    assert {Verdict.UNKNOWN, Verdict.UNWINNABLE} <= verdicts


def test_what_is_not_settled_within_the_budget_is_not_exact():
    given = hint(RULES, RULES.read_position(endgame("exact-2-0", 9, 2)), Budget(nodes=0))
    assert not given.exact
    assert given.verdict is Verdict.UNKNOWN


def test_a_position_that_is_lost_in_every_order_is_called_so_with_many_cards_unseen():
    # Both kings that are left go up after jacks only, and both jacks lie under one of them.
    stock, wastes = "QC 5D 7D 9D KD", "JC JD KC / - / - / -"
    given = hint(RULES, calculation(stock, wastes, "TC 3D KH KS").position)
    assert given == Hint(None, Verdict.UNWINNABLE, 0, 0, exact=True)


def test_an_ended_game_has_no_move():
    won = calculation("", foundations="KC KD KH KS").position
    lost = calculation("", "QC KC / - / - / -", "JC KD KH KS").position
    assert hint(RULES, won) == Hint(None, Verdict.WINNABLE, 0, 0, exact=True)
    assert hint(RULES, lost) == Hint(None, Verdict.UNWINNABLE, 0, 0, exact=True)


# ---- candidates ----


def test_a_card_that_one_foundation_alone_needs_goes_there():
    position = calculation("KD 9D JD", foundations="KC 7D KH KS").position
    assert candidates(RULES, position) == ["S>W1"]
    position = calculation("9D JD KD", foundations="KC 7D KH KS").position
    assert candidates(RULES, position) == ["S>F2"]


def test_empty_wastes_are_one_candidate():
    opening = RULES.opening("deal/1", "semilla")
    assert candidates(RULES, opening) == ["S>W1"]
    assert candidates(RULES, RULES.apply(opening, "S>W3")) == ["S>W1", "S>W3"]


def test_foundations_come_before_wastes():
    opening = RULES.opening("deal/1", "semilla")
    two = next(card for card in opening.stock if rank_of(card) == 2)
    first = bytes([two]) + opening.stock.replace(bytes([two]), b"")
    position = opening._replace(stock=first)
    assert candidates(RULES, position) == ["S>F1", "S>W1"]


@pytest.mark.slow
def test_hints_alone_win_more_than_half_of_the_games():
    won = 0
    for number in range(12):
        position = RULES.opening("deal/1", f"hint-{number}")
        while RULES.status(position) is Status.IN_PROGRESS:
            move = hint(RULES, position).move
            if move is None:
                break
            position = RULES.apply(position, move)
        won += RULES.status(position) is Status.WON
    assert won > 6
