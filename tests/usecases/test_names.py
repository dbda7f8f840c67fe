"""Which names players may have."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.errors import Invalid
from service.usecases.errors import NameReserved
from service.usecases.names import RESERVED, check_name, fold_name, is_name

# Of the brief of the game: words of the paths, of the service, and of who runs it.
IMPOSTORS = """
    me admin administrator root system semilla host operator moderator daily anonymous deleted
    nobody null undefined api www bot player players
""".split()


@pytest.mark.parametrize("name", ["ana", "Ana", "A-1", "___", "---", "0_0", "x" * 24, "007"])
def test_letters_digits_and_two_signs_make_a_name(name):
    assert is_name(name)
    check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ab",
        "x" * 25,
        "x" * 60_000,
        "ana maria",
        " ana",
        "ana\n",
        "ana.b",
        "ana/b",
        "ñandú",
        "аnа",
        "ANA\u212a",
        "ana\0",
        "\ud800\ud800\ud800",
        "a%20b",
        "１２３",
    ],
)
def test_anything_else_does_not(name):
    assert not is_name(name)
    with pytest.raises(Invalid, match="3 to 24 letters") as refused:
        check_name(name)
    assert refused.value.place == "/name"


@given(st.text())
def test_whatever_it_is_it_is_a_name_reserved_or_refused(name):
    if name.lower() in RESERVED:
        return
    if re.fullmatch("[A-Za-z0-9_-]{3,24}", name, re.ASCII):
        check_name(name)
    else:
        with pytest.raises(Invalid):
            check_name(name)


@pytest.mark.parametrize("name", IMPOSTORS)
@pytest.mark.parametrize("spell", [str.lower, str.upper, str.title])
def test_nobody_may_pass_for_the_service_or_for_nobody(name, spell):
    with pytest.raises(NameReserved, match="take another name"):
        check_name(spell(name))


def test_the_reserved_names_are_in_lower_case():
    assert {name.lower() for name in RESERVED} == RESERVED
    assert all(re.fullmatch("[a-z]+", name) for name in RESERVED)


@given(st.from_regex(r"[A-Za-z0-9_-]{3,24}", fullmatch=True))
def test_a_name_is_the_same_in_capitals(name):
    assert fold_name(name) == fold_name(name.upper()) == fold_name(name.swapcase())
