"""The public record of a challenge."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.challenge_answers import former_json
from service.api.context import JSON, NO_STORE, answer, answers_in, instant, person, services
from service.api.paging import page_json, read_place
from service.api.record_schemas import ChallengeRecordSchema
from service.api.requests import PageSchema
from service.api.tokens import bearer
from service.usecases.challenge_claims import FORMAT
from service.usecases.challenge_records import RecordedAttempt, RecordPage, read_record

blueprint = ApiBlueprint("challenge_records", __name__, url_prefix="/v1/challenges")


@blueprint.route("/<challenge_id>/record")
@blueprint.arguments(PageSchema, location="query")
@blueprint.response(200, ChallengeRecordSchema)
@blueprint.operation(
    "getChallengeRecord", "not_found", "still_secret", "bad_cursor", "validation_failed"
)
@answers_in(JSON)
def get_challenge_record(query: Mapping[str, Any], challenge_id: str) -> Response:
    """Take the record of a challenge away, once it has finished.

    With every attempt's history: anybody can check the commitment, the deal, each move, each score
    and the ranking. `semilla verify-challenge` does, and so do a few lines of your own. Pages
    follow each other by `next` and `prev`; the head is the same on each.
    """
    service = services()
    place = read_place(query, str, int)
    page = read_record(service.db, challenge_id, bearer(), place=place, now=service.now_ms())
    return answer(_page_json(page), headers=NO_STORE)


def _page_json(page: RecordPage) -> dict[str, object]:
    challenge = page.challenge
    return {
        "record": FORMAT,
        "id": challenge.id,
        "terms": challenge.published,
        "commitment": challenge.commitment,
        "seed": challenge.seed,
        "former_terms": [former_json(each) for each in challenge.former or ()],
        "rules_version": page.rules_version,
        "revealed_at": instant(challenge.revealed_at or 0),
        "dealt": challenge.dealt,
        **page_json((_attempt_json(attempt) for attempt in page.items), page),
    }


def _attempt_json(attempt: RecordedAttempt) -> dict[str, object]:
    score, since = attempt.score, attempt.disqualified_at
    return {
        "entry": attempt.entry_id,
        "player": person(attempt.player, bot=attempt.bot),
        "disqualified": (
            None if since is None else {"at": instant(since), "reason": attempt.disqualified_reason}
        ),
        "attempt": attempt.number,
        "game_id": attempt.game_id,
        "started_at": instant(attempt.started_at),
        "deadline": instant(attempt.deadline),
        "status": attempt.status,
        "score": {
            "cards_up": score.cards_up,
            "moves": score.moves,
            "redeals": score.redeals,
            "actions": score.actions,
            "elapsed_ms": attempt.elapsed_ms,
        },
        "moves": attempt.moves,
        "times_ms": attempt.times_ms,
    }
