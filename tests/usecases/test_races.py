"""Several who play one game at the same time, in threads and in processes."""

import multiprocessing
import threading
from functools import partial

import pytest

from service.db.engine import open_engine
from service.usecases import playing
from service.usecases.errors import Busy, PlyConflict
from service.usecases.verify import verify_games
from tests.conftest import NOON, Player
from tests.usecases.sitting import Sitting

ROUNDS = 50
PROCESS_ROUNDS = 15
APPENDS = 10


def at_once(*acts):
    """Let each act run in a thread of its own, all at the same moment; what each gave."""
    barrier = threading.Barrier(len(acts), timeout=60)
    given = [None] * len(acts)

    def run(place, act):
        barrier.wait()
        given[place] = act()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return given


@pytest.fixture
def web_db(app):
    """Give the application's database, whose games must all be sound at the end."""
    db = app.extensions["semilla"].db
    yield db
    assert all(not verdict.faults for verdict in verify_games(db))


def double(app, player):
    """Give the same player at another client."""
    other = Player(app.test_client())
    other.id, other.token = player.id, player.token
    return other


def history(player):
    return [entry["move"] for entry in player.get("/moves?limit=200").json["items"]]


def state(reply):
    """Give a game's state without what differs between two replies."""
    return {name: value for name, value in reply.json.items() if name not in ("recorded", "now")}


# ---- threads, over HTTP ----


@pytest.mark.usefixtures("web_db")
def test_of_two_different_moves_at_one_place_exactly_one_is_recorded(app, player):
    for _ in range(ROUNDS):
        player.start()
        rivals = [double(app, player) for _ in range(2)]
        moves = ["6>9", "12>2"]
        replies = at_once(
            partial(rivals[0].play, moves[0], at=0), partial(rivals[1].play, moves[1], at=0)
        )
        assert sorted(reply.status_code for reply in replies) == [200, 409]
        won = [reply.status_code for reply in replies].index(200)
        lost = replies[1 - won].json
        assert (lost["code"], lost["at"], lost["index"]) == ("ply_conflict", 1, 0)
        assert (replies[won].json["recorded"], replies[won].json["ply"]) == (0, 1)
        assert history(player) == [moves[won]]
        assert state(player.get()) == state(replies[won])


@pytest.mark.usefixtures("web_db")
def test_of_two_identical_moves_one_is_recorded_and_both_are_accepted(app, player):
    for _ in range(ROUNDS):
        player.start()
        rivals = [double(app, player) for _ in range(2)]
        moves = ["6>9", "1>11", "12>2"]
        replies = at_once(*[partial(rival.play, *moves, at=0) for rival in rivals])
        assert [reply.status_code for reply in replies] == [200, 200]
        assert sorted(reply.json["recorded"] for reply in replies) == [0, 3]
        assert history(player) == moves
        assert state(replies[0]) == state(replies[1]) == state(player.get())


@pytest.mark.usefixtures("web_db")
def test_of_an_undo_and_a_move_at_one_place_exactly_one_is_recorded(app, player):
    for _ in range(ROUNDS // 5):
        player.start()
        player.play("6>9")
        other = double(app, player)
        replies = at_once(partial(player.act, "undo", at=1), partial(other.play, "12>2", at=1))
        assert sorted(reply.status_code for reply in replies) == [200, 409]
        assert history(player) in (["6>9", "U"], ["6>9", "12>2"])


# ---- threads, straight ----


def append(sitting, count):
    """Play single redeals without ``at``; the plies at which they were acknowledged."""
    plies = []
    while len(plies) < count:
        try:
            plies.append(sitting.play("R").view.game.ply)
        except Busy:
            continue
    return plies


def test_every_acknowledged_move_of_eight_threads_stands_exactly_once(sit):
    sitting = sit("cruel-semicolon")
    given = at_once(*[partial(append, sitting, APPENDS)] * 8)
    plies = [ply for each in given for ply in each]
    assert sorted(plies) == list(range(1, 8 * APPENDS + 1))
    assert all(each == sorted(each) for each in given)
    assert sitting.moves == ["R"] * 8 * APPENDS
    assert sitting.view().game == sitting.replayed()
    assert sitting.view().game.score.redeals == 8 * APPENDS
    assert [verdict.faults for verdict in verify_games(sitting.db)] == [()]


def test_eight_threads_move_and_undo_and_the_history_replays(sit):
    sitting = sit("cruel-semicolon")

    def move_and_undo():
        done = 0
        while done < 4:
            try:
                sitting.play("R", "R", "U")
            except Busy:
                continue
            done += 1

    at_once(*[move_and_undo] * 8)
    assert sitting.moves == ["R", "R", "U"] * 32
    assert sitting.view().game == sitting.replayed()
    assert [verdict.faults for verdict in verify_games(sitting.db)] == [()]


def test_threads_that_start_games_start_each_of_them_once(sit):
    sittings = at_once(*[sit] * 8)
    assert len({sitting.id for sitting in sittings}) == 8
    verdicts = list(verify_games(sittings[0].db))
    assert [verdict.game_id for verdict in verdicts] == sorted(game.id for game in sittings)


# ---- processes on one file ----


def play_in_process(url, rounds, barrier, outcomes):
    """Play each round's move at the same moment as the other process."""
    db = open_engine(url)
    for game_id, token_hash, move, at in rounds:
        barrier.wait()
        try:
            played = playing.play(db, game_id, token_hash, [move], at, NOON)
        except PlyConflict as error:
            outcomes.put((game_id, move, "conflict", error.extra["at"]))
        else:
            outcomes.put((game_id, move, "played", played.recorded))
    db.dispose()


def append_in_process(url, game_id, token_hash, barrier, outcomes):
    """Append redeals as fast as it goes."""
    db = open_engine(url)
    barrier.wait()
    for _ in range(APPENDS):
        while True:
            try:
                played = playing.play(db, game_id, token_hash, ["R"], None, NOON)
            except Busy:
                continue
            break
        outcomes.put(played.view.game.ply)
    db.dispose()


def in_processes(target, *arguments):
    """Run a function in one process for each of some lists of arguments; what they put out."""
    context = multiprocessing.get_context("spawn")
    barrier, outcomes = context.Barrier(len(arguments), timeout=60), context.SimpleQueue()
    processes = [
        context.Process(target=target, args=(*each, barrier, outcomes)) for each in arguments
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * len(processes)
    given = []
    while not outcomes.empty():
        given.append(outcomes.get())
    outcomes.close()
    return given


def test_of_two_processes_at_one_place_one_moves(db, clock):
    different = [Sitting(db, clock) for _ in range(PROCESS_ROUNDS)]
    identical = [Sitting(db, clock) for _ in range(PROCESS_ROUNDS)]
    first = [(game.id, game.hash, "6>9", 0) for game in (*different, *identical)]
    second = [(game.id, game.hash, "12>2", 0) for game in different]
    second += [(game.id, game.hash, "6>9", 0) for game in identical]
    url = db.url.render_as_string(hide_password=False)
    outcomes = in_processes(play_in_process, (url, first), (url, second))
    assert len(outcomes) == 4 * PROCESS_ROUNDS
    for sitting in different:
        found = sorted(outcome[2:] for outcome in outcomes if outcome[0] == sitting.id)
        assert found == [("conflict", 1), ("played", 0)]
        [played] = [each for each in outcomes if each[0] == sitting.id and each[2] == "played"]
        assert sitting.moves == [played[1]]
    for sitting in identical:
        found = sorted(outcome[2:] for outcome in outcomes if outcome[0] == sitting.id)
        assert found == [("played", 0), ("played", 1)]
        assert sitting.moves == ["6>9"]
    assert all(game.view().game == game.replayed() for game in (*different, *identical))
    assert all(not verdict.faults for verdict in verify_games(db))


def test_every_acknowledged_move_of_two_processes_stands_exactly_once(db, clock):
    sitting = Sitting(db, clock, "cruel-semicolon")
    arguments = (db.url.render_as_string(hide_password=False), sitting.id, sitting.hash)
    plies = in_processes(append_in_process, arguments, arguments)
    assert sorted(plies) == list(range(1, 2 * APPENDS + 1))
    assert sitting.moves == ["R"] * 2 * APPENDS
    assert sitting.view().game == sitting.replayed()
    assert all(not verdict.faults for verdict in verify_games(db))
