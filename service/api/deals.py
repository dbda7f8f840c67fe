"""Deals: the opening position of a seed."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, answer_once, answers_in
from service.api.errors import InvalidRequest
from service.api.replies import OpeningSchema
from service.api.requests import DealSchema
from service.api.states import opening_json
from service.api.tokens import refuse_unknown_token
from service.rules.errors import Invalid
from service.usecases.deals import find_opening

blueprint = ApiBlueprint(
    "deals", __name__, url_prefix="/v1/deals", description="Openings of seeds."
)
blueprint.before_request(refuse_unknown_token)


@blueprint.route("/<variant>/<seed>")
@blueprint.arguments(DealSchema, location="query")
@blueprint.response(200, OpeningSchema)
@blueprint.operation("getDeal", "not_found", "validation_failed", reads=["If-None-Match"])
@answers_in(JSON)
def get_deal(query: Mapping[str, Any], variant: str, seed: str) -> Response:
    """Deal a seed.

    The deal never changes, so it may be kept for ever.

    Who knows the seed knows the whole deal: Calculation's stock is included.
    """
    options: dict[str, object] = dict(query)
    if "bases" in query:
        options["bases"] = query["bases"].split(",")
    try:
        opening = find_opening(variant, seed, options)
    except Invalid as error:
        if not error.place:
            raise
        name = error.place.removeprefix("/options").split("/")[1]
        raise InvalidRequest([{"parameter": name, "detail": error.detail}]) from error
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return answer_once(opening_json(opening), headers)
