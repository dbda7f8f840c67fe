"""A census beside the deals that are known: what it takes from them, and what it leaves."""

import pytest

from service.rules import VARIANTS
from service.solver.census import Answer, Terms, survey
from service.solver.solution import Goal, Solution, Verdict
from service.usecases.census import keep_answers, known_answers
from service.usecases.solutions import Known, deal_key, find_known, keep
from tests.conftest import NOON
from tests.statements import count_statements

WINNABLE, UNWINNABLE, UNKNOWN = Verdict.WINNABLE, Verdict.UNWINNABLE, Verdict.UNKNOWN
LINE = ("1>F", "2>F", "3>F")
NODES = 500


def terms(goal=Goal.LINE, nodes=NODES):
    return Terms("cruel", VARIANTS["cruel"], goal, nodes)


def key(number):
    rules = VARIANTS["cruel"]
    return deal_key(rules, rules.opening("deal/1", f"census-{number}"))


def test_nothing_is_known_where_nothing_was_kept(db):
    assert known_answers(db, terms(), range(1, 9)) == []


def test_what_a_census_has_found_it_need_not_search_again(db):
    found = survey(terms(), range(1, 5))
    keep_answers(db, terms(), found, NOON)
    known = {answer.number: answer for answer in known_answers(db, terms(), range(1, 9))}
    assert list(known) == [1, 2, 3, 4]
    for number, solution in found.items():
        searched = Answer.of(number, solution)
        assert known[number].nodes is known[number].ms is None
        assert known[number].verdict is searched.verdict
        assert known[number].length == searched.length
        assert known[number].lower_bound == searched.lower_bound


@pytest.mark.parametrize(
    ("known", "goal", "enough"),
    [
        (Known(WINNABLE, LINE, 1, 0), Goal.VERDICT, True),
        (Known(WINNABLE, None, 1, 0), Goal.VERDICT, True),
        (Known(WINNABLE, None, 1, 0), Goal.LINE, False),
        (Known(WINNABLE, LINE, 1, 0), Goal.LINE, True),
        (Known(WINNABLE, LINE, 1, 0), Goal.SHORTEST, False),
        (Known(WINNABLE, LINE, 3, 0), Goal.SHORTEST, True),
        (Known(UNWINNABLE, None, 0, 0), Goal.SHORTEST, True),
        (Known(UNKNOWN, None, 0, NODES - 1), Goal.VERDICT, False),
        (Known(UNKNOWN, None, 0, NODES), Goal.LINE, True),
    ],
)
def test_a_search_is_spared_where_it_could_tell_no_more(db, known, goal, enough):
    keep(db, key(7), known, NOON)
    found = known_answers(db, terms(goal), [6, 7])
    assert [answer.number for answer in found] == ([7] if enough else [])
    if enough:
        (answer,) = found
        assert (answer.verdict, answer.length) == (known.verdict, known.length)
        assert (answer.lower_bound, answer.proven_shortest) == (
            known.lower_bound,
            known.proven_shortest,
        )


def test_what_is_kept_makes_what_was_known_better(db):
    keep(db, key(1), Known(WINNABLE, LINE, 1, 0), NOON)
    keep(db, key(2), Known(WINNABLE, LINE[:2], 1, 0), NOON)
    better = Solution(WINNABLE, LINE[:2], False, 2, 9, 0)  # noqa: FBT003
    worse = Solution(WINNABLE, LINE, False, 2, 9, 0)  # noqa: FBT003
    keep_answers(db, terms(), {1: better, 2: worse}, NOON + 1)
    with db.connect() as connection:
        for number in (1, 2):
            assert find_known(connection, key(number)) == Known(WINNABLE, LINE[:2], 2, 0)


def test_one_select_finds_and_one_transaction_keeps(db):
    with count_statements(db) as statements:
        known_answers(db, terms(), range(1, 9))
    assert statements.verbs.count("SELECT") == 1
    found = Solution(WINNABLE, LINE, False, 2, 9, 0)  # noqa: FBT003
    with count_statements(db) as statements:
        keep_answers(db, terms(), {1: found, 2: found}, NOON)
    assert (statements.verbs.count("BEGIN"), statements.verbs.count("COMMIT")) == (1, 1)
