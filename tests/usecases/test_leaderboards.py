"""Rankings against a naive model: every page both ways, around everybody, ties everywhere."""

from itertools import product

import pytest
from sqlalchemy import update

from service.db.tables import challenges, entries
from service.rules.family import Status
from service.usecases import leaderboards
from service.usecases.errors import NotEntered, NotFound, Unauthenticated
from service.usecases.leaderboards import read_leaderboard, read_whole
from service.usecases.pages import Place
from service.usecases.tokens import hash_token
from tests.challenges import change_challenge
from tests.conftest import NOON, SQLITE_ONLY
from tests.entrants import new_entrant
from tests.ranking import Result, encoded, fill, ranking
from tests.statements import count_statements

LIMITS = range(1, 8)
KINDS = [("actions", 1), ("actions", 3), ("time", 1)]


@pytest.fixture(params=KINDS, ids=["actions", "attempts", "time"])
def filled(request, db):
    """Give a challenge of 40 with its runners and the ranking that it has."""
    order, attempts = request.param
    challenge_id, runners = fill(db, 11, order=order, attempts=attempts, many=40)
    return challenge_id, runners, ranking(runners, order)


@pytest.fixture
def ask(db):
    """Give a function that reads a page."""

    def ask(challenge_id, limit, *, after=None, before=None, token=None, around=False, now=NOON):
        shown = None if token is None else hash_token(token)
        place = Place(after, before, limit)
        return read_leaderboard(db, challenge_id, shown, around_me=around, place=place, now=now)

    return ask


def told(page):
    """Give what a page tells of each row, as ``expected`` has it."""
    return [
        (item.rank, item.player, item.bot, item.attempt, tuple(item.standing))
        for item in page.items
    ]


def expected(model):
    return [
        (rank, each.name, each.bot, number, tuple(result)) for rank, each, number, result in model
    ]


# ---- every page ----


def test_the_pages_forward_and_back_are_those_of_the_model(filled, ask):
    challenge_id, runners, model = filled
    rows = expected(model)
    assert len({rank for rank, *_ in rows}) < len(rows) - 5, "there are ties"
    for limit in LIMITS:
        pages = [ask(challenge_id, limit)]
        while pages[-1].next is not None:
            pages.append(ask(challenge_id, limit, after=pages[-1].next))
        assert [told(page) for page in pages] == [
            rows[start : start + limit] for start in range(0, len(rows), limit)
        ]
        assert [page.prev is None for page in pages] == [True] + [False] * (len(pages) - 1)
        assert {(page.ranked, page.entered) for page in pages} == {(len(rows), len(runners))}
        back = pages[-1]
        for page in reversed(pages[:-1]):
            back = ask(challenge_id, limit, before=back.prev)
            assert told(back) == told(page)
            assert (back.next, back.prev) == (page.next, page.prev)
        assert back.prev is None


def test_the_page_around_each_player_has_them_in_its_middle(filled, ask):
    challenge_id, _, model = filled
    rows = expected(model)
    players = [(index, each.token) for index, (_, each, *_) in enumerate(model) if each.name]
    for limit, (index, token) in product(LIMITS, players):
        start = max(0, min(index - (limit - 1) // 2, len(rows) - limit))
        page = ask(challenge_id, limit, token=token, around=True)
        assert told(page) == rows[start : start + limit]
        assert (page.prev is None) == (start == 0)
        assert (page.next is None) == (start + limit >= len(rows))
        if page.next is not None:
            after = ask(challenge_id, limit, after=page.next)
            assert told(after) == rows[start + limit : start + 2 * limit]
        if page.prev is not None:
            before = ask(challenge_id, limit, before=page.prev)
            assert told(before) == rows[max(0, start - limit) : start]


def test_who_is_not_ranked_gets_the_first_page_without_them(filled, ask):
    challenge_id, runners, model = filled
    inside = {each.entry_id for _, each, _, _ in model}
    outside = [each for each in runners if each.entry_id not in inside and each.name]
    assert {each.disqualified for each in outside} == {True, False}
    for runner in outside:
        page = ask(challenge_id, 5, token=runner.token, around=True)
        assert told(page) == expected(model)[:5]
        assert page.prev is None


def test_the_whole_ranking_is_read_in_chunks(filled, db, monkeypatch):
    challenge_id, _, model = filled
    for chunk in (1, 7, 1_000):
        monkeypatch.setattr(leaderboards, "CHUNK", chunk)
        chunks = [*read_whole(db, challenge_id, None, NOON)]
        assert all(len(items) <= chunk for items in chunks)
        found = [item for items in chunks for item in items]
        assert [item.rank for item in found] == [rank for rank, *_ in model]
        assert [item.player for item in found] == [each.name for _, each, _, _ in model]


def test_where_all_are_tied_all_are_first(db, ask):
    challenge_id, runners = fill(db, 5, order="actions", attempts=1, many=9, out=0, idle=0, gone=0)
    with db.connect() as connection:
        same = encoded("actions", Result(won=False, cards_up=4, actions=0, redeals=0, elapsed_ms=0))
        connection.execute(update(leaderboards.games).values(standing=same))
    runners.sort(key=lambda each: each.entry_id)
    page = ask(challenge_id, 2, token=runners[6].token, around=True)
    assert [(item.rank, item.player) for item in page.items] == [
        (1, runners[6].name),
        (1, runners[7].name),
    ]
    page = ask(challenge_id, 3, before=page.prev)
    assert [(item.rank, item.player) for item in page.items] == [
        (1, runners[number].name) for number in (3, 4, 5)
    ]


# ---- while it changes ----


def test_a_page_goes_on_where_its_cursor_ended_whatever_has_moved(db, ask):
    challenge_id, runners = fill(db, 3, order="actions", attempts=1, many=9, out=0, idle=0, gone=0)
    first = ask(challenge_id, 3)
    last = ranking(runners, "actions")[-1][1]
    won = Result(won=True, cards_up=52, actions=1, redeals=0, elapsed_ms=1)
    with db.connect() as connection:
        ahead = update(leaderboards.games).where(leaderboards.games.c.id == last.games[0])
        connection.execute(ahead.values(standing=encoded("actions", won)))
    second = ask(challenge_id, 3, after=first.next)
    assert second.items[0].player not in {item.player for item in first.items}
    assert second.items[0].rank in (first.items[-1].rank, 4)
    again = ask(challenge_id, 9, before=second.prev)
    assert again.items[0].rank == 1
    assert again.items[0].player == last.name
    assert len(again.items) == 4
    assert again.prev is None


def test_a_cursor_that_was_made_up_breaks_nothing(db, ask):
    challenge_id, runners = fill(db, 11, order="actions", attempts=1, many=12)
    middle = ranking(runners, "actions")[5]
    standings = ("", "~", encoded("actions", middle[3]))
    spots = product((1, 2, 2**62), standings, ("", "~", middle[1].entry_id))
    for (place, *spot), side in product(spots, ("after", "before")):
        page = ask(challenge_id, 3, **{side: (place, 1, *spot)})
        assert all(item.rank >= 1 for item in page.items)
        assert len(page.items) <= 3


# ---- who is ranked ----


def test_before_anything_is_dealt_and_once_it_is_cancelled_nobody_is_ranked(db, ask):
    challenge_id, runners = fill(db, 1, order="actions", attempts=2, many=4, idle=1, gone=0)
    page = ask(challenge_id, 5)
    assert (page.items, page.next, page.prev, page.ranked) == ([], None, None, 0)
    assert (page.entered, page.provisional, page.order) == (4, True, "actions")
    assert ask(challenge_id, 5, token=runners[0].token, around=True).items == []
    challenge_id, runners = fill(db, 2, order="actions", attempts=2, many=4, idle=0, gone=0)
    change_challenge(db, challenge_id, cancelled_at=NOON)
    for page in (ask(challenge_id, 5), ask(challenge_id, 5, token=runners[0].token, around=True)):
        assert (page.items, page.ranked, page.provisional) == ([], 0, True)


def test_the_disqualified_are_out_and_the_reinstated_in_again(db, ask):
    challenge_id, runners = fill(db, 4, order="time", attempts=1, many=12, out=0, idle=0, gone=0)
    model = ranking(runners, "time")
    judged = update(entries).where(entries.c.id.in_([each.entry_id for _, each, _, _ in model[:5]]))
    with db.connect() as connection:
        connection.execute(judged.values(disqualified_at=NOON, disqualified_reason="x"))
    for each in model[:5]:
        each[1].disqualified = True
    page = ask(challenge_id, 50, token=model[8][1].token, around=True)
    assert told(page) == expected(ranking(runners, "time"))
    assert page.ranked == 7
    with db.connect() as connection:
        connection.execute(judged.values(disqualified_at=None, disqualified_reason=None))
    assert told(ask(challenge_id, 50)) == expected(model)


# ---- what is told ----


def test_games_are_named_once_the_challenge_has_finished(filled, ask, db):
    challenge_id, _, model = filled
    page = ask(challenge_id, 50)
    assert page.provisional
    assert {item.game_id for item in page.items} == {None}
    with db.connect() as connection:
        finished = update(challenges).values(finishes_at=NOON + 500)
        connection.execute(finished)
    page = ask(challenge_id, 50, now=NOON + 500)
    assert not page.provisional
    assert [item.game_id for item in page.items] == [
        each.games[number - 1] for _, each, number, _ in model
    ]


def test_an_attempt_whose_time_is_up_has_timed_out(filled, ask):
    challenge_id, _, model = filled
    for now, running in ((NOON, Status.IN_PROGRESS), (NOON + 1_000_000, Status.TIMED_OUT)):
        page = ask(challenge_id, 50, now=now)
        assert [item.status for item in page.items] == [
            Status.WON if result.won else running for *_, result in model
        ]


# ---- who may ask ----


def test_a_hidden_challenge_is_there_for_its_host_and_who_is_in_it(db, ask):
    challenge_id, runners = fill(db, 6, order="actions", attempts=1, many=3, gone=0)
    change_challenge(db, challenge_id, hidden_at=NOON)
    _, other = new_entrant(db, "other")
    for token in (None, other):
        with pytest.raises(NotFound):
            ask(challenge_id, 5, token=token)
    with pytest.raises(NotFound):
        ask(challenge_id, 5, token=other, around=True)
    assert ask(challenge_id, 5, token=runners[0].token).entered == 3
    for token in (None, other):
        with pytest.raises(NotFound):
            ask("none", 5, token=token)


def test_around_me_needs_the_token_of_somebody_who_has_entered(db, ask):
    challenge_id, _ = fill(db, 6, order="actions", attempts=1, many=3)
    _, other = new_entrant(db, "other")
    for token, error in (
        (None, Unauthenticated),
        ("sp_nobody", Unauthenticated),
        (other, NotEntered),
    ):
        with pytest.raises(error):
            ask(challenge_id, 5, token=token, around=True)
    with pytest.raises(Unauthenticated):
        ask(challenge_id, 5, token="sp_nobody")
    with pytest.raises(Unauthenticated):
        ask("none", 5, token="sp_nobody")


# ---- what it takes ----


@pytest.mark.parametrize("attempts", [1, 3])
def test_a_page_is_two_selects_and_three_where_ties_begin_before_it(db, ask, attempts):
    many = {"many": 30, "gone": 0}
    challenge_id, runners = fill(db, 8, order="actions", attempts=attempts, **many)

    def spent(limit=3, **place):
        with count_statements(db) as seen:
            page = ask(challenge_id, limit, **place)
        return seen.verbs, page

    verbs, page = spent()
    assert verbs == ["SELECT"] * 2
    while page.next is not None:
        verbs, page = spent(after=page.next)
        assert verbs == ["SELECT"] * 2
    seen = set()
    while page.prev is not None:
        verbs, page = spent(before=page.prev)
        seen.add(tuple(verbs))
    for runner in runners:
        verbs, page = spent(token=runner.token, around=True)
        seen.add(tuple(verbs))
    assert seen == {("SELECT",) * 2, ("SELECT",) * 3}
    assert spent(token=runners[0].token)[0] == ["SELECT"] * 2


@SQLITE_ONLY
def test_every_stretch_and_every_count_is_read_from_the_index(db, ask):
    challenge_id, runners = fill(db, 9, order="actions", attempts=2, many=30, gone=0, idle=0, out=0)
    page = ask(challenge_id, 3)
    with count_statements(db) as seen:
        ask(challenge_id, 3)
        ask(challenge_id, 3, after=page.next)
        ask(challenge_id, 3, before=page.next)
        ask(challenge_id, 3, token=runners[4].token, around=True)
    plans = [steps(db, statement) for statement in seen]
    assert sum("AS shown" in statement for statement in seen) == 4
    for plan in plans:
        of_games = [step for step in plan if step.startswith(("SEARCH games ", "SCAN games"))]
        assert of_games
        for step in of_games:
            assert "ix_games_standing (challenge_id=?" in step or "owner=? AND attempt=?" in step
    counts = [step for plan in plans for step in plan if "COVERING INDEX ix_games_standing" in step]
    # All of them in each SELECT of the challenge; around me the better and the tied.
    assert len(counts) >= 4 + 2


def steps(db, statement):
    with db.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")
        return [row[-1] for row in plan]
