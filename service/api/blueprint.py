"""The blueprint of every feature: strict parsing, and operations documented as they are."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, Any

import orjson
from flask import request
from flask_smorest import Blueprint
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import BadRequest, HTTPException, RequestEntityTooLarge

from service.api.context import JSON, TEXT
from service.api.errors import InvalidRequest, Problem, faults

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

# What any operation may answer besides its own problems; below, what one may that looks at tokens.
_COMMON_PROBLEMS = ("not_acceptable", "validation_failed", "internal_error")
BODY_PROBLEMS = (
    "malformed_json",
    "bad_request",
    "too_large",
    "unsupported_media_type",
    "validation_failed",
)

View = Callable[..., Any]


class _Parser:
    """Reads bodies and queries by their schemas, and refuses them as problems with every fault.

    It takes the place of webargs' parser, which costs more than all that marshmallow does.
    """

    DEFAULT_VALIDATION_STATUS = 422

    def use_args(self, schema: type[Schema], *, location: str) -> Callable[[View], View]:
        """Hand a view what its schema loads; the schema itself says what is refused."""
        loads, read = schema(), _READERS[location]

        def decorate(documented: View) -> View:
            view: View = documented.__wrapped__  # type: ignore[attr-defined] # what it would call

            @wraps(documented)
            def parsed(*args: Any, **kwargs: Any) -> Any:
                try:
                    loaded = loads.load(read())
                except ValidationError as error:
                    raise InvalidRequest(faults({location: error.messages})) from error
                return view(*args, loaded, **kwargs)

            return parsed

        return decorate


def _json() -> Any:
    """Read a JSON body; no body is an empty object."""
    # Each look at what stands for the request takes as long as a look at the request itself.
    environ = request.environ
    body = _whole_body(environ)
    if not body:
        return {}
    if environ.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
        detail = (
            f"the body is {request.mimetype or 'of no type'}: send application/json, "
            "with curl --json '{…}' or -H 'Content-Type: application/json'"
        )
        raise Problem(code="unsupported_media_type", detail=detail)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        detail = f"the body is no JSON: {error}"
        raise Problem(code="malformed_json", detail=detail) from error


def _query() -> dict[str, str]:
    """Read a query; of a name that comes twice the first counts."""
    return request.args.to_dict()


_READERS: dict[str, Callable[[], Any]] = {"json": _json, "query": _query}


def _whole_body(environ: "WSGIEnvironment") -> bytes:
    """Read the body; what is missing of it or beyond the limit is left out without a word below."""
    announced, limit = request.content_length, request.max_content_length
    if announced is not None and limit is not None and announced > limit:
        raise RequestEntityTooLarge
    try:
        if announced is None:
            body = request.get_data()
            more = len(body) == limit and environ["wsgi.input"].read(1)
        else:
            # What werkzeug puts around the input for this would take longer than all the rest.
            body, more = environ["wsgi.input"].read(announced), b""
    except HTTPException:
        raise
    except Exception as error:  # each server has errors of its own for a body that breaks off
        detail = f"the body cannot be read: {error}"
        raise BadRequest(detail) from error
    if more:
        raise RequestEntityTooLarge
    if announced is not None and len(body) < announced:
        detail = "the body is shorter than its Content-Length says"
        raise BadRequest(detail)
    return body


def _document(decorate: Callable[[View], View]) -> Callable[[View], View]:
    """Keep what a decorator of flask-smorest documents of a view, and not what it wraps around it.

    That would only look at the answer and find it ready.
    """

    def keep(view: View) -> View:
        view._apidoc = decorate(view)._apidoc  # type: ignore[attr-defined] # noqa: SLF001
        return view

    return keep


class Token(Enum):
    """Whether an operation needs a bearer token, looks at one, or does not care."""

    NEEDED = "needed"
    OPTIONAL = "optional"
    OPERATORS = "operators"
    IGNORED = "ignored"


_SECURITY: dict[Token, list[dict[str, list[str]]]] = {
    Token.NEEDED: [{"token": []}],
    Token.OPTIONAL: [{}, {"token": []}],
    Token.OPERATORS: [{}, {"metrics_token": []}],
    Token.IGNORED: [],
}
_LOOKED_UP = ("unauthenticated", "not_ready", "busy")
_TOKEN_PROBLEMS: dict[Token, tuple[str, ...]] = {
    Token.NEEDED: _LOOKED_UP,
    Token.OPTIONAL: _LOOKED_UP,
    Token.OPERATORS: ("unauthenticated",),
    Token.IGNORED: (),
}


class ApiBlueprint(Blueprint):
    """A group of operations."""

    ARGUMENTS_PARSER = _Parser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queried: set[str] = set()
        self.before_request(self._refuse_unknown_query)

    def arguments(
        self, schema: type[Schema], *, location: str = "json", **kwargs: Any
    ) -> Callable[[View], View]:
        """Parse a body or query by a schema; a view without a schema for its query takes none."""
        parse = super().arguments(schema, location=location, **kwargs)

        def decorate(view: View) -> View:
            if location == "query":
                self._queried.add(view.__name__)
            return parse(view)  # type: ignore[no-any-return] # flask-smorest has no types

        return decorate

    def response(self, *args: Any, **kwargs: Any) -> Callable[[View], View]:
        """Document the answer of a view, which gives it as it is."""
        return _document(super().response(*args, **kwargs))

    def alt_response(self, *args: Any, **kwargs: Any) -> Callable[[View], View]:
        """Document another answer of a view."""
        return _document(super().alt_response(*args, **kwargs))

    def doc(self, **kwargs: Any) -> Callable[[View], View]:
        """Document anything else of a view."""
        return _document(super().doc(**kwargs))

    def _refuse_unknown_query(self) -> None:
        if not request.query_string:
            return
        view = (request.endpoint or "").rpartition(".")[2]
        if request.args and view not in self._queried:
            detail = "Unknown field."
            raise InvalidRequest([{"parameter": name, "detail": detail} for name in request.args])

    def operation(
        self,
        operation_id: str,
        *problems: str,
        token: Token = Token.OPTIONAL,
        reads: Sequence[str] = (),
        text: int | None = None,
    ) -> Callable[[View], View]:
        """Document an operation: its method name in clients, its problem codes beside the common.

        ``reads``: the request headers, of ``spec.HEADER_PARAMETERS``, that change the answer;
        ``text``: the status with which it also answers in plain text.
        """
        known = _TOKEN_PROBLEMS[token]
        document = self.doc(
            **{"x-problems": (*problems, *_COMMON_PROBLEMS, *known), "x-reads": reads},
            operationId=operation_id,
            security=_SECURITY[token],
        )

        def decorate(view: View) -> View:
            if text is not None:
                schema = {"type": "string", "description": "The same, for people at a terminal."}
                view = self.alt_response(text, schema=schema, content_type=TEXT, success=True)(view)
            return document(view)

        return decorate
