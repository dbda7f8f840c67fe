"""Deals: the opening position of a seed."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, answer, answer_once, answers_in
from service.api.errors import InvalidRequest
from service.api.replies import OpeningSchema
from service.api.requests import DealSchema
from service.api.states import opening_json
from service.api.tokens import refuse_unknown_token
from service.rules.errors import Invalid
from service.usecases.deals import Opening, find_opening

# What a seed deals never changes.
FOR_EVER = "public, max-age=31536000, immutable"

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
    opening = read_opening(query, variant, seed)
    return answer_once(answer(opening_json(opening), headers={"Cache-Control": FOR_EVER}))


def read_opening(query: Mapping[str, Any], variant: str, seed: str) -> Opening:
    """Deal what a path and a query of ``DealSchema`` ask for.

    Raises ``InvalidRequest`` with the parameter that is wrong, and ``UnknownVariant``.
    """
    options: dict[str, object] = dict(query)
    if "bases" in query:
        options["bases"] = query["bases"].split(",")
    try:
        return find_opening(variant, seed, options)
    except Invalid as error:
        if not error.place:
            raise
        name = error.place.removeprefix("/options").split("/")[1]
        raise InvalidRequest([{"parameter": name, "detail": error.detail}]) from error
