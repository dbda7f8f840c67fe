"""Pars: told once a deal is played by nobody, made better by searches and by who wins in less."""

import pytest
from sqlalchemy import select

from service.db.tables import solutions
from service.rules import VARIANTS
from service.solver.solution import Solution, Verdict
from service.usecases import challenges, games, leaderboards, playing, solving
from service.usecases.errors import Busy, NotFound, StillSecret, Unauthenticated
from service.usecases.pages import Place
from service.usecases.par_searches import improve_challenge_par, improve_game_par
from service.usecases.pars import Par
from service.usecases.solutions import Known, find_known, keep, key_of_seed
from service.usecases.solver_slot import one_at_a_time
from tests.challenges import change_challenge, new_challenge
from tests.conftest import NOON
from tests.hosting import DAY
from tests.players import new_player, player_id
from tests.racing.deal import SEED, WON
from tests.statements import count_statements
from tests.usecases.entering import Entrant
from tests.usecases.test_drawing import wins

FIRST = Place(None, None, 50)
# Another win of the same deal, of an action more.
LONGER = (
    "5>F 4>F 5>F 5>F 5>F 6>F 6>F 10>F 10>F 12>F 10>7 R 9>6 R 7>F 1>7 R 8>3 8>F 4>1 4>F 3>F 3>F 7>9 "
    "R 4>F 3>F 8>F 8>F 8>F 3>F 2>3 2>F 1>5 7>1 7>F 1>F 1>F 1>F 1>F 3>F 3>F 7>F 7>F 6>F 6>F 6>F 6>F "
    "9>F 4>F 2>F 3>F 4>F 2>F 5>F 5>F 5>F 5>F 5>F 8>F 4>F"
).split()


def deal_of(seed, variant="cruel"):
    return key_of_seed(VARIANTS[variant], "deal/1", seed)


def know(db, seed, line=tuple(WON), lower_bound=0):
    return keep(db, deal_of(seed), Known(Verdict.WINNABLE, line, lower_bound, 0), NOON)


def known(db, seed):
    with db.connect() as connection:
        return find_known(connection, deal_of(seed))


@pytest.fixture
def searches(monkeypatch):
    """Give what is asked of the solver, which finds nothing."""
    asked = []

    def search(rules, position, goal, budget):
        asked.append((rules, position, goal, budget))
        return Solution(
            Verdict.UNKNOWN, None, proven_shortest=False, lower_bound=0, nodes=70, elapsed_ms=3
        )

    monkeypatch.setattr(solving, "search", search)
    return asked


@pytest.fixture
def won(sit):
    """Give a free game that was won, with an undo on its way."""
    game = sit(seed=SEED)
    game.play(WON[0], "U", *WON)
    return game


@pytest.fixture
def race(db, clock):
    """Give a challenge on the deal that can be won, entered by two who have had it dealt."""
    host = player_id(db, new_player(db, "Ana"))
    race_id = new_challenge(db, host, seed=SEED, seed_public=False)
    entrants = [Entrant(db, clock, race_id, name) for name in ("ada", "bea")]
    for each in entrants:
        each.enter()
        each.deal()
    return race_id, entrants


def read(game, token_hash=None):
    return games.read_with_par(game.db, game.id, token_hash, game.clock.ms)


# ---- what is told, and when ----


def test_a_par_is_the_length_of_the_shortest_line_that_is_known(db, won):
    know(db, SEED, (*WON, "x", "y"))
    assert read(won).par == Par(len(WON) + 2, proven_shortest=False)
    assert read(won).to_par == -2
    know(db, SEED, tuple(WON), len(WON))
    assert read(won).par == Par(len(WON), proven_shortest=True)
    assert read(won).to_par == 0
    know(db, SEED, tuple(WON[:-3]))
    assert read(won).to_par == 3


def test_where_no_win_is_known_there_is_none(db, won):
    assert (read(won).par, read(won).to_par) == (None, None)
    keep(db, deal_of(SEED), Known(Verdict.UNKNOWN, None, 0, 500), NOON)
    assert read(won).par is None


def test_while_a_free_game_runs_it_is_not_told(db, sit):
    know(db, "semilla")
    game = sit()
    assert read(game).par is None
    game.play("Q")
    assert read(game).par == Par(len(WON), proven_shortest=False)
    assert read(game).to_par is None


def test_while_a_challenge_plays_the_deal_no_game_tells_it(db, won):
    know(db, SEED)
    host = player_id(db, new_player(db, "Ana"))
    for columns, told in (
        ({"starts_at": NOON + 1}, False),
        ({}, False),
        ({"finishes_at": NOON}, True),
        ({"cancelled_at": NOON}, True),
    ):
        challenge_id = new_challenge(db, host, seed=SEED, **columns)
        assert (read(won).par is not None) == told
        change_challenge(db, challenge_id, finishes_at=NOON)


def test_while_another_challenge_plays_the_deal_no_challenge_that_is_over_tells_it(db, race):
    know(db, SEED)
    race_id, (ada, _) = race
    change_challenge(db, race_id, finishes_at=NOON)
    another = new_challenge(db, player_id(db, new_player(db, "Eva")), seed=SEED)

    def told():
        ranking = leaderboards.read_leaderboard(
            db, race_id, None, around_me=False, place=FIRST, now=NOON
        )
        game = games.read_with_par(db, ada.games[0]["id"], None, NOON)
        return [challenges.read(db, race_id, None, NOON).par, ranking.par, game.par]

    assert told() == [None] * 3
    change_challenge(db, another, finishes_at=NOON)
    assert told() == [Par(len(WON), proven_shortest=False)] * 3


def test_an_attempt_tells_it_once_the_challenge_has_finished(db, clock, race):
    know(db, SEED)
    race_id, (ada, _) = race
    game_id = ada.games[0]["id"]
    assert games.read_with_par(db, game_id, ada.hash, clock.ms).par is None
    clock.tick(DAY)
    found = games.read_with_par(db, game_id, None, clock.ms)
    assert (found.par, found.to_par) == (Par(len(WON), proven_shortest=False), None)
    assert challenges.read(db, race_id, None, clock.ms).par == found.par


def test_a_challenge_tells_none_before_the_reveal_nor_once_it_is_cancelled(db, clock, race):
    know(db, SEED)
    race_id, _ = race
    assert challenges.read(db, race_id, None, clock.ms).par is None
    change_challenge(db, race_id, cancelled_at=NOON)
    clock.tick(DAY)
    assert challenges.read(db, race_id, None, clock.ms).par is None


def play(entrant, moves):
    playing.play(entrant.db, entrant.games[0]["id"], entrant.hash, moves, 0, entrant.clock.ms)


def board(db, race_id, clock):
    return leaderboards.read_leaderboard(
        db, race_id, None, around_me=False, place=FIRST, now=clock.ms
    )


def test_a_ranking_tells_the_distance_of_each_win_after_the_reveal(db, clock, race):
    race_id, (ada, bea) = race
    know(db, SEED, tuple(WON[:-1]))
    play(ada, WON)
    play(bea, WON[:4])
    running = board(db, race_id, clock)
    assert (running.par, [item.to_par for item in running.items]) == (None, [None, None])
    clock.tick(DAY)
    over = board(db, race_id, clock)
    assert over.par == Par(len(WON) - 1, proven_shortest=False)
    assert [(item.player, item.to_par) for item in over.items] == [("ada", 1), ("bea", None)]
    (rows,) = leaderboards.read_whole(db, race_id, None, clock.ms)
    assert [item.to_par for item in rows] == [1, None]


def test_what_a_par_costs(db, clock, won, sit, race):
    race_id, _ = race
    running = sit()
    change_challenge(db, race_id, finishes_at=NOON)

    def spent(act):
        with count_statements(db) as seen:
            act()
        return seen.verbs

    assert spent(lambda: read(running)) == ["SELECT"]
    assert spent(lambda: read(won)) == ["SELECT"] * 2
    # Two for the challenge and its former terms, one for the par.
    assert spent(lambda: challenges.read(db, race_id, None, NOON)) == ["SELECT"] * 3
    assert spent(lambda: board(db, race_id, clock)) == ["SELECT"] * 3


# ---- made better ----


def improve(game, token_hash=None, budget_ms=500):
    return improve_game_par(game.db, game.id, token_hash, budget_ms=budget_ms, now=game.clock.ms)


def assert_told(found, known):
    """Check that all that is known of a deal is what was told of it."""
    told, proven = found.solution, known.line is not None and known.proven_shortest
    assert (told.verdict, told.line, told.lower_bound) == (
        known.verdict,
        known.line,
        known.lower_bound,
    )
    assert (told.length, told.proven_shortest) == (known.length, proven)


def test_a_search_is_for_the_shortest_line_from_the_opening(won, searches):
    found = improve(won)
    ((rules, position, goal, budget),) = searches
    assert (rules, goal, budget) == (VARIANTS["cruel"], "shortest", (None, 500))
    assert position == rules.opening("deal/1", SEED)
    solution = found.solution
    assert (solution.nodes, solution.elapsed_ms, found.known) == (70, 3, False)


@pytest.mark.usefixtures("searches")
def test_a_game_that_was_won_counts_with_the_moves_that_stand(db, won):
    found = improve(won)
    assert known(db, SEED) == Known(Verdict.WINNABLE, tuple(WON), 0, 70)
    assert_told(found, known(db, SEED))


@pytest.mark.usefixtures("searches")
def test_a_game_that_was_not_won_counts_for_nothing(db, sit):
    game = sit()
    game.play("12>2", "Q")
    found = improve(game)
    assert known(db, "semilla") == Known(Verdict.UNKNOWN, None, 0, 70)
    assert_told(found, known(db, "semilla"))


def test_what_the_solver_finds_is_kept_and_told_from_then_on(db, sit):
    game = sit()
    game.play("Q")
    found = improve(game)
    assert not found.known
    assert wins("cruel", "semilla", found.solution.line)
    assert_told(found, known(db, "semilla"))
    assert read(game).par == Par.of(found.solution)


@pytest.mark.parametrize(
    "settled",
    [
        Known(Verdict.UNWINNABLE, None, 0, 0),
        Known(Verdict.WINNABLE, tuple(WON), len(WON), 0),
    ],
)
def test_where_nothing_is_left_to_find_nothing_is_searched(db, won, searches, settled):
    keep(db, deal_of(SEED), settled, NOON)
    won.write(status="resigned")
    with one_at_a_time(), count_statements(db) as seen:
        found = improve(won)
    assert_told(found, settled)
    assert (found.solution.nodes, found.solution.elapsed_ms, found.known) == (0, 0, True)
    assert (searches, set(seen.verbs)) == ([], {"SELECT"})


def test_what_finds_nothing_new_writes_nothing(db, won, searches):
    improve(won)
    with count_statements(db) as seen:
        improve(won)
    assert set(seen.verbs) == {"SELECT"}
    assert len(searches) == 2


@pytest.mark.usefixtures("searches")
def test_a_line_that_does_not_win_is_told_to_nobody(db, won):
    know(db, SEED, tuple(WON[:-1]))
    with pytest.raises(RuntimeError):
        improve(won)
    with db.connect() as connection:
        assert connection.execute(select(solutions.c.length)).scalar_one() == len(WON) - 1


@pytest.mark.usefixtures("searches")
def test_the_shortest_win_of_a_challenge_counts_whoever_has_won(db, clock, race):
    race_id, (ada, bea) = race
    play(ada, LONGER)
    play(bea, WON)
    clock.tick(DAY)
    found = improve_challenge_par(db, race_id, None, budget_ms=9, now=clock.ms)
    assert found.solution.line == tuple(WON)
    assert_told(found, known(db, SEED))
    assert [item.to_par for item in board(db, race_id, clock).items] == [0, 1]


def test_a_challenge_that_nobody_has_won_is_searched_alone(db, clock, race, searches):
    race_id, _ = race
    clock.tick(DAY)
    found = improve_challenge_par(db, race_id, None, budget_ms=9, now=clock.ms)
    assert found.solution.line is None
    assert len(searches) == 1


# ---- refused ----


def test_a_running_game_is_not_helped(sit, searches):
    game = sit()
    with pytest.raises(StillSecret):
        improve(game, game.hash)
    assert searches == []


def test_an_attempt_is_not_helped_before_the_reveal(db, clock, race, searches):
    race_id, (ada, _) = race
    game_id = ada.games[0]["id"]
    with pytest.raises(NotFound):
        improve_game_par(db, game_id, None, budget_ms=9, now=clock.ms)
    ada.end()
    with pytest.raises(StillSecret):
        improve_game_par(db, game_id, ada.hash, budget_ms=9, now=clock.ms)
    with pytest.raises(StillSecret):
        improve_challenge_par(db, race_id, ada.hash, budget_ms=9, now=clock.ms)
    change_challenge(db, race_id, cancelled_at=NOON)
    clock.tick(DAY)
    with pytest.raises(StillSecret):
        improve_challenge_par(db, race_id, ada.hash, budget_ms=9, now=clock.ms)
    assert searches == []


def test_no_deal_is_searched_that_another_challenge_plays(db, won, race, searches):
    race_id, (ada, _) = race
    with pytest.raises(StillSecret):
        improve(won)
    change_challenge(db, race_id, finishes_at=NOON)
    host = player_id(db, new_player(db, "Bob"))
    other = new_challenge(db, host, seed=SEED)
    with pytest.raises(StillSecret):
        improve_challenge_par(db, race_id, None, budget_ms=9, now=NOON)
    with pytest.raises(StillSecret):
        improve_game_par(db, ada.games[0]["id"], None, budget_ms=9, now=NOON)
    change_challenge(db, other, cancelled_at=NOON)
    improve_challenge_par(db, race_id, None, budget_ms=9, now=NOON)
    assert len(searches) == 1


def test_what_is_not_there_and_who_is_not_known(db, won, searches):
    with pytest.raises(NotFound):
        improve_challenge_par(db, "none", None, budget_ms=9, now=NOON)
    with pytest.raises(Unauthenticated):
        improve_challenge_par(db, "none", bytes(32), budget_ms=9, now=NOON)
    with pytest.raises(Unauthenticated):
        improve(won, bytes(32))
    assert searches == []


def test_there_is_one_search_at_a_time(db, won, searches):
    with one_at_a_time(), pytest.raises(Busy):
        improve(won)
    assert (searches, known(db, SEED)) == ([], None)
    improve(won)
