"""What is asked and answered about what a player has done over time."""

from marshmallow import fields

from service.api.fields import Whole, described, instant_field, one_of
from service.api.player_schemas import EndsSchema
from service.api.replies import Open, Paged
from service.api.requests import PageSchema
from service.rules import VARIANTS
from service.usecases.periods import DAY, PERIODS


class PlayerHistoryQuerySchema(PageSchema):
    """Which periods."""

    period = one_of(
        *PERIODS, load_default=DAY, description="How long each is; weeks begin on Monday."
    )


class WonActionsSchema(Open):
    """How many actions the games took that were won."""

    fewest = Whole(required=True, metadata=described("The fewest."))
    mean = fields.Float(required=True, metadata=described("How many on average, to two decimals."))


class VariantEndsSchema(EndsSchema):
    """The games of one variant that ended in a period."""

    variant = one_of(*VARIANTS, required=True, description="The variant that was played.")
    actions = fields.Nested(
        WonActionsSchema,
        required=True,
        allow_none=True,
        metadata=described("Of the games that were won; null where none was."),
    )


class FinishedChallengesSchema(Open):
    """The challenges that finished in a period, but those that were cancelled."""

    entered = Whole(
        required=True, metadata=described("Those that they are in, and not disqualified in.")
    )
    first = Whole(required=True, metadata=described("Those of them in which they have rank 1."))


class PlayedPeriodSchema(Open):
    """What a player has done in a day, a week or a month."""

    starts_at = instant_field("When it began.", required=True)
    ends_at = instant_field("When it ends: what ends then is in the next one.", required=True)
    total = fields.Nested(
        EndsSchema, required=True, metadata=described("The games of all variants together.")
    )
    variants = fields.List(
        fields.Nested(VariantEndsSchema),
        required=True,
        metadata=described("One for each variant of which a game ended."),
    )
    challenges = fields.Nested(
        FinishedChallengesSchema,
        required=True,
        metadata=described("The challenges that finished."),
    )


class PlayerHistorySchema(Paged):
    """A page of what a player has done over time."""

    items = fields.List(
        fields.Nested(PlayedPeriodSchema),
        required=True,
        metadata=described(
            "The latest period first, back to that in which they registered; none is left out."
        ),
    )
