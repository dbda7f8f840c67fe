"""The daily challenges, and the ranking over them."""

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.challenge_answers import challenge_answer
from service.api.challenge_schemas import ChallengeSchema
from service.api.context import JSON, TEXT, answers_in, services
from service.api.tokens import bearer
from service.usecases import challenges

blueprint = ApiBlueprint(
    "dailies",
    __name__,
    url_prefix="/v1",
    description="A challenge for every variant and day.",
)


@blueprint.route("/daily/<variant>")
@blueprint.response(200, ChallengeSchema, headers={"ETag": "RevisionETag"})
@blueprint.operation("getDaily", "not_found", text=200)
@answers_in(JSON, TEXT)
def get_daily(variant: str) -> Response:
    """Read today's challenge.

    The day is that of UTC. It is there without anybody having set it up, and is entered and played
    as any other, under its id: `daily-{variant}-{date}`.
    """
    service = services()
    return challenge_answer(challenges.read_daily(service.db, variant, bearer(), service.now_ms()))
