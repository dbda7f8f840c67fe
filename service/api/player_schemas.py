"""Players, as clients send them and as the service shows them."""

from marshmallow import fields

from service.api.fields import TrueOrFalse, Whole, described, instant_field, one_of
from service.api.replies import Open
from service.api.requests import Closed
from service.rules import VARIANTS
from service.usecases.challenge_states import CLOCKS, ChallengeState, EntryState
from service.usecases.names import NAME_PATTERN

_NAME = {"pattern": f"^{NAME_PATTERN}$", "examples": ["ana"]}
_BOT = "Whether a program plays, as the player says."


class NewPlayerSchema(Closed):
    """The player to register."""

    name = fields.String(
        required=True,
        metadata={
            "description": "3 to 24 letters and digits of ASCII, `-` and `_`. Nobody else may have "
            "or have had it, however its letters are written.",
            **_NAME,
        },
    )
    bot = TrueOrFalse(load_default=False, metadata=described(_BOT))


class PlayerChangeSchema(Closed):
    """What to change; every field may be left out."""

    name = fields.String(
        metadata={
            "description": "The new name. The old one stays yours: nobody else gets it.",
            **_NAME,
        },
    )
    bot = TrueOrFalse(metadata=described(_BOT))


class PlayerSchema(Open):
    """A player."""

    name = fields.String(required=True, metadata=described("The name, as its owner writes it."))
    bot = TrueOrFalse(required=True, metadata=described(_BOT))
    created_at = instant_field("When they registered.", required=True)


class PlayerTokenSchema(PlayerSchema):
    """A player, with the token that stands for them."""

    token = fields.String(metadata=described("`sp_…`, shown this once."))


class GameInPlaySchema(Open):
    """A game that can be played now."""

    id = fields.String(required=True, metadata=described("The id of the game."))
    variant = one_of(*VARIANTS, required=True, description="The variant that is played.")
    challenge_id = fields.String(
        required=True, allow_none=True, metadata=described("Its challenge; null of a free game.")
    )
    attempt = Whole(
        required=True,
        allow_none=True,
        metadata=described("Which attempt it is, from 1; null of a free game."),
    )
    started_at = instant_field("When it was started.", required=True)
    deadline = instant_field(
        "When its time runs out; null of a free game.", required=True, allow_none=True
    )


class ChallengeInPlaySchema(Open):
    """A challenge that is not over."""

    id = fields.String(required=True, metadata=described("The id of the challenge."))
    title = fields.String(required=True, metadata=described("Its title."))
    variant = one_of(*VARIANTS, required=True, description="The variant that is played.")
    clock = one_of(*CLOCKS, required=True, description="Whose clock runs.")
    state = one_of(*ChallengeState, required=True, description="`scheduled` or `running`.")
    starts_at = instant_field("When it starts, or started.", required=True)
    ends_at = instant_field("When it ends at the latest.", required=True)
    hosting = TrueOrFalse(required=True, metadata=described("Whether you are its host."))
    entry = one_of(
        *EntryState,
        required=True,
        allow_none=True,
        description="Where your entry stands; null where you have not entered.",
    )


class SelfSchema(PlayerSchema):
    """You, and what you are in now: newest first, at most 50 of each."""

    games = fields.List(
        fields.Nested(GameInPlaySchema),
        required=True,
        metadata=described("Your games that can be played now."),
    )
    challenges = fields.List(
        fields.Nested(ChallengeInPlaySchema),
        required=True,
        metadata=described("The challenges that you host or have entered and that are not over."),
    )
    now = instant_field("The server's clock.", required=True)


class EndsSchema(Open):
    """How many games have ended, and how many how, each counted once."""

    finished = Whole(
        required=True, metadata=described("`won` + `lost` + `resigned` + `timed_out`.")
    )
    won = Whole(required=True, metadata=described("With all 52 cards up."))
    lost = Whole(required=True, metadata=described("With no move left."))
    resigned = Whole(required=True, metadata=described("Given up."))
    timed_out = Whole(
        required=True, metadata=described("Attempts of challenges whose time ran out.")
    )


class TallySchema(EndsSchema):
    """How many games were started and how many ended how, each counted once."""

    started = Whole(required=True, metadata=described("All of them, those that run included."))


class BestSchema(Open):
    """The best game of those that have ended."""

    cards_up = Whole(required=True, metadata=described("The most cards on the foundations, of 52."))
    actions = Whole(
        required=True,
        allow_none=True,
        metadata=described("The fewest actions of a game that was won; null where none was."),
    )


class ActionsSchema(Open):
    """One bar of the distribution."""

    low = Whole(required=True, metadata=described("The fewest actions that it counts."))
    high = Whole(required=True, metadata=described("The most."))
    games = Whole(required=True, metadata=described("How many games were won with so many."))


class VariantStatisticsSchema(TallySchema):
    """The games of one variant."""

    variant = one_of(*VARIANTS, required=True, description="The variant that was played.")
    best = fields.Nested(
        BestSchema,
        required=True,
        allow_none=True,
        metadata=described("The best game; null where none has ended."),
    )
    actions = fields.List(
        fields.Nested(ActionsSchema),
        required=True,
        metadata=described(
            "How the actions of won games are distributed: bars of equal width, fewest first; "
            "those of no game are left out."
        ),
    )


class StreakSchema(Open):
    """How many challenge games were won in a row, in the order in which they ended."""

    current = Whole(required=True, metadata=described("Up to the latest; 0 if that was not won."))
    longest = Whole(required=True, metadata=described("The longest ever."))


class PlayerStatisticsSchema(PlayerSchema):
    """A player with what they have played. Of a running game it tells that it was started."""

    total = fields.Nested(
        TallySchema, required=True, metadata=described("The games of all variants together.")
    )
    variants = fields.List(
        fields.Nested(VariantStatisticsSchema),
        required=True,
        metadata=described("One for each variant that they have played."),
    )
    streak = fields.Nested(
        StreakSchema, required=True, metadata=described("Won challenge games in a row.")
    )
