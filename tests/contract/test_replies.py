"""What the service answers is what the contract documents, field by field."""

import pytest

from service.api.errors import STATUSES
from service.app import create_app
from service.config import Config
from tests.conftest import UNLIMITED, Clock
from tests.contract.replies import (
    PROBLEM,
    assert_documented,
    operation_of,
    operations,
    properties_of,
    resolve,
    schema_of,
    value_of,
)
from tests.contract.session import replies_of_a_session

# Only records of explicit starts have one, and stored games have seeds.
NEVER_IN_REPLIES = {("Record", "position")}


@pytest.fixture(scope="module")
def replies(tmp_path_factory):
    clock = Clock()
    app = create_app(Config(data=tmp_path_factory.mktemp("session"), **UNLIMITED), clock)
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield replies_of_a_session(app, clock, monkeypatch)
    app.extensions["semilla"].db.dispose()


def test_every_reply_is_documented(replies):
    for reply in replies:
        assert_documented(reply)


def test_every_documented_success_occurs(replies):
    seen = set()
    for reply in replies:
        operation = operation_of(reply)
        if operation:
            seen.add((operation["operationId"], str(reply.status_code), reply.mimetype))
    documented = {
        (operation["operationId"], status, media)
        for _, _, operation in operations()
        for status, response in operation["responses"].items()
        for media in resolve(response).get("content", [""])
        if media not in ("", PROBLEM)
    }
    assert documented - seen == set()


def test_every_problem_code_occurs(replies):
    assert {reply.json["code"] for reply in replies if reply.mimetype == PROBLEM} == set(STATUSES)


def test_every_documented_property_of_a_reply_occurs(replies):
    seen, schemas = set(), set()
    for reply in replies:
        schema = schema_of(reply)
        if schema:
            seen.update(properties_of(schema, value_of(reply)))
    documented = set()
    waiting = ["Problem", *schemas_of_replies()]
    while waiting:
        name = waiting.pop()
        if name not in schemas:
            schemas.add(name)
            schema = resolve({"$ref": f"#/components/schemas/{name}"})
            documented |= {(name, key) for key in schema.get("properties", ())}
            waiting += references(schema)
    assert documented - seen == NEVER_IN_REPLIES | {
        ("Position", key) for name, key in documented if name == "Position"
    }


def schemas_of_replies():
    return [
        name
        for _, _, operation in operations()
        for response in operation["responses"].values()
        for name in references(resolve(response))
    ]


def references(node):
    if isinstance(node, dict):
        found = [node["$ref"]] if "$ref" in node else list(node.values())
        return [name for part in found for name in references(part)]
    if isinstance(node, list):
        return [name for part in node for name in references(part)]
    return [node.split("/")[-1]] if str(node).startswith("#/components/schemas/") else []
