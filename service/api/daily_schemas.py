"""What clients send and get about the rankings over daily challenges."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from service.api.entry_schemas import EntrantSchema
from service.api.fields import Whole, described, instant_field, one_of
from service.api.replies import Open, Paged
from service.api.requests import PageSchema
from service.rules import VARIANTS
from service.usecases.daily_leaderboards import PERIODS
from service.usecases.periods import WEEK

_PERIOD = "The calendar week, from Monday, or month of today in UTC; or all dailies."


class DailyRankingQuerySchema(PageSchema):
    """Over which time, and which page."""

    period = one_of(*PERIODS, load_default=WEEK, description=_PERIOD)
    around = one_of("me", description="`me`: the page with you in its middle.")

    @validates_schema
    def check_one_place(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        """Refuse a query that names two pages."""
        if data.keys() >= {"around", "cursor"}:
            detail = "Send a cursor, or around, not both."
            raise ValidationError(detail, "around")


class DailyRankSchema(Open):
    """What a player has done in these dailies."""

    rank = Whole(
        required=True,
        metadata=described("From 1; shared by who is equal in `solved` and `actions`."),
    )
    player = fields.Nested(EntrantSchema, required=True, metadata=described("Who it is."))
    solved = Whole(required=True, metadata=described("How many they won."))
    actions = Whole(
        required=True, metadata=described("All actions together in those that they won.")
    )
    played = Whole(required=True, metadata=described("How many were dealt to them."))


class DailyRankingSchema(Paged):
    """A page of the ranking over the daily challenges of a variant, as they stand now."""

    variant = one_of(*VARIANTS, required=True, description="The variant that was played.")
    period = one_of(*PERIODS, required=True, description=_PERIOD)
    starts_at = instant_field(
        "When the period began; null where it is all dailies.", required=True, allow_none=True
    )
    ends_at = instant_field(
        "When it ends; null where it is all dailies.", required=True, allow_none=True
    )
    items = fields.List(
        fields.Nested(DailyRankSchema),
        required=True,
        metadata=described("The most dailies solved first, then the fewest actions."),
    )
    now = instant_field("The server's clock.", required=True)
