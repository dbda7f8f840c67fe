import pytest

from service.rules import VARIANTS
from service.rules.errors import Invalid, UnknownVariant
from service.usecases.deals import find_opening
from tests.naive.deals import opening as naive_opening


@pytest.mark.parametrize("seed", ["semilla", "0", "pysol-1", "pysol-ms4294967296", "a" * 128])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_opening_of_every_variant_is_dealt_whole(variant, seed):
    found = find_opening(variant, seed, {})
    assert (found.variant, found.seed) == (variant, seed)
    assert found.deal_algorithm == ("pysol" if seed.startswith("pysol-") else "deal/1")
    assert found.rules == VARIANTS[variant].configured({}, seed)
    family, options = found.rules.family, found.rules.options()
    expected = naive_opening(family, options, seed)
    dealt = found.rules.position_json(found.position)
    assert {name: dealt[name] for name in expected if name != "bases"} == {
        name: cards for name, cards in expected.items() if name != "bases"
    }


def test_options_decide_where_the_cards_lie():
    by_round = find_opening("cruel", "semilla", {"deal": "by_round"})
    assert by_round.rules.options()["deal"] == "by_round"
    assert by_round.position == find_opening("cruel-strict", "semilla", {}).position
    bases = ["AH", "2S", "3C", "4D"]
    chosen = find_opening("calculation", "semilla", {"bases": bases})
    assert chosen.rules.options() == {"bases": bases}
    assert chosen.rules.position_json(chosen.position)["foundations"] == bases


def test_pysol_seeds_of_calculation_bring_their_own_bases():
    found = find_opening("calculation", "pysol-7", {})
    assert found.rules.options() == {
        "bases": naive_opening("calculation", {}, "pysol-7")["bases"],
    }


@pytest.mark.parametrize(
    ("variant", "seed", "options", "place"),
    [
        ("cruel", "", {}, "/seed"),
        ("cruel", "no seed", {}, "/seed"),
        ("cruel", "pysol-0", {}, "/seed"),
        ("cruel", "semilla", {"deal": "by_hand"}, "/options/deal"),
        ("cruel", "semilla", {"a/b~c": 1}, "/options/a~1b~0c"),
        ("calculation", "semilla", {"bases": ["AC", "2D", "3H", "5S"]}, "/options/bases/3"),
    ],
)
def test_what_makes_no_sense_is_named_with_its_place(variant, seed, options, place):
    with pytest.raises(Invalid) as caught:
        find_opening(variant, seed, options)
    assert caught.value.place == place


def test_an_unknown_variant_is_told_with_those_that_there_are():
    with pytest.raises(UnknownVariant, match=r"'bridge' is no variant.*cruel-strict") as caught:
        find_opening("bridge", "semilla", {})
    assert caught.value.place == ""
