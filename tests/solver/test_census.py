"""A census: which deals it solves, what it asks of each, and what the answers come to."""

import pickle
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules import VARIANTS
from service.solver.census import Answer, Terms, seed_of, survey
from service.solver.census_summary import Share, Spread, Summary
from service.solver.solution import Goal, Solution, Verdict
from tests.solving import naive_game, wins

WINNABLE, UNWINNABLE, UNKNOWN = Verdict.WINNABLE, Verdict.UNWINNABLE, Verdict.UNKNOWN
NODES = 2_000


def terms(variant="cruel", goal=Goal.LINE, nodes=NODES):
    return Terms(variant, VARIANTS[variant], goal, nodes)


@pytest.mark.parametrize("variant", ["cruel", "ripple-fan", "calculation"])
def test_a_number_deals_what_its_seed_deals(variant):
    asked = terms(variant)
    for number in (1, 99, 10_000):
        table = naive_game(variant, f"census-{number}").table
        shown = asked.rules.face_up(asked.opening(number))
        assert {**shown, **table.shown()} == shown


@pytest.mark.parametrize("variant", ["cruel", "calculation"])
def test_each_deal_is_answered_with_a_line_that_wins_or_without_one(variant):
    found = survey(terms(variant), [3, 4, 5])
    assert list(found) == [3, 4, 5]
    for number, solution in found.items():
        assert solution.nodes <= NODES
        if solution.verdict is WINNABLE:
            assert wins(variant, seed_of(number), solution.line)
        else:
            assert solution.line is None
    assert WINNABLE in {solution.verdict for solution in found.values()}


def test_terms_come_to_other_processes_as_they_are():
    asked = terms("calculation", Goal.SHORTEST)
    assert pickle.loads(pickle.dumps(asked)) == asked  # noqa: S301 - our own
    assert asked.json() == {
        "variant": "calculation",
        "options": {"bases": ["AC", "2D", "3H", "4S"]},
        "seeds": "census-N",
        "deal_algorithm": "deal/1",
        "goal": "shortest",
        "nodes_per_deal": NODES,
    }


def test_an_answer_is_what_the_search_tells():
    found = Solution(WINNABLE, ("1>F", "2>F"), True, 2, 70, 5)  # noqa: FBT003
    assert Answer.of(7, found) == Answer(7, WINNABLE, 2, proven_shortest=True, **spent(2, 70, 5))


def spent(bound, nodes, ms):
    return {"lower_bound": bound, "nodes": nodes, "ms": ms}


# ---- shares ----


# R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine
# 17 (1998), table I, method 3: Wilson's, in percent.
@pytest.mark.parametrize(
    ("deals", "of", "low", "high"),
    [
        (81, 263, 25.53, 36.62),
        (15, 148, 6.24, 16.05),
        (0, 20, 0, 16.11),
        (1, 29, 0.61, 17.18),
    ],
)
def test_intervals_are_those_that_are_published(deals, of, low, high):
    assert Share(deals, of).interval == (
        pytest.approx(low, abs=0.006),
        pytest.approx(high, abs=0.006),
    )
    mirrored = Share(of - deals, of).interval
    assert mirrored == (pytest.approx(100 - high, abs=0.006), pytest.approx(100 - low, abs=0.006))


@given(st.integers(1, 20_000), st.data())
def test_an_interval_holds_the_share_and_no_more_than_all(of, data):
    share = Share(data.draw(st.integers(0, of)), of)
    low, high = share.interval
    assert 0 <= low <= share.percent + 1e-9
    assert share.percent - 1e-9 <= high <= 100
    assert low < high


def test_of_no_deals_nothing_is_known():
    assert (Share(0, 0).percent, Share(0, 0).interval) == (0, (0, 100))


# ---- spreads ----


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60))
def test_a_quantile_is_the_least_value_that_so_many_do_not_pass(values):
    spread = Spread.of(values)
    for percent, found in spread.quantiles.items():
        reaching = [
            value
            for value in values
            if Fraction(sum(other <= value for other in values), len(values))
            >= Fraction(percent, 100)
        ]
        assert found == min(reaching)
    assert (spread.least, spread.most) == (min(values), max(values))
    assert spread.mean == pytest.approx(sum(values) / len(values))
    assert spread.median == spread.quantiles[50]


def test_of_no_values_there_is_no_spread():
    assert Spread.of([]) is None


# ---- summaries ----

ANSWERS = [
    Answer(1, WINNABLE, 60, proven_shortest=False, **spent(48, 100, 3)),
    Answer(2, WINNABLE, 60, proven_shortest=True, **spent(60, None, None)),
    Answer(3, WINNABLE, 75, proven_shortest=False, **spent(48, 300, 4)),
    Answer(4, UNWINNABLE, None, proven_shortest=False, **spent(0, 1, 0)),
    Answer(9, UNKNOWN, None, proven_shortest=False, **spent(0, 2_000, 50)),
]


def test_answers_are_summed_up():
    summary = Summary.of(iter(ANSWERS))
    assert summary.deals == 5
    assert summary.verdicts == {WINNABLE: 3, UNWINNABLE: 1, UNKNOWN: 1}
    assert summary.share(WINNABLE) == Share(3, 5)
    assert summary.share(WINNABLE, UNKNOWN) == Share(4, 5)
    assert summary.lengths == Counter({60: 2, 75: 1})
    assert (summary.length.median, summary.length.mean) == (60, 65)
    assert summary.spent == {WINNABLE: (100, 300), UNWINNABLE: (1,), UNKNOWN: (2_000,)}
    assert (summary.nodes.count, summary.nodes.median) == (4, 100)
    assert (summary.proven, summary.ms) == (1, 57)


def test_as_json_a_summary_tells_what_unknown_deals_could_make_of_it():
    found = Summary.of(ANSWERS).json()
    assert found["deals"] == 5
    assert {name: share["deals"] for name, share in found["verdicts"].items()} == {
        "winnable": 3,
        "unwinnable": 1,
        "unknown": 1,
        "winnable_or_unknown": 4,
    }
    low, high = found["verdicts"]["winnable"]["interval_95"]
    assert low < found["verdicts"]["winnable"]["percent"] == 60 < high
    assert found["lengths"]["counts"] == {"60": 2, "75": 1}
    assert (found["lengths"]["count"], found["lengths"]["proven_shortest"]) == (3, 1)
    assert (found["nodes"]["p50"], found["nodes"]["most"]) == (100, 2_000)
    assert found["search_ms"] == 57


def test_of_no_answers_a_summary_tells_nothing():
    found = Summary.of([]).json()
    assert (found["deals"], found["lengths"], found["nodes"]) == (0, None, None)
