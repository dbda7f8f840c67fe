"""Calculation: bases, the foundations' sequences, moves, and when a game is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules import VARIANTS
from service.rules.calculation import Calculation
from service.rules.cards import parse_cards
from service.rules.errors import InvalidCard, InvalidOptions, InvalidSeed
from service.rules.family import Status
from tests.rules.strategies import bases, json_values
from tests.rules.tables import calculation, opened, play, reason, unless_invalid

RULES = VARIANTS["calculation"]
FOUR = "bases are four cards, an A, a 2, a 3 and a 4, in this order"


# ---- bases ----


def test_bases_that_nobody_chose_are_ac_2d_3h_4s():
    assert Calculation().options() == {"bases": ["AC", "2D", "3H", "4S"]}
    assert Calculation() == RULES
    assert RULES.configured({}, None) == RULES.configured({}, "semilla") == RULES


def test_bases_may_be_of_any_suits():
    chosen = ["AS", "2S", "3C", "4D"]
    rules = RULES.configured({"bases": chosen}, "semilla")
    assert rules.options() == {"bases": chosen}
    opening = rules.opening("deal/1", "semilla")
    assert rules.face_up(opening)["foundations"] == chosen
    assert sorted(opening.stock + opening.foundations) == list(range(52))


def test_under_a_seed_of_pysol_bases_that_nobody_chose_are_those_of_pysol():
    assert RULES.configured({}, "pysol-1").options() == {"bases": ["AC", "2H", "3D", "4S"]}
    chosen = ["AC", "2C", "3C", "4C"]
    assert RULES.configured({"bases": chosen}, "pysol-1").options() == {"bases": chosen}


def test_a_text_that_is_no_seed_gives_no_bases():
    with pytest.raises(InvalidSeed):
        RULES.configured({}, "pysol-0")


@pytest.mark.parametrize(
    "value",
    [None, "AC 2D 3H 4S", "AC2D", {}, [], ["AC", "2D", "3H"], ["AC", "2D", "3H", "4S", "5C"], 4],
)
def test_bases_are_a_list_of_four(value):
    with pytest.raises(InvalidOptions) as caught:
        RULES.configured({"bases": value}, None)
    assert (caught.value.place, caught.value.detail) == ("/bases", FOUR)


@pytest.mark.parametrize(
    ("value", "place", "card", "rank"),
    [
        (["2C", "2D", "3H", "4S"], "/bases/0", "2C", "A"),
        (["AC", "AD", "3H", "4S"], "/bases/1", "AD", "2"),
        (["AC", "2D", "KH", "4S"], "/bases/2", "KH", "3"),
        (["AC", "2D", "3H", "3S"], "/bases/3", "3S", "4"),
    ],
)
def test_each_base_has_its_rank(value, place, card, rank):
    with pytest.raises(InvalidOptions) as caught:
        RULES.configured({"bases": value}, None)
    assert caught.value.place == place
    assert caught.value.detail == f"{card} is no {rank}: bases are an A, a 2, a 3, a 4"


@pytest.mark.parametrize("value", ["", "1C", "ac", None, 3, ["3H"]])
def test_each_base_is_a_card(value):
    with pytest.raises(InvalidCard) as caught:
        RULES.configured({"bases": ["AC", "2D", value, "4S"]}, None)
    assert caught.value.place == "/bases/2"


@pytest.mark.parametrize(
    ("name", "place"), [("deal", "/deal"), ("", "/"), ("a/b~c", "/a~1b~0c"), ("Bases", "/Bases")]
)
def test_an_option_of_another_name_is_refused_at_its_place(name, place):
    with pytest.raises(InvalidOptions) as caught:
        RULES.configured({"bases": ["AC", "2D", "3H", "4S"], name: 1}, None)
    assert caught.value.place == place
    assert caught.value.detail == f"{name!r} is no option: there is bases"


@given(st.dictionaries(st.just("bases") | st.text(), json_values | bases, max_size=2))
def test_any_other_options_are_refused_as_invalid(changes):
    rules = unless_invalid(lambda value: RULES.configured(value, None), changes)
    assert rules is None or rules.options() == {**RULES.options(), **changes}


@given(bases)
def test_any_bases_are_given_back_as_options(chosen):
    rules = RULES.configured({"bases": chosen}, None)
    assert rules.options() == {"bases": chosen}
    assert RULES.configured(rules.options(), None) == rules


# ---- opening ----


def test_one_card_is_turned_at_the_start_and_47_are_not():
    game = opened("calculation")
    assert game.rules.face_up(game.position) == {
        "foundations": ["AC", "2D", "3H", "4S"],
        "stock_count": 47,
        "card": "JS",
        "wastes": [[], [], [], []],
    }
    assert game.score == (4, 0, 0, 0)
    assert game.legal_moves() == ["S>W1", "S>W2", "S>W3", "S>W4"]


def test_what_lies_face_up_shows_no_card_of_the_stock_but_the_turned_one():
    game = opened("calculation")
    shown = str(game.rules.face_up(game.position))
    stock = game.rules.position_json(game.position)["stock"]
    assert stock[:3] == ["JS", "KD", "7H"]
    assert "KD" not in shown
    assert "7H" not in shown


def test_it_hides_cards():
    assert RULES.hides_cards is True
    assert RULES.family == "calculation"


# ---- foundations ----


@pytest.mark.parametrize(
    ("number", "ranks"),
    [
        (1, "A 2 3 4 5 6 7 8 9 T J Q K"),
        (2, "2 4 6 8 T Q A 3 5 7 9 J K"),
        (3, "3 6 9 Q 2 5 8 J A 4 7 T K"),
        (4, "4 8 Q 3 7 J 2 6 T A 5 9 K"),
    ],
)
def test_a_foundation_counts_by_its_number_up_to_a_king(number, ranks):
    # The foundation alone grows: from the turned cards, in clubs where it may.
    chosen = ["AD", "2D", "3D", "4D"]
    order = [rank + "C" for rank in ranks.split()]
    chosen[number - 1] = order[0]
    rest = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    stock = order[1:] + [card for card in rest if card not in order and card not in chosen]
    game = calculation(" ".join(stock), foundations=" ".join(chosen), bases=chosen)
    for count in range(1, 13):
        assert game.rules.cards_up(game.position) == count + 3
        assert game.rules.face_up(game.position)["foundations"][number - 1] == order[count - 1]
        game = play(game, f"S>F{number}")
    assert game.rules.cards_up(game.position) == 16
    assert game.refusal(f"S>F{number}") == (
        "foundation_complete",
        f"S>F{number}: foundation {number} is complete at KC",
    )


def test_foundation_2_at_a_queen_takes_any_ace_and_foundation_1_at_a_queen_takes_a_king():
    # Foundation 1: A to Q of clubs. Foundation 2: 2D 4D 6D 8D TD QD.
    left = "AS KS AD 3D 5D 7D 9D JD KD KC KH " + " ".join(
        rank + suit
        for suit in "HS"
        for rank in "A23456789TJQ"
        if rank + suit not in ("AS", "3H", "4S")
    )
    game = calculation(left, foundations="QC QD 3H 4S")
    assert game.refusal("S>F2") is None
    assert game.refusal("S>F1") == (
        "wrong_rank",
        "S>F1: AS does not go onto QC: foundation 1 counts by 1, and takes any K",
    )
    game = play(game, "S>F2 S>F1")
    assert game.rules.face_up(game.position)["foundations"] == ["KS", "AS", "3H", "4S"]


# Foundations 1 and 2 are one card short of complete, 3 and 4 complete: QC JD KH KS are the tops.
# Two cards are left, both kings.


def ending(stock, wastes):
    return calculation(stock, wastes, "QC JD KH KS")


def test_a_waste_top_goes_up_while_a_card_is_turned_and_the_turned_card_stays():
    game = ending("KC", "KD / - / - / -")
    assert game.legal_moves() == ["S>F1", "S>F2", "S>W1", "S>W2", "S>W3", "S>W4", "W1>F1", "W1>F2"]
    game = play(game, "W1>F2")
    assert game.rules.face_up(game.position) == {
        "foundations": ["QC", "KD", "KH", "KS"],
        "stock_count": 0,
        "card": "KC",
        "wastes": [[], [], [], []],
    }
    assert game.status == "in_progress"


def test_the_player_chooses_where_several_foundations_take_a_card():
    game = ending("KC KD", "- / - / - / -")
    assert [move for move in game.legal_moves() if ">F" in move] == ["S>F1", "S>F2"]
    to_first = play(game, "S>F1").rules.face_up(play(game, "S>F1").position)
    assert to_first["foundations"] == ["KC", "JD", "KH", "KS"]
    to_second = play(game, "S>F2").rules.face_up(play(game, "S>F2").position)
    assert to_second["foundations"] == ["QC", "KC", "KH", "KS"]


def test_the_next_card_is_turned_as_soon_as_one_is_placed_and_that_is_no_action():
    game = ending("KC KD", "- / - / - / -")
    game = play(game, "S>W3")
    shown = game.rules.face_up(game.position)
    assert (shown["card"], shown["stock_count"]) == ("KD", 0)
    assert shown["wastes"] == [[], [], ["KC"], []]
    assert (game.ply, game.score.moves, game.score.actions) == (1, 1, 1)


@pytest.mark.parametrize(
    ("moves", "blind"),
    [
        ("S>W1 S>W1 S>W2", None),
        ("S>W1 S>F1", 1),
        ("S>W1 W1>F1", None),
        ("S>W1 S>W1 W1>F1", 2),
        ("S>W1 S>W1 W1>W1", 2),
        ("S>W1 W2>F1", None),
        ("S>W1 W3>F4 S>F1", None),
        ("S>W1 F1>W1 S>F1", None),
        ("S>W1 Q S>F1", None),
        ("S>W1 U S>F1", None),
        ("S>W1 S>W2 S>W3 Q", 3),
        ("S>W1 S>W2 S>W3", None),
    ],
)
def test_a_move_is_blind_that_hangs_on_a_card_which_lies_face_down(moves, blind):
    # KC is turned, KD and KS are not; of the wastes only W2 has a card, which goes up.
    game = calculation("KC KD KS", "- / KH / - / -", "QC JH TS 9D")
    assert RULES.blind_move(game.position, moves.split()) == blind


def test_the_turned_card_goes_onto_any_waste_whatever_lies_there():
    game = play(opened("calculation"), "S>W1 S>W1 S>W1 S>W4")
    assert game.rules.face_up(game.position)["wastes"] == [["JS", "KD", "7H"], [], [], ["4D"]]


def test_no_card_goes_from_waste_to_waste_and_none_comes_back():
    game = ending("KC", "KD / - / - / -")
    rule = "on a waste goes to a foundation only, never to a waste"
    assert game.refusal("W1>W2") == ("waste_to_waste", f"W1>W2: KD {rule}")
    assert game.refusal("W1>W1") == ("waste_to_waste", f"W1>W1: KD {rule}")
    assert game.refusal("W2>W1") == ("waste_to_waste", f"W2>W1: a card {rule}")
    rule = "stays where it is: no card comes back from a foundation"
    assert game.refusal("F1>W1") == ("from_foundation", f"F1>W1: QC {rule}")
    assert game.refusal("F4>W2") == ("from_foundation", f"F4>W2: KS {rule}")


def test_only_the_top_of_a_waste_is_available_and_an_empty_one_gives_nothing():
    game = ending("", "KC KD / - / - / -")
    assert game.legal_moves() == ["W1>F1", "W1>F2"]
    assert game.refusal("W2>F1") == ("empty_source", "W2>F1: waste 2 is empty")
    game = play(game, "W1>F1")
    assert game.rules.face_up(game.position)["foundations"] == ["KD", "JD", "KH", "KS"]
    assert game.legal_moves() == ["W1>F2"]


def test_a_complete_foundation_takes_nothing_and_a_card_of_another_rank_is_refused():
    game = ending("KC", "KD / - / - / -")
    assert game.refusal("S>F3") == ("foundation_complete", "S>F3: foundation 3 is complete at KH")
    assert game.refusal("W1>F4") == ("foundation_complete", "W1>F4: foundation 4 is complete at KS")
    assert opened("calculation").refusal("S>F2") == (
        "wrong_rank",
        "S>F2: JS does not go onto 2D: foundation 2 counts by 2, and takes any 4",
    )


def test_no_card_is_turned_once_the_stock_is_used_up():
    game = ending("", "KC / KD / - / -")
    detail = "the stock is used up, no card is turned"
    assert game.refusal("S>F1") == ("no_turned_card", f"S>F1: {detail}")
    assert game.refusal("S>W4") == ("no_turned_card", f"S>W4: {detail}")
    shown = game.rules.face_up(game.position)
    assert (shown["card"], shown["stock_count"]) == (None, 0)


# ---- lost, won ----


def test_a_game_is_lost_when_no_card_is_turned_and_no_waste_top_fits():
    # Foundation 1 wants a queen first, which lies beneath a king.
    game = calculation("KC", "QC / - / - / -", "JC KD KH KS")
    assert game.status is Status.IN_PROGRESS
    lost = play(game, "S>W1")
    assert lost.status is Status.LOST
    assert lost.legal_moves() == []
    assert lost.rules.moves(lost.position) == []
    assert lost.score == (50, 1, 0, 0)
    assert reason(lost, "S>W1") == "game_over"
    saved = play(game, "S>W2")
    assert saved.status is Status.IN_PROGRESS
    assert saved.legal_moves() == ["W1>F1"]
    won = play(saved, "W1>F1 W2>F1")
    assert won.status is Status.WON
    assert won.score.cards_up == 52


def test_a_position_may_be_won_or_lost_from_the_outset():
    assert calculation("", foundations="KC KD KH KS").status is Status.WON
    assert calculation("", "QC KC / - / - / -", "JC KD KH KS").status is Status.LOST


def test_a_game_with_a_turned_card_goes_on_since_a_waste_takes_it():
    game = calculation("KC QC", foundations="JC KD KH KS")
    assert game.legal_moves() == ["S>W1", "S>W2", "S>W3", "S>W4"]
    assert game.status is Status.IN_PROGRESS


def test_there_is_no_redeal_and_no_undo():
    game = play(opened("calculation"), "S>W1")
    assert "R" not in RULES.move_texts
    assert game.score.redeals == 0
    assert game.refusal("U") == ("undo_not_allowed", "U: this game is played without undo")
    assert RULES.bases == parse_cards("AC 2D 3H 4S")
