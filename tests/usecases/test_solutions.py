"""What is known of deals, kept and made better."""

from hypothesis import given
from hypothesis import strategies as st

from service.rules import VARIANTS
from service.solver.solution import Solution, Verdict
from service.usecases.solutions import Known, deal_key, find_known, keep

WINNABLE, UNWINNABLE, UNKNOWN = Verdict.WINNABLE, Verdict.UNWINNABLE, Verdict.UNKNOWN
DEAL, OTHER_DEAL = bytes(32), bytes([1]) * 32
LONG = Known(WINNABLE, ("1>F", "2>F", "R", "3>F"), 2, 0)
SHORT = Known(WINNABLE, ("1>F", "2>F", "3>F"), 1, 0)


def read(db, deal=DEAL):
    with db.connect() as connection:
        return find_known(connection, deal)


def test_nothing_is_known_of_a_deal_that_nobody_has_solved(db):
    assert read(db) is None


def test_what_was_found_is_known_from_then_on(db):
    assert keep(db, DEAL, LONG, 1) == LONG
    assert read(db) == LONG
    assert read(db, OTHER_DEAL) is None


def test_a_shorter_line_takes_the_place_of_a_longer_one(db):
    keep(db, DEAL, LONG, 1)
    assert keep(db, DEAL, SHORT, 2) == Known(WINNABLE, SHORT.line, 2, 0) == read(db)


def test_a_longer_line_changes_nothing(db):
    keep(db, DEAL, SHORT, 1)
    assert keep(db, DEAL, Known(WINNABLE, LONG.line, 0, 0), 2) == SHORT == read(db)


def test_a_bound_that_reaches_the_line_proves_it(db):
    keep(db, DEAL, SHORT, 1)
    assert not read(db).proven_shortest
    keep(db, DEAL, Known(WINNABLE, None, 3, 0), 2)
    assert read(db).proven_shortest


def test_a_search_in_vain_takes_nothing_away(db):
    vain = Known(UNKNOWN, None, 0, 5_000)
    keep(db, DEAL, vain, 1)
    assert read(db) == vain
    keep(db, DEAL, Known(UNWINNABLE, None, 0, 0), 2)
    assert keep(db, DEAL, Known(UNKNOWN, None, 0, 9_000), 3) == Known(UNWINNABLE, None, 0, 9_000)


def test_what_a_search_spent_is_in_vain_only_without_a_verdict():
    spent = {"proven_shortest": False, "lower_bound": 0, "nodes": 900, "elapsed_ms": 3}
    assert Known.of(Solution(WINNABLE, ("1>F",), **spent)) == Known(WINNABLE, ("1>F",), 0, 0)
    assert Known.of(Solution(UNKNOWN, None, **spent)) == Known(UNKNOWN, None, 0, 900)


@given(st.permutations([LONG, SHORT, Known(UNKNOWN, None, 2, 7), Known(WINNABLE, None, 3, 0)]))
def test_it_does_not_matter_what_was_found_first(order):
    first, *rest = order
    for other in rest:
        first = first.and_also(other)
    assert first == Known(WINNABLE, SHORT.line, 3, 7)


def test_the_same_opening_under_other_options_is_another_deal():
    keys = set()
    for name in ("cruel", "cruel-semicolon", "limited-cruel", "calculation"):
        rules = VARIANTS[name].configured({}, "semilla")
        keys.add(deal_key(rules, rules.opening("deal/1", "semilla")))
        keys.add(deal_key(rules, rules.opening("deal/1", "another")))
    assert len(keys) == 8


def test_variants_that_are_the_same_game_share_what_is_known():
    keys = {
        deal_key(VARIANTS[name], VARIANTS[name].opening("deal/1", "semilla"))
        for name in ("cruel-strict", "perseverance")
    }
    assert len(keys) == 1
