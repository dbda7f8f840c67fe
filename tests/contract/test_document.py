"""The committed contract: valid, made from the code, complete, and its examples are true."""

import re

import pytest
from openapi_spec_validator import validate

from service.api.errors import STATUSES, by_status
from tests.contract.document import FILE, make_document, to_yaml
from tests.contract.replies import CONTRACT, PROBLEM, operations, resolve, validator_of

SCHEMAS = CONTRACT["components"]["schemas"]
OPERATIONS = {operation["operationId"]: operation for _, _, operation in operations()}
# For people who read, not for clients.
PICTURES = {"image/svg+xml", "image/png"}
UNDOCUMENTED = {"/openapi.yaml", "/docs", "/docs/", "/docs/{name}"}
# What is for people: the page, whose addresses may be sent to somebody, and its files.
UNDOCUMENTED |= {"/", "/games/{game_id}", "/games/{game_id}/replay", "/deals/{variant}/{seed}"}
UNDOCUMENTED |= {"/challenges", "/challenges/new", "/challenges/{challenge_id}", "/daily/{variant}"}
UNDOCUMENTED |= {"/players/me", "/players/{name}", "/page/{built}/{name}", "/preview.png"}
REQUESTS = ("NewGame", "EvaluationRequest", "Record", "Moves", "At", "Options", "Position")
REQUESTS += ("Solve",)
REQUESTS += ("NewPlayer", "PlayerChange", "Empty", "NewChallenge", "ChallengeChange", "Judgement")
REQUESTS += ("ParRequest",)


def test_it_is_valid_openapi():
    validate(CONTRACT)
    assert CONTRACT["openapi"].startswith("3.1.")


def test_it_is_what_the_code_says(tmp_path):
    made = to_yaml(make_document(tmp_path))
    assert FILE.read_text("utf-8") == made, "run `make openapi` and look at what changes"


def test_the_root_of_the_repository_leads_to_it():
    assert (FILE.parents[2] / "openapi.yaml").resolve() == FILE


def test_every_route_is_documented_and_every_documented_route_exists(app):
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), verb.lower())
        for rule in app.url_map.iter_rules()
        for verb in rule.methods - {"HEAD", "OPTIONS"}
    }
    served = {(path, verb) for path, verb in routes if path not in UNDOCUMENTED}
    assert served == {(path, verb) for path, verb, _ in operations()}


def test_operations_have_names_for_methods_and_texts_for_people():
    assert len(OPERATIONS) == len([*operations()])
    for name, operation in OPERATIONS.items():
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", name)
        assert operation["summary"].endswith(".")
        assert operation["description"].endswith(".")
        assert len(operation["tags"]) == 1


def test_everything_has_a_description():
    for name, schema in SCHEMAS.items():
        assert schema["description"], name
        for key, field in schema.get("properties", {}).items():
            assert field["description"], (name, key)
    for path, items in CONTRACT["paths"].items():
        for parameter in items.get("parameters", []):
            assert parameter["description"], path
    for name, operation in OPERATIONS.items():
        for parameter in operation.get("parameters", []):
            assert resolve(parameter)["description"], name
        for response in operation["responses"].values():
            assert resolve(response)["description"], name


def test_requests_are_closed_and_replies_are_open():
    for name, schema in SCHEMAS.items():
        if schema.get("type") == "object":
            assert schema.get("additionalProperties") is (False if name in REQUESTS else None), name


def test_operations_need_a_token_where_they_play():
    needing = {name for name, found in OPERATIONS.items() if found["security"] == [{"token": []}]}
    of_games = {"playMoves", "redeal", "undo", "resign"}
    of_players = {"getMe", "changeMe", "deleteMe", "rotateToken"}
    of_challenges = {"createChallenge", "changeChallenge", "cancelChallenge"}
    of_entries = {"getEntry", "enterChallenge", "leaveChallenge", "dealAttempt", "judgeEntry"}
    assert needing == of_games | of_players | of_challenges | of_entries
    for name, operation in OPERATIONS.items():
        ignoring = name in ("checkLive", "checkReady")
        assert ("401" in operation["responses"]) is not ignoring
        assert ({} in operation["security"]) is not (ignoring or name in needing)


def test_every_problem_stands_under_its_status():
    documented = set()
    for operation in OPERATIONS.values():
        for status, response in operation["responses"].items():
            found = resolve(response)
            if PROBLEM in found.get("content", {}):
                codes = re.findall(r"`(\w+)`", found["description"])
                assert [(int(status), tuple(codes))] == by_status(tuple(codes))
                documented.update(codes)
    # No operation answers it: the path has none of that method.
    assert documented | {"method_not_allowed"} == set(STATUSES)
    assert SCHEMAS["ProblemCode"]["enum"] == list(STATUSES)


def examples():
    """Give each example with its schema and where it stands."""
    problems = {"problem": {"responses": CONTRACT["components"]["responses"]}}
    return [
        pytest.param(media["schema"], example["value"], id=f"{name} {title}")
        for name, operation in {**OPERATIONS, **problems}.items()
        for part in (operation.get("requestBody", {}), *operation["responses"].values())
        for media in part.get("content", {}).values()
        for title, example in media.get("examples", {}).items()
    ]


@pytest.mark.parametrize(("schema", "value"), examples())
def test_every_example_fits_its_schema(schema, value):
    validator_of(schema.get("$ref", "string")).validate(value)


def test_every_operation_has_examples():
    for name, operation in OPERATIONS.items():
        for media in operation.get("requestBody", {}).get("content", {}).values():
            assert media["examples"], name
        for status, response in operation["responses"].items():
            if status in ("200", "201") and not response["content"].keys() & PICTURES:
                special = {"getMetrics": "text/plain", "getLeaderboardTable": "text/csv"}
                media = special.get(name, "application/json")
                assert response["content"][media]["examples"], name


def test_the_examples_hold_no_real_token():
    text = FILE.read_text("utf-8")
    examples = [("sg", 1), ("sg", 2), ("sg", 3), ("sp", 1), ("sp", 2)]
    assert set(re.findall(r"s[gp]_[\w-]{20,}", text)) == {
        f"{kind}_example-token-{'x' * 28}{number}" for kind, number in examples
    }


def test_evaluate_shows_each_way_to_ask():
    operation = OPERATIONS["evaluate"]
    asked = operation["requestBody"]["content"]["application/json"]["examples"]
    answered = operation["responses"]["200"]["content"]["application/json"]["examples"]
    assert asked.keys() >= {"seeded", "failed", "positioned", "record"}
    assert answered.keys() == {"seeded", "failed", "positioned", "record"}
    assert answered["failed"]["value"]["failed"]["index"] == 1
