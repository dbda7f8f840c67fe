import json

import pytest

from service.rules.family import Status
from service.rules.record import to_json
from service.rules.record_text import parse_record
from tests.cli.running import CALCULATION, CRUEL, RECORDS, board, run, why_not


@pytest.mark.parametrize("title", ["cruel-won", "calculation-won"])
@pytest.mark.parametrize("form", ["text", "quoted", "json"])
def test_replay_verifies_either_form_from_a_file_or_the_input(title, form, tmp_path):
    text = (RECORDS / f"{title}.txt").read_text("utf-8")
    record = parse_record(text)
    if form == "quoted":
        text = "".join(f"> {line}\n" for line in text.splitlines())
    if form == "json":
        text = "\n  " + json.dumps(to_json(record), indent=2)
    file = tmp_path / "game.txt"
    file.write_text(text, "utf-8-sig")
    output = run("replay", str(file))
    assert output == run("replay", "-", typed=text)
    assert output == (
        f"{record.variant}, seed {record.seed}\n\n{board(title)}\n"
        f"Verified: all {len(record.moves)} entries of the history were accepted.\n"
    )


def test_replay_says_which_move_is_refused_and_why():
    text = CRUEL.replace(" 3>F", " 3>4", 1)
    output = run("replay", "-", typed=text, code=1)
    assert "moves 1, redeals 0, actions 1, undos 0" in output
    assert output.endswith(
        f"Error: not verified: the move at index 1 is refused: {why_not('3>4', 1)}\n"
    )


def test_replay_of_a_resigned_game_accepts_nothing_after():
    output = run("replay", "-", typed=CRUEL.replace(" 3>F", " Q 3>F", 1), code=1)
    assert "at index 2 is refused: 3>F: the game is over (resigned)" in output
    assert f"Status   {Status.RESIGNED}" in output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "/record: a record is an object whose field record is 'semilla/1'"),
        ("hello", "line 1 is no field: a record begins with record: semilla/1"),
        (CRUEL.replace(" 3>F", " 3>13", 1), "/moves/1: '3>13' is no move here"),
        (CRUEL.replace("seed: 32", "seed: -"), "/seed: a seed has 1 to 128 characters"),
        (CRUEL.replace("variant: cruel", "variant: x"), "/variant: 'x' is no variant"),
        (CRUEL.replace("undo: yes", "undo: maybe"), "/undo: undo is true or false"),
        (CRUEL.replace("redeal=packets", "redeal=x"), "/options/redeal: redeal is one of"),
        (CRUEL.replace("redeal=", "\x1b[2J="), r"/options"),
        (CALCULATION.replace("undo: no", "undo: yes"), "/undo: undo is true or false, and false"),
        ("{", "line 1 column 2"),
        ('{"record": "semilla/1"}', "/variant: a record has this field"),
        ('{"record": ' + "[" * 5000, "column"),
        (b"\xff\xfer\x00", "can't decode byte 0xff"),
    ],
)
def test_replay_says_in_one_line_why_something_is_no_record(text, message):
    output = run("replay", "-", typed=text, code=2)
    assert output.startswith("Error: this is no record: ")
    assert message in output
    assert output.removesuffix("\n").isprintable()


def test_replay_of_a_strange_name_leaves_the_terminal_alone():
    data = to_json(parse_record(CRUEL)) | {"\x1b[2J": 1}
    output = run("replay", "-", typed=json.dumps(data), code=2)
    assert r"/\x1b[2J: this record has no such field" in output


def test_replay_needs_a_file(tmp_path):
    assert "No such file" in run("replay", str(tmp_path / "none"), code=2)
    assert "directory" in run("replay", str(tmp_path), code=2)
