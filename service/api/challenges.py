"""Challenges: set up, list, read, change, cancel."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import BODY_PROBLEMS, ApiBlueprint, Token
from service.api.challenge_answers import challenge_answer, challenge_json
from service.api.challenge_schemas import (
    ChallengeChangeSchema,
    ChallengeSchema,
    ChallengesQuerySchema,
    ChallengesSchema,
    NewChallengeSchema,
)
from service.api.context import JSON, NO_STORE, TEXT, answer, answers_in, base_url, services
from service.api.idempotency import HEADER, REPLAYED, idempotency_key
from service.api.paging import page_json, read_place
from service.api.preconditions import HEADER as IF_MATCH
from service.api.preconditions import seen_revisions
from service.api.requests import EmptySchema
from service.api.tokens import bearer
from service.usecases import challenge_changes, challenge_lists, challenges

blueprint = ApiBlueprint(
    "challenges",
    __name__,
    url_prefix="/v1/challenges",
    description="Seeded challenges and races.",
)

_ETAG = {"ETag": "RevisionETag"}


@blueprint.route("", methods=["POST"])
@blueprint.arguments(NewChallengeSchema)
@blueprint.response(
    201, ChallengeSchema, headers={**_ETAG, **{name: name for name in ("Location", REPLAYED)}}
)
@blueprint.operation(
    "createChallenge",
    *BODY_PROBLEMS,
    "forbidden",
    "key_reused",
    token=Token.NEEDED,
    reads=[HEADER],
    text=201,
)
@answers_in(JSON, TEXT)
def create_challenge(body: Mapping[str, Any]) -> Response:
    """Set a challenge or a race up, as its host.

    Needs a player's token. A seed that the server draws stays a secret, also from you, until the
    challenge has finished; `commitment` binds it to the terms. A request with an `Idempotency-Key`
    may be sent again, for 24 hours: it makes one challenge.
    """
    service, token_hash = services(), bearer()
    # Who shows no token is told of that first.
    key = idempotency_key("challenge", body) if token_hash else None
    new = challenges.create(service.db, token_hash, body, service.now_ms(), key)
    headers = {"Location": f"{base_url()}/v1/challenges/{new.view.id}"}
    if new.replayed:
        headers[REPLAYED] = "true"
    return challenge_answer(new.view, status=201, headers=headers)


@blueprint.route("")
@blueprint.arguments(ChallengesQuerySchema, location="query")
@blueprint.response(200, ChallengesSchema)
@blueprint.operation("listChallenges", "forbidden", "bad_cursor", "validation_failed")
@answers_in(JSON)
def list_challenges(query: Mapping[str, Any]) -> Response:
    """List public challenges, newest first.

    With `mine=true`, which needs a player's token, those that you host or have entered, unlisted
    ones included: the ones that are not over, unless `status` asks for others.
    """
    service = services()
    place = read_place(query, int, str)
    page = challenge_lists.list_challenges(
        service.db,
        bearer(),
        status=query.get("status"),
        variant=query.get("variant"),
        host=query.get("host"),
        mine=query["mine"] == "true",
        place=place,
        now=service.now_ms(),
    )
    return answer(page_json((challenge_json(view) for view in page.items), page), headers=NO_STORE)


@blueprint.route("/<challenge_id>")
@blueprint.response(200, ChallengeSchema, headers=_ETAG)
@blueprint.operation("getChallenge", "not_found", text=200)
@answers_in(JSON, TEXT)
def get_challenge(challenge_id: str) -> Response:
    """Read a challenge.

    Whoever has its id may, also where it is unlisted; `me` is the entry of whose token you send.
    """
    service = services()
    return challenge_answer(challenges.read(service.db, challenge_id, bearer(), service.now_ms()))


@blueprint.route("/<challenge_id>", methods=["PATCH"])
@blueprint.arguments(ChallengeChangeSchema, required=False)
@blueprint.response(200, ChallengeSchema, headers=_ETAG)
@blueprint.operation(
    "changeChallenge",
    *BODY_PROBLEMS,
    "forbidden",
    "not_found",
    "not_running",
    "already_started",
    "has_entries",
    "history_full",
    "stale_revision",
    "precondition_required",
    token=Token.NEEDED,
    reads=[IF_MATCH],
    text=200,
)
@answers_in(JSON, TEXT)
def change_challenge(body: Mapping[str, Any], challenge_id: str) -> Response:
    """Change a challenge, as its host.

    Title and visibility may always change. The terms may while nobody else has entered and nothing
    has begun: then another seed is drawn, unless it is one that you have named, and the terms
    before stay readable in `former_terms`, which holds 100. `If-Match` must name the
    revision that you change.
    """
    service = services()
    seen = seen_revisions()
    view = challenge_changes.change(
        service.db, challenge_id, bearer(), body, seen, service.now_ms()
    )
    return challenge_answer(view)


@blueprint.route("/<challenge_id>/cancel", methods=["POST"])
@blueprint.arguments(EmptySchema, required=False)
@blueprint.response(200, ChallengeSchema, headers=_ETAG)
@blueprint.operation(
    "cancelChallenge",
    *BODY_PROBLEMS,
    "forbidden",
    "not_found",
    "not_running",
    "already_started",
    token=Token.NEEDED,
    text=200,
)
@answers_in(JSON, TEXT)
def cancel_challenge(_body: Mapping[str, Any], challenge_id: str) -> Response:
    """Cancel a challenge, as its host.

    Until the first attempt is dealt. One that is cancelled stays so, and its seed stays a secret.
    """
    service = services()
    return challenge_answer(challenges.cancel(service.db, challenge_id, bearer(), service.now_ms()))
