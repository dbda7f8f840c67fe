"""Which solver is asked for which game."""

from types import SimpleNamespace

import pytest

from service.rules import VARIANTS
from service.solver import Budget, Goal, Verdict, solve


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_solver(variant):
    rules = VARIANTS[variant].configured({}, "semilla")
    found = solve(rules, rules.opening("deal/1", "semilla"), Goal.VERDICT, Budget(nodes=100))
    assert found.verdict in Verdict
    assert 0 < found.nodes <= 100


def test_a_family_without_one_is_named():
    with pytest.raises(LookupError, match="spider"):
        solve(SimpleNamespace(family="spider"), None, Goal.LINE, Budget())
