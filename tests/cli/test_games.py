import json

import pytest

from tests.cli.running import board, run


def test_deal_draws_the_opening():
    assert run("deal", "cruel", "semilla") == f"cruel, seed semilla\n\n{board('cruel-opening')}"


def test_deal_shows_the_whole_stock_since_the_seed_tells_it():
    output = run("deal", "calculation", "semilla")
    assert board("calculation-opening") in output
    assert "  Stock    JS KD 7H 4D JH 2H " in output
    assert len(output.partition("Stock")[2].split()) == 48


def test_deal_writes_json():
    data = json.loads(run("deal", "limited-cruel", "semilla", "-o", "redeal_limit=5", "--json"))
    assert list(data)[:4] == ["variant", "options", "seed", "deal_algorithm"]
    assert data["options"]["redeal_limit"] == 5
    assert data["deal_algorithm"] == "deal/1"
    assert len(data["piles"]) == 12


def test_deal_names_the_options_that_were_changed():
    words = ["-o", "redeal_limit=none", "-o", "deal=by_pile"]
    assert run("deal", "limited-cruel", "1", *words).startswith(
        "limited-cruel, seed 1, deal=by_pile, redeal_limit=none\n"
    )
    output = run("deal", "calculation", "1", "-o", "bases=AS,2S,3S,4S")
    assert output.startswith("calculation, seed 1, bases=AS,2S,3S,4S\n")
    assert "F1  AS -> 2" in output


def test_bases_that_follow_from_the_seed_are_no_changed_option():
    assert run("deal", "calculation", "pysol-24").startswith("calculation, seed pysol-24\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cruela", "1"], "'cruela' is not one of 'cruel', "),
        (["cruel", ""], "a seed has 1 to 128 characters"),
        (["cruel", "pysol-x"], "pysol-N with N from 1"),
        (["cruel", "1", "-o", "redeal_limit"], "'redeal_limit' is not written NAME=VALUE"),
        (["cruel", "1", "-o", "redeal_limit=100"], "a whole number from 0 to 99"),
        (["cruel", "1", "-o", "redeal="], "redeal is one of packets, fans"),
        (["cruel", "1", "-o", "bases=AC,2D,3H,4S"], "'bases' is no option"),
        (["calculation", "1", "-o", "bases=AC,2D,3H"], "bases are four cards"),
        (["calculation", "1", "-o", "bases=AC,2D,4H,3S"], "4H is no 3"),
        (["calculation", "1", "-o", "bases=AC,2D,3H,XX"], "'XX' is no card"),
    ],
)
def test_deal_refuses_in_one_line_what_makes_no_sense(words, message):
    line = run("deal", *words, code=2).splitlines()[-1]
    assert line.startswith("Error: Invalid value for ")
    assert message in line
