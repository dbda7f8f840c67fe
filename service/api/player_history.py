"""What a player has done over time."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, NO_STORE, answer, answers_in, instant, services
from service.api.history_schemas import PlayerHistoryQuerySchema, PlayerHistorySchema
from service.api.outcomes import ends_json
from service.api.paging import page_json, read_place
from service.api.tokens import refuse_unknown_token
from service.usecases.player_history import Period, VariantEnds, read_history

blueprint = ApiBlueprint("player_history", __name__, url_prefix="/v1/players")


@blueprint.route("/<name>/history")
@blueprint.arguments(PlayerHistoryQuerySchema, location="query")
@blueprint.response(200, PlayerHistorySchema)
@blueprint.operation("getPlayerHistory", "not_found", "bad_cursor", "validation_failed")
@answers_in(JSON)
def get_player_history(query: Mapping[str, Any], name: str) -> Response:
    """Look at what a player has done by the day, the week or the month.

    A game counts when it has ended, a challenge when it has finished; of what runs nothing is told.
    There is every period since they registered, the latest first, which is not over yet. All is in
    UTC, and weeks begin on Monday.
    """
    refuse_unknown_token()
    service = services()
    place = read_place(query, int)
    found = read_history(
        service.db, name, period=query["period"], place=place, now=service.now_ms()
    )
    return answer(page_json(map(_period_json, found.items), found), headers=NO_STORE)


def _period_json(period: Period) -> dict[str, object]:
    return {
        "starts_at": instant(period.span.starts_at),
        "ends_at": instant(period.span.ends_at),
        "total": ends_json(period.ends),
        "variants": [_variant_json(name, played) for name, played in period.variants.items()],
        "challenges": {"entered": period.challenges, "first": period.first},
    }


def _variant_json(name: str, played: VariantEnds) -> dict[str, object]:
    won, fewest = played.ends.won, played.fewest_actions
    mean = round(played.actions / won, 2) if won else None
    return {
        "variant": name,
        **ends_json(played.ends),
        "actions": None if fewest is None else {"fewest": fewest, "mean": mean},
    }
