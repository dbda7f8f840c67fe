"""``docs/winnability.md``: its tables add up, and its pictures show what they say."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from service.rules import VARIANTS
from service.solver.census_summary import Share

DOCS = Path(__file__).resolve().parent.parent / "docs"
TEXT = (DOCS / "winnability.md").read_text("utf-8")
# A game under two names is counted once.
COUNTED = {name for name in VARIANTS if name != "perseverance"}


def tables():
    """Give the tables of variants: the cells of each row by variant."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", TEXT, re.MULTILINE):
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines()]
        if rows[0][0] == "variant":
            found.append({name.strip("`"): cells for name, *cells in rows[2:]})
    return found


SHARES, LENGTHS, NODES = tables()


def whole(cell):
    return int(cell.replace(",", ""))


def test_a_game_under_two_names_is_one():
    assert VARIANTS["perseverance"] == VARIANTS["cruel-strict"]


@pytest.mark.parametrize("table", [SHARES, LENGTHS, NODES], ids=["shares", "lengths", "nodes"])
def test_every_variant_stands_in_every_table(table):
    assert set(table) == COUNTED


@pytest.mark.parametrize("variant", sorted(COUNTED))
def test_the_shares_add_up(variant):
    deals, won, lost, unknown = map(whole, SHARES[variant][:4])
    assert won + lost + unknown == deals
    percent, interval = SHARES[variant][4:]
    assert percent == f"{100 * won / deals:.2f}"
    low, high = Share(won, deals).interval[0], Share(won + unknown, deals).interval[1]
    assert interval == f"{low:.2f} – {high:.2f}"


@pytest.mark.parametrize("table", [LENGTHS, NODES], ids=["lengths", "nodes"])
def test_what_is_spread_grows(table):
    for cells in table.values():
        *grown, _mean = [float(cell.replace(",", "")) for cell in cells]
        assert grown == sorted(grown)


@pytest.mark.parametrize("picture", sorted(DOCS.glob("pictures/*.svg")), ids=lambda path: path.stem)
def test_a_picture_shows_what_the_tables_say(picture):
    variant = picture.stem.removeprefix("census-")
    assert f"](pictures/{picture.name})" in TEXT
    title, described, *_ = ET.fromstring(picture.read_text("utf-8"))  # noqa: S314 - our own
    deals, won, lost, unknown = map(whole, SHARES[variant][:4])
    assert title.text == f"{variant.capitalize()}: {deals:,} deals"
    assert f"{100 * won / deals:.2f} % can be won." in described.text
    assert f"{100 * lost / deals:.2f} % cannot be won." in described.text
    assert f"{100 * unknown / deals:.2f} % not settled." in described.text
    least, *_, median, _, _, most, _ = LENGTHS[variant]
    assert f"Actions of a line: {least} to {most}, median {median}." in described.text
    assert f"Positions looked at: median {NODES[variant][0]}, " in described.text


def test_the_pictures_are_those_of_the_two_games():
    assert sorted(path.name for path in DOCS.glob("pictures/census-*")) == [
        "census-calculation.svg",
        "census-cruel.svg",
    ]
