"""The events of challenges."""

import hashlib
from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, answer, answer_once, answers_in, instant, person, services
from service.api.errors import write_json
from service.api.event_schemas import EventsQuerySchema, EventsSchema
from service.api.tokens import bearer
from service.usecases.watching import Event, Watched, WatchedEntry, watch

blueprint = ApiBlueprint("events", __name__, url_prefix="/v1/challenges")


@blueprint.route("/<challenge_id>/events")
@blueprint.arguments(EventsQuerySchema, location="query")
@blueprint.response(200, EventsSchema)
@blueprint.operation("watchChallenge", "not_found", "validation_failed", reads=["If-None-Match"])
@answers_in(JSON)
def watch_challenge(query: Mapping[str, Any], challenge_id: str) -> Response:
    """Watch a challenge: how it stands, and what somebody has done since.

    The answer comes at once: ask again after `poll_after_ms`, with the number of the last event in
    `after` and the `ETag` in `If-None-Match`. As long as nothing but `now` would differ the answer
    is 304. What the clock does, and everybody's `cards_up`, stand in `snapshot`.
    """
    service = services()
    now = service.now_ms()
    watched = watch(service.db, challenge_id, bearer(), after=query["after"], now=now)
    body = _json(watched)
    tag = hashlib.sha256(write_json(body)).hexdigest()[:32]
    headers = {"Cache-Control": "no-store", "ETag": f'"{tag}"'}
    return answer_once(answer({**body, "now": instant(now)}, headers=headers))


def _json(watched: Watched) -> dict[str, object]:
    return {
        "snapshot": {
            "state": watched.state,
            "entered": watched.entered,
            "dealt": watched.dealt,
            "ended": watched.ended,
            "entries": [_entry_json(entry) for entry in watched.entries],
        },
        "events": [_event_json(event) for event in watched.events],
        "revision": watched.revision,
        "poll_after_ms": watched.poll_after_ms,
    }


def _entry_json(entry: WatchedEntry) -> dict[str, object]:
    return {
        "id": entry.id,
        "player": person(entry.player, bot=entry.bot),
        "state": entry.state,
        "disqualified": entry.disqualified,
        "attempt": entry.attempt,
        "cards_up": entry.cards_up,
        "actions": entry.actions,
    }


def _event_json(event: Event) -> dict[str, object]:
    return {
        "number": event.number,
        "kind": event.kind,
        "at": instant(event.at),
        "player": person(event.player, bot=event.bot) if event.somebody else None,
        "facts": event.facts,
    }
