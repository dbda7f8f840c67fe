"""Deals solved for who names their seed: what is told, what is kept, and what is refused."""

import pytest

from service.db.tables import solutions
from service.rules import VARIANTS
from service.rules.errors import Invalid
from service.solver.solution import Goal, Solution, Verdict
from service.usecases import solving
from service.usecases.errors import Busy, IllegalMoves, StillSecret
from service.usecases.solutions import Known, deal_key, keep
from service.usecases.solver_slot import one_at_a_time
from tests.challenges import SECRET_SEED, new_challenge
from tests.conftest import NOON
from tests.entrants import new_entrant
from tests.hosting import DAY
from tests.solving import (
    HARD,
    LOST,
    UNWINNABLE,
    WINNABLE,
    naive_game,
    reachable,
    searching_by_nodes,
    wins,
)
from tests.statements import count_statements

NODES = 2_000


@pytest.fixture(autouse=True)
def search(monkeypatch):
    """Search by nodes, and count how often."""
    found = searching_by_nodes(NODES)
    monkeypatch.setattr(solving, "search", found)
    return found


@pytest.fixture
def solve(db):
    """Give a function that solves: ``solve("line", seed="32", moves=["12>F"])``."""

    def solve(goal, seed=WINNABLE, *, variant="cruel", moves=(), now=NOON, **options):
        terms = {"variant": variant, "options": options, "seed": seed, "moves": moves}
        return solving.solve(db, **terms, goal=Goal(goal), budget_ms=1_000, now=now)

    return solve


def rows(db):
    with db.connect() as connection:
        return connection.execute(solutions.select()).mappings().all()


def known_already(verdict, line, *, proven):
    spent = {"lower_bound": 0, "nodes": 0, "elapsed_ms": 0}
    return solving.Solved(Solution(verdict, line, proven_shortest=proven, **spent), known=True)


def key(seed, variant="cruel"):
    rules = VARIANTS[variant]
    return deal_key(rules, rules.opening("deal/1", seed))


# ---- what is told ----


def test_a_deal_that_can_be_won_comes_with_a_line_that_wins(solve):
    solved = solve("line").solution
    assert solved.verdict is Verdict.WINNABLE
    assert wins("cruel", WINNABLE, solved.line)
    assert solved.length == len(solved.line) >= solved.lower_bound >= 48
    assert solved.nodes > 0


def test_a_deal_that_cannot_be_won_is_told_so_and_indeed_it_cannot(solve):
    assert "won" not in reachable(naive_game("cruel", UNWINNABLE)).values()
    solved = solve("line", UNWINNABLE).solution
    assert solved.verdict is Verdict.UNWINNABLE
    assert (solved.line, solved.length, solved.proven_shortest) == (None, None, False)


def test_a_budget_that_is_too_small_leaves_it_unknown(solve):
    solved = solve("line", HARD).solution
    assert solved.verdict is Verdict.UNKNOWN
    assert (solved.line, solved.lower_bound, solved.nodes) == (None, 0, NODES)


def test_who_asks_for_the_verdict_gets_no_line(solve):
    for _ in range(2):
        solved = solve("verdict").solution
        assert solved.verdict is Verdict.WINNABLE
        assert (solved.line, solved.length, solved.proven_shortest) == (None, None, False)
    solve("line")
    assert solve("verdict").solution.line is None


def test_calculation_is_solved_with_its_stock_known(solve):
    solved = solve("line", variant="calculation", seed="semilla").solution
    assert solved.verdict is Verdict.WINNABLE
    assert wins("calculation", "semilla", solved.line)


def test_options_count(solve):
    assert solve("line", redeal_when="anytime").solution.line is not None
    limited = solve("line", variant="limited-cruel", redeal_limit=0)
    assert "R" not in (limited.solution.line or ())


# ---- after moves ----


def test_a_line_goes_on_from_the_position_that_the_moves_lead_to(solve, db):
    moves = ["12>F", "3>F", "5>F"]
    solved = solve("line", moves=moves).solution
    assert wins("cruel", WINNABLE, solved.line, after=moves)
    assert solved.length == len(solved.line)
    assert rows(db) == []


def test_a_game_that_the_moves_have_won_takes_no_more(solve, search):
    line = solve("line").solution.line
    solved = solve("shortest", moves=line)
    assert solved == known_already(Verdict.WINNABLE, (), proven=True)
    assert search.calls == 1


def test_a_deal_that_is_lost_at_its_opening_needs_no_search(solve, search):
    solved = solve("shortest", LOST)
    assert solved == known_already(Verdict.UNWINNABLE, None, proven=False)
    assert search.calls == 0


@pytest.mark.parametrize(
    ("moves", "index", "reason"),
    [
        (["12>1"], 0, "wrong_suit"),
        (["12>F", "12>F"], 1, "wrong_rank"),
        (["12>F", "3>F", "4>4"], 2, "same_pile"),
    ],
)
def test_a_move_that_the_rules_forbid_is_refused_with_its_place(solve, moves, index, reason):
    with pytest.raises(IllegalMoves) as refused:
        solve("line", moves=moves)
    about = {"index": index, "move": moves[index], "reason": reason}
    assert refused.value.extra == about


def test_a_move_after_the_end_is_refused(solve):
    line = solve("line").solution.line
    with pytest.raises(IllegalMoves) as refused:
        solve("line", moves=[*line, "R"])
    assert refused.value.extra == {"index": len(line), "move": "R", "reason": "game_over"}


@pytest.mark.parametrize(
    ("terms", "place"),
    [
        ({"variant": "patience"}, "/variant"),
        ({"seed": "-"}, "/seed"),
        ({"redeal": "never"}, "/options/redeal"),
        ({"moves": ["12>F", "12>13"]}, "/moves/1"),
        ({"moves": ["12>F", "U"]}, "/moves/1"),
        ({"moves": ["Q"]}, "/moves/0"),
        ({"variant": "calculation", "moves": ["R"]}, "/moves/0"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(solve, terms, place, search):
    with pytest.raises(Invalid) as refused:
        solve("line", **terms)
    assert refused.value.place == place
    assert search.calls == 0


# ---- what is kept ----


@pytest.mark.parametrize("seed", [WINNABLE, UNWINNABLE])
def test_what_was_found_is_never_searched_for_again(solve, seed, search):
    first = solve("line", seed)
    assert not first.known
    for goal in ("line", "verdict"):
        again = solve(goal, seed)
        assert again.known
        assert (again.solution.nodes, again.solution.elapsed_ms) == (0, 0)
        assert again.solution.verdict is first.solution.verdict
    assert solve("line", seed).solution.line == first.solution.line
    assert search.calls == 1


def test_a_deal_without_a_way_to_win_has_no_shortest_one_either(solve, search):
    solve("verdict", UNWINNABLE)
    assert solve("shortest", UNWINNABLE).known
    assert search.calls == 1


def test_a_verdict_that_is_known_does_not_answer_who_asks_for_a_line(solve, search):
    solve("verdict")
    assert not solve("line").known
    assert search.calls == 2


def test_a_line_that_is_known_does_not_answer_who_asks_for_the_shortest(solve, search):
    longer = solve("line").solution.length
    found = solve("shortest")
    assert not found.known
    assert found.solution.length <= longer
    assert search.calls == 2


def test_a_line_that_is_proven_answers_everybody(solve, db, search):
    line = solve("line").solution.line
    keep(db, key(WINNABLE), Known(Verdict.WINNABLE, line, len(line), 0), NOON)
    for goal, told in (("shortest", line), ("line", line), ("verdict", None)):
        again = solve(goal)
        assert again.known
        assert again.solution.line == told
        assert again.solution.proven_shortest is (told is not None)
        assert again.solution.lower_bound == len(line)
    assert search.calls == 1


def test_of_two_lines_the_shorter_is_told(solve, db):
    found = solve("line").solution.line
    keep(db, key(WINNABLE), Known(Verdict.WINNABLE, (*found, "R"), 0, 0), NOON)
    assert solve("line").solution.line == found


def test_what_stays_unknown_is_searched_for_again(solve, db, search):
    solve("line", HARD)
    solve("line", HARD)
    assert search.calls == 2
    (row,) = rows(db)
    assert (row["verdict"], row["nodes"], row["updated_at"]) == ("unknown", NODES, NOON)


def test_what_others_have_found_meanwhile_is_told_too(solve, db, monkeypatch, search):
    line = solve("line").solution.line
    with db.connect() as connection:
        connection.execute(solutions.delete())

    def overtaken(rules, position, *_others):
        keep(db, deal_key(rules, position), Known(Verdict.WINNABLE, line, 0, 0), NOON)
        spent = {"lower_bound": 0, "nodes": 900, "elapsed_ms": 1_000}
        return Solution(Verdict.UNKNOWN, None, proven_shortest=False, **spent)

    monkeypatch.setattr(solving, "search", overtaken)
    told = solve("line").solution
    assert (told.verdict, told.line, told.nodes) == (Verdict.WINNABLE, line, 900)
    assert search.calls == 1


def test_a_line_that_was_kept_and_does_not_win_is_never_told(solve, db):
    keep(db, key(WINNABLE), Known(Verdict.WINNABLE, ("12>F",), 0, 0), NOON)
    with pytest.raises(RuntimeError, match="does not win"):
        solve("line")


def test_variants_that_are_the_same_game_share_what_is_known(solve):
    solve("line", variant="cruel-strict")
    assert solve("line", variant="perseverance").known
    assert not solve("line", variant="cruel").known


def test_to_look_up_what_is_known_takes_two_selects_and_to_find_out_more_one_transaction(solve, db):
    solve("line")
    with count_statements(db) as seen:
        solve("line")
    assert [verb for verb in seen.verbs if verb == "SELECT"] == seen.verbs
    assert len(seen.verbs) == 2
    with count_statements(db) as seen:
        solve("line", moves=["12>F"])
    assert seen.verbs == ["SELECT"]


# ---- challenges ----


@pytest.mark.parametrize("variant", ["cruel", "calculation", "ripple-fan"])
def test_the_deal_of_a_challenge_is_not_solved_before_it_has_finished(solve, db, variant, search):
    host, _ = new_entrant(db, "host")
    new_challenge(db, host, starts_at=NOON + DAY, ends_at=NOON + 2 * DAY)
    for now in (NOON, NOON + DAY, NOON + 2 * DAY - 1):
        for moves in ((), ("S>W1",) if variant == "calculation" else ("1>1",)):
            with pytest.raises(StillSecret):
                solve("line", SECRET_SEED, variant=variant, moves=moves, now=now)
    assert search.calls == 0
    assert not solve("line", SECRET_SEED, variant=variant, now=NOON + 2 * DAY).known


@pytest.mark.parametrize("named", ["pysol-7", "pysol-ms7"])
@pytest.mark.parametrize("asked", ["pysol-7", "pysol-ms7"])
def test_nor_is_a_seed_that_is_public_or_one_that_deals_the_same(solve, db, named, asked):
    host, _ = new_entrant(db, "host")
    new_challenge(db, host, seed=named)
    with pytest.raises(StillSecret):
        solve("verdict", asked)
    assert solve("verdict", asked, now=NOON + DAY).solution.verdict is not None
    assert solve("verdict", "pysol-8").solution.verdict is not None


def test_a_challenge_that_is_cancelled_hides_nothing(solve, db):
    host, _ = new_entrant(db, "host")
    new_challenge(db, host, seed=WINNABLE, cancelled_at=NOON)
    assert solve("verdict").solution.verdict is Verdict.WINNABLE


def test_what_a_draw_has_kept_of_a_deal_is_not_told_while_it_is_played(solve, db):
    host, _ = new_entrant(db, "host")
    line = solve("line").solution.line
    new_challenge(db, host, seed=WINNABLE)
    keep(db, key(WINNABLE), Known(Verdict.WINNABLE, line, len(line), 0), NOON)
    for goal in Goal:
        with pytest.raises(StillSecret):
            solve(goal)


# ---- one at a time ----


@pytest.mark.parametrize("moves", [(), ("12>F",)])
def test_while_a_search_is_under_way_another_is_refused(solve, moves, search):
    with one_at_a_time(), pytest.raises(Busy):
        solve("line", moves=moves)
    assert search.calls == 0
    assert solve("line", moves=moves).solution.line is not None


def test_what_is_known_is_told_all_the_same(solve):
    solve("line")
    with one_at_a_time():
        assert solve("line").known
        assert solve("verdict", LOST).known
