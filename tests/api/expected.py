"""States as the naive engine sees them, to compare replies with."""

from tests.naive.deals import cards_of, opening
from tests.naive.engine import Naive
from tests.naive.variants import CRUEL_VARIANTS, DEFAULT_BASES

# The table of the rules: each variant with its options.
PRESETS = {**CRUEL_VARIANTS, "calculation": {"bases": DEFAULT_BASES}}


def family_of(variant):
    return "calculation" if variant == "calculation" else "cruel"


def options_of(variant, seed="semilla", **changes):
    """Give the full options of a game: bases that nobody named follow from a seed of PySolFC."""
    options = {**PRESETS[variant], **changes}
    if variant == "calculation" and "bases" not in changes:
        options["bases"] = cards_of("calculation", {}, seed)[0]
    return options


def naive_game(variant, seed, *, undo=True, **changes):
    """Deal a game of the naive engine."""
    options = options_of(variant, seed, **changes)
    family = family_of(variant)
    return Naive(family, options, opening(family, options, seed), undo=undo)


def assert_state(state, naive):
    """Check everything in a state that follows from the cards and the history."""
    expected = naive.state()
    left = expected.pop("left")
    shown = {name: state[name] for name in expected}
    assert shown == expected
    assert state["options"] == naive.options
    assert state["undo"] == naive.undo
    hidden = {"piles", "wastes", "card", "stock_count"} - expected.keys()
    assert not hidden & state.keys()
    if naive.family == "calculation":
        assert state["redeal"] is None
        return
    table = naive.table
    refusal = naive.refusal("R")
    assert (state["redeal"].get("reason"), "detail" in state["redeal"]) == (refusal, bool(refusal))
    assert {
        name: state["redeal"][name] for name in ("allowed", "changes_layout", "used", "left")
    } == {
        "allowed": refusal is None,
        "changes_layout": table.redealt() != table.piles,
        "used": table.redeals,
        "left": left,
    }
