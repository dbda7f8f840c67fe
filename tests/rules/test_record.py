"""The JSON form of a record, every way in which it can be wrong, and replaying it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules import VARIANTS
from service.rules.errors import Invalid, InvalidMove, InvalidRecord
from service.rules.game import Failure
from service.rules.record import FIELDS, Record, read_json, read_rules, to_json
from tests.rules.strategies import json_values, records
from tests.rules.tables import deeply_nested, layout, unless_invalid

OPTIONS = {
    "deal": "by_pile",
    "build": "suit_down",
    "redeal": "packets",
    "redeal_when": "if_changes",
    "redeal_limit": None,
}
SEEDED = {
    "record": "semilla/1",
    "variant": "cruel",
    "options": OPTIONS,
    "deal_algorithm": "deal/1",
    "rules_version": 1,
    "seed": "semilla",
    "undo": True,
    "moves": ["12>2", "U", "12>2"],
    "times_ms": [1520, 2040, 2040],
}
PLACED = {
    "record": "semilla/1",
    "variant": "limited-cruel",
    "options": {**OPTIONS, "redeal_limit": 5},
    "rules_version": 1,
    "position": {"foundations": ["QC", "QD", "KH", "KS"], "piles": layout("KC / KD")},
    "undo": False,
    "moves": ["1>F", "2>F"],
}
CALCULATION = {
    "record": "semilla/1",
    "variant": "calculation",
    "options": {"bases": ["AC", "2D", "3H", "4S"]},
    "deal_algorithm": "pysol",
    "rules_version": 1,
    "seed": "pysol-1",
    "undo": False,
    "moves": ["S>W1"],
}


def fault(data):
    with pytest.raises(Invalid) as caught:
        read_json(data)
    return caught.value.place, caught.value.detail


def without(data, name):
    return {field: value for field, value in data.items() if field != name}


# ---- reading and writing ----


@pytest.mark.parametrize("data", [SEEDED, PLACED, CALCULATION], ids=["seed", "position", "pysol"])
def test_a_record_is_written_as_it_was_read_its_fields_in_their_order(data):
    record = read_json(data)
    assert to_json(record) == data
    assert list(to_json(record)) == [name for name in FIELDS if name in data]


def test_a_record_from_a_seed_holds_what_was_played():
    record = read_json(SEEDED)
    assert record == Record(
        variant="cruel",
        rules=VARIANTS["cruel"],
        seed="semilla",
        deal_algorithm="deal/1",
        position=None,
        undo=True,
        moves=("12>2", "U", "12>2"),
        times_ms=(1520, 2040, 2040),
    )


def test_a_record_from_a_position_has_no_seed_and_no_times_unless_they_are_given():
    record = read_json(PLACED)
    assert (record.seed, record.deal_algorithm, record.times_ms) == (None, None, None)
    assert record.rules.options()["redeal_limit"] == 5
    assert record.position == record.rules.read_position(PLACED["position"])


def test_where_there_are_no_moves_there_are_no_times():
    record = read_json({**SEEDED, "moves": [], "times_ms": []})
    assert (record.moves, record.times_ms) == ((), None)
    assert "times_ms" not in to_json(record)


@given(records())
def test_every_record_is_read_back_from_its_json(record):
    assert read_json(json.loads(json.dumps(to_json(record)))) == record


# ---- replaying ----


def test_a_record_replays_to_the_game_that_was_played():
    game, failure = read_json(PLACED).replay()
    assert failure is None
    assert (game.status, game.score.actions, game.undo) == ("won", 2, False)
    game, failure = read_json(SEEDED).replay()
    assert failure is None
    assert (game.status, game.ply, game.score.undos, game.undo) == ("in_progress", 3, 1, True)


def test_a_record_starts_at_the_opening_of_its_seed_or_at_its_position():
    start = read_json(SEEDED).start()
    shown = start.rules.face_up(start.position)
    assert shown["piles"][0] == ["JS", "KD", "7H", "4D"]
    start = read_json(CALCULATION).start()
    assert start.rules.face_up(start.position)["card"] == "JD"
    start = read_json(PLACED).start()
    assert start.rules.position_json(start.position) == PLACED["position"]
    assert (start.ply, start.undo) == (0, False)


def test_a_record_may_hold_a_move_that_is_not_allowed_and_replaying_finds_it():
    game, failure = read_json({**PLACED, "moves": ["1>F", "3>F", "2>F"]}).replay()
    assert failure == Failure(1, "3>F", "empty_source", "3>F: pile 3 is empty")
    assert (game.ply, game.status) == (1, "in_progress")


# ---- faults ----


@pytest.mark.parametrize(
    "data",
    [
        *[None, [], "semilla/1", 1, {}, without(SEEDED, "record")],
        *[{**SEEDED, "record": value} for value in ("semilla/2", None, ["semilla/1"])],
    ],
)
def test_a_record_says_that_it_is_one(data):
    detail = "a record is an object whose field record is 'semilla/1'"
    assert fault(data) == ("/record", detail)


@pytest.mark.parametrize(
    "name", ["variant", "options", "deal_algorithm", "rules_version", "undo", "moves"]
)
def test_a_record_from_a_seed_has_each_of_its_fields(name):
    detail = "a record has this field, and either seed and deal_algorithm or position"
    assert fault(without(SEEDED, name)) == (f"/{name}", detail)


@pytest.mark.parametrize(
    "name", ["variant", "options", "rules_version", "position", "undo", "moves"]
)
def test_a_record_from_a_position_has_each_of_its_fields(name):
    detail = "a record has this field, and either seed and deal_algorithm or position"
    assert fault(without(PLACED, name)) == (f"/{name}", detail)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({**SEEDED, "position": PLACED["position"]}, "/position"),
        ({**PLACED, "deal_algorithm": "deal/1"}, "/deal_algorithm"),
        ({**SEEDED, "score": {}}, "/score"),
        ({**SEEDED, "": 1}, "/"),
        ({**SEEDED, "a/b~c": 1}, "/a~1b~0c"),
    ],
)
def test_a_record_has_no_other_field(data, place):
    assert fault(data) == (place, "this record has no such field")


@pytest.mark.parametrize("version", [0, 2, -1, "1", 1.0, True, None, [1]])
def test_a_record_is_of_the_rules_of_version_1(version):
    data = {**SEEDED, "rules_version": version}
    assert fault(data) == ("/rules_version", "these are the rules of version 1")


@pytest.mark.parametrize("variant", [None, 1, ["cruel"], {}])
def test_the_variant_is_named_by_a_text(variant):
    assert fault({**SEEDED, "variant": variant}) == ("/variant", "a variant is named by a text")


@pytest.mark.parametrize("variant", ["", "Cruel", "cruel ", "klondike"])
def test_the_variant_is_one_that_there_is(variant):
    place, detail = fault({**SEEDED, "variant": variant})
    assert place == "/variant"
    assert detail.startswith(f"{variant!r} is no variant: there are cruel, cruel-semicolon, ")


@pytest.mark.parametrize(
    "options", [None, [], "", {}, without(OPTIONS, "deal"), without(OPTIONS, "redeal_limit")]
)
def test_a_record_names_every_option(options):
    detail = (
        "a record names every option of its variant: deal, build, redeal, redeal_when, redeal_limit"
    )
    assert fault({**SEEDED, "options": options}) == ("/options", detail)


def test_a_record_of_calculation_names_its_bases():
    detail = "a record names every option of its variant: bases"
    assert fault({**CALCULATION, "options": {}}) == ("/options", detail)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({**SEEDED, "options": {**OPTIONS, "deal": "by_hand"}}, "/options/deal"),
        ({**SEEDED, "options": {**OPTIONS, "redeal_limit": 100}}, "/options/redeal_limit"),
        ({**SEEDED, "options": {**OPTIONS, "bases": []}}, "/options/bases"),
        ({**CALCULATION, "options": {"bases": ["AC"]}}, "/options/bases"),
        ({**CALCULATION, "options": {"bases": ["AC", "1D", "3H", "4S"]}}, "/options/bases/1"),
        ({**CALCULATION, "options": {"bases": ["AC", "2D", "4H", "4S"]}}, "/options/bases/2"),
    ],
)
def test_an_option_that_is_wrong_is_refused_at_its_place(data, place):
    assert fault(data)[0] == place


@pytest.mark.parametrize("seed", ["", "a b", "x" * 129, "pysol-0", None, 5, ["a"], {}])
def test_a_seed_is_one(seed):
    place, detail = fault({**SEEDED, "seed": seed})
    assert place == "/seed"
    assert detail.startswith("a seed ")


@pytest.mark.parametrize(
    ("seed", "algorithm", "right"),
    [
        ("semilla", "pysol", "deal/1"),
        ("semilla", "deal/2", "deal/1"),
        ("semilla", None, "deal/1"),
        ("pysol-1", "deal/1", "pysol"),
        ("pysol-1", ["pysol"], "pysol"),
    ],
)
def test_the_algorithm_is_the_one_that_deals_the_seed(seed, algorithm, right):
    data = {**SEEDED, "seed": seed, "deal_algorithm": algorithm}
    assert fault(data) == ("/deal_algorithm", f"this seed is dealt by {right}")


@pytest.mark.parametrize(
    ("position", "place"),
    [
        (None, "/position"),
        ({}, "/position"),
        ({"piles": []}, "/position/piles"),
        ({"piles": layout("KC / 1D")}, "/position/piles/1/0"),
        ({"piles": layout("KC / KC")}, "/position/piles/1/0"),
        ({"piles": layout("KC"), "foundations": []}, "/position/foundations"),
        ({"stock": []}, "/position"),
    ],
)
def test_a_position_that_is_wrong_is_refused_at_its_place(position, place):
    assert fault({**PLACED, "position": position})[0] == place


@pytest.mark.parametrize("undo", [None, 0, 1, "yes", []])
def test_undo_is_true_or_false(undo):
    detail = "undo is true or false, and false in Calculation"
    assert fault({**SEEDED, "undo": undo}) == ("/undo", detail)


def test_undo_is_false_in_calculation():
    detail = "undo is true or false, and false in Calculation"
    assert fault({**CALCULATION, "undo": True}) == ("/undo", detail)


@pytest.mark.parametrize("moves", [None, "R", {}, {"R": 1}, [1], ["R", None], [["R"]]])
def test_moves_are_a_list_of_texts(moves):
    assert fault({**PLACED, "moves": moves}) == ("/moves", "moves is a list of move texts")


def test_a_text_that_is_no_move_is_refused_at_its_index():
    detail = "'13>F' is no move here: write 7>3, 7>F, R, U or Q, piles 1 to 12, in capital letters"
    assert fault({**PLACED, "moves": ["R", "13>F"]}) == ("/moves/1", detail)
    detail = "'R' is no move here: write S>F2, S>W3, W3>F2 or Q, numbers 1 to 4, in capital letters"
    assert fault({**CALCULATION, "moves": ["R"]}) == ("/moves/0", detail)
    with pytest.raises(InvalidMove):
        read_json({**CALCULATION, "moves": ["R"]})


@pytest.mark.parametrize(
    "times",
    [
        *[None, "", 5, {}, [], [1], [1, 2], [1, 2, 3, 4], [1, 2, None], [1, 2, "3"], [1, 2, 3.0]],
        *[[1, 2, True], [-1, 2, 3], [1, 3, 2], [3, 3, 2], [1, 2, 10**18], [[1], [2], [3]]],
    ],
)
def test_times_are_whole_numbers_one_for_each_move_that_never_go_back(times):
    detail = "times_ms gives for each move the ms since the start, never going back"
    assert fault({**SEEDED, "times_ms": times}) == ("/times_ms", detail)


@pytest.mark.parametrize("times", [[0, 0, 0], [1, 2, 3], [5, 5, 10**18 - 1]])
def test_times_may_stand_still(times):
    assert read_json({**SEEDED, "times_ms": times}).times_ms == tuple(times)


def test_times_without_moves_are_refused():
    assert fault({**PLACED, "moves": [], "times_ms": [1]})[0] == "/times_ms"


def test_the_rules_of_a_record_are_those_of_its_variant_and_options():
    assert read_rules("limited-cruel", {**OPTIONS, "redeal_limit": 5}) == VARIANTS[
        "cruel"
    ].configured({"redeal_limit": 5}, None)
    with pytest.raises(InvalidRecord) as caught:
        read_rules(None, {})
    assert caught.value.place == "/variant"


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("base", [SEEDED, PLACED, CALCULATION], ids=["seed", "position", "pysol"])
def test_a_value_nested_too_deeply_to_be_printed_is_refused_too(base, name):
    deep = deeply_nested()
    assert unless_invalid(read_json, {**base, name: deep}) is None
    for inner in ("bases", "deal", "redeal_limit", "piles", "foundations", "stock", "wastes"):
        for value in (deep, [deep] * 12, [[deep]] * 12):
            data = {**base, name: {**(base.get("position") or {}), inner: value}}
            assert unless_invalid(read_json, data) is None


@given(json_values)
def test_any_other_json_is_no_record(data):
    assert unless_invalid(read_json, data) is None


@given(
    base=st.sampled_from([SEEDED, PLACED, CALCULATION]),
    name=st.sampled_from(FIELDS),
    value=json_values,
)
def test_a_record_with_another_value_in_some_field_is_read_or_refused_as_invalid(base, name, value):
    data = {**base, name: value}
    record = unless_invalid(read_json, data)
    assert record is None or to_json(record) == data


@given(
    base=st.sampled_from([SEEDED, PLACED, CALCULATION]),
    name=st.sampled_from(["options", "position"]),
    inner=st.sampled_from([*OPTIONS, "bases", "piles", "foundations", "stock", "wastes"]),
    value=json_values,
)
def test_a_record_with_another_value_deeper_in_is_read_or_refused_as_invalid(
    base, name, inner, value
):
    data = {**base, name: {**base.get(name, {}), inner: value}}
    record = unless_invalid(read_json, data)
    assert record is None or to_json(record) == data
