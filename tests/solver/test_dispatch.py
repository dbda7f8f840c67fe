"""Which solver is asked for which game."""

from types import SimpleNamespace

import pytest

from service.rules import VARIANTS
from service.solver import Budget, Goal, Verdict, covers, solve, warm_up


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_solver(variant):
    rules = VARIANTS[variant].configured({}, "semilla")
    found = solve(rules, rules.opening("deal/1", "semilla"), Goal.VERDICT, Budget(nodes=100))
    assert found.verdict in Verdict
    assert 0 < found.nodes <= 100


def test_it_can_be_made_ready_again_and_again():
    warm_up()
    warm_up()


def test_a_family_without_one_is_named():
    with pytest.raises(LookupError, match="spider"):
        solve(SimpleNamespace(family="spider"), None, Goal.LINE, Budget())


def test_wins_are_proven_or_excluded_in_the_cruel_family():
    assert {name for name in VARIANTS if covers(VARIANTS[name])} == VARIANTS.keys() - {
        "calculation"
    }
