"""What operators ask for: is it alive, is it ready."""

from flask import Response

from service.api.blueprint import ApiBlueprint, Token
from service.api.context import JSON, answer, answers_in, services
from service.api.replies import HealthSchema
from service.usecases.health import check_ready

blueprint = ApiBlueprint("operations", __name__, description="For operators.")


@blueprint.route("/livez")
@blueprint.response(200, HealthSchema)
@blueprint.operation("checkLive", token=Token.IGNORED)
@answers_in(JSON)
def live() -> Response:
    """Tell that the process answers.

    It asks nothing of the database: restart the process where this fails.
    """
    return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})


@blueprint.route("/readyz")
@blueprint.response(200, HealthSchema)
@blueprint.operation("checkReady", "not_ready", "busy", token=Token.IGNORED)
@answers_in(JSON)
def ready() -> Response:
    """Tell that the database is there and has the schema of this release.

    Send no requests to the process while this fails.
    """
    check_ready(services().db)
    return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})
