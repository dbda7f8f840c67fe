"""Playing stored games: retries, races that are lost, batches, undo, ends and clocks."""

import itertools

import pytest

from service.rules.errors import InvalidMove
from service.rules.family import Status
from service.usecases import playing
from service.usecases.errors import (
    Busy,
    Forbidden,
    GameOver,
    HistoryFull,
    IllegalMoves,
    NotFound,
    NothingToUndo,
    PlyConflict,
    PlyGap,
    Unauthenticated,
    UndoForbidden,
)
from service.usecases.tokens import hash_token
from service.usecases.verify import verify_games
from tests.conftest import NOON
from tests.naive.golden import load
from tests.usecases.sitting import FOUR_MOVES, LOST_SEEDS, before_updates

PLAYTHROUGHS = load("playthroughs.json")["games"]


@pytest.fixture(autouse=True)
def _every_row_is_sound(db):
    """Whatever a test has played, the rows follow from their histories."""
    yield
    assert [verdict for verdict in verify_games(db) if verdict.faults] == []


def refused(sitting, kind, *moves, at=None):
    """Play moves that are refused and change not a byte of the row; give the refusal."""
    before = sitting.row
    with pytest.raises(kind) as caught:
        sitting.play(*moves, at=at)
    assert type(caught.value) is kind
    assert sitting.row == before
    return caught.value


# ---- playing on ----


@pytest.mark.parametrize("at", [None, 0])
def test_moves_are_played_and_recorded(sit, clock, at):
    sitting = sit()
    clock.tick(1_500)
    played = sitting.play("6>9", "1>11", at=at)
    assert played.recorded == 0
    assert (played.view.game.ply, played.view.game.score.moves) == (2, 2)
    assert played.view.finished_at is None
    assert played.view == sitting.view()
    assert played.view.game == sitting.replayed()
    row = sitting.row
    assert row["history"] == "6>9@1500 1>11@1500"
    assert (row["ply"], row["moves"], row["redeals"], row["undos"]) == (2, 2, 0, 0)


def test_moves_follow_those_that_stand(sit, clock):
    sitting = sit()
    for at, move in enumerate(FOUR_MOVES):
        clock.tick(10)
        assert sitting.play(move, at=at if at % 2 else None).recorded == 0
    assert sitting.row["history"] == "6>9@10 1>11@20 12>2@30 1>6@40"
    assert sitting.view().game == sitting.replayed()


@pytest.mark.parametrize("number", range(len(PLAYTHROUGHS)))
def test_whole_games_are_played_alike_in_one_batch_and_move_by_move(sit, number):
    golden = PLAYTHROUGHS[number]
    terms = {"variant": golden["variant"], "seed": golden["seed"]}
    whole, single = sit(**terms), sit(**terms)
    moves = golden["moves"].split()
    last = whole.play(*moves, at=0).view
    for at, move in enumerate(moves):
        view = single.play(move, at=at).view
        assert view == single.view()
    assert view.game == last.game
    assert view.game.score._asdict() | {"actions": view.game.score.actions} == golden["score"]
    assert view.game.status == golden["steps"][-1]["status"]
    changing = {"id", "token_hash"}
    rows = [{k: v for k, v in row.items() if k not in changing} for row in (whole.row, single.row)]
    assert rows[0] == rows[1]


def test_no_moves_are_a_request_that_changes_nothing(sit):
    sitting = sit()
    before = sitting.row
    assert sitting.play().recorded == 0
    assert sitting.play(at=0).view == sitting.view()
    assert sitting.row == before


# ---- retries ----


def test_a_request_that_is_sent_again_is_recorded_once(sit, clock):
    sitting = sit()
    clock.tick(10)
    first = sitting.play("6>9", "1>11", at=0)
    before = sitting.row
    again = sitting.play("6>9", "1>11", at=0)
    assert again.recorded == 2
    assert again.view == first.view
    clock.tick(10)
    assert sitting.play("6>9", "1>11", at=0).recorded == 2
    assert sitting.row == before


def test_what_is_recorded_already_is_skipped_and_the_rest_played(sit, clock):
    sitting = sit()
    sitting.play("6>9", "1>11")
    clock.tick(10)
    played = sitting.play("6>9", "1>11", "12>2", "1>6", at=0)
    assert played.recorded == 2
    assert sitting.row["history"] == "6>9@0 1>11@0 12>2@10 1>6@10"
    assert sitting.play("1>11", "12>2", "1>6", at=1).recorded == 3


def test_a_request_that_is_sent_again_late_gives_the_state_of_now(sit):
    sitting = sit()
    sitting.play(*FOUR_MOVES)
    played = sitting.play("6>9", at=0)
    assert played.recorded == 1
    assert played.view == sitting.view()
    assert played.view.game.ply == 4


def test_without_at_the_same_moves_are_played_again(sit):
    sitting = sit("cruel-semicolon")
    for _ in range(3):
        assert sitting.play("R").recorded == 0
    assert sitting.moves == ["R", "R", "R"]


def test_undos_and_redeals_are_recognised_when_they_are_sent_again(sit):
    sitting = sit("cruel-semicolon")
    moves = ["R", "U", "R", "R", "U", "Q"]
    sitting.play(*moves)
    assert sitting.play(*moves, at=0).recorded == 6
    for at in range(6):
        assert sitting.play(moves[at], at=at).recorded == 1


@pytest.mark.parametrize("end", ["Q", "lost"])
def test_a_retry_is_accepted_after_the_end(sit, end):
    sitting = sit(redeal_limit=0)
    moves = [*FOUR_MOVES] if end == "lost" else ["6>9", "Q"]
    ended = sitting.play(*moves, at=0)
    assert ended.view.game.status is not Status.IN_PROGRESS
    before = sitting.row
    assert sitting.play(*moves, at=0).recorded == len(moves)
    assert sitting.play(moves[-1], at=len(moves) - 1).view == ended.view
    assert sitting.row == before


def test_something_else_at_a_recorded_place_is_a_conflict(sit):
    sitting = sit()
    sitting.play("6>9", "1>11", "12>2")
    error = refused(sitting, PlyConflict, "12>2", at=0)
    assert error.extra == {"at": 3, "index": 0, "move": "12>2"}
    assert error.detail.startswith("entry 1 of the history is 6>9, not 12>2")
    error = refused(sitting, PlyConflict, "1>11", "1>6", at=1)
    assert error.extra == {"at": 3, "index": 1, "move": "1>6"}


def test_a_conflict_is_found_before_a_move_that_is_refused(sit):
    sitting = sit()
    sitting.play("6>9")
    assert refused(sitting, PlyConflict, "1>1", "7>7", at=0).extra["index"] == 0


def test_a_conflict_is_found_after_the_end_too(sit):
    sitting = sit()
    sitting.play("6>9", "Q")
    assert refused(sitting, PlyConflict, "12>2", at=0).extra["at"] == 2


@pytest.mark.parametrize("at", [3, 4, 10_000])
def test_a_place_beyond_the_end_is_a_gap(sit, at):
    sitting = sit()
    sitting.play("6>9", "1>11")
    error = refused(sitting, PlyGap, "12>2", at=at)
    assert error.extra == {"at": 2}
    assert "2 entries" in error.detail
    refused(sitting, PlyGap, at=at)


# ---- refusals ----


@pytest.mark.parametrize("text", ["", "0>1", "13>F", "6>9 ", "r", "S>W1", "6>9@1", "R\n", "6>９"])
@pytest.mark.parametrize("at", [None, 0, 7])
def test_a_text_that_is_no_move_is_named_with_its_place(sit, text, at):
    sitting = sit()
    assert refused(sitting, InvalidMove, "6>9", text, at=at).place == "/moves/1"


def test_a_text_that_is_no_move_is_refused_after_the_end_and_in_a_retry(sit):
    sitting = sit()
    sitting.play("6>9", "Q")
    assert refused(sitting, InvalidMove, "6>9", "nothing", at=0).place == "/moves/1"


@pytest.mark.parametrize(
    ("variant", "options", "before", "move", "kind", "reason"),
    [
        ("cruel", {}, [], "7>7", IllegalMoves, "same_pile"),
        ("cruel", {}, [], "1>2", IllegalMoves, "wrong_suit"),
        ("cruel", {}, [], "1>F", IllegalMoves, "wrong_rank"),
        ("cruel", {}, [], "R", IllegalMoves, "no_change"),
        ("cruel", {}, [], "U", NothingToUndo, "nothing_to_undo"),
        ("cruel", {}, ["6>9", "U"], "U", NothingToUndo, "nothing_to_undo"),
        ("cruel", {}, ["Q"], "U", GameOver, "game_over"),
        ("cruel", {}, ["Q"], "Q", GameOver, "game_over"),
        ("cruel", {}, ["Q"], "6>9", GameOver, "game_over"),
        ("cruel", {"redeal_limit": 0}, [], "R", IllegalMoves, "limit_reached"),
        ("cruel", {"redeal_limit": 0}, FOUR_MOVES, "R", GameOver, "game_over"),
        ("cruel", {"redeal_limit": 0}, FOUR_MOVES, "Q", GameOver, "game_over"),
        ("cruel-strict", {}, [], "R", IllegalMoves, "not_stuck"),
        ("royal-family", {}, [], "1>6", IllegalMoves, "wrong_colour"),
        ("calculation", {}, [], "S>F1", IllegalMoves, "wrong_rank"),
        ("calculation", {}, [], "W1>W2", IllegalMoves, "waste_to_waste"),
        ("calculation", {}, [], "F1>W1", IllegalMoves, "from_foundation"),
        ("calculation", {}, [], "W1>F1", IllegalMoves, "empty_source"),
        ("calculation", {}, [], "U", UndoForbidden, "undo_not_allowed"),
    ],
)
def test_a_move_that_the_rules_forbid_says_why(sit, variant, options, before, move, kind, reason):
    sitting = sit(variant, **options)
    sitting.play(*before)
    error = refused(sitting, kind, move)
    assert error.extra == {"index": 0, "move": move, "reason": reason, "at": len(before)}
    assert error.detail.startswith(f"{move}: ")


def test_undo_is_refused_where_the_game_is_played_without(sit):
    sitting = sit(undo=False)
    sitting.play("6>9")
    assert refused(sitting, UndoForbidden, "U").extra["reason"] == "undo_not_allowed"


@pytest.mark.parametrize("bad", range(4))
@pytest.mark.parametrize("at", [None, 1])
def test_one_bad_move_in_a_batch_and_none_is_played(sit, clock, bad, at):
    sitting = sit()
    sitting.play("6>9")
    clock.tick(10)
    moves = ["1>11", "12>2", "1>6"]
    moves.insert(bad, "3>3")
    error = refused(sitting, IllegalMoves, *moves, at=at)
    assert error.extra == {"index": bad, "move": "3>3", "reason": "same_pile", "at": 1}
    assert sitting.play(*FOUR_MOVES[1:], at=1).view.game == sitting.replayed()


def test_the_index_of_a_bad_move_counts_those_that_are_recorded(sit):
    sitting = sit()
    sitting.play("6>9", "1>11")
    error = refused(sitting, IllegalMoves, "6>9", "1>11", "12>2", "3>3", at=0)
    assert error.extra == {"index": 3, "move": "3>3", "reason": "same_pile", "at": 2}


def test_nothing_is_played_after_giving_up_in_the_same_batch(sit):
    sitting = sit()
    error = refused(sitting, GameOver, "6>9", "Q", "U")
    assert error.extra == {"index": 2, "move": "U", "reason": "game_over", "at": 0}


def test_a_move_that_hangs_on_a_card_which_is_hidden_now_is_refused_whatever_it_is(sit):
    sitting = sit("calculation", seed=None)
    for moves in (
        ["S>W1", "S>F1"],
        ["S>W1", "S>W1", "W1>F3"],
        ["S>W1", "S>W2", "S>W1", "W2>W4"],
    ):
        error = refused(sitting, InvalidMove, *moves)
        assert error.place == f"/moves/{len(moves) - 1}"
        assert error.detail.startswith(moves[-1])
    sitting.play("S>W1")
    assert refused(sitting, InvalidMove, "S>W1", "S>W2", "S>F3", at=0).place == "/moves/2"
    assert sitting.play("S>W1", "S>W2", "S>W3", at=0).recorded == 1


def test_the_end_of_the_stock_hangs_on_the_cards_that_are_hidden_now(sit):
    sitting = sit("calculation", seed=None)
    for move in ("S>W1", "Q", "W1>F1"):
        moves = [*["S>W1"] * 48, move]
        assert refused(sitting, InvalidMove, *moves).place == "/moves/48"
    assert sitting.play(*["S>W1"] * 48).view.game.ply == 48


def test_who_named_the_seed_may_play_on_in_the_same_batch(sit):
    sitting = sit("calculation")
    assert sitting.play("S>W1", "S>W2", "S>W1").view.game.ply == 3


def test_the_last_card_hides_nothing(sit):
    sitting = sit("calculation")
    sitting.play(*["S>W1"] * 47)
    sitting.write(seed_named=False)
    assert sitting.view().seed is None
    error = refused(sitting, GameOver, "S>W1", "Q")
    assert (error.extra["index"], error.extra["reason"]) == (1, "game_over")


# ---- who may play ----


def test_playing_needs_the_games_own_token(sit, db, clock):
    sitting, other = sit(), sit()
    for token_hash, kind in (
        (None, Unauthenticated),
        (hash_token("sg_nobody"), Unauthenticated),
        (other.hash, Forbidden),
    ):
        before = sitting.row
        for moves in (["6>9"], ["nothing"], ["7>7"], []):
            with pytest.raises(kind) as caught:
                playing.play(db, sitting.id, token_hash, moves, 0, clock.ms)
            assert type(caught.value) is kind
        assert sitting.row == before
    assert other.row["history"] == ""


def test_a_game_that_is_not_there_cannot_be_played(sit, db):
    for token_hash, kind in (
        (None, NotFound),
        (sit().hash, NotFound),
        (hash_token("sg_nobody"), Unauthenticated),
    ):
        with pytest.raises(kind):
            playing.play(db, "no-such-game", token_hash, ["6>9"], None, NOON)


# ---- undo ----


def test_each_undo_takes_the_latest_standing_action_back(sit):
    sitting = sit("cruel-semicolon")
    games_before = [sitting.view().game]
    games_before += [sitting.play(move).view.game for move in ("12>2", "6>9", "R", "R")]
    for undos in range(1, 5):
        game = sitting.play("U").view.game
        assert game.position == games_before[4 - undos].position
        assert (game.ply, game.undos) == (4 + undos, undos)
        assert game == sitting.replayed() == sitting.view().game
    assert game.score.actions == 0
    refused(sitting, NothingToUndo, "U")


def test_undo_gives_a_redeal_of_the_limit_back(sit):
    sitting = sit("cruel-semicolon", redeal_limit=1)
    sitting.play("R")
    refused(sitting, IllegalMoves, "R")
    sitting.play("U")
    assert sitting.play("R", "U", "6>9", "U", "R").view.game.score == (4, 0, 1, 3)


def test_what_is_undone_may_be_played_otherwise(sit):
    sitting = sit()
    sitting.play("6>9", "U", "12>2")
    game = sitting.play("1>11", "U", "6>9").view.game
    assert sitting.moves == ["6>9", "U", "12>2", "1>11", "U", "6>9"]
    assert game == sitting.replayed()
    assert (game.score.moves, game.undos) == (2, 2)


def test_undo_takes_a_lost_game_back_into_progress(sit, clock):
    sitting = sit(redeal_limit=0)
    clock.tick(100)
    lost = sitting.play(*FOUR_MOVES).view
    assert (lost.game.status, lost.finished_at) == (Status.LOST, NOON + 100)
    assert sitting.row["finished_at"] == NOON + 100
    clock.tick(100)
    view = sitting.play("U").view
    assert (view.game.status, view.finished_at) == (Status.IN_PROGRESS, None)
    assert sitting.row["finished_at"] is None
    assert sitting.view() == view
    clock.tick(100)
    assert sitting.play("1>6").view.finished_at == NOON + 300
    assert sitting.row["finished_at"] == NOON + 300


def test_a_lost_game_is_lost_and_found_within_one_batch(sit):
    sitting = sit(redeal_limit=0)
    view = sitting.play(*FOUR_MOVES, "U", "U", *FOUR_MOVES[2:], "U").view
    assert (view.game.status, view.finished_at) == (Status.IN_PROGRESS, None)
    assert view.game == sitting.replayed()


def test_a_game_that_is_lost_from_the_start_has_nothing_to_undo(sit):
    sitting = sit(seed=LOST_SEEDS[0])
    assert refused(sitting, NothingToUndo, "U").extra["reason"] == "nothing_to_undo"
    refused(sitting, GameOver, "Q")
    refused(sitting, GameOver, "1>2")


# ---- the end ----


@pytest.mark.parametrize("seed", ["play-11", "play-47"])
def test_a_game_that_is_won_ends_with_its_last_move(sit, clock, seed):
    golden = next(game for game in PLAYTHROUGHS if game["seed"] == seed)
    sitting = sit(golden["variant"], seed=seed)
    *moves, last = golden["moves"].split()
    clock.tick(1)
    assert sitting.play(*moves).view.finished_at is None
    clock.tick(2)
    view = sitting.play(last).view
    clock.tick(4)
    assert (view.game.status, view.finished_at) == (Status.WON, NOON + 3)
    assert view.game.score.cards_up == 52
    assert (sitting.view().finished_at, sitting.view().now) == (NOON + 3, NOON + 7)
    refused(sitting, GameOver, "U")
    refused(sitting, GameOver, "Q")


def test_a_resigned_game_ends_where_it_stood(sit, clock):
    sitting = sit()
    before = sitting.play("6>9").view
    clock.tick(10)
    view = sitting.play("Q").view
    assert (view.game.status, view.finished_at) == (Status.RESIGNED, NOON + 10)
    assert view.game.position == before.game.position
    assert view.game.score == before.game.score


# ---- the longest history ----


def test_a_history_takes_ten_thousand_entries_and_no_more(sit):
    sitting = sit("cruel-semicolon")
    sitting.fill(9_998)
    assert refused(sitting, HistoryFull, "R", "R", "R").extra == {"at": 9_998}
    assert sitting.play("R", "U", at=9_998).view.game.ply == 10_000
    for moves in (["R"], ["U"], ["Q"], ["7>7"], ["R", "R"]):
        error = refused(sitting, HistoryFull, *moves)
        assert error.extra == {"at": 10_000}
        assert "10000 entries" in error.detail
    refused(sitting, HistoryFull, "R", at=10_000)
    assert sitting.play("R", "U", at=9_998).recorded == 2
    refused(sitting, HistoryFull, "R", "U", "R", at=9_998)
    refused(sitting, PlyConflict, "U", "U", at=9_998)
    refused(sitting, PlyGap, "R", at=10_001)
    assert sitting.view().game == sitting.replayed()
    assert len(sitting.moves) == 10_000


# ---- races that are lost ----


def test_moves_without_at_are_appended_to_what_came_in_between(sit):
    sitting = sit()
    with before_updates(lambda: sitting.play("6>9")):
        played = sitting.play("12>2")
    assert played.recorded == 0
    assert sitting.moves == ["6>9", "12>2"]
    assert played.view.game == sitting.replayed() == sitting.view().game


def test_moves_without_at_are_checked_against_what_came_in_between(sit):
    sitting = sit()
    with (
        before_updates(lambda: sitting.play("6>9")),
        pytest.raises(IllegalMoves) as caught,
    ):
        sitting.play("6>9")
    assert caught.value.extra["at"] == 1
    assert sitting.moves == ["6>9"]


def test_other_moves_at_the_same_place_are_a_conflict(sit):
    sitting = sit()
    with before_updates(lambda: sitting.play("6>9")), pytest.raises(PlyConflict) as caught:
        sitting.play("12>2", at=0)
    assert caught.value.extra["at"] == 1
    assert sitting.moves == ["6>9"]


def test_the_same_moves_at_the_same_place_are_recorded_once(sit):
    sitting = sit()
    with before_updates(lambda: sitting.play("6>9", "1>11", at=0)):
        played = sitting.play("6>9", "1>11", "12>2", at=0)
    assert played.recorded == 2
    assert sitting.moves == ["6>9", "1>11", "12>2"]


def test_a_game_that_ended_in_between_is_over(sit):
    sitting = sit()
    with before_updates(lambda: sitting.play("Q")), pytest.raises(GameOver):
        sitting.play("6>9")
    assert sitting.moves == ["Q"]


def test_undo_takes_back_what_came_in_between(sit):
    sitting = sit()
    sitting.play("6>9")
    with before_updates(lambda: sitting.play("12>2")):
        sitting.play("U")
    assert sitting.moves == ["6>9", "12>2", "U"]
    assert sitting.view().game == sitting.replayed()


def test_one_race_fewer_than_too_many_is_borne(sit):
    sitting = sit("cruel-semicolon")
    with before_updates(lambda: sitting.play("R"), times=19):
        sitting.play("6>9")
    assert sitting.moves == ["R"] * 19 + ["6>9"]


def test_too_many_races_that_are_lost_make_the_game_busy(sit):
    sitting = sit("cruel-semicolon")
    with before_updates(lambda: sitting.play("R"), times=20), pytest.raises(Busy) as caught:
        sitting.play("6>9")
    assert caught.value.extra == {"retry_after": 1}
    assert sitting.moves == ["R"] * 20


# ---- the clock ----


def test_times_never_go_back_with_the_clock(sit, clock):
    sitting = sit("cruel-semicolon")
    for tick in (100, -50, 20, -1_000, 980, 1_000, -1_000):
        clock.tick(tick)
        sitting.play("R")
    times = [at for _, _, at in sitting.history().entries]
    assert times == [100, 100, 100, 100, 100, 1_050, 1_050]
    assert all(low <= high for low, high in itertools.pairwise(times))


def test_a_clock_that_was_set_back_before_the_start_stands_at_the_start(sit, clock):
    sitting = sit()
    clock.tick(-86_400_000)
    view = sitting.play("6>9", "Q").view
    assert (view.started_at, view.finished_at) == (NOON, NOON)
    assert sitting.row["history"] == "6>9@0 Q@0"


def test_a_game_does_not_end_before_its_last_move(sit, clock):
    sitting = sit()
    clock.tick(500)
    sitting.play("6>9")
    clock.tick(-400)
    assert sitting.play("Q").view.finished_at == NOON + 500
    assert sitting.row["finished_at"] == NOON + 500


def test_a_batch_has_one_time(sit, clock):
    sitting = sit()
    clock.tick(7)
    sitting.play(*FOUR_MOVES)
    assert [at for _, _, at in sitting.history().entries] == [7] * 4
