"""JSON says what type a value has: no field of any request takes another, or guesses."""

import copy
import inspect
import json

import pytest

from service.api import requests
from service.api.requests import Closed
from tests.api.expected import PRESETS
from tests.api.problems import assert_problem

CRUEL = {
    "piles": [
        ["JS", "KD", "7H", "4D"], ["JH", "3H", "2H", "KC"], ["3S", "3C", "9D", "QS"],
        ["2D", "4C", "8C", "4S"], ["TS", "QH", "6C", "8S"], ["5H", "JC", "8H", "TD"],
        ["2C", "QD", "9C", "7C"], ["5C", "6H", "6D", "4H"], ["2S", "9S", "TC", "JD"],
        ["5S", "KH", "KS", "TH"], ["9H", "7S", "8D", "5D"], ["3D", "6S", "7D", "QC"],
    ],
    "foundations": ["AC", "AD", "AH", "AS"],
}  # fmt: skip
CALCULATION = {
    "stock": ["KC"],
    "wastes": [[], [], [], []],
    "foundations": ["QC", "KD", "KH", "KS"],
}
OPTIONS = PRESETS["cruel"]
RECORD = {
    "record": "semilla/1",
    "variant": "cruel",
    "options": OPTIONS,
    "deal_algorithm": "deal/1",
    "rules_version": 1,
    "seed": "semilla",
    "undo": True,
    "moves": ["6>9"],
    "times_ms": [0],
}
PLACED = {name: RECORD[name] for name in RECORD if name not in ("seed", "deal_algorithm")}

# Requests that are accepted as they are; `{id}` is a game of Cruel Semicolon in which R stands.
ACCEPTED = {
    "new": ("/v1/games", {"variant": "cruel", "options": OPTIONS, "seed": "a", "undo": True}),
    "new calculation": (
        "/v1/games",
        {"variant": "calculation", "options": {"bases": ["AC", "2D", "3H", "4S"]}},
    ),
    "seed": (
        "/v1/evaluate",
        {"variant": "cruel", "options": OPTIONS, "undo": True, "seed": "a", "moves": []},
    ),
    "position": ("/v1/evaluate", {"variant": "cruel", "position": CRUEL, "moves": ["6>9"]}),
    "stock": ("/v1/evaluate", {"variant": "calculation", "position": CALCULATION}),
    "record": ("/v1/evaluate", RECORD),
    "placed record": ("/v1/evaluate", {**PLACED, "position": CRUEL}),
    "moves": ("/v1/games/{id}/moves", {"at": 1, "moves": ["R"]}),
    "redeal": ("/v1/games/{id}/redeal", {"at": 1}),
    "undo": ("/v1/games/{id}/undo", {"at": 1}),
    "resign": ("/v1/games/{id}/resign", {"at": 1}),
}

# Every field of every request: its schema and name, where it stands, and what it takes.
FIELDS = [
    ("NewGameSchema", "variant", "new", "/variant", "word"),
    ("NewGameSchema", "options", "new", "/options", "object"),
    ("NewGameSchema", "seed", "new", "/seed", "text or null"),
    ("NewGameSchema", "undo", "new", "/undo", "flag or null"),
    ("OptionsSchema", "deal", "new", "/options/deal", "word"),
    ("OptionsSchema", "build", "new", "/options/build", "word"),
    ("OptionsSchema", "redeal", "new", "/options/redeal", "word"),
    ("OptionsSchema", "redeal_when", "new", "/options/redeal_when", "word"),
    ("OptionsSchema", "redeal_limit", "new", "/options/redeal_limit", "whole or null"),
    ("OptionsSchema", "bases", "new calculation", "/options/bases", "texts"),
    ("OptionsSchema", "deal", "seed", "/options/deal", "word"),
    ("OptionsSchema", "redeal_limit", "record", "/options/redeal_limit", "whole or null"),
    ("EvaluationRequestSchema", "variant", "seed", "/variant", "word"),
    ("EvaluationRequestSchema", "options", "seed", "/options", "object"),
    ("EvaluationRequestSchema", "undo", "seed", "/undo", "flag"),
    ("EvaluationRequestSchema", "seed", "seed", "/seed", "text"),
    ("EvaluationRequestSchema", "position", "position", "/position", "object"),
    ("EvaluationRequestSchema", "moves", "seed", "/moves", "texts"),
    ("PositionSchema", "piles", "position", "/position/piles", "lists"),
    ("PositionSchema", "foundations", "position", "/position/foundations", "texts"),
    ("PositionSchema", "stock", "stock", "/position/stock", "texts"),
    ("PositionSchema", "wastes", "stock", "/position/wastes", "lists"),
    ("PositionSchema", "piles", "placed record", "/position/piles", "lists"),
    ("RecordSchema", "record", "record", "/record", "word"),
    ("RecordSchema", "variant", "record", "/variant", "word"),
    ("RecordSchema", "options", "record", "/options", "object"),
    ("RecordSchema", "deal_algorithm", "record", "/deal_algorithm", "word"),
    ("RecordSchema", "rules_version", "record", "/rules_version", "whole"),
    ("RecordSchema", "seed", "record", "/seed", "text"),
    ("RecordSchema", "position", "placed record", "/position", "object"),
    ("RecordSchema", "undo", "record", "/undo", "flag"),
    ("RecordSchema", "moves", "record", "/moves", "texts"),
    ("RecordSchema", "times_ms", "record", "/times_ms", "wholes"),
    ("MovesSchema", "at", "moves", "/at", "whole or null"),
    ("MovesSchema", "moves", "moves", "/moves", "texts"),
    ("AtSchema", "at", "redeal", "/at", "whole or null"),
    ("AtSchema", "at", "undo", "/at", "whole or null"),
    ("AtSchema", "at", "resign", "/at", "whole or null"),
]
IDS = [f"{request} {place}" for _, _, request, place, _ in FIELDS]
IN_QUERIES = {
    ("PageSchema", "cursor"),
    ("PageSchema", "limit"),
    ("DealSchema", "deal"),
    ("DealSchema", "bases"),
}

NO_TEXT = [0, 1, -1, 0.5, True, False, [], ["a"], {}, {"a": "b"}]
NO_WORD = [*NO_TEXT, "", " ", "CRUEL", "cruel ", "nothing", "a\x00", "é", "x" * 1_000]
NO_NUMBER = [True, False, "", "1", "one", 1.0, 0.5, 1e300, 10**30, [], [1], {}]
NO_LIST = [0, 1, 0.5, True, False, "", "a", {}, {"0": "a"}]
# For each kind: values that it does not take, each with the rest of the pointer to the fault.
WRONG = {
    "text": [(value, "") for value in NO_TEXT],
    "word": [(value, "") for value in NO_WORD],
    "flag": [(value, "") for value in (0, 1, "", "true", "false", "yes", 1.0, [], [True], {})],
    "whole": [(value, "") for value in (*NO_NUMBER, -1)],
    "object": [(value, "") for value in (0, 1, 0.5, True, False, "", "a", "{}", [], [{}])],
    "texts": [
        *((value, "") for value in NO_LIST),
        *(([value], "/0") for value in (*NO_TEXT, None)),
    ],
    "wholes": [
        *((value, "") for value in NO_LIST),
        *(([value], "/0") for value in (*NO_NUMBER, None, -1)),
    ],
    "lists": [
        *((value, "") for value in NO_LIST),
        *(([value], "/0") for value in (*NO_LIST, None)),
        *(([[value]], "/0/0") for value in (*NO_TEXT, None)),
    ],
}
LENGTHS = {"/options/bases": 4, "/position/piles": 12, "/position/wastes": 4}
LENGTHS["/position/foundations"] = 4


@pytest.fixture
def send(player):
    """Send one of the accepted requests, changed or not."""
    player.start("cruel-semicolon")
    player.play("R")

    def post(request, body):
        path = ACCEPTED[request][0].format(id=player.id)
        headers = {**player.auth, "Content-Type": "application/json"}
        return player.client.post(path, data=json.dumps(body), headers=headers)

    return post


def changed(request, pointer, value):
    """Give the body of an accepted request with another value at a place."""
    body = copy.deepcopy(ACCEPTED[request][1])
    *parents, last = pointer[1:].split("/")
    place = body
    for name in parents:
        place = place[name]
    place[last] = value
    return body


def filled(value, pointer):
    """Make a list as long as it must be, its first element the wrong one."""
    if not isinstance(value, list) or not value:
        return value
    rest = [] if pointer.endswith(("piles", "wastes")) else "AC"
    return [*value, *[rest] * (LENGTHS.get(pointer, 1) - 1)]


@pytest.mark.parametrize("request_name", ACCEPTED)
def test_the_requests_that_are_changed_below_are_accepted(send, request_name):
    reply = send(request_name, ACCEPTED[request_name][1])
    assert reply.status_code in (200, 201)
    assert "failed" not in reply.json


def test_every_field_of_every_request_is_tried():
    schemas = [
        schema
        for _, schema in inspect.getmembers(requests, inspect.isclass)
        if issubclass(schema, Closed) and schema is not Closed
    ]
    fields = {(schema.__name__, name) for schema in schemas for name in schema().fields}
    assert fields == {(schema, name) for schema, name, *_ in FIELDS} | IN_QUERIES


@pytest.mark.parametrize(("request_name", "place", "kind"), [f[2:] for f in FIELDS], ids=IDS)
def test_a_value_of_another_type_is_refused_with_its_place(send, request_name, place, kind):
    kind, _, nullable = kind.partition(" or ")
    wrong = WRONG[kind]
    if not nullable:
        wrong = [*wrong, (None, "")]
    for value, rest in wrong:
        # Fewer or more cards than a list holds are a fault of the list, and tried below.
        if place in LENGTHS and value == []:
            continue
        body = changed(request_name, place, filled(value, place))
        assert_problem(send(request_name, body), "validation_failed", pointers=[place + rest])


@pytest.mark.parametrize(
    ("request_name", "place"), [(f[2], f[3]) for f in FIELDS if f[4].endswith("null")]
)
def test_null_is_the_same_as_leaving_the_field_out(send, request_name, place):
    reply = send(request_name, changed(request_name, place, None))
    assert reply.status_code in (200, 201)


@pytest.mark.parametrize("place", LENGTHS)
def test_a_list_of_the_wrong_length_is_refused_as_a_whole(send, place):
    request_name = next(f[2] for f in FIELDS if f[3] == place)
    right = LENGTHS[place]
    whole = [["AC"]] if place.endswith(("piles", "wastes")) else ["AC"]
    for length in (0, 1, right - 1, right + 1, 100):
        body = changed(request_name, place, whole * length)
        assert_problem(send(request_name, body), "validation_failed", pointers=[place])


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" * 400, "1" * 5_000])
def test_a_number_that_no_program_can_hold_is_refused(player, number):
    player.start()
    reply = player.client.post(
        f"/v1/games/{player.id}/resign",
        data=f'{{"at": {number}}}',
        headers={**player.auth, "Content-Type": "application/json"},
    )
    assert_problem(reply, "malformed_json")


@pytest.mark.parametrize(
    "number", ["1E0", "1.0", "0.0", "1e-400", str(2**64), str(-(2**63)), str(10**30)]
)
def test_a_number_that_is_not_whole_or_far_too_large_is_refused(player, number):
    player.start()
    reply = player.client.post(
        f"/v1/games/{player.id}/resign",
        data=f'{{"at": {number}}}',
        headers={**player.auth, "Content-Type": "application/json"},
    )
    assert_problem(reply, "validation_failed", pointers=["/at"])


@pytest.mark.parametrize("request_name", ["new", "seed", "record", "placed record"])
def test_an_unknown_field_inside_an_object_is_refused_with_its_place(send, request_name):
    body = changed(request_name, "/options/colour", "red")
    assert_problem(send(request_name, body), "validation_failed", pointers=["/options/colour"])


@pytest.mark.parametrize("request_name", ["position", "stock", "placed record"])
def test_an_unknown_field_of_a_position_is_refused_with_its_place(send, request_name):
    body = changed(request_name, "/position/turned", "KC")
    assert_problem(send(request_name, body), "validation_failed", pointers=["/position/turned"])


@pytest.mark.parametrize("text", ["a\x00b", "é", "\N{GRINNING FACE}", "\u202e", "' OR 1=1 --"])
def test_odd_characters_in_texts_are_refused_as_what_they_are_not(send, text):
    for request_name, place in (("new", "/variant"), ("new", "/seed"), ("seed", "/seed")):
        body = changed(request_name, place, text)
        assert_problem(send(request_name, body), "validation_failed", pointers=[place])
    for request_name in ("moves", "seed", "record"):
        body = changed(request_name, "/moves", [text])
        reply = send(request_name, body)
        assert_problem(reply, "validation_failed", pointers=["/moves/0"])
        assert json.loads(reply.data)["code"] == "validation_failed"
