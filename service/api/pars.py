"""Pars: shorter lines of deals that nobody plays any more."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Response

from service.api.blueprint import BODY_PROBLEMS, ApiBlueprint
from service.api.context import JSON, NO_STORE, answer, answers_in, services
from service.api.par_answers import par_json
from service.api.par_schemas import ParRequestSchema, ParSearchSchema
from service.api.solver import counting
from service.api.tokens import bearer
from service.api.watch import metrics
from service.usecases import par_searches
from service.usecases.pars import Par
from service.usecases.solver_slot import granted_ms
from service.usecases.solving import Solved

blueprint = ApiBlueprint(
    "pars", __name__, url_prefix="/v1", description="In how few actions deals can be won."
)

_PROBLEMS = (*BODY_PROBLEMS, "not_found", "still_secret", "not_ready", "busy")


@blueprint.route("/games/<game_id>/par", methods=["POST"])
@blueprint.arguments(ParRequestSchema, required=False)
@blueprint.response(200, ParSearchSchema)
@blueprint.operation("improveGamePar", *_PROBLEMS)
@answers_in(JSON)
def improve_game_par(body: Mapping[str, Any], game_id: str) -> Response:
    """Search for a shorter line of a game's deal.

    Once the game has ended; for an attempt once its challenge has finished. What is found is kept,
    and a game that was won counts too: so nobody stays better than par. Where nothing is left to
    find out nothing is searched. A worker process searches for one request at a time: others get
    503 `busy`.
    """
    return _improve(par_searches.improve_game_par, game_id, body["budget_ms"])


@blueprint.route("/challenges/<challenge_id>/par", methods=["POST"])
@blueprint.arguments(ParRequestSchema, required=False)
@blueprint.response(200, ParSearchSchema)
@blueprint.operation("improveChallengePar", *_PROBLEMS)
@answers_in(JSON)
def improve_challenge_par(body: Mapping[str, Any], challenge_id: str) -> Response:
    """Search for a shorter line of a challenge's deal.

    Once the challenge has finished, for whoever may see it. The shortest attempt that won counts
    too. What is found is kept, and ranks change by nothing of it.
    """
    return _improve(par_searches.improve_challenge_par, challenge_id, body["budget_ms"])


def _improve(improve: Callable[..., Solved], found_by: str, asked_ms: int | None) -> Response:
    service = services()
    budget_ms = granted_ms(asked_ms, service.solver_max_ms)
    with counting("par"):
        solved = improve(service.db, found_by, bearer(), budget_ms=budget_ms, now=service.now_ms())
    metrics().searched("par", solved.solution.verdict)
    told = {"par": par_json(Par.of(solved.solution)), **solved.as_json()}
    return answer(told, headers=NO_STORE)
