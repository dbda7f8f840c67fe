"""The contract, made from the schemas that validate and the operations as they are documented.

``openapi.yaml`` is its committed text: ``make openapi`` writes it, a test compares the two.
"""

import inspect
from collections.abc import Iterator
from typing import Any

from flask import Flask
from flask_smorest import Api
from marshmallow import Schema

from service import __version__
from service.api import deals, evaluate, games, operations, replies, requests, variants
from service.api.blueprint import COMMON_PROBLEMS
from service.api.errors import PROBLEM, STATUSES, by_status
from service.api.replies import ProblemSchema

BLUEPRINTS = (variants, deals, evaluate, games, operations)

_DESCRIPTION = """\
Seeded games of patience: the Cruel family and Calculation. Create a game from a seed, play moves,
redeal, undo, read its history and take its record away; every score comes from replaying the
history. Errors are `application/problem+json`: switch on `code`. Text for a terminal comes with
`Accept: text/plain`."""

_PARAMETERS = {
    "game_id": "The id of a game.",
    "variant": "The name of a variant: `GET /v1/variants` lists them.",
    "seed": "A seed; `pysol-N` and `pysol-msN` are PySolFC's numbered deals.",
}


class _Api(Api):
    """flask-smorest's, which leaves errors to ``api.errors``."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """Register none."""


def register(app: Flask) -> None:
    """Register every blueprint with the contract that documents it."""
    app.config.update(API_TITLE="Semilla", API_VERSION=__version__, OPENAPI_VERSION="3.1.0")
    info = {"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}}
    api = _Api(app, spec_kwargs={"info": info, "servers": [{"url": "/"}]})
    api.spec.components.security_scheme(
        "token",
        {"type": "http", "scheme": "bearer", "description": "`sg_…`: the token of one game."},
    )
    for feature in BLUEPRINTS:
        api.register_blueprint(feature.blueprint)


def openapi(app: Flask) -> dict[str, Any]:
    """Give the contract of an application as one document."""
    document: dict[str, Any] = app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()
    for operation in _operations(document):
        succeeded = {
            status: response
            for status, response in operation["responses"].items()
            if str(status).startswith("2")
        }
        codes = (*operation.pop("x-problems"), *COMMON_PROBLEMS)
        operation["responses"] = {**succeeded, **_problems(codes)}
    descriptions = _described_schemas()
    for name, schema in document["components"]["schemas"].items():
        document["components"]["schemas"][name] = {"description": descriptions[name], **schema}
    return document


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        for parameter in path.get("parameters", ()):
            parameter["description"] = _PARAMETERS[parameter["name"]]
        for verb, operation in path.items():
            if verb != "parameters":
                yield operation


def _problems(codes: tuple[str, ...]) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    responses = {}
    for status, named in by_status(
        tuple(dict.fromkeys(code for code in STATUSES if code in codes))
    ):
        responses[str(status)] = {
            "description": " · ".join(named),
            "content": {PROBLEM: {"schema": schema}},
        }
    return responses


def _described_schemas() -> dict[str, str]:
    """Give the docstring of each schema by its name in the contract."""
    classes = {**vars(requests), **vars(replies)}.values()
    return {
        schema.__name__.removesuffix("Schema"): inspect.cleandoc(schema.__doc__)
        for schema in classes
        if inspect.isclass(schema) and issubclass(schema, Schema) and schema.__doc__
    }
