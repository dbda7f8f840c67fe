"""What is asked and answered about the rankings of challenges."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from service.api.entry_schemas import EntrantSchema
from service.api.fields import TrueOrFalse, Whole, described, instant_field, one_of
from service.api.par_fields import par_field, to_par_field
from service.api.replies import Open, Paged
from service.api.requests import PageSchema
from service.rules.family import Status
from service.usecases.challenge_states import EntryState
from service.usecases.standing import ORDERS


class LeaderboardQuerySchema(PageSchema):
    """Which page of a ranking."""

    around = one_of(
        "me", description="`me`: the page with you in its middle. It takes no `cursor`."
    )

    @validates_schema
    def check_one(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        """Refuse a query that asks for two places at once."""
        if data.keys() >= {"around", "cursor"}:
            detail = "Send around or a cursor, not both: next and prev lead on from around me."
            raise ValidationError(detail, "around")


class RankedEntrySchema(Open):
    """An entry in its place, by its best attempt; nothing of anybody's cards."""

    rank = Whole(required=True, metadata=described("From 1; who got equally far shares it."))
    player = fields.Nested(EntrantSchema, required=True, metadata=described("Whose entry it is."))
    attempt = Whole(required=True, metadata=described("The number of the best attempt, from 1."))
    won = TrueOrFalse(required=True, metadata=described("Whether all cards are up."))
    cards_up = Whole(required=True, metadata=described("How many cards are on the foundations."))
    actions = Whole(required=True, metadata=described("Moves and redeals."))
    redeals = Whole(required=True, metadata=described("How many redeals."))
    elapsed_ms = Whole(
        required=True, metadata=described("When its last action was made, on its clock.")
    )
    status = one_of(*Status, required=True, description="How the best attempt stands.")
    state = one_of(*EntryState, required=True, description="Where the entry stands.")
    game_id = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The game of the best attempt; null until the challenge has finished."),
    )
    to_par = to_par_field()


class LeaderboardSchema(Paged):
    """A page of the ranking of a challenge."""

    items = fields.List(
        fields.Nested(RankedEntrySchema),
        required=True,
        metadata=described("The ranked, the best first; of equal ranks who entered first."),
    )
    provisional = TrueOrFalse(
        required=True, metadata=described("True until the challenge has finished.")
    )
    revision = Whole(required=True, metadata=described("The challenge's revision."))
    order = one_of(*ORDERS, required=True, description="What ranks those who got equally far.")
    entered = Whole(required=True, metadata=described("How many are in the challenge."))
    ranked = Whole(
        required=True,
        metadata=described("How many of them have an attempt and are not disqualified."),
    )
    par = par_field("The par of the deal; null before the reveal, and where no win is known.")
    now = instant_field("The server's clock.", required=True)
