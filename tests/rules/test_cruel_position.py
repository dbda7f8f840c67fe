"""Positions of the Cruel family as JSON and as text, and every way in which they can be wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules import cruel_position
from service.rules.cards import parse_cards
from service.rules.cruel import Cruel
from service.rules.cruel_position import CruelPosition
from service.rules.errors import Invalid, InvalidCard, InvalidPosition
from tests.rules.strategies import cruel_data, json_values
from tests.rules.tables import layout, unless_invalid

RULES = Cruel()
PILES = "KC / - / QD KD"
FOUNDATIONS = ["QC", "JD", "KH", "KS"]
TEXT = "QC JD KH KS | KC / - / QD KD / - / - / - / - / - / - / - / - / -"
NO_CARD = "is no card: write rank then suit, such as AC, TH or KS"


def fault(data):
    with pytest.raises(Invalid) as caught:
        RULES.read_position(data)
    return type(caught.value), caught.value.place, caught.value.detail


# ---- JSON ----


def test_foundations_follow_from_the_cards_in_no_pile():
    position = RULES.read_position({"piles": layout(PILES)})
    assert position == CruelPosition(
        parse_cards("QC JD KH KS"), (b"\x0c", b"", b"\x18\x19", *[b""] * 9), 0
    )


def test_foundations_may_be_named_where_they_are_right():
    named = RULES.read_position({"piles": layout(PILES), "foundations": FOUNDATIONS})
    assert named == RULES.read_position({"piles": layout(PILES)})


def test_the_aces_are_up_where_all_other_cards_are_in_the_piles():
    piles = [[rank + suit for rank in "23456789TJQK"] for suit in "CDHS"]
    position = RULES.read_position({"piles": [*piles, *[[] for _ in range(8)]]})
    assert position.foundations == parse_cards("AC AD AH AS")


def test_the_kings_are_up_where_no_card_is_in_a_pile():
    position = RULES.read_position({"piles": layout("-")})
    assert position.foundations == parse_cards("KC KD KH KS")


@pytest.mark.parametrize(
    "data",
    [
        *[None, [], "AC", 1, {}, {"foundations": FOUNDATIONS}],
        *[{"piles": layout(PILES), "stock": []}, {"piles": layout(PILES), "redeals": 0}],
    ],
)
def test_a_position_has_piles_and_perhaps_foundations_and_nothing_else(data):
    detail = "write {piles: 12 lists of cards, foundations?: 4 top cards}"
    assert fault(data) == (InvalidPosition, "", detail)


@pytest.mark.parametrize(
    "piles",
    [None, "KC", {}, [], layout(PILES)[:11], [*layout(PILES), []], dict.fromkeys(range(12))],
)
def test_there_are_twelve_piles(piles):
    detail = "there are 12 piles, empty ones in place"
    assert fault({"piles": piles}) == (InvalidPosition, "/piles", detail)


@pytest.mark.parametrize("pile", [None, "KC", "", 7, {"KC": 1}])
def test_each_pile_is_a_list(pile):
    piles = [*layout(PILES)[:11], pile]
    detail = "a pile is a list of cards, bottom first"
    assert fault({"piles": piles}) == (InvalidPosition, "/piles/11", detail)


def test_what_is_no_card_is_refused_at_its_place():
    detail = f"'1D' {NO_CARD}"
    assert fault({"piles": layout("KC / - / QD 1D")}) == (InvalidCard, "/piles/2/1", detail)
    piles = [*layout("KC")[:11], [None]]
    detail = f"this {NO_CARD}"
    assert fault({"piles": piles}) == (InvalidCard, "/piles/11/0", detail)


def test_a_card_that_lies_in_two_places_is_refused_at_the_second():
    detail = "KD lies at /piles/0/1 already"
    assert fault({"piles": layout("KC KD / - / QD KD")}) == (InvalidPosition, "/piles/2/1", detail)
    detail = "KC lies at /piles/0/0 already"
    assert fault({"piles": layout("KC KC")}) == (InvalidPosition, "/piles/0/1", detail)


@pytest.mark.parametrize("ace", ["AC", "AD", "AH", "AS"])
def test_an_ace_lies_in_no_pile(ace):
    detail = f"{ace} is the base of a foundation and lies in no pile"
    assert fault({"piles": layout(f"KC / {ace}")}) == (InvalidPosition, "/piles/1/0", detail)


@pytest.mark.parametrize(
    ("piles", "missing", "first"),
    [
        ("JC KC", "QC", "JC"),
        ("KC QC TC", "JC", "TC"),
        ("2S", "3S", "2S"),
        ("QD / KC", "KD", "QD"),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH KH", "QH", "2H"),
    ],
)
def test_a_card_between_a_foundation_and_the_piles_is_missed(piles, missing, first):
    detail = f"{missing} is missing: {first} of the same suit is still in a pile"
    assert fault({"piles": layout(piles)}) == (InvalidPosition, "/piles", detail)


@pytest.mark.parametrize(
    "foundations",
    [
        ["KC", "JD", "KH", "KS"],
        ["JD", "QC", "KH", "KS"],
        ["QC", "JD", "KH"],
        ["QC", "JD", "KH", "KS", "KS"],
        ["QC", "JD", "KH", None],
        "QC JD KH KS",
        None,
        [],
    ],
)
def test_foundations_that_do_not_follow_from_the_piles_are_refused(foundations):
    detail = "the cards in no pile make the foundations QC JD KH KS"
    data = {"piles": layout(PILES), "foundations": foundations}
    assert fault(data) == (InvalidPosition, "/foundations", detail)


@given(cruel_data)
def test_every_position_is_read_back_from_its_json(data):
    position = RULES.read_position(data)
    assert RULES.position_json(position) == data
    assert RULES.face_up(position) == data
    assert RULES.read_position({"piles": data["piles"]}) == position


@given(
    json_values
    | st.fixed_dictionaries(
        {"piles": json_values | st.just(layout(PILES))}, optional={"foundations": json_values}
    )
)
def test_any_other_json_is_refused_as_invalid(data):
    position = unless_invalid(RULES.read_position, data)
    assert position is None or RULES.position_json(position)["piles"] == data["piles"]


# ---- text ----


def test_the_text_gives_foundations_and_piles_and_the_redeals_where_some_stand():
    position = RULES.read_position({"piles": layout(PILES)})
    assert RULES.format_position(position) == TEXT
    assert RULES.format_position(position._replace(redeals=3)) == f"{TEXT} | 3"
    assert RULES.parse_position(TEXT) == position
    assert RULES.parse_position(f"{TEXT} | 3") == position._replace(redeals=3)


@given(cruel_data, st.one_of(st.integers(0, 99), st.integers(0, 10**18 - 1)))
def test_every_position_is_read_back_from_its_text(data, redeals):
    position = RULES.read_position(data)._replace(redeals=redeals)
    assert RULES.parse_position(RULES.format_position(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("QC JD", "KC JD"),
        TEXT.replace("QC JD KH KS", "-"),
        TEXT.replace("QC JD KH KS", ""),
        TEXT + " | ",
        TEXT + " | 0",
        TEXT + " | 03",
        TEXT + " | +3",
        TEXT + " | -3",
        TEXT + " | 3 ",
        TEXT + " | 3 | 3",
        TEXT + " | \u0663",
        TEXT + " | " + "9" * 19,
        TEXT + " | " + "9" * 5000,
    ],
)
def test_a_text_that_is_not_canonical_is_refused_and_the_canonical_one_shown(text):
    with pytest.raises(InvalidPosition) as caught:
        RULES.parse_position(text)
    assert caught.value.place == ""
    assert caught.value.detail.startswith(f"a position is written like {TEXT}")


@pytest.mark.parametrize(
    ("text", "place", "detail"),
    [
        ("", "", f"'' {NO_CARD}"),
        ("AC AD AH AS", "", f"'' {NO_CARD}"),
        (" " + TEXT[:11], "", f"'' {NO_CARD}"),
        (
            TEXT.replace("KC", "1C"),
            "",
            f"'1C' {NO_CARD}",
        ),
        (TEXT.replace("KC", "C"), "", f"'C' {NO_CARD}"),
        (
            TEXT.replace("QD KD", "QD  KD"),
            "",
            f"'' {NO_CARD}",
        ),
        (TEXT.replace("KC / ", ""), "/piles", "there are 12 piles, empty ones in place"),
        (TEXT.removesuffix(" / -"), "/piles", "there are 12 piles, empty ones in place"),
        (TEXT + " ", "", f"'-' {NO_CARD}"),
        (TEXT + "\n", "", f"'-\\n' {NO_CARD}"),
        (TEXT + " / -", "/piles", "there are 12 piles, empty ones in place"),
        (TEXT.replace("KC", "KD"), "/piles/2/1", "KD lies at /piles/0/0 already"),
        (
            TEXT.replace("KC", "AC"),
            "/piles/0/0",
            "AC is the base of a foundation and lies in no pile",
        ),
        (
            TEXT.replace("KC", "JC"),
            "/piles",
            "QC is missing: JC of the same suit is still in a pile",
        ),
    ],
)
def test_a_text_of_another_position_or_of_none_is_refused_at_its_place(text, place, detail):
    with pytest.raises(InvalidPosition) as caught:
        RULES.parse_position(text)
    assert (caught.value.place, caught.value.detail) == (place, detail)


@given(
    st.one_of(
        st.text(),
        st.text(alphabet="AKQCDHS23|/- 09", max_size=80),
        st.text().map((TEXT + " | ").__add__),
    )
)
def test_any_other_text_is_refused_as_invalid(text):
    position = unless_invalid(RULES.parse_position, text)
    assert position is None or RULES.format_position(position) == text


def test_there_are_twelve_piles_over_four_aces():
    assert cruel_position.PILES == 12
    assert list(cruel_position.ACES) == [0, 13, 26, 39]
