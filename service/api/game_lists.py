"""Lists of games."""

from collections.abc import Mapping
from typing import Any

from flask import Response
from marshmallow import ValidationError, fields, validate, validates_schema

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, NO_STORE, answer, answers_in, services
from service.api.fields import described, one_of, player_name_field
from service.api.paging import page_json, read_place
from service.api.replies import GamesSchema
from service.api.requests import PageSchema
from service.api.states import listed_json
from service.api.tokens import bearer
from service.rules import VARIANTS
from service.rules.family import Status
from service.usecases import game_lists

blueprint = ApiBlueprint("game_lists", __name__, url_prefix="/v1/games")


class GamesQuerySchema(PageSchema):
    """Whose games, or of which challenge: one of the two must be there."""

    player = player_name_field("Only those of this player, in whatever capitals.")
    challenge = fields.String(
        validate=validate.Regexp("[!-~]{1,64}$"),
        metadata=described("Only those of the challenge with this id."),
    )
    status = one_of(*Status, description="Only those that stand so.")
    variant = one_of(*VARIANTS, description="Only those of this variant.")

    @validates_schema
    def check_named(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        """Refuse a query that names neither: nobody lists all games."""
        if not data.keys() & {"player", "challenge"}:
            detail = "Name a player or a challenge."
            raise ValidationError(detail, "player")


@blueprint.route("")
@blueprint.arguments(GamesQuerySchema, location="query")
@blueprint.response(200, GamesSchema)
@blueprint.operation("listGames", "bad_cursor", "validation_failed")
@answers_in(JSON)
def list_games(query: Mapping[str, Any]) -> Response:
    """List games, newest first: of a player, or of a challenge.

    One of the two must be named. Attempts appear once their challenge has finished, free games once
    they have ended; all of your own do with your token. For the board and the history read the
    game.
    """
    service = services()
    place = read_place(query, str)
    page = game_lists.list_games(
        service.db,
        bearer(),
        player=query.get("player"),
        challenge=query.get("challenge"),
        status=query.get("status"),
        variant=query.get("variant"),
        place=place,
        now=service.now_ms(),
    )
    return answer(page_json((listed_json(view) for view in page.items), page), headers=NO_STORE)
