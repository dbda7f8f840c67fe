"""The blueprint of every feature: strict parsing, and operations documented as they are."""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import orjson
from flask import Request
from flask_smorest import Blueprint
from marshmallow import Schema, ValidationError, missing
from webargs.flaskparser import FlaskParser

from service.api.context import JSON, TEXT
from service.api.errors import InvalidRequest, Problem, faults

# What any operation may answer besides its own problems.
COMMON_PROBLEMS = ("not_acceptable", "unauthenticated", "internal_error", "not_ready", "busy")
BODY_PROBLEMS = (
    "malformed_json",
    "bad_request",
    "too_large",
    "unsupported_media_type",
    "validation_failed",
)

View = Callable[..., Any]


class _Parser(FlaskParser):
    """Reads bodies and queries by their schemas, and refuses them as problems."""

    # The schemas themselves say that unknown fields are refused, in queries too.
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {}  # noqa: RUF012 - webargs' attribute

    def load_json(self, req: Request, schema: Schema) -> Any:  # noqa: ARG002 - webargs'
        """Read a JSON body; no body is an empty object."""
        body = req.get_data()
        if not body:
            return missing
        if req.mimetype != JSON:
            detail = (
                f"the body is {req.mimetype or 'of no type'}: send application/json, "
                "with curl --json '{…}' or -H 'Content-Type: application/json'"
            )
            raise Problem(code="unsupported_media_type", detail=detail)
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError as error:
            detail = f"the body is no JSON: {error}"
            raise Problem(code="malformed_json", detail=detail) from error

    def handle_error(self, error: ValidationError, *_args: object, **_kwargs: object) -> NoReturn:
        """Refuse a request with every fault that marshmallow found."""
        messages = error.messages if isinstance(error.messages, Mapping) else {}
        raise InvalidRequest(faults(messages)) from error


class ApiBlueprint(Blueprint):
    """A group of operations."""

    ARGUMENTS_PARSER = _Parser()

    def operation(
        self, operation_id: str, *problems: str, token: bool = False, text: int | None = None
    ) -> Callable[[View], View]:
        """Document an operation: its method name in clients, its problem codes beside the common.

        ``token``: it needs a bearer token; ``text``: the status with which it also answers in
        plain text.
        """
        document = self.doc(
            **{"x-problems": problems},
            operationId=operation_id,
            security=[{"token": []}] if token else [{}, {"token": []}],
        )

        def decorate(view: View) -> View:
            if text is not None:
                drawn = {"type": "string", "description": "Drawn for a terminal."}
                view = self.alt_response(text, schema=drawn, content_type=TEXT, success=True)(view)
            return document(view)  # type: ignore[no-any-return] # flask-smorest has no types

        return decorate
