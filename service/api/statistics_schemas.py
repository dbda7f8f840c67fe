"""What is answered about what a challenge came to."""

from marshmallow import fields

from service.api.entry_schemas import EntrantSchema
from service.api.fields import Whole, described
from service.api.player_schemas import EndsSchema
from service.api.replies import Open


class WinnersSchema(Open):
    """One bar of the distribution of actions."""

    low = Whole(required=True, metadata=described("The fewest actions that it counts."))
    high = Whole(required=True, metadata=described("The most."))
    players = Whole(required=True, metadata=described("How many have won with so many."))


class CardsUpSchema(Open):
    """One bar of the distribution of cards."""

    cards_up = Whole(required=True, metadata=described("Cards on the foundations, of 52."))
    players = Whole(required=True, metadata=described("How many have got so far."))


class BestWinSchema(Open):
    """The best of the attempts that were won; of several the one that ended first."""

    player = fields.Nested(EntrantSchema, required=True, metadata=described("Who has won."))
    attempt = Whole(required=True, metadata=described("The number of the attempt, from 1."))
    game_id = fields.String(required=True, metadata=described("The id of its game."))
    shared_by = Whole(
        required=True, metadata=described("How many players have done as well, this one included.")
    )


class FewestActionsSchema(BestWinSchema):
    """The win in the fewest actions."""

    actions = Whole(required=True, metadata=described("How many moves and redeals it took."))


class FastestWinSchema(BestWinSchema):
    """The fastest win."""

    elapsed_ms = Whole(
        required=True, metadata=described("When its last action was made, on its clock.")
    )


class ChallengeStatisticsSchema(Open):
    """What a finished challenge came to.

    Who is disqualified is left out of everything but `entered` and `disqualified`.
    """

    entered = Whole(required=True, metadata=described("How many are in the challenge."))
    disqualified = Whole(required=True, metadata=described("How many of them are disqualified."))
    ranked = Whole(
        required=True,
        metadata=described("How many of them have an attempt and are not disqualified."),
    )
    won = Whole(
        required=True, metadata=described("How many of the ranked have won, in any attempt.")
    )
    solve_rate = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("`won` / `ranked`, to four decimals; null where nobody is ranked."),
    )
    attempts = fields.Nested(
        EndsSchema, required=True, metadata=described("How all attempts of the ranked ended.")
    )
    actions = fields.List(
        fields.Nested(WinnersSchema),
        required=True,
        metadata=described(
            "How the actions of those who have won are distributed, each by the best attempt: bars "
            "of equal width, fewest first; those of nobody are left out."
        ),
    )
    cards_up = fields.List(
        fields.Nested(CardsUpSchema),
        required=True,
        metadata=described(
            "How far the ranked have got, each by the best attempt, fewest cards first; numbers "
            "that nobody has are left out."
        ),
    )
    fewest_actions = fields.Nested(
        FewestActionsSchema,
        required=True,
        allow_none=True,
        metadata=described("The win in the fewest actions; null where nobody has won."),
    )
    fastest = fields.Nested(
        FastestWinSchema,
        required=True,
        allow_none=True,
        metadata=described("The win in the least time, of all attempts; null where nobody won."),
    )
