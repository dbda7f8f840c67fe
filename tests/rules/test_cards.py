"""Cards and their texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules import cards
from service.rules.errors import InvalidCard
from tests.rules.tables import deeply_nested

DECK = (
    "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD "
    "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
)

piles = st.binary(max_size=60).map(lambda raw: bytes(byte % 52 for byte in raw))


def test_the_deck_is_four_suits_of_thirteen_from_the_ace_of_clubs_to_the_king_of_spades():
    assert " ".join(cards.TEXTS) == DECK
    assert list(cards.DECK) == list(range(52))
    assert cards.format_cards(cards.DECK) == DECK


@pytest.mark.parametrize(
    ("text", "card", "rank", "suit", "red"),
    [
        ("AC", 0, 1, 0, False),
        ("KC", 12, 13, 0, False),
        ("AD", 13, 1, 1, True),
        ("TH", 35, 10, 2, True),
        ("2S", 40, 2, 3, False),
        ("KS", 51, 13, 3, False),
    ],
)
def test_a_card_has_a_number_a_rank_a_suit_and_a_colour(text, card, rank, suit, red):
    assert cards.parse_card(text) == card
    assert cards.format_card(card) == text
    assert cards.rank_of(card) == rank
    assert cards.suit_of(card) == suit
    assert cards.card_at(rank, suit) == card
    assert cards.is_red(card) is red


@pytest.mark.parametrize("card", range(52))
def test_the_text_of_a_card_is_read_back_as_that_card(card):
    assert cards.parse_card(cards.format_card(card)) == card


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "C",
        "CA",
        "ac",
        "Ac",
        "aC",
        "1C",
        "0C",
        "10H",
        "AX",
        "AC ",
        " AC",
        "AC\n",
        "ACC",
        "A♣",
    ],
)
def test_any_other_text_is_no_card_and_the_detail_shows_it(text):
    with pytest.raises(InvalidCard) as caught:
        cards.parse_card(text, "/stock/7")
    assert caught.value.place == "/stock/7"
    assert caught.value.detail == (
        f"{text!r} is no card: write rank then suit, such as AC, TH or KS"
    )
    assert str(caught.value) == f"/stock/7: {caught.value.detail}"


def test_a_long_text_is_cut_in_the_detail():
    with pytest.raises(InvalidCard) as caught:
        cards.parse_card("A" * 1000)
    assert caught.value.detail.startswith(f"'{'A' * 20}' is no card")
    assert caught.value.place == ""


@pytest.mark.parametrize("value", [None, True, 0, 1.5, ["AC"], {"AC": 1}, b"AC"])
def test_what_is_no_text_is_no_card(value):
    with pytest.raises(InvalidCard, match="this is no card: write rank then suit"):
        cards.parse_card(value)


def test_a_value_nested_too_deeply_to_be_printed_is_no_card_either():
    with pytest.raises(InvalidCard, match="this is no card"):
        cards.parse_card(deeply_nested())


def test_a_pile_is_written_bottom_first_and_an_empty_one_as_a_dash():
    assert cards.parse_cards("5C 9H 2D") == bytes((4, 34, 14))
    assert cards.format_cards(bytes((4, 34, 14))) == "5C 9H 2D"
    assert cards.card_texts(bytes((4, 34, 14))) == ["5C", "9H", "2D"]
    assert cards.parse_cards("-") == b""
    assert cards.format_cards(b"") == "-"
    assert cards.card_texts(b"") == []


@pytest.mark.parametrize(
    "text", ["", " ", "- -", "5C -", "5C  9H", "5C 9H ", " 5C", "5C,9H", "5C9H"]
)
def test_any_other_text_is_no_pile(text):
    with pytest.raises(InvalidCard, match="is no card"):
        cards.parse_cards(text)


@given(piles)
def test_every_pile_is_read_back_from_its_text(pile):
    assert cards.parse_cards(cards.format_cards(pile)) == pile


@given(st.text())
def test_a_text_is_a_pile_only_where_it_is_the_text_of_that_pile(text):
    try:
        pile = cards.parse_cards(text)
    except InvalidCard:
        assert text not in DECK.split()
    else:
        assert cards.format_cards(pile) == text
