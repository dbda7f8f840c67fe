"""Holding replies to the contract: ``assert_documented(reply)``, for any test.

The contract leaves replies open, for clients that are older than the service. The service itself
must send nothing that it does not document, so objects and lists of words are closed here.
"""

import re
from functools import cache
from operator import itemgetter

import yaml
from jsonschema import Draft202012Validator

from tests.contract.document import FILE

CONTRACT = yaml.safe_load(FILE.read_text("utf-8"))
PROBLEM = "application/problem+json"
# Headers of every answer, of which the contract tells at its beginning.
EVERYWHERE = {"RateLimit", "RateLimit-Policy"}
# Headers of some of the answers that are documented with them.
SOMETIMES = {"Idempotent-Replayed"}
VERBS = ("get", "post", "put", "patch", "delete")
_SCHEMAS = "#/components/schemas/"


def operations():
    """Give the path, the verb and the description of every operation."""
    for path, items in CONTRACT["paths"].items():
        for verb in VERBS:
            if verb in items:
                yield path, verb, items[verb]


def snake_case(operation_id):
    """Give the name that an operation has in Python."""
    return re.sub("([A-Z])", r"_\1", operation_id).lower()


def resolve(found):
    """Follow a reference within the contract, if it is one."""
    while "$ref" in found:
        place, found = found["$ref"], CONTRACT
        for step in place.removeprefix("#/").split("/"):
            found = found[step]
    return found


def operation_of(reply):
    """Give the operation that answered, or None where the request was for none.

    Of two paths that fit, such as those of a game and of its picture, that with the longer text of
    its own is meant.
    """
    request = reply.request
    verb = "get" if request.method == "HEAD" else request.method.lower()
    fitting = [
        (len(re.sub(r"\{\w+\}", "", path)), operation)
        for path, documented, operation in operations()
        if documented == verb
        and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path.replace(".", r"\.")), request.path)
    ]
    return max(fitting, key=itemgetter(0))[1] if fitting else None


def schema_of(reply):
    """Give the schema that is documented for a reply, None where it has no body."""
    operation = operation_of(reply)
    if operation is None:
        assert reply.mimetype == PROBLEM, reply
        return {"$ref": f"{_SCHEMAS}Problem"}
    responses, status = operation["responses"], str(reply.status_code)
    about = f"{operation['operationId']} answered {status}: {reply.data[:2_000]!r}"
    assert status in responses, about
    response = resolve(responses[status])
    if reply.mimetype == PROBLEM:
        assert f"`{reply.json['code']}`" in response["description"], about
    for name in CONTRACT["components"]["headers"]:
        found, documented = name in reply.headers, name in response.get("headers", {})
        excused = name in (EVERYWHERE if found else SOMETIMES)
        assert found == documented or excused, f"{name}: {about}"
    if "content" not in response or reply.request.method == "HEAD":
        assert not reply.data, about
        return None
    assert reply.mimetype in response["content"], about
    return response["content"][reply.mimetype]["schema"]


def assert_documented(reply):
    """Check status, media type, headers, problem code and every field of a reply."""
    schema = schema_of(reply)
    if schema is not None:
        faults = [*validator_of(schema.get("$ref", "string")).iter_errors(value_of(reply))]
        assert not faults, faults


def value_of(reply):
    """Give what a reply holds, as its schema describes it."""
    if reply.mimetype == "image/png":
        return reply.data.decode("latin-1")
    return reply.json if reply.is_json else reply.text


@cache
def validator_of(place):
    """Give the validator of a schema by its place in the contract."""
    schema = {"type": "string"} if place == "string" else {"$ref": place}
    components = _closed({"schemas": CONTRACT["components"]["schemas"]})
    checker = Draft202012Validator.FORMAT_CHECKER
    return Draft202012Validator({**schema, "components": components}, format_checker=checker)


def _closed(schema):
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(part) for name, part in schema.items()}
    if isinstance(closed.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    if "anyOf" in closed:
        closed["anyOf"] = [part for part in closed["anyOf"] if part != {"type": "string"}]
    return closed


def properties_of(schema, value, name=None):
    """Give the documented properties that occur in a value, each as ``(schema, property)``."""
    refs = [part["$ref"] for part in schema.get("anyOf", [schema]) if "$ref" in part]
    for ref in refs:
        if len(refs) == 1 or validator_of(ref).is_valid(value):
            yield from properties_of(resolve({"$ref": ref}), value, ref.removeprefix(_SCHEMAS))
    if isinstance(value, list):
        for item in value:
            yield from properties_of(schema.get("items", {}), item)
    elif isinstance(value, dict) and not refs:
        for key, part in value.items():
            if key in schema.get("properties", {}):
                yield name, key
            inner = schema.get("additionalProperties") or {}
            yield from properties_of(schema.get("properties", {}).get(key, inner), part)
