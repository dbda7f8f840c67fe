"""Entries of challenges: enter, leave, forfeit, have attempts dealt, disqualify."""

import re
from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import BODY_PROBLEMS, ApiBlueprint, Token
from service.api.context import (
    JSON,
    NO_STORE,
    TEXT,
    answer,
    answer_nothing,
    answers_in,
    instant,
    instant_or_null,
    person,
    services,
)
from service.api.entry_schemas import (
    ChallengeEntrySchema,
    EntriesSchema,
    JudgementSchema,
    MyEntrySchema,
)
from service.api.paging import page_json, read_place
from service.api.replies import GameSchema
from service.api.requests import PageSchema
from service.api.states import game_answer
from service.api.tokens import bearer
from service.api.watch import metrics
from service.usecases import attempts, disqualifications, entries
from service.usecases.entry_views import EntryView

blueprint = ApiBlueprint(
    "entries",
    __name__,
    url_prefix="/v1/challenges/<challenge_id>/entries",
    description="Who is in a challenge.",
)

_DRAWN = {"type": "string", "description": "The same, for people at a terminal."}
_NUMBER = re.compile("[1-9][0-9]{0,8}")


@blueprint.route("")
@blueprint.arguments(PageSchema, location="query")
@blueprint.response(200, EntriesSchema)
@blueprint.operation("listEntries", "not_found", "bad_cursor")
@answers_in(JSON)
def list_entries(query: Mapping[str, Any], challenge_id: str) -> Response:
    """See who is in a challenge.

    Pages follow each other by `next` and `prev`.
    """
    service = services()
    place = read_place(query, str)
    page = entries.list_entries(
        service.db, challenge_id, bearer(), place=place, now=service.now_ms()
    )
    return answer(page_json((_entry_json(view) for view in page.items), page), headers=NO_STORE)


@blueprint.route("/me")
@blueprint.response(200, MyEntrySchema)
@blueprint.operation("getEntry", "forbidden", "not_found", "not_entered", token=Token.NEEDED)
@answers_in(JSON)
def get_entry(challenge_id: str) -> Response:
    """Read one's own entry.

    With the attempts that were dealt: only their player sees which games they are.
    """
    service = services()
    view = entries.read_own(service.db, challenge_id, bearer(), service.now_ms())
    return answer(_whole_json(view), headers=NO_STORE)


@blueprint.route("/me", methods=["PUT"])
@blueprint.response(200, MyEntrySchema)
@blueprint.alt_response(201, schema=MyEntrySchema, description="Created", success=True)
@blueprint.operation(
    "enterChallenge", "forbidden", "not_found", "entries_closed", token=Token.NEEDED
)
@answers_in(JSON)
def enter(challenge_id: str) -> Response:
    """Enter a challenge: 201 the first time, 200 for who is in already.

    On the own clock until the end; a race before its start only.
    """
    service = services()
    entered = entries.enter(service.db, challenge_id, bearer(), service.now_ms())
    return answer(_whole_json(entered.view), 201 if entered.new else 200, NO_STORE)


@blueprint.route("/me", methods=["DELETE"])
@blueprint.response(200, MyEntrySchema)
@blueprint.alt_response(204, description="Not in the challenge, or not any more.", success=True)
@blueprint.operation("leaveChallenge", "forbidden", "not_found", "not_running", token=Token.NEEDED)
@answers_in(JSON)
def leave(challenge_id: str) -> Response:
    """Leave a challenge (204), or forfeit it (200).

    One leaves while none of one's attempts is dealt and, in a race, before the start. After that
    one forfeits: a running game is resigned, and nobody comes back. Who is disqualified cannot
    leave: the reason stays to be seen.
    """
    service = services()
    view = entries.leave(service.db, challenge_id, bearer(), service.now_ms())
    if view is None:
        return answer_nothing()
    return answer(_whole_json(view), headers=NO_STORE)


@blueprint.route("/me/attempts/<attempt>", methods=["PUT"])
@blueprint.response(200, GameSchema)
@blueprint.alt_response(201, schema=GameSchema, description="Created", success=True)
@blueprint.alt_response(201, schema=_DRAWN, content_type=TEXT, success=True)
@blueprint.operation(
    "dealAttempt",
    "forbidden",
    "not_found",
    "not_entered",
    "not_running",
    "entries_closed",
    "attempt_in_progress",
    "attempts_exhausted",
    token=Token.NEEDED,
    text=200,
)
@answers_in(JSON, TEXT)
def deal_attempt(challenge_id: str, attempt: str) -> Response:
    """Have an attempt dealt: 201 the first time, 200 with the same game for ever after.

    So the request may be sent again. Attempt 2 is dealt when attempt 1 has ended, by a move or by
    its deadline, and so on.
    """
    service = services()
    number = int(attempt) if _NUMBER.fullmatch(attempt) else 0
    dealt = attempts.deal(service.db, challenge_id, number, bearer(), service.now_ms())
    if dealt.new:
        metrics().game_created(dealt.view.variant, dealt.view.game.status.value)
    return game_answer(dealt.view, status=201 if dealt.new else 200)


@blueprint.route("/<name:player>", methods=["PATCH"])
@blueprint.arguments(JudgementSchema)
@blueprint.response(200, ChallengeEntrySchema)
@blueprint.operation(
    "judgeEntry", *BODY_PROBLEMS, "not_found", "forbidden", "not_running", token=Token.NEEDED
)
@answers_in(JSON)
def judge_entry(body: Mapping[str, Any], challenge_id: str, player: str) -> Response:
    """Disqualify an entry or reinstate it; only the host does.

    A disqualified entry stays in the list, with the reason, and is out of the ranking.
    """
    service = services()
    view = disqualifications.disqualify(
        service.db, challenge_id, player, bearer(), **body, now=service.now_ms()
    )
    return answer(_whole_json(view), headers=NO_STORE)


def _whole_json(view: EntryView) -> dict[str, object]:
    """Give an entry by itself; with the attempts where it is the player's own."""
    own = {}
    if view.attempts is not None:
        own["attempts"] = [
            {
                "attempt": attempt.number,
                "game_id": attempt.game_id,
                "status": attempt.status,
                "started_at": instant(attempt.started_at),
                "deadline": instant(attempt.deadline),
                "finished_at": instant_or_null(attempt.finished_at),
            }
            for attempt in view.attempts
        ]
    return {**_entry_json(view), **own, "revision": view.revision, "now": instant(view.now)}


def _entry_json(view: EntryView) -> dict[str, object]:
    since = view.disqualified_at
    return {
        "id": view.id,
        "player": person(view.player, bot=view.bot),
        "state": view.state,
        "entered_at": instant(view.entered_at),
        "dealt": view.dealt,
        "deadline": instant_or_null(view.deadline),
        "forfeited_at": instant_or_null(view.forfeited_at),
        "disqualified": (
            None if since is None else {"at": instant(since), "reason": view.disqualified_reason}
        ),
    }
