"""The solver: deals solved for who names their seed, and hints for who plays."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from flask import Response

from service.api.blueprint import BODY_PROBLEMS, ApiBlueprint
from service.api.context import JSON, NO_STORE, answer, answers_in, services
from service.api.solver_schemas import HintSchema, SolutionSchema, SolveSchema
from service.api.tokens import bearer, refuse_unknown_token
from service.api.watch import metrics
from service.solver.solution import Goal
from service.usecases import hints, solving
from service.usecases.errors import Busy
from service.usecases.solver_slot import granted_ms

blueprint = ApiBlueprint(
    "solver", __name__, url_prefix="/v1", description="Lines that win, and hints."
)


@blueprint.route("/solve", methods=["POST"])
@blueprint.arguments(SolveSchema)
@blueprint.response(200, SolutionSchema)
@blueprint.operation("solve", *BODY_PROBLEMS, "still_secret", "illegal_move", "not_ready", "busy")
@answers_in(JSON)
def solve(body: Mapping[str, Any]) -> Response:
    """Find out whether a deal can be won, and how.

    What is found of a deal is kept, and never searched for again. A worker process searches for one
    request at a time: others get 503 `busy`. The deal of a challenge is not solved before that has
    finished.
    """
    refuse_unknown_token()
    service = services()
    goal, budget_ms = Goal(body["goal"]), granted_ms(body["budget_ms"], service.solver_max_ms)
    asked = {name: body[name] for name in ("variant", "options", "seed", "moves")}
    with counting("solve"):
        solved = solving.solve(
            service.db, **asked, goal=goal, budget_ms=budget_ms, now=service.now_ms()
        )
    metrics().searched("solve", solved.solution.verdict)
    return answer(solved.as_json(), headers=NO_STORE)


@blueprint.route("/games/<game_id>/hint")
@blueprint.response(200, HintSchema)
@blueprint.operation("getHint", "not_found", "hint_forbidden", "game_over")
@answers_in(JSON)
def get_hint(game_id: str) -> Response:
    """Ask for a next move.

    A move on a line that wins, that the position is lost, or that neither is clear. In Calculation
    it rests on what lies face up alone: the unseen cards are laid in many orders for a trial.
    There are no hints in challenges, nor for a deal that is being played in one.
    """
    service = services()
    with counting("hint"):
        given = hints.hint(service.db, game_id, bearer(), service.now_ms())
    metrics().searched("hint", given.verdict)
    told = {
        "verdict": given.verdict,
        "move": given.move,
        "length": given.length,
        "sampled": None if given.sample is None else given.sample._asdict(),
        "ply": given.ply,
    }
    return answer(told, headers=NO_STORE)


@contextmanager
def counting(kind: str) -> Iterator[None]:
    """Count what is refused since another search is under way."""
    try:
        yield
    except Busy:
        metrics().searched(kind, "busy")
        raise
