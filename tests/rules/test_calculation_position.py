"""Positions of Calculation as JSON and as text, and every way in which they can be wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules import VARIANTS
from service.rules.calculation_position import (
    SEQUENCES,
    CalculationPosition,
    height,
    next_rank,
)
from service.rules.cards import parse_card, parse_cards
from service.rules.errors import Invalid, InvalidCard, InvalidPosition
from tests.rules import strategies
from tests.rules.strategies import bases, calculation_data, json_values
from tests.rules.tables import unless_invalid

RULES = VARIANTS["calculation"]
NO_CARD = "is no card: write rank then suit, such as AC, TH or KS"


def dealt(**changes):
    """Give the JSON form of an opening, changed."""
    stock = [
        rank + suit
        for suit in "CDHS"
        for rank in "A23456789TJQK"
        if rank + suit not in ("AC", "2D", "3H", "4S")
    ]
    return {"stock": stock, **changes}


# Of foundations 1 to 4 all 13, 12, 13 and 13 cards: a king is left, and here it is turned.
ENDING = {"stock": ["KD"], "foundations": ["KC", "JD", "KH", "KS"]}
TEXT = "KC JD KH KS | - / - / - / - | KD"


def fault(data, rules=RULES):
    with pytest.raises(Invalid) as caught:
        rules.read_position(data)
    return type(caught.value), caught.value.place, caught.value.detail


# ---- foundations ----


def test_the_sequences_of_the_foundations_are_these():
    assert SEQUENCES == {
        1: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
        2: (2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11, 13),
        3: (3, 6, 9, 12, 2, 5, 8, 11, 1, 4, 7, 10, 13),
        4: (4, 8, 12, 3, 7, 11, 2, 6, 10, 1, 5, 9, 13),
    }


@pytest.mark.parametrize(
    ("number", "top", "cards", "next_one"),
    [
        (1, "AC", 1, 2),
        (1, "QS", 12, 13),
        (1, "KS", 13, None),
        (2, "2C", 1, 4),
        (2, "QD", 6, 1),
        (2, "JD", 12, 13),
        (2, "KC", 13, None),
        (3, "TH", 12, 13),
        (3, "QH", 4, 2),
        (4, "9S", 12, 13),
        (4, "JC", 6, 2),
        (4, "KD", 13, None),
    ],
)
def test_the_top_of_a_foundation_tells_how_many_cards_it_has_and_what_it_takes(
    number, top, cards, next_one
):
    assert height(number, parse_card(top)) == cards
    assert next_rank(number, parse_card(top)) == next_one


# ---- JSON ----


def test_wastes_are_empty_and_foundations_the_bases_unless_they_are_named():
    position = RULES.read_position(dealt())
    assert position.foundations == parse_cards("AC 2D 3H 4S")
    assert position.wastes == (b"", b"", b"", b"")
    assert len(position.stock) == 48
    named = dealt(wastes=[[], [], [], []], foundations=["AC", "2D", "3H", "4S"])
    assert RULES.read_position(named) == position


def test_the_first_card_of_the_stock_is_the_turned_one():
    position = RULES.read_position(ENDING)
    assert position == CalculationPosition(
        parse_cards("KC JD KH KS"), (b"", b"", b"", b""), parse_cards("KD")
    )
    assert RULES.face_up(position)["card"] == "KD"


@pytest.mark.parametrize(
    "data", [None, [], "AC", 1, {}, {"wastes": [[], [], [], []]}, {"stock": [], "piles": []}]
)
def test_a_position_has_a_stock_and_perhaps_wastes_and_foundations_and_nothing_else(data):
    detail = "write {stock: cards, turned one first, wastes?: 4 lists, foundations?: 4 tops}"
    assert fault(data) == (InvalidPosition, "", detail)


@pytest.mark.parametrize("wastes", [None, {}, "", [], [[], [], []], [[], [], [], [], []]])
def test_there_are_four_wastes(wastes):
    detail = "there are 4 wastes, empty ones in place"
    assert fault(dealt(wastes=wastes)) == (InvalidPosition, "/wastes", detail)


@pytest.mark.parametrize("value", [None, "5C", {}, 5])
def test_stock_wastes_and_foundations_are_lists(value):
    detail = "write a list of cards"
    assert fault(dealt(stock=value)) == (InvalidPosition, "/stock", detail)
    assert fault(dealt(wastes=[[], [], [], value])) == (InvalidPosition, "/wastes/3", detail)
    assert fault(dealt(foundations=value)) == (InvalidPosition, "/foundations", detail)


@pytest.mark.parametrize("foundations", [[], ["AC", "2D", "3H"], ["AC", "2D", "3H", "4S", "5C"]])
def test_there_are_four_foundations(foundations):
    detail = "foundations are four top cards"
    assert fault(dealt(foundations=foundations)) == (InvalidPosition, "/foundations", detail)


def test_what_is_no_card_is_refused_at_its_place():
    detail = f"'1C' {NO_CARD}"
    assert fault({"stock": ["5C", "1C"]}) == (InvalidCard, "/stock/1", detail)
    assert fault({"stock": [], "wastes": [[], ["1C"], [], []]}) == (
        InvalidCard,
        "/wastes/1/0",
        detail,
    )
    named = {"stock": [], "foundations": ["AC", "2D", "3H", "1C"]}
    assert fault(named) == (InvalidCard, "/foundations/3", detail)


@pytest.mark.parametrize(
    ("data", "place", "card", "first"),
    [
        ({"stock": ["5C", "6C", "5C"]}, "/stock/2", "5C", "/stock/0"),
        ({"stock": ["5C", "AC"]}, "/stock/1", "AC", "/foundations/0"),
        ({"stock": ["5C"], "wastes": [[], ["6C", "5C"], [], []]}, "/stock/0", "5C", "/wastes/1/1"),
        ({"stock": [], "wastes": [[], ["4S"], [], []]}, "/wastes/1/0", "4S", "/foundations/3"),
        ({"stock": [], "wastes": [["5C"], [], [], ["5C"]]}, "/wastes/3/0", "5C", "/wastes/0/0"),
        (
            {"stock": [], "foundations": ["AC", "2D", "3H", "AC"]},
            "/foundations/3",
            "AC",
            "/foundations/0",
        ),
    ],
)
def test_a_card_that_lies_in_two_places_is_refused_at_the_second(data, place, card, first):
    assert fault(data) == (InvalidPosition, place, f"{card} lies at {first} already")


@pytest.mark.parametrize(
    ("foundations", "place", "top", "number", "base"),
    [
        (["AD", "2D", "3H", "4S"], "/foundations/0", "AD", 1, "AC"),
        (["AC", "2C", "3H", "4S"], "/foundations/1", "2C", 2, "2D"),
        (["KC", "JD", "3S", "4S"], "/foundations/2", "3S", 3, "3H"),
        (["AC", "2D", "3H", "4C"], "/foundations/3", "4C", 4, "4S"),
    ],
)
def test_a_foundation_of_one_card_is_its_base(foundations, place, top, number, base):
    detail = (
        f"{top} is not the base of foundation {number}: "
        f"that is {base}, unless options name other bases"
    )
    assert fault(dealt(foundations=foundations)) == (InvalidPosition, place, detail)


@pytest.mark.parametrize(
    ("data", "place", "base"),
    [
        ({"stock": ["KD", "AC"], "foundations": ["KC", "JD", "KH", "KS"]}, "/stock/1", "AC"),
        (
            {
                "stock": [],
                "wastes": [["KD"], [], ["2D"], []],
                "foundations": ["KC", "JD", "KH", "KS"],
            },
            "/wastes/2/0",
            "2D",
        ),
        # An ace is the seventh card of foundation 2, but not the base of foundation 1.
        ({"stock": [], "foundations": ["2C", "AC", "3H", "4S"]}, "/foundations/1", "AC"),
    ],
)
def test_a_base_lies_beneath_its_foundation_and_nowhere_else(data, place, base):
    detail = f"{base} is the base of a foundation and lies beneath its cards"
    assert fault(data) == (InvalidPosition, place, detail)


@pytest.mark.parametrize(
    ("data", "beneath", "rank", "nowhere", "cards"),
    [
        # Cards are missing.
        (dealt(stock=dealt()["stock"][:-1]), 0, "K", 1, "KS"),
        ({"stock": []}, 0, "A", 3, "AD AH AS"),
        # A card is there twice over: beneath a top and in the stock.
        ({"stock": ["KD", "9C"], "foundations": ["KC", "JD", "KH", "KS"]}, 4, "9", 3, "9D 9H 9S"),
        # The wrong card is there: a king should be.
        ({"stock": ["QD"], "foundations": ["KC", "JD", "KH", "KS"]}, 4, "Q", 3, "QC QH QS"),
        ({"stock": ["JH"], "foundations": ["KC", "JD", "KH", "KS"]}, 3, "J", 2, "JC JS"),
    ],
)
def test_the_cards_found_nowhere_are_those_beneath_the_tops(data, beneath, rank, nowhere, cards):
    detail = (
        f"rank {rank}: {beneath} beneath the tops of the foundations, "
        f"but {nowhere} found nowhere else ({cards})"
    )
    assert fault(data) == (InvalidPosition, "", detail)


def test_where_every_card_of_a_rank_is_found_the_detail_says_so():
    stock = [card for card in dealt()["stock"] if card != "3C"]
    detail = "rank 2: 1 beneath the tops of the foundations, but 0 found nowhere else (none)"
    data = {"stock": stock, "foundations": ["3C", "2D", "3H", "4S"]}
    assert fault(data) == (InvalidPosition, "", detail)


@given(st.data())
def test_every_position_is_read_back_from_its_json(data):
    chosen = data.draw(bases)
    written = data.draw(calculation_data(chosen))
    rules = RULES.configured({"bases": chosen}, None)
    position = rules.read_position(written)
    assert rules.position_json(position) == written


@given(
    json_values
    | st.fixed_dictionaries(
        {"stock": json_values | st.just(["KD"])},
        optional={"wastes": json_values, "foundations": json_values},
    )
)
def test_any_other_json_is_refused_as_invalid(data):
    position = unless_invalid(RULES.read_position, data)
    assert position is None or RULES.position_json(position)["stock"] == data["stock"]


# ---- text ----


def test_the_text_gives_foundations_wastes_and_stock():
    position = RULES.read_position(ENDING)
    assert RULES.format_position(position) == TEXT
    assert RULES.parse_position(TEXT) == position
    position = RULES.read_position({**ENDING, "stock": [], "wastes": [[], ["KD"], [], []]})
    assert RULES.format_position(position) == "KC JD KH KS | - / KD / - / - | -"


@given(st.data())
def test_every_position_is_read_back_from_its_text(data):
    rules, written = data.draw(strategies.starts("calculation"))
    position = rules.read_position(written)
    assert rules.parse_position(rules.format_position(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "KC JD KH KS",
            "KC JD KH KS | - / - / - / -",
            TEXT + " | -",
            "| ".join(TEXT.split(" | ")),
        ],
        *[TEXT.replace(" | ", "|"), TEXT.replace(" | ", " /")],
    ],
)
def test_a_text_without_three_parts_is_refused(text):
    with pytest.raises(InvalidPosition) as caught:
        RULES.parse_position(text)
    assert caught.value.place == ""
    assert caught.value.detail == "a position is written: foundations | wastes / … | stock"


@pytest.mark.parametrize(
    ("text", "place", "detail"),
    [
        (TEXT.replace("KD", "1D"), "", f"'1D' {NO_CARD}"),
        (TEXT.replace("KD", ""), "", f"'' {NO_CARD}"),
        (TEXT + " ", "", f"'' {NO_CARD}"),
        (TEXT + "\n", "", f"'KD\\n' {NO_CARD}"),
        (TEXT.replace("JD ", "JD  "), "", f"'' {NO_CARD}"),
        (TEXT.replace("- / ", "-/ ", 1), "", f"'-/' {NO_CARD}"),
        (TEXT.replace("- / ", "", 1), "/wastes", "there are 4 wastes, empty ones in place"),
        (TEXT.replace("- / ", "- / - / ", 1), "/wastes", "there are 4 wastes, empty ones in place"),
        (TEXT.replace("KC ", ""), "/foundations", "foundations are four top cards"),
        (TEXT.replace("KD", "KC"), "/stock/0", "KC lies at /foundations/0 already"),
    ],
)
def test_a_text_of_another_position_or_of_none_is_refused_at_its_place(text, place, detail):
    with pytest.raises(InvalidPosition) as caught:
        RULES.parse_position(text)
    assert (caught.value.place, caught.value.detail) == (place, detail)


@given(
    st.one_of(
        st.text(),
        st.text(alphabet="AKQCDHS234|/- ", max_size=80),
        st.text().map((TEXT + " | ").__add__),
        st.text().map("KC JD KH KS | - / - / - / - | ".__add__),
    )
)
def test_any_other_text_is_refused_as_invalid(text):
    position = unless_invalid(RULES.parse_position, text)
    assert position is None or RULES.format_position(position) == text
