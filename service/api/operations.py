"""What operators ask for: is it alive, is it ready, and what has it done."""

from hmac import compare_digest

from flask import Response, current_app, request

from service.api.blueprint import ApiBlueprint, Token
from service.api.context import JSON, NO_STORE, TEXT, answer, answers_in, services
from service.api.errors import Problem
from service.api.replies import HealthSchema
from service.api.watch import metrics
from service.metrics import CONTENT_TYPE
from service.usecases.health import check_ready

_TEXT = {"type": "string", "description": "The metrics; more may come."}
_COUNTED = """\
# HELP semilla_requests_total Requests
# TYPE semilla_requests_total counter
semilla_requests_total{method="GET",route="/v1/games/<game_id>",status="200"} 12.0
"""

blueprint = ApiBlueprint("operations", __name__, description="For operators.")


@blueprint.route("/livez")
@blueprint.response(200, HealthSchema)
@blueprint.operation("checkLive", token=Token.IGNORED)
@answers_in(JSON)
def live() -> Response:
    """Tell that the process answers.

    It asks nothing of the database: restart the process where this fails.
    """
    return answer({"status": "ok"}, headers=NO_STORE)


@blueprint.route("/readyz")
@blueprint.response(200, HealthSchema)
@blueprint.operation("checkReady", "not_ready", "busy", token=Token.IGNORED)
@answers_in(JSON)
def ready() -> Response:
    """Tell that the database is there and has the schema of this release.

    Send no requests to the process while this fails.
    """
    check_ready(services().db)
    return answer({"status": "ok"}, headers=NO_STORE)


@blueprint.route("/metrics")
@blueprint.response(200, _TEXT, content_type=TEXT, examples={"counted": {"value": _COUNTED}})
@blueprint.operation("getMetrics", token=Token.OPERATORS)
@answers_in(TEXT)
def get_metrics() -> Response:
    """Tell what the service has counted since its start, in Prometheus' text format.

    Where the operator has set `METRICS_TOKEN`, only to who sends it.
    """
    token = current_app.config["METRICS_TOKEN"]
    scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
    shown = scheme.lower() == "bearer" and compare_digest(sent.encode(), token.encode())
    if token and not shown:
        detail = "the metrics need the operator's token: send Authorization: Bearer METRICS_TOKEN"
        raise Problem(code="unauthenticated", detail=detail)
    return Response(metrics().text(), headers=NO_STORE, content_type=CONTENT_TYPE)
