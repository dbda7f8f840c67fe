"""Seeds, and the order of the cards that they give."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.rules import deals
from service.rules.cards import DECK, card_texts, format_cards, parse_cards
from service.rules.errors import InvalidSeed
from tests.naive import deals as naive

ACES = parse_cards("AC AD AH AS")

seeds = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,127}", fullmatch=True).filter(
    lambda seed: not seed.startswith("pysol-")
)
bases = st.tuples(*[st.sampled_from([rank + suit for suit in "CDHS"]) for rank in "A234"]).map(
    " ".join
)
pysol_seeds = st.one_of(
    st.integers(1, 10**20).map("pysol-{}".format),
    st.integers(1, 40_000).map("pysol-{}".format),
    st.integers(1, 2**33 - 1).map("pysol-ms{}".format),
)


def test_the_algorithms_are_deal_1_and_pysol():
    assert list(deals.ALGORITHMS) == ["deal/1", "pysol"]


# ---- seeds ----


@pytest.mark.parametrize(
    "seed", ["a", "0", "semilla", "x" * 128, "a._~-", "pysol", "Pysol-1", "PYSOL-x", "a-pysol-x"]
)
def test_an_ordinary_seed_is_dealt_by_deal_1(seed):
    assert deals.algorithm_of(seed) == "deal/1"


@pytest.mark.parametrize(
    "seed",
    ["pysol-1", "pysol-31999", "pysol-32000", f"pysol-{10**20}", "pysol-ms1", "pysol-ms8589934591"],
)
def test_a_seed_that_starts_with_pysol_is_one_of_its_numbered_deals(seed):
    assert deals.algorithm_of(seed) == "pysol"


@pytest.mark.parametrize(
    "seed",
    ["", " ", ".a", "_a", "~a", "-a", "a b", "a/b", "a+b", "ñ", "a\n", "\na", "x" * 129, "\u0661"],
)
def test_a_seed_of_other_characters_is_refused(seed):
    with pytest.raises(InvalidSeed) as caught:
        deals.algorithm_of(seed)
    assert caught.value.detail == (
        "a seed has 1 to 128 characters, letters, digits and . _ ~ -, "
        "and starts with a letter or digit"
    )
    assert caught.value.place == ""


@pytest.mark.parametrize(
    "seed",
    [
        *[
            "pysol-",
            "pysol-0",
            "pysol-01",
            "pysol-x",
            "pysol-1.0",
            "pysol--1",
            "pysol-1-",
            "pysol-1e3",
        ],
        *["pysol-100000000000000000001", "pysol-ms", "pysol-ms0", "pysol-ms01"],
        *["pysol-ms8589934592", "pysol-MS1", "pysol-m1", "pysol-ms-1", "pysol-" + "9" * 122],
    ],
)
def test_a_seed_that_starts_with_pysol_and_is_none_of_its_deals_is_refused(seed):
    with pytest.raises(InvalidSeed) as caught:
        deals.algorithm_of(seed)
    assert caught.value.detail == (
        "a seed that starts with pysol- is one of PySolFC's deals: pysol-N with N from 1 to "
        "10^20, or pysol-msN with N from 1 to 2^33 - 1"
    )


# ---- deal/1 ----


def test_seed_semilla_deals_jack_king_seven_four_first():
    order = deals.deal_order("deal/1", "semilla", ACES)
    assert format_cards(order[:8]) == "JS KD 7H 4D JH 3H 2H KC"
    order = deals.deal_order("deal/1", "semilla", parse_cards("AC 2D 3H 4S"))
    assert format_cards(order[:6]) == "JS KD 7H 4D JH 2H"


def test_a_word_that_would_favour_low_places_is_thrown_away():
    # The 15th word of this seed is fffffff9, above the bound for 34 places.
    order = deals.deal_order("deal/1", "rejected-4544765", ACES)
    assert format_cards(order) == (
        "3H 8H 3C 6H KC 6C 2H 5H 5S 6S 7H KH 5D 4D 9H 2D 3D TH 6D JS KD 2C 8D 9S "
        "TD JH 4C QS 5C 8C JC 2S 7D KS TS TC 7S QC 9C QH 4H 9D QD 3S JD 7C 4S 8S"
    )


@given(seed=seeds, bases=bases)
@example(seed="rejected-4544765", bases="AC 2D 3H 4S")
def test_deal_1_gives_the_order_that_the_naive_shuffle_gives(seed, bases):
    order = deals.deal_order("deal/1", seed, parse_cards(bases))
    assert card_texts(order) == naive.shuffled(seed, bases.split())


@given(seed=seeds, bases=bases)
def test_deal_1_deals_each_card_that_is_no_base_once(seed, bases):
    taken = parse_cards(bases)
    order = deals.deal_order("deal/1", seed, taken)
    assert sorted(order + taken) == list(DECK)


# ---- pysol ----


def test_pysol_deal_1_is_the_board_that_pysol_shows():
    order = deals.deal_order("pysol", "pysol-1", ACES)
    assert format_cards(order[:12]) == "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S"


def test_the_microsoft_generator_deals_up_to_31999_and_under_ms_always():
    def order(seed):
        return deals.deal_order("pysol", seed, ACES)

    assert order("pysol-31999") == order("pysol-ms31999")
    assert order("pysol-32000") != order("pysol-ms32000")
    assert format_cards(order("pysol-32000")[:4]) == "7S 4D JS 8D"
    assert format_cards(order("pysol-ms32000")[:4]) == "QD 8D QS 4H"


@pytest.mark.parametrize(
    ("seed", "bases"),
    [
        ("pysol-1", "AC 2H 3D 4S"),
        ("pysol-32000", "AS 2D 3S 4S"),
        ("pysol-ms4294967296", "AC 2D 3H 4D"),
    ],
)
def test_the_bases_of_a_pysol_deal_are_the_first_of_each_rank_in_its_list(seed, bases):
    assert format_cards(deals.pysol_bases(seed)) == bases
    assert naive.cards_of("calculation", {}, seed)[0] == bases.split()


@pytest.mark.parametrize(
    "seed",
    [
        *["pysol-1", "pysol-31999", "pysol-32000", "pysol-100000000000000000000", "pysol-ms1"],
        *["pysol-ms2147483647", "pysol-ms2147483648", "pysol-ms4294967295"],
        *["pysol-ms4294967296", "pysol-ms8589934591"],
    ],
)
def test_pysol_deals_at_the_edges_of_its_generators_are_those_of_the_naive_shuffle(seed):
    order = deals.deal_order("pysol", seed, b"")
    assert card_texts(order) == naive.pysol_deck(seed)[::-1]
    assert sorted(order) == list(DECK)


@given(pysol_seeds)
def test_every_pysol_deal_is_that_of_the_naive_shuffle(seed):
    assert deals.algorithm_of(seed) == "pysol"
    found, order = naive.cards_of("calculation", {}, seed)
    assert card_texts(deals.pysol_bases(seed)) == found
    assert card_texts(deals.deal_order("pysol", seed, deals.pysol_bases(seed))) == order


@given(st.one_of(st.text(), st.text().map("pysol-{}".format), seeds, pysol_seeds))
def test_a_text_is_a_seed_only_where_the_naive_deals_say_so(text):
    try:
        naive.cards_of("cruel", {}, text)
    except ValueError:
        with pytest.raises(InvalidSeed):
            deals.algorithm_of(text)
    else:
        expected = "pysol" if text.startswith("pysol-") else "deal/1"
        assert deals.algorithm_of(text) == expected


@pytest.mark.parametrize(
    ("seed", "same"),
    [
        ("semilla", ()),
        ("pysol-5", ("pysol-ms5",)),
        ("pysol-ms31999", ("pysol-31999",)),
        ("pysol-32000", ()),
        ("pysol-ms32000", ()),
    ],
)
def test_deals_that_pysolfc_numbers_twice_have_a_twin(seed, same):
    assert deals.twins(seed) == (seed, *same)
    orders = {deals.deal_order(deals.algorithm_of(each), each, b"") for each in (seed, *same)}
    assert len(orders) == 1
