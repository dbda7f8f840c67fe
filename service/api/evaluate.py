"""Evaluate: replay moves from any start, storing nothing."""

from collections.abc import Mapping
from typing import Any

from flask import Response, current_app, request

from service.api.blueprint import BODY_PROBLEMS, ApiBlueprint
from service.api.context import JSON, NO_STORE, answer, answers_in
from service.api.replies import EvaluationSchema
from service.api.requests import EvaluationBodySchema
from service.api.states import evaluation_json
from service.api.tokens import refuse_unknown_token
from service.usecases import evaluate as usecase

# The record of the longest history, 10,000 moves with their times, is about 200 KB.
BODY_FACTOR = 4

blueprint = ApiBlueprint(
    "evaluate", __name__, url_prefix="/v1/evaluate", description="Stateless replay."
)
blueprint.before_request(refuse_unknown_token)


@blueprint.before_request
def take_longer_bodies() -> None:
    """Let every record in, however long its game was."""
    request.max_content_length = current_app.config["MAX_CONTENT_LENGTH"] * BODY_FACTOR


@blueprint.route("", methods=["POST"])
@blueprint.arguments(EvaluationBodySchema)
@blueprint.response(200, EvaluationSchema)
@blueprint.operation("evaluate", *BODY_PROBLEMS)
@answers_in(JSON)
def evaluate(body: Mapping[str, Any]) -> Response:
    """Play moves from a seed or a position, or replay a record, without storing anything.

    Where a move is refused the reply is the state before it, with `failed`.
    """
    if "record" in body:
        evaluation = usecase.evaluate_record(dict(body))
    else:
        evaluation = usecase.evaluate(**_start(body))
    return answer(evaluation_json(evaluation), headers=NO_STORE)


def _start(body: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "variant": body["variant"],
        "options": body.get("options", {}),
        "undo": body.get("undo"),
        "seed": body.get("seed"),
        "position": body.get("position"),
        "moves": body.get("moves", []),
    }
