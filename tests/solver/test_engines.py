"""Both engines run the same searches: the same answers, after the same number of positions."""

import random
from dataclasses import replace

import numba
import pytest

from service.rules import VARIANTS
from service.solver import Budget, Engine, Goal, cruel_bounds, cruel_layout, solve
from service.solver import engines as module
from tests.solver.endgames import PILES, endgame, every_rules, name_of, rules_of

CRUEL = [name for name, rules in VARIANTS.items() if rules.family == "cruel"]


def timeless(solution):
    return replace(solution, elapsed_ms=0)


def same(rules, position, goal, nodes):
    """Tell what both engines answer, which must be the same but for the time."""
    asked = (rules, position, goal, Budget(nodes=nodes))
    compiled, plain = (timeless(solve(*asked, engine=engine)) for engine in Engine)
    assert compiled == plain
    return plain


@pytest.mark.parametrize("variant", CRUEL)
def test_both_engines_answer_the_same_of_openings(variant):
    rules = VARIANTS[variant]
    for number in range(4):
        position = rules.opening("deal/1", f"engines-{number}")
        for goal, nodes in ((Goal.LINE, 150), (Goal.SHORTEST, 700)):
            assert same(rules, position, goal, nodes).nodes <= nodes


@pytest.mark.parametrize("options", every_rules((None, 2)), ids=name_of)
def test_both_engines_answer_the_same_of_endgames(options):
    rng = random.Random(f"engines {name_of(options)}")
    for _ in range(8):
        position = rules_of(options).read_position({"piles": endgame(rng, rng.randint(3, 16))})
        same(rules_of(options), position, Goal.SHORTEST, 300)


@pytest.mark.slow
@pytest.mark.parametrize("options", every_rules((None, 2)), ids=name_of)
def test_both_engines_answer_the_same_of_hundreds_of_endgames(options):
    rng = random.Random(f"more {name_of(options)}")
    for _ in range(60):
        position = rules_of(options).read_position({"piles": endgame(rng, rng.randint(3, 30))})
        same(rules_of(options), position, Goal.SHORTEST, 500)


@pytest.mark.parametrize("engine", Engine)
def test_arrays_start_at_zero_and_hold_what_their_codes_say(engine):
    bounds = (("B", 0, 255), ("i", -(2**31), 2**31 - 1), ("q", -(2**63), 2**63 - 1))
    for code, least, most in bounds:
        array = module.zeros(engine, code, 3)
        assert list(array) == [0, 0, 0]
        array[0], array[2] = least, most
        assert list(array) == [least, 0, most]


def test_where_no_cache_can_be_written_kernels_are_compiled_all_the_same(monkeypatch):
    njit = numba.njit

    def refusing(**ways):
        if ways.pop("cache", False):
            # As numba does where neither the modules' folder nor the user's can be written to.
            message = "cannot cache function: no locator available"
            raise RuntimeError(message)
        return njit(**ways)

    monkeypatch.setattr(numba, "njit", refusing)
    kernels = module.kernels(Engine.NUMBA, (cruel_layout, cruel_bounds))
    assert kernels["next_cards"](0b1100 | 1 << 20) == 0b100 | 1 << 20
    assert kernels["next_cards"].nopython_signatures


def test_without_numba_python_serves(monkeypatch):
    assert module.default_engine() is Engine.NUMBA
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "numba" else name)
    assert module.default_engine() is Engine.PYTHON
    rules = VARIANTS["cruel"]
    position = rules.read_position({"piles": [["KC"], *[[] for _ in range(PILES - 1)]]})
    assert solve(rules, position, Goal.LINE, Budget()).line == ("1>F",)
