import pytest

from service.usecases import verify
from service.usecases.verify import Verdict, verify_games
from tests.conftest import SQLITE_ONLY
from tests.statements import count_statements
from tests.usecases.sitting import FOUR_MOVES, LOST_SEEDS


def faults(sitting):
    """Verify all games; the faults of this one."""
    [found] = [
        verdict.faults for verdict in verify_games(sitting.db) if verdict.game_id == sitting.id
    ]
    return found


@pytest.fixture
def played(sit, clock):
    """Give a game that has moves, an undo and an end, a second apart."""
    sitting = sit("cruel-semicolon")
    for move in ("12>2", "R", "U", "6>9", "R", "Q"):
        clock.tick(1_000)
        sitting.play(move)
    assert faults(sitting) == ()
    return sitting


@pytest.fixture
def running(sit, clock):
    """Give a game that goes on."""
    sitting = sit(redeal_limit=0)
    clock.tick(1_000)
    sitting.play(*FOUR_MOVES[:2])
    assert faults(sitting) == ()
    return sitting


def test_nothing_is_found_where_there_is_nothing(db):
    assert list(verify_games(db)) == []


def test_sound_games_of_every_kind_have_no_faults(db, sit, clock):
    sittings = [
        sit(),
        sit(seed=LOST_SEEDS[0]),
        sit(seed=None),
        sit(redeal_limit=0),
        sit(undo=False),
        sit("royal-family"),
        sit("ripple-fan", seed="pysol-5"),
        sit("calculation"),
        sit("calculation", seed="pysol-5"),
        sit("calculation", seed=None),
    ]
    sittings[3].play(*FOUR_MOVES)
    sittings[3].play("U")
    clock.tick(-5_000)
    for sitting in sittings[4:]:
        for _ in range(10):
            if moves := sitting.view().game.legal_moves():
                sitting.play(moves[-1])
    sittings[7].play("Q")
    sittings[8].play_out()
    ids = sorted(sitting.id for sitting in sittings)
    assert list(verify_games(db)) == [Verdict(game_id, ()) for game_id in ids]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_games_are_read_in_batches_in_the_order_of_their_ids(db, sit, monkeypatch, count):
    monkeypatch.setattr(verify, "_BATCH", 2)
    sittings = [sit() for _ in range(count)]
    sittings[0].write(ply=7)
    with count_statements(db) as seen:
        verdicts = list(verify_games(db))
    assert [verdict.game_id for verdict in verdicts] == sorted(game.id for game in sittings)
    assert [verdict.game_id for verdict in verdicts if verdict.faults] == [sittings[0].id]
    assert seen.verbs == ["SELECT"] * len(seen)
    assert len(seen) <= count // 2 + 2


def test_verifying_changes_nothing(played):
    played.write(ply=7)
    before = played.row
    assert faults(played)
    assert played.row == before


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("ply", 5),
        ("status", "in_progress"),
        ("status", "won"),
        ("status", "nonsense"),
        ("cards_up", 5),
        ("moves", 3),
        ("redeals", 0),
        ("undos", 0),
        ("finished_at", None),
        ("finished_at", 1),
    ],
)
def test_a_column_that_does_not_follow_from_the_history_is_named(played, column, value):
    kept = played.row[column]
    played.write(**{column: value})
    expected = f"its column {column} holds {value!r}, and its history gives {kept!r}"
    assert faults(played) == (expected,)
    played.write(**{column: kept})
    assert faults(played) == ()


def test_a_position_that_does_not_follow_from_the_history_is_named(played, running):
    played.write(position=running.row["position"])
    assert faults(running) == ()
    [fault] = faults(played)
    assert fault.startswith("its column position holds 'AC AD AH AS | ")


def test_every_column_that_is_wrong_is_named(played):
    played.write(ply=5, status="lost", undos=9)
    found = faults(played)
    assert [fault.split()[2] for fault in found] == ["ply", "status", "undos"]


def test_a_running_game_has_not_finished(running):
    running.write(finished_at=running.row["started_at"])
    [fault] = faults(running)
    assert fault.endswith("and its history gives None")


def test_the_start_of_a_game_that_has_ended_is_bound_to_its_end(played):
    played.write(started_at=played.row["started_at"] + 1)
    [fault] = faults(played)
    assert fault.startswith("its column finished_at")


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("variant", "bridge", "'bridge' is no variant"),
        ("variant", "calculation", "is no option"),
        ("options", "", "it cannot be read"),
        ("options", "[]", "it cannot be read"),
        ("options", "null", "it cannot be read"),
        ("options", '{"deal": 7}', "deal is one of"),
        ("options", '{"deal": []}', "deal is one of"),
        ("options", '{"colour": "red"}', "is no option"),
        ("deal_algorithm", "deal/2", "it cannot be read: 'deal/2'"),
        ("deal_algorithm", "pysol", "a seed that starts with pysol-"),
        ("rules_version", 2, "it was played by rules of version 2, and these are 1"),
        ("history", "12>2@1 nothing@2", "'nothing' is no move"),
        ("history", "S>W1@1", "is no move here"),
        ("history", b"12>2@1", "it cannot be read"),
    ],
)
def test_a_row_that_cannot_be_read_is_told_and_the_next_one_verified(
    played, running, column, value, told
):
    played.write(**{column: value})
    assert faults(running) == ()
    [fault] = faults(played)
    assert told in fault


@SQLITE_ONLY
@pytest.mark.parametrize("column", ["ply", "rules_version", "started_at"])
def test_a_value_of_another_type_which_sqlite_keeps_is_a_fault(running, column):
    running.write(**{column: "one"})
    [fault] = faults(running)
    assert "'one'" in fault


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seed", "other"),
        ("options", '{"deal": "by_round"}'),
        ("options", '{"redeal_limit": 0}'),
        ("undo", False),
    ],
)
def test_terms_under_which_the_game_went_otherwise_are_found(played, column, value):
    played.write(**{column: value})
    assert faults(played)


def test_a_seed_of_another_algorithm_is_found(played):
    played.write(seed="pysol-5")
    assert faults(played)


def test_undo_in_calculation_is_found(sit):
    sitting = sit("calculation")
    sitting.write(undo=True)
    [fault] = faults(sitting)
    assert "/undo: calculation is played without undo" in fault


@pytest.mark.parametrize(
    ("history", "told"),
    [
        # Move by move: 12>2 R U 6>9 R Q.
        ("12>2@1000 R@2000 U@3000 7>7@4000 R@5000 Q@6000", "entry 4 of its history is refused"),
        ("12>2@1000 12>2@2000", "entry 2 of its history is refused"),
        ("U@1000", "entry 1 of its history is refused: U: no action stands"),
        ("12>2@1000 R@2000 U@3000 6>9@4000 R@5000 Q@6000 U@7000", "entry 7"),
        ("12>2@1000 R@2000 U@3000 6>9@4000 R@5000", "its column"),
        ("", "its column"),
        ("12>2@1000 R@2000 U@3000 6>9@4000 R@5000 Q@4000", "times of its history go back"),
        ("12>2@-1 R@2000 U@3000 6>9@4000 R@5000 Q@6000", "times of its history go back"),
        ("12>2@1000 R U@3000 6>9@4000 R@5000 Q@6000", "times of its history go back"),
        ("12>2@x R@2000 U@3000 6>9@4000 R@5000 Q@6000", "times of its history go back"),
        ("12>2 R U 6>9 R Q", "some are missing"),
        ("12>2@1000 R@2000 U@3000 6>9@4000 R@5000 Q@6001", "its column finished_at"),
    ],
)
def test_a_history_that_was_tampered_with_is_found(played, history, told):
    played.write(history=history)
    assert any(told in fault for fault in faults(played))


@pytest.mark.parametrize(
    ("column", "value"),
    [("options", "{}"), ("history", "6>9@1000 1>11@1000 ")],
)
def test_a_column_that_is_not_written_as_it_is_stored_is_a_fault(running, column, value):
    running.write(**{column: value})
    assert faults(running)
