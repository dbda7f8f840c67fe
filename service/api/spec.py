"""The contract, made from the schemas that validate and the operations as they are documented.

``openapi.yaml`` is its committed text, with examples: ``make openapi`` writes it, a test compares
the two.
"""

import inspect
from typing import Any

from flask import Flask
from flask_smorest import Api
from marshmallow import Schema

from service import __version__
from service.api import replies, requests
from service.api.errors import PROBLEM, STATUSES, by_status
from service.api.features import FEATURES, SCHEMAS
from service.api.limits import UNLIMITED
from service.api.words import WORDS, name_words, schema_ref
from service.rules.deals import SEED_PATTERN
from service.usecases.names import NAME_PATTERN

_DESCRIPTION = """\
Seeded games of patience: the Cruel family and Calculation. Create a game from a seed, play moves,
redeal, undo, read its history and take its record away; every score comes from replaying the
history. Register as a player to play under a name, and to set up or enter challenges and races, in
which several play the same deal.

Errors are `application/problem+json`: switch on `code`. Where a path has no such method the answer
is 405 `method_not_allowed`. Every answer has an `X-Request-ID`.

Requests are limited, all but health checks: by the minute, those with a player's token for the
player and others for the address; registrations by the hour, for the address. `RateLimit-Policy` in
every answer names the limits that the request fell under, `RateLimit` what they leave; beyond one
the answer is 429 `rate_limited`.

Requests are closed, an unknown field is refused. Replies are open: they may grow fields and words
that your client does not know. Text for a terminal comes with `Accept: text/plain`.
"""

_PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "game_id": {
        "description": "The id of a game.",
        "schema": {"type": "string"},
        "example": "01kdwpvng00000000000000001",
    },
    "name": {
        "description": "The name of a player, in whatever capitals.",
        "schema": {"type": "string", "pattern": f"^{NAME_PATTERN}$"},
        "example": "ana",
    },
    "challenge_id": {
        "description": "The id of a challenge.",
        "schema": {"type": "string"},
        "example": "01kdwpvng10000000000000001",
    },
    "variant": {
        "description": "The name of a variant: `GET /v1/variants` lists them.",
        "schema": schema_ref("VariantName"),
        "example": "cruel",
    },
    "seed": {
        "description": "A seed; `pysol-N` and `pysol-msN` are PySolFC's numbered deals.",
        "schema": {"type": "string", "pattern": f"^{SEED_PATTERN}$"},
        "example": "semilla",
    },
    "player": {
        "description": "The name of a player, or the id of their entry.",
        "schema": {"type": "string"},
        "example": "ada",
    },
    "attempt": {
        "description": "The number of an attempt, from 1.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 1,
    },
}
HEADER_PARAMETERS = {
    "Idempotency-Key": (
        "22 to 255 random characters of ASCII. The same request with the same key makes one thing."
    ),
    "Accept-Language": "The languages you read, best first: `en` and `es` are there.",
    "If-Match": "The `ETag` of the revision that you change, or `*` for whichever it is.",
    "If-None-Match": "The `ETag` of the answer that you have: 304 if it is still the same.",
}
_HEADERS = {
    "ETag": ("Names this very answer, for `If-None-Match`.", "string"),
    "RevisionETag": (
        "The revision in quotes, for `If-Match`. What the clock alone changes leaves it as it is.",
        "string",
    ),
    "Idempotent-Replayed": ("`true` where the request had been answered before.", "string"),
    "Location": ("The URL of what was made.", "string"),
    "RateLimit": (
        "How many requests each limit leaves (`r`), and for how many seconds (`t`).",
        "string",
    ),
    "RateLimit-Policy": ("The limits: so many requests (`q`) in so many seconds (`w`).", "string"),
    "Retry-After": ("After how many seconds to try again.", "integer"),
    "WWW-Authenticate": ("How to show a token: `Bearer`.", "string"),
}
_SENT_WITH = {
    401: ("WWW-Authenticate",),
    429: ("RateLimit", "RateLimit-Policy", "Retry-After"),
    503: ("Retry-After",),
}


class _Api(Api):
    """flask-smorest's, which leaves errors to ``api.errors``."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """Register none."""


def register(app: Flask) -> None:
    """Register every blueprint with the contract that documents it."""
    app.config.update(API_TITLE="Semilla", API_VERSION=__version__, OPENAPI_VERSION="3.1.0")
    info = {"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}}
    api = _Api(app, spec_kwargs={"info": info, "servers": [{"url": "/"}]})
    components = api.spec.components
    description = "`sp_…`: the token of a player; or `sg_…`: that of one game."
    scheme = {"type": "http", "scheme": "bearer", "description": description}
    components.security_scheme("token", scheme)
    description = "What the operator has set as `METRICS_TOKEN`, if anything."
    scheme = {"type": "http", "scheme": "bearer", "description": description}
    components.security_scheme("metrics_token", scheme)
    for name, (description, kind) in _HEADERS.items():
        components.header(name, {"description": description, "schema": {"type": kind}})
    for name, description in HEADER_PARAMETERS.items():
        parameter = {"description": description, "schema": {"type": "string"}}
        components.parameter(name, "header", {"name": name, **parameter})
    components.schema("Problem", schema=replies.ProblemSchema)
    for schema in requests.EvaluationBodySchema.either:
        components.schema(_name(type(schema)), schema=schema)
    for feature in FEATURES:
        api.register_blueprint(feature.blueprint)


def openapi(app: Flask) -> dict[str, Any]:
    """Give the contract of an application as one document."""
    made: dict[str, Any] = app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()
    info, components = made["info"], made["components"]
    paths = {
        path: _path(items, limited=path not in UNLIMITED) for path, items in made["paths"].items()
    }
    return {
        "openapi": made["openapi"],
        "info": {name: info[name] for name in ("title", "version", "description", "license")},
        "servers": made["servers"],
        "tags": made["tags"],
        "paths": paths,
        "components": {
            "schemas": _schemas(components["schemas"]),
            "responses": _share_problems(paths),
            "parameters": components["parameters"],
            "headers": {name: components["headers"][name] for name in _HEADERS},
            "securitySchemes": components["securitySchemes"],
        },
    }


def _path(made: dict[str, Any], *, limited: bool) -> dict[str, Any]:
    parameters = [
        {"name": found["name"], "in": "path", "required": True, **_PATH_PARAMETERS[found["name"]]}
        for found in made.pop("parameters", ())
    ]
    operations = {verb: _operation(operation, limited=limited) for verb, operation in made.items()}
    return {**({"parameters": parameters} if parameters else {}), **operations}


def _operation(made: dict[str, Any], *, limited: bool) -> dict[str, Any]:
    """Replace the ``x-`` notes of an operation by what they stand for, and put it in order."""
    responses = {status: made["responses"][status] for status in made["responses"] if status < "3"}
    problems = (*made["x-problems"], *(("rate_limited",) if limited else ()))
    parameters = [*made.get("parameters", ())]
    parameters += [{"$ref": f"#/components/parameters/{name}"} for name in made["x-reads"]]
    if "If-None-Match" in made["x-reads"]:
        responses["200"]["headers"] = _headers("ETag")
        description = "What you have is still the same."
        responses["304"] = {"description": description, "headers": _headers("ETag")}
    about = ("operationId", "summary", "description", "tags", "security")
    return {
        **{name: made[name] for name in about},
        **({"parameters": name_words(parameters)} if parameters else {}),
        **({"requestBody": made["requestBody"]} if "requestBody" in made else {}),
        "responses": {**responses, **_problems(problems)},
    }


def _problems(codes: tuple[str, ...]) -> dict[str, Any]:
    content = {PROBLEM: {"schema": schema_ref("Problem")}}
    return {
        str(status): {
            "description": " · ".join(f"`{code}`" for code in named),
            **({"headers": _headers(*_SENT_WITH[status])} if status in _SENT_WITH else {}),
            "content": content,
        }
        for status, named in by_status(tuple(code for code in STATUSES if code in codes))
    }


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _share_problems(paths: dict[str, Any]) -> dict[str, Any]:
    """Give the problems that are the same wherever they are documented, and refer to them there."""
    places = [
        operation["responses"]
        for path in paths.values()
        for verb, operation in path.items()
        if verb != "parameters"
    ]
    shared = {}
    for status in map(str, sorted(set(STATUSES.values()))):
        found = [responses[status] for responses in places if status in responses]
        if found and all(response == found[0] for response in found):
            shared[f"Problem{status}"] = found[0]
            for responses in places:
                if status in responses:
                    responses[status] = {"$ref": f"#/components/responses/Problem{status}"}
    return shared


def _schemas(made: dict[str, Any]) -> dict[str, Any]:
    """Give every schema with its docstring, the words that they share among them."""
    schemas = {}
    for module in SCHEMAS:
        for schema in vars(module).values():
            if inspect.isclass(schema) and issubclass(schema, Schema) and _name(schema) in made:
                grows = schema is requests.RecordSchema or issubclass(schema, replies.Open)
                named = name_words(made[_name(schema)], grows=grows)
                schemas[_name(schema)] = {"description": inspect.getdoc(schema), **named}
    either = requests.EvaluationBodySchema
    schemas[_name(either)] = {
        "description": inspect.getdoc(either),
        "oneOf": [schema_ref(_name(type(schema))) for schema in either.either],
    }
    return {**schemas, **WORDS}


def _name(schema: type[Schema]) -> str:
    return schema.__name__.removesuffix("Schema")
