import json
from pathlib import Path

import pytest

from service.rules.record import to_json
from service.rules.record_text import format_record, parse_record
from tests.boards.positions import recorded
from tests.cli.running import CRUEL, CRUEL_MOVES, board, run, why_not


@pytest.fixture
def file(tmp_path):
    return tmp_path / "game.txt"


def test_a_game_is_saved_resumed_and_replayed(file):
    moves = CRUEL_MOVES.split()
    first, rest = " ".join(moves[:20]), " ".join(moves[20:])
    output = run("play", "--seed", "32", "--save", str(file), typed=first)
    assert f"This game: semilla play --resume {file}\n" in output
    output = run("play", "--resume", str(file), typed=f"U U\n{' '.join(moves[18:20])}\n{rest}\n")
    assert board("cruel-undone") in output
    assert f"This game: semilla replay {file}\n" in output
    record = parse_record(file.read_text("utf-8"))
    assert record.moves == (*moves[:20], "U", "U", *moves[18:])
    assert len(record.times_ms) == 66
    output = run("replay", str(file))
    assert "won, 52 of 52 cards up" in output
    assert "Verified: all 66 entries of the history were accepted." in output


def test_a_game_is_saved_while_it_is_played(file, monkeypatch):
    lines = iter(["12>F", "3>F"])
    saved = []

    def answer(_prompt):
        saved.append(parse_record(file.read_text("utf-8")).moves)
        return next(lines, "quit")

    monkeypatch.setattr("builtins.input", answer)
    run("play", "--seed", "32", "--save", str(file))
    assert saved == [(), ("12>F",), ("12>F", "3>F")]


def test_resume_may_save_elsewhere(file, tmp_path):
    old = tmp_path / "old.txt"
    old.write_text(CRUEL.replace("2>F 2>F 2>F 2>F\n", "\n"), "utf-8")
    before = old.read_text("utf-8")
    run("play", "--resume", str(old), "--save", str(file), typed="2>F 2>F 2>F 2>F\n")
    assert old.read_text("utf-8") == before
    assert file.read_text("utf-8") == CRUEL


def test_resume_reads_json_and_its_clock_goes_on(file):
    record = parse_record(CRUEL)._replace(moves=("12>F", "3>F"), times_ms=(10, 7_000_000))
    file.write_text(json.dumps(to_json(record)), "utf-8")
    run("play", "--resume", str(file), typed="5>F\n")
    resumed = parse_record(file.read_text("utf-8"))
    assert resumed.moves == ("12>F", "3>F", "5>F")
    assert resumed.times_ms[:2] == (10, 7_000_000)
    assert 7_000_000 <= resumed.times_ms[2] < 7_060_000


def test_a_record_without_times_stays_without(file):
    file.write_text(format_record(parse_record(CRUEL)._replace(moves=("12>F",))), "utf-8")
    run("play", "--resume", str(file), typed="3>F\n")
    assert parse_record(file.read_text("utf-8")).times_ms is None


def test_a_game_from_a_position_has_no_deal_to_repeat(file):
    game = recorded("cruel-won", 58)
    position = game.position._replace(redeals=0)
    record = parse_record(CRUEL)._replace(
        seed=None, deal_algorithm=None, position=position, moves=()
    )
    file.write_text(format_record(record), "utf-8")
    output = run("play", "--resume", str(file), typed="2>F 2>F 2>F 2>F")
    assert output.startswith("cruel; help lists the moves\n")
    assert "Won: 52 of 52 cards up, actions 4." in output
    assert "This deal" not in output


def test_an_ended_game_is_shown_and_left_as_it_is(file):
    file.write_text(CRUEL, "utf-8")
    output = run("play", "--resume", str(file), typed="U\n")
    assert board("cruel-won") in output
    assert "> " not in output
    assert file.read_text("utf-8") == CRUEL


@pytest.mark.parametrize(
    "words", [["cruel"], ["--seed", "1"], ["-o", "redeal_limit=1"], ["--no-undo"]]
)
def test_resume_takes_the_game_from_its_file_alone(file, words):
    file.write_text(CRUEL, "utf-8")
    assert "name no variant, seed or options" in run("play", "--resume", str(file), *words, code=2)


def test_resume_refuses_what_cannot_be_gone_on_with(file):
    assert "does not exist" in run("play", "--resume", str(file), code=2)
    file.write_text("hello", "utf-8")
    assert "Error: this is no record: line 1" in run("play", "--resume", str(file), code=2)
    file.write_text(CRUEL.replace(" 3>F", " 3>4", 1), "utf-8")
    output = run("play", "--resume", str(file), code=1)
    assert output == f"Error: the move at index 1 is refused: {why_not('3>4', 1)}\n"


def test_save_does_not_write_over_a_file(file):
    file.write_text("another game", "utf-8")
    output = run("play", "--save", str(file), code=2)
    assert "is there already: resume it, or name a new file" in output
    assert file.read_text("utf-8") == "another game"


def test_where_nothing_can_be_saved_no_game_begins(tmp_path):
    output = run("play", "--save", str(tmp_path / "none" / "game.txt"), code=1)
    assert output.startswith("Error: cannot save to ")
    assert output.endswith("No such file or directory\n")


def test_what_was_saved_outlives_a_save_that_fails(file, monkeypatch):
    run("play", "--seed", "32", "--save", str(file), typed="12>F\n")
    before = file.read_text("utf-8")

    def fail(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)
    output = run("play", "--resume", str(file), typed="3>F\n", code=1)
    assert output.endswith(f"Error: cannot save to {file}: No space left on device\n")
    assert file.read_text("utf-8") == before
