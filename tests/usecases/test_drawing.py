"""Seeds that the server draws: their deals are proven winnable, in time or not at all."""

import pytest
from sqlalchemy import select

from service.db.tables import solutions
from service.rules import VARIANTS
from service.rules.errors import Invalid
from service.solver import covers
from service.solver.engines import Engine
from service.solver.solution import Solution, Verdict
from service.usecases import challenge_changes, challenges, dailies, drawing
from service.usecases.challenge_changes import ANY_REVISION
from service.usecases.challenge_terms import settle_terms
from service.usecases.drawing import NODES, draw_seed, find_win
from service.usecases.errors import AlreadyStarted, Busy
from service.usecases.idempotency import Key
from service.usecases.solutions import find_known, key_of_seed
from service.usecases.tokens import hash_token
from tests.conftest import NOON
from tests.dailies import candidate, set_key
from tests.hosting import stored
from tests.naive.deals import opening
from tests.naive.engine import Naive
from tests.players import new_player

COVERED = [variant for variant, rules in VARIANTS.items() if covers(rules)]
BODY = {"variant": "cruel", "title": "Weekend"}
WINNABLE = "s1"
# Of `cruel`: lost at the opening, and with moves but proven to be lost.
LOST, UNWINNABLE = "s268", "s9"
UNKNOWN = Solution(
    Verdict.UNKNOWN, None, proven_shortest=False, lower_bound=0, nodes=2_000, elapsed_ms=1
)


class Watch:
    """A clock that moves on by so many seconds each time that it is looked at."""

    def __init__(self, step):
        self.step, self.now = step, 0.0

    def __call__(self):
        self.now += self.step
        return self.now


@pytest.fixture
def slow(monkeypatch):
    """Let a second pass at each look at the clock."""
    for module in (drawing, dailies):
        monkeypatch.setattr(module, "monotonic", Watch(1.0))


@pytest.fixture
def draws(monkeypatch):
    """Give a list from which the seeds are drawn; what is left of it was not."""
    seeds = []
    monkeypatch.setattr("service.usecases.drawing.secrets.token_hex", lambda _: seeds.pop(0))
    return seeds


@pytest.fixture
def host(db):
    """Give the hash of a host's token."""
    return hash_token(new_player(db, "Ana"))


@pytest.fixture
def no_search(monkeypatch):
    """Let no search be made."""

    def refuse(*_arguments, **_options):
        pytest.fail("there was a search")

    monkeypatch.setattr(drawing, "solve", refuse)


def wins(variant, seed, line):
    rules = VARIANTS[variant]
    family = rules.family
    game = Naive(family, rules.options(), opening(family, rules.options(), seed), undo=False)
    return all(game.play(move) is None for move in line) and game.status == "won"


def known_of(db, row):
    rules = VARIANTS[row["variant"]]
    with db.connect() as connection:
        return find_known(connection, key_of_seed(rules, "deal/1", row["seed"]))


def kept(db):
    with db.connect() as connection:
        return len(connection.execute(select(solutions)).all())


# ---- what is drawn ----


@pytest.mark.parametrize("variant", COVERED)
def test_a_drawn_deal_can_be_won_and_the_line_that_was_found_wins(variant):
    terms = settle_terms({"variant": variant}, None, NOON)
    assert terms.require_winnable
    drawn = draw_seed(terms)
    assert wins(variant, drawn.seed, drawn.found.line)


def test_deals_that_are_not_proven_winnable_are_passed_over(draws):
    draws[:] = [LOST, UNWINNABLE, WINNABLE, "s3"]
    assert draw_seed(settle_terms(BODY, None, NOON)).seed == WINNABLE
    assert draws == ["s3"]


def test_what_takes_more_nodes_than_the_budget_is_passed_over(draws, monkeypatch):
    monkeypatch.setitem(NODES, "cruel", 1)
    draws[:] = [WINNABLE, "s3"]
    with pytest.raises(IndexError):
        draw_seed(settle_terms(BODY, None, NOON))


@pytest.mark.parametrize("variant", COVERED)
def test_both_engines_find_the_same_win_or_none(variant):
    rules = VARIANTS[variant]
    for number in range(6):
        found = [
            find_win(rules, "deal/1", f"both-{number}", float("1e9"), engine) for engine in Engine
        ]
        assert found[0] == found[1]


@pytest.mark.usefixtures("no_search")
def test_where_it_need_not_be_winnable_no_search_is_made(draws):
    draws[:] = [LOST, UNWINNABLE]
    terms = settle_terms({**BODY, "require_winnable": False}, None, NOON)
    drawn = draw_seed(terms)
    assert (drawn.seed, drawn.found) == (UNWINNABLE, None)


# ---- in time ----


@pytest.mark.usefixtures("slow")
def test_who_draws_for_too_long_is_told_to_come_again(draws):
    draws[:] = [UNWINNABLE] * 9
    with pytest.raises(Busy) as caught:
        draw_seed(settle_terms(BODY, None, NOON))
    assert caught.value.extra == {"retry_after": 2}
    assert 1 < len(draws) < 9


@pytest.mark.parametrize(("step", "passed"), [(1.0, True), (3.0, False)])
def test_what_time_cuts_short_is_not_passed_over(monkeypatch, step, passed):
    monkeypatch.setattr(drawing, "monotonic", Watch(step))
    monkeypatch.setattr(drawing, "solve", lambda *_arguments, **_options: UNKNOWN)
    if passed:
        assert find_win(VARIANTS["cruel"], "deal/1", WINNABLE, 5.0) is None
    else:
        with pytest.raises(Busy):
            find_win(VARIANTS["cruel"], "deal/1", WINNABLE, 5.0)


def test_a_search_gets_no_more_time_than_is_left(monkeypatch):
    asked = []

    def search(_rules, _position, _goal, budget, engine):
        asked.append((budget, engine))
        return UNKNOWN

    monkeypatch.setattr(drawing, "monotonic", Watch(1.0))
    monkeypatch.setattr(drawing, "solve", search)
    assert find_win(VARIANTS["cruel"], "deal/1", WINNABLE, 4.5) is None
    assert asked == [((2_000, 3_501), None)]


# ---- challenges ----


def test_the_win_that_was_found_is_kept_with_the_challenge(db, host):
    made = challenges.create(db, host, BODY, NOON).view
    row = stored(db, made.id)
    known = known_of(db, row)
    assert known.verdict == "winnable"
    assert wins("cruel", row["seed"], known.line)


@pytest.mark.usefixtures("no_search")
def test_nothing_is_kept_where_none_was_looked_for(db, host):
    challenges.create(db, host, {**BODY, "require_winnable": False}, NOON)
    challenges.create(db, host, {**BODY, "seed": "semilla"}, NOON)
    assert kept(db) == 0


@pytest.mark.usefixtures("no_search")
def test_what_is_refused_searches_for_nothing(db, host):
    for asked in ({"title": " "}, {"ends_at": NOON}, {"seed": "semilla", "require_winnable": True}):
        with pytest.raises(Invalid):
            challenges.create(db, host, {**BODY, **asked}, NOON)


def test_the_same_key_again_searches_for_nothing(db, host, monkeypatch):
    key = Key.of("x" * 22, "challenge", host, BODY)
    made = challenges.create(db, host, BODY, NOON, key)
    monkeypatch.setattr(drawing, "solve", None)
    again = challenges.create(db, host, BODY, NOON + 1, key)
    assert (again.replayed, again.view.id) == (True, made.view.id)
    assert kept(db) == 1


def test_who_comes_too_late_with_a_key_gets_what_the_first_has_made(db, host, monkeypatch):
    key = Key.of("x" * 22, "challenge", host, BODY)
    made, draw = [], challenges.draw_seed

    def be_late(terms):
        if not made:
            made.append(None)
            made[0] = challenges.create(db, host, BODY, NOON, key)
        return draw(terms)

    monkeypatch.setattr(challenges, "draw_seed", be_late)
    late = challenges.create(db, host, BODY, NOON, key)
    assert (late.replayed, late.view.id) == (True, made[0].view.id)
    assert kept(db) == 1


@pytest.mark.usefixtures("slow")
def test_where_drawing_takes_too_long_nothing_is_set_up(db, host, draws):
    draws[:] = [UNWINNABLE] * 9
    with pytest.raises(Busy):
        challenges.create(db, host, BODY, NOON)
    assert kept(db) == 0
    assert 0 < len(draws) < 9


def test_changed_terms_draw_a_deal_that_can_be_won_again(db, host, draws):
    draws[:] = [WINNABLE, UNWINNABLE, LOST, "s3"]
    made = challenges.create(db, host, BODY, NOON).view
    changed = challenge_changes.change(db, made.id, host, {"attempts": 2}, ANY_REVISION, NOON)
    assert changed.terms.require_winnable
    row = stored(db, made.id)
    assert (row["seed"], draws) == ("s3", [])
    assert wins("cruel", "s3", known_of(db, row).line)


def test_no_lock_is_held_while_a_deal_is_drawn(db, host, monkeypatch):
    made, other = (challenges.create(db, host, BODY, NOON).view for _ in range(2))
    draw, looked = challenge_changes.draw_seed, []

    def look_around(terms):
        # It would wait for a lock, and fail.
        looked.append(challenges.cancel(db, other.id, host, NOON))
        return draw(terms)

    monkeypatch.setattr(challenge_changes, "draw_seed", look_around)
    challenge_changes.change(db, made.id, host, {"attempts": 2}, ANY_REVISION, NOON)
    assert len(looked) == 1


def test_terms_that_somebody_changes_meanwhile_get_a_deal_of_their_own(db, host, monkeypatch):
    made = challenges.create(db, host, BODY, NOON).view
    draw, drawn = challenge_changes.draw_seed, []

    def interfere(terms):
        drawn.append(terms.variant)
        if len(drawn) == 1:
            asked = {"variant": "ripple-fan"}
            challenge_changes.change(db, made.id, host, asked, ANY_REVISION, NOON)
        return draw(terms)

    monkeypatch.setattr(challenge_changes, "draw_seed", interfere)
    challenge_changes.change(db, made.id, host, {"attempts": 2}, ANY_REVISION, NOON)
    row = stored(db, made.id)
    assert drawn == ["cruel", "ripple-fan", "ripple-fan"]
    assert (row["variant"], row["attempts"]) == ("ripple-fan", 2)
    assert wins("ripple-fan", row["seed"], known_of(db, row).line)


@pytest.mark.parametrize(
    ("first", "asked", "after"),
    [
        ({}, {"attempts": 2}, True),
        ({}, {"require_winnable": False}, False),
        ({}, {"seed": "semilla"}, False),
        ({"require_winnable": False}, {"attempts": 2}, False),
        ({"require_winnable": False}, {"require_winnable": True}, True),
        ({"require_winnable": False}, {"variant": "ripple-fan"}, False),
        ({"seed": "semilla"}, {"attempts": 2}, False),
        ({"seed": "semilla"}, {"seed": None}, True),
        ({"seed": "semilla"}, {"seed": None, "require_winnable": False}, False),
    ],
)
def test_a_change_keeps_what_the_host_has_said(db, host, first, asked, after):
    made = challenges.create(db, host, {**BODY, **first}, NOON).view
    changed = challenge_changes.change(db, made.id, host, asked, ANY_REVISION, NOON)
    assert changed.terms.require_winnable is after


def test_a_race_that_starts_while_a_deal_is_drawn_keeps_its_terms(db, host, monkeypatch):
    race = {**BODY, "clock": "shared", "starts_at": NOON + 10_000, "ends_at": NOON + 60_000}
    made = challenges.create(db, host, race, NOON).view
    monkeypatch.setattr(challenge_changes, "monotonic", Watch(3.0))
    asked = {"variant": "cruel-strict"}
    changed = challenge_changes.change(db, made.id, host, asked, ANY_REVISION, NOON)
    assert changed.terms.variant == "cruel-strict"
    # Each look takes three seconds: now the one after drawing comes after the start.
    with pytest.raises(AlreadyStarted):
        challenge_changes.change(
            db, made.id, host, {"variant": "cruel"}, ANY_REVISION, NOON + 5_000
        )


def test_a_named_seed_cannot_be_required_to_be_winnable_by_a_change_either(db, host):
    made = challenges.create(db, host, BODY, NOON).view
    asked = {"seed": "semilla", "require_winnable": True}
    with pytest.raises(Invalid) as caught:
        challenge_changes.change(db, made.id, host, asked, ANY_REVISION, NOON)
    assert caught.value.place == "/require_winnable"


# ---- rules that no search covers ----


@pytest.fixture
def uncovered(monkeypatch):
    """Let the solver cover nothing."""
    monkeypatch.setattr("service.usecases.challenge_terms.covers", lambda _rules: False)
    yield
    dailies.day_of.cache_clear()


@pytest.mark.usefixtures("no_search")
@pytest.mark.usefixtures("uncovered")
def test_where_no_search_covers_the_rules_a_deal_is_not_lost(db, host, draws):
    draws[:] = [LOST, UNWINNABLE]
    made = challenges.create(db, host, BODY, NOON).view
    assert not made.terms.require_winnable
    assert stored(db, made.id)["seed"] == UNWINNABLE


@pytest.mark.usefixtures("uncovered")
def test_where_no_search_covers_the_rules_it_cannot_be_required(db, host):
    with pytest.raises(Invalid) as caught:
        challenges.create(db, host, {**BODY, "require_winnable": True}, NOON)
    assert caught.value.place == "/require_winnable"
    assert "no search proves" in caught.value.detail


@pytest.mark.usefixtures("no_search")
@pytest.mark.usefixtures("uncovered")
def test_the_daily_of_such_rules_is_the_first_that_is_not_lost(db):
    key = (4972).to_bytes(32, "little")
    set_key(db, key)
    n = 0
    rules = VARIANTS["cruel"]
    while drawing.is_lost(rules, "deal/1", candidate(key, "cruel", "2026-01-01", n)):
        n += 1
    with db.connect() as connection:
        row = dailies.find_daily(connection, "daily-cruel-2026-01-01", NOON)
    assert row["seed"] == candidate(key, "cruel", "2026-01-01", n)
