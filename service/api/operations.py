"""What operators ask for: is it alive, is it ready."""

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, answer, answers_in, services
from service.api.replies import HealthSchema
from service.usecases.health import check_ready

blueprint = ApiBlueprint("operations", __name__, description="For operators.")


@blueprint.route("/livez")
@blueprint.response(200, HealthSchema)
@blueprint.operation("checkLive")
@answers_in(JSON)
def live() -> Response:
    """Tell that the process answers."""
    return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})


@blueprint.route("/readyz")
@blueprint.response(200, HealthSchema)
@blueprint.operation("checkReady")
@answers_in(JSON)
def ready() -> Response:
    """Tell that the database is there and has the schema of this release."""
    check_ready(services().db)
    return answer({"status": "ok"}, headers={"Cache-Control": "no-store"})
