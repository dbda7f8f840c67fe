"""The text form of a record, also as it comes out of a mail, and of a history with its times."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.errors import Invalid, InvalidMove, InvalidPosition, InvalidRecord
from service.rules.record import FIELDS, read_json
from service.rules.record_text import (
    format_moves,
    format_option_value,
    format_record,
    parse_moves,
    parse_option_value,
    parse_record,
)
from tests.rules.strategies import configured as any_rules
from tests.rules.strategies import histories, json_values, records
from tests.rules.tables import unless_invalid
from tests.rules.test_record import CALCULATION, PLACED, SEEDED

SEEDED_TEXT = """\
record: semilla/1
variant: cruel
options: deal=by_pile build=suit_down redeal=packets
  redeal_when=if_changes redeal_limit=none
deal_algorithm: deal/1
rules_version: 1
seed: semilla
undo: yes
moves: 12>2@1520 U@2040 12>2@2040
"""
PLACED_TEXT = """\
record: semilla/1
variant: limited-cruel
options: deal=by_pile build=suit_down redeal=packets
  redeal_when=if_changes redeal_limit=5
rules_version: 1
position: QC QD KH KS | KC / KD / - / - / - / - / - / - / - / - / - / -
undo: no
moves: 1>F 2>F
"""
CALCULATION_TEXT = """\
record: semilla/1
variant: calculation
options: bases=AC,2D,3H,4S
deal_algorithm: pysol
rules_version: 1
seed: pysol-1
undo: no
moves: S>W1
"""


def fault(text):
    with pytest.raises(Invalid) as caught:
        parse_record(text)
    return type(caught.value), caught.value.place, caught.value.detail


# ---- records ----


@pytest.mark.parametrize(
    ("data", "text"),
    [(SEEDED, SEEDED_TEXT), (PLACED, PLACED_TEXT), (CALCULATION, CALCULATION_TEXT)],
    ids=["seed", "position", "pysol"],
)
def test_both_forms_hold_the_same(data, text):
    assert format_record(read_json(data)) == text
    assert parse_record(text) == read_json(data)


def test_a_record_without_moves_ends_with_their_name():
    data = {**PLACED, "moves": []}
    text = PLACED_TEXT.replace("moves: 1>F 2>F", "moves:")
    assert format_record(read_json(data)) == text
    assert parse_record(text) == read_json(data)


def test_long_lines_are_folded_at_72_characters_between_words():
    data = {**SEEDED, "moves": ["12>2"] * 100, "times_ms": [1520] * 100}
    lines = format_record(read_json(data)).splitlines()
    moves = lines[8:]
    assert moves[0] == "moves: " + " ".join(["12>2@1520"] * 6)
    assert moves[1] == "  " + " ".join(["12>2@1520"] * 7)
    assert max(map(len, lines)) <= 72
    assert " ".join(moves).split()[1:] == ["12>2@1520"] * 100
    assert parse_record("\n".join(lines)) == read_json(data)


def test_a_seed_that_is_too_long_for_a_line_stands_on_one_of_its_own():
    data = {**SEEDED, "seed": "x" * 128}
    text = format_record(read_json(data))
    assert f"\nseed:\n  {'x' * 128}\nundo: yes\n" in text
    assert parse_record(text) == read_json(data)


@pytest.mark.parametrize("seed", ["none", "yes", "no", "1", "007", "1e3", "5.0"])
def test_a_seed_is_read_as_a_text_whatever_it_looks_like(seed):
    text = SEEDED_TEXT.replace("seed: semilla", f"seed: {seed}")
    assert parse_record(text).seed == seed


@given(records())
def test_every_record_is_read_back_from_its_text(record):
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text


# ---- out of a mail ----


def quoted(text, mark):
    return "".join(f"{mark}{line}" for line in text.splitlines(keepends=True))


@pytest.mark.parametrize(
    "mangle",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: quoted(text, "> "),
        lambda text: quoted(text, ">"),
        lambda text: quoted(text, ">> > "),
        lambda text: quoted(text, "    "),
        lambda text: quoted(text, "\t"),
        lambda text: text.replace("\n  ", "\n"),
        lambda text: text.replace("\n  ", " "),
        lambda text: text.replace("\n", "  \n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: "\n\n" + text,
        lambda text: quoted(text.replace("\n", "\n\n"), "> "),
        lambda text: text.replace(" ", "\n"),
        lambda text: text.rstrip("\n"),
        lambda text: quoted(text.replace(" ", "\n"), "> ").replace("\n", "\r\n"),
    ],
)
@pytest.mark.parametrize("text", [SEEDED_TEXT, PLACED_TEXT, CALCULATION_TEXT])
def test_a_record_survives_the_mail(mangle, text):
    assert parse_record(mangle(text)) == parse_record(text)


@given(
    record=records(),
    broken=st.integers(0, 2**64),
    odds=st.sampled_from([0, 0.1, 0.9]),
    mark=st.sampled_from(["", "> ", ">", ">> ", "  ", "\t> "]),
    newline=st.sampled_from(["\n", "\r\n"]),
    indented=st.booleans(),
    unfolded=st.booleans(),
)
def test_every_record_survives_the_mail(record, broken, odds, mark, newline, indented, unfolded):
    text = format_record(record)
    if unfolded:
        text = text.replace("\n  ", " ")
    if not indented:
        text = text.replace("\n  ", "\n")
    chance = random.Random(broken)
    text = "".join("\n" if letter == " " and chance.random() < odds else letter for letter in text)
    text = quoted(text, mark).replace("\n", newline)
    assert parse_record(text) == record


# ---- faults ----


@pytest.mark.parametrize(
    ("text", "number"),
    [("hello", 1), ("\n\nhello\n", 3), ("Dear X,\n" + SEEDED_TEXT, 1), ("semilla/1", 1)],
)
def test_a_record_begins_with_its_first_field(text, number):
    detail = f"line {number} is no field: a record begins with record: semilla/1"
    assert fault(text) == (InvalidRecord, "", detail)


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", ">\n> \n", "variant: cruel", "moves: R"])
def test_a_text_without_the_first_field_is_no_record(text):
    detail = "a record is an object whose field record is 'semilla/1'"
    assert fault(text) == (InvalidRecord, "/record", detail)


@pytest.mark.parametrize("name", [name for name in FIELDS if f"\n{name}:" in "\n" + SEEDED_TEXT])
def test_a_field_stands_once(name):
    text = SEEDED_TEXT + f"{name}: again\n"
    detail = "line 10 writes this field a second time"
    assert fault(text) == (InvalidRecord, f"/{name}", detail)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("record: semilla/1", "record: semilla/2", "/record"),
        ("variant: cruel", "variant: klondike", "/variant"),
        ("variant: cruel", "variant:", "/variant"),
        ("variant: cruel\n", "", "/variant"),
        ("deal=by_pile", "deal=by_hand", "/options/deal"),
        ("deal=by_pile", "deal", "/options/deal"),
        ("deal=by_pile", "", "/options"),
        ("deal=by_pile", "deal=by_pile x=1", "/options/x"),
        ("deal=by_pile", "deal=by_pile a/b~c=1", "/options/a~1b~0c"),
        ("redeal_limit=none", "redeal_limit=100", "/options/redeal_limit"),
        ("redeal_limit=none", "redeal_limit=yes", "/options/redeal_limit"),
        ("redeal_limit=none", f"redeal_limit={'9' * 5000}", "/options/redeal_limit"),
        ("deal_algorithm: deal/1", "deal_algorithm: pysol", "/deal_algorithm"),
        ("rules_version: 1", "rules_version: 2", "/rules_version"),
        ("rules_version: 1", "rules_version: yes", "/rules_version"),
        ("rules_version: 1", f"rules_version: {'1' * 5000}", "/rules_version"),
        ("seed: semilla", "seed: se milla", "/seed"),
        ("seed: semilla", "seed:", "/seed"),
        ("undo: yes", "undo: true", "/undo"),
        ("undo: yes", "undo: 1", "/undo"),
        ("undo: yes", "undo:", "/undo"),
        ("12>2@1520", "13>2@1520", "/moves/0"),
        ("U@2040", "u@2040", "/moves/1"),
        ("U@2040", "U", "/times_ms"),
        ("U@2040", "U@", "/times_ms"),
        ("U@2040", "U@x", "/times_ms"),
        ("U@2040", "U@-5", "/times_ms"),
        ("U@2040", "U@1", "/times_ms"),
        ("U@2040", "U@9999", "/times_ms"),
        ("U@2040", "U@2040@2040", "/times_ms"),
        ("U@2040", f"U@{'9' * 5000}", "/times_ms"),
        ("undo: yes", "undo: yes\ntimes_ms: 1520 2040 2040", "/times_ms"),
        ("undo: yes", "undo: yes\nposition: KC", "/position"),
    ],
)
def test_a_value_that_is_wrong_is_refused_at_the_place_of_the_json_form(old, new, place):
    assert SEEDED_TEXT.count(old) == 1
    assert fault(SEEDED_TEXT.replace(old, new))[1] == place


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("KC / KD", "KC / KC", "/position/piles/1/0"),
        ("KC / KD", "KC KD", "/position/piles"),
        ("KC / KD", "1C / KD", "/position"),
        ("QC QD KH KS", "KC QD KH KS", "/position"),
        ("/ -\n", "/ - | 3\n", "/position"),
        ("/ -\n", f"/ - | {'9' * 5000}\n", "/position"),
        ("variant: limited-cruel\n", "", "/variant"),
        ("redeal_limit=5", "", "/options"),
        ("redeal_limit=5", "redeal_limit=500", "/options/redeal_limit"),
        ("undo: no", "undo: no\nseed: semilla", "/deal_algorithm"),
        ("undo: no", "undo: no\nseed: semilla\ndeal_algorithm: deal/1", "/position"),
    ],
)
def test_a_position_that_is_wrong_is_refused_at_its_place(old, new, place):
    assert PLACED_TEXT.count(old) == 1
    assert fault(PLACED_TEXT.replace(old, new))[1] == place


def test_no_redeal_stands_at_the_start():
    text = PLACED_TEXT.replace("/ -\n", "/ - | 3\n")
    detail = "no redeal stands at the start of a game"
    assert fault(text) == (InvalidRecord, "/position", detail)


def test_the_fault_of_a_move_or_a_position_keeps_its_kind():
    assert fault(SEEDED_TEXT.replace("12>2@1520", "0>2@1520"))[0] is InvalidMove
    assert fault(PLACED_TEXT.replace("KC / KD", "KC / KC"))[0] is InvalidPosition


@given(st.text() | st.text(alphabet="record: semilla/1\nvariant:cruelmoves>@ \r\t", max_size=200))
def test_any_other_text_is_no_record(text):
    assert unless_invalid(parse_record, text) is None


@given(
    base=st.sampled_from([SEEDED_TEXT, PLACED_TEXT, CALCULATION_TEXT]),
    start=st.integers(0, 400),
    length=st.integers(0, 30),
    put=st.text(max_size=20) | st.text(alphabet="0123456789>@|/-AKQCDHS \n", max_size=20),
)
def test_a_record_with_other_letters_in_it_is_read_or_refused_as_invalid(base, start, length, put):
    text = base[:start] + put + base[start + length :]
    record = unless_invalid(parse_record, text)
    assert record is None or parse_record(format_record(record)) == record


@given(
    base=st.sampled_from([SEEDED_TEXT, PLACED_TEXT, CALCULATION_TEXT]),
    name=st.sampled_from(FIELDS),
    value=json_values.map(str) | st.text(),
)
def test_a_record_with_another_value_in_some_field_is_read_or_refused_as_invalid(base, name, value):
    lines = [line for line in base.splitlines() if not line.startswith(f"{name}:")]
    record = unless_invalid(parse_record, "\n".join([*lines, f"{name}: {value}"]))
    assert record is None or parse_record(format_record(record)) == record


# ---- histories ----


def test_a_history_is_written_in_one_line_with_its_times_where_there_are_any():
    assert format_moves(["7>3", "R"], None) == "7>3 R"
    assert format_moves(["7>3", "R"], [1520, 2040]) == "7>3@1520 R@2040"
    assert format_moves([], None) == ""
    assert format_moves([], []) == ""
    assert parse_moves("7>3 R") == (["7>3", "R"], None)
    assert parse_moves("7>3@1520 R@2040") == (["7>3", "R"], [1520, 2040])
    assert parse_moves("") == ([], None)


def test_there_are_as_many_times_as_moves():
    with pytest.raises(ValueError, match="shorter"):
        format_moves(["7>3", "R"], [1520])


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("7>3@1 R", [1, -1]),
        ("7>3 R@1", [-1, 1]),
        ("7>3@", [-1]),
        ("7>3@x", [-1]),
        ("7>3@1.5", [-1]),
        ("7>3@-1", [-1]),
        ("7>3@+1", [-1]),
        ("7>3@\u0661", [-1]),
        ("7>3@1@1", [-1]),
        ("7>3@" + "9" * 18, [10**18 - 1]),
        ("7>3@" + "9" * 19, [-1]),
    ],
)
def test_a_time_that_is_no_number_is_read_as_one_that_no_history_holds(text, times):
    assert parse_moves(text)[1] == times


@given(st.data())
def test_every_history_is_read_back_from_its_text(data):
    moves, times = data.draw(histories(data.draw(any_rules())))
    assert parse_moves(format_moves(moves, times)) == (moves, times)


# ---- options ----


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (None, "none"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        (1, "1"),
        (99, "99"),
        ("packets", "packets"),
        (["AC", "2D", "3H", "4S"], "AC,2D,3H,4S"),
    ],
)
def test_a_value_of_an_option_is_one_word(value, word):
    assert format_option_value(value) == word
    read = parse_option_value(word)
    assert (read, type(read)) == (value, type(value))


@given(any_rules())
def test_every_option_is_read_back_from_its_word(rules):
    for value in rules.options().values():
        assert parse_option_value(format_option_value(value)) == value
