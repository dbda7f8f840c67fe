"""What clients send and get about challenges."""

from typing import Any

from marshmallow import fields, validate

from service.api.fields import (
    Instant,
    TrueOrFalse,
    Whole,
    described,
    instant_field,
    one_of,
    player_name_field,
    seed_field,
)
from service.api.par_fields import par_field
from service.api.replies import GameOptionsSchema, Open, Paged
from service.api.requests import Closed, OptionsSchema, PageSchema
from service.rules import DEFAULT_VARIANT, VARIANTS
from service.rules.deals import ALGORITHMS
from service.usecases.challenge_rows import VISIBILITIES
from service.usecases.challenge_states import CLOCKS, ChallengeState, EntryState
from service.usecases.challenge_terms import ATTEMPTS, TIME_LIMITS_MS
from service.usecases.standing import ORDERS
from service.usecases.titles import MAX_TITLE

_CLOCK = "`own`: an attempt's time begins when it is dealt; `shared`: all start at `starts_at`."
_ORDER = "What counts among those who got as far: the fewest `actions`; in a race also `time`."
_VISIBILITY = "`unlisted`: in no list, for whoever has the id."
_COMMITMENT = 'SHA-256 of `"commit/1\\n" + seed + "\\n" + terms`, in hexadecimal.'


def _within(numbers: range) -> validate.Range:
    return validate.Range(numbers[0], numbers[-1])


def _title(**kwargs: Any) -> fields.String:
    metadata = {"description": "For people.", "minLength": 1, "maxLength": MAX_TITLE}
    return fields.String(metadata=metadata, **kwargs)


def _until(description: str) -> Instant:
    metadata = {"description": description, "type": "string", "format": "date-time"}
    return Instant(allow_none=True, metadata=metadata)


class ChallengeChangeSchema(Closed):
    """What to change; what is left out stays as it is."""

    title = _title()
    visibility = one_of(*VISIBILITIES, description=_VISIBILITY)
    variant = one_of(*VARIANTS, description="`GET /v1/variants` tells of each.")
    options = fields.Nested(
        OptionsSchema, metadata=described("Options to change; the others stay as they are.")
    )
    seed = seed_field(
        "The seed to deal, which everybody may know then; null: the server draws one.",
        allow_none=True,
    )
    clock = one_of(*CLOCKS, description=_CLOCK)
    starts_at = _until(
        "When it starts, within 365 days; null: now, on a shared clock it is required."
    )
    ends_at = _until("When it ends, 90 days after the start at most; null: 24 hours after it.")
    time_limit_ms = Whole(
        allow_none=True,
        validate=_within(TIME_LIMITS_MS),
        metadata=described("How long an attempt may take; null: until the end."),
    )
    attempts = Whole(
        validate=_within(ATTEMPTS),
        metadata=described("How many each may have; one in a race, and in Calculation."),
    )
    order = one_of(*ORDERS, description=_ORDER)
    require_winnable = TrueOrFalse(
        metadata=described(
            "Whether the deal that the server draws must be proven winnable; by default it must, "
            "wherever the solver covers the options. Not for a seed that you name."
        )
    )


class NewChallengeSchema(ChallengeChangeSchema):
    """The challenge to set up: its title, and what is not to be by default.

    By default it is public, on the own clock, starts now, ends 24 hours later, and each has one
    attempt without a time limit at a deal that the server draws; the fewest actions win.
    """

    title = _title(required=True)
    variant = one_of(
        *VARIANTS, load_default=DEFAULT_VARIANT, description="`GET /v1/variants` tells of each."
    )
    options = fields.Nested(OptionsSchema, metadata=described("Options to change."))


class ChallengesQuerySchema(PageSchema):
    """Which challenges."""

    status = one_of(*ChallengeState, description="Only those in this state.")
    variant = one_of(*VARIANTS, description="Only those of this variant.")
    host = player_name_field("Only those that this player hosts, in whatever capitals.")
    mine = one_of(
        "true",
        "false",
        load_default="false",
        description="`true`: those that you host or have entered; without a `status` those that "
        "are not over.",
    )


class HostSchema(Open):
    """Who has set a challenge up."""

    name = fields.String(
        required=True, allow_none=True, metadata=described("Null once they are deleted.")
    )
    bot = TrueOrFalse(required=True, metadata=described("Whether it is a bot, as they say."))


class OwnEntrySchema(Open):
    """Your entry."""

    state = one_of(*EntryState, required=True, description="Where it stands.")
    dealt = Whole(required=True, metadata=described("How many of your attempts are dealt."))
    disqualified = TrueOrFalse(required=True, metadata=described("Whether it is out of the race."))


class FormerTermsSchema(Open):
    """Terms that the host has replaced, before anybody else had entered."""

    revision = Whole(required=True, metadata=described("The revision that replaced them."))
    terms = fields.String(required=True, metadata=described("Their exact text."))
    commitment = fields.String(required=True, metadata=described(_COMMITMENT))
    seed = seed_field("The seed that they came with; left out while it is a secret.")


class ListedChallengeSchema(Open):
    """A challenge as it stands in a list."""

    id = fields.String(required=True, metadata=described("The id of the challenge."))
    title = _title(required=True)
    host = fields.Nested(
        HostSchema,
        required=True,
        allow_none=True,
        metadata=described("Who has set it up; null where the service itself has."),
    )
    visibility = one_of(*VISIBILITIES, required=True, description=_VISIBILITY)
    state = one_of(*ChallengeState, required=True, description="Where it stands, by the clock.")
    variant = one_of(*VARIANTS, required=True, description="The variant that is played.")
    options = fields.Nested(
        GameOptionsSchema, required=True, metadata=described("Every option of the family.")
    )
    deal_algorithm = one_of(*ALGORITHMS, required=True, description="What deals the seed.")
    clock = one_of(*CLOCKS, required=True, description=_CLOCK)
    starts_at = instant_field("From when on attempts are dealt.", required=True)
    ends_at = instant_field("When it ends at the latest.", required=True)
    time_limit_ms = Whole(
        required=True,
        allow_none=True,
        metadata=described("How long an attempt may take; null: until `ends_at`."),
    )
    attempts = Whole(required=True, metadata=described("How many each has; the best counts."))
    order = one_of(*ORDERS, required=True, description=_ORDER)
    seed_public = TrueOrFalse(
        required=True, metadata=described("Whether the host has named the seed.")
    )
    require_winnable = TrueOrFalse(
        required=True, metadata=described("Whether the deal was proven winnable when drawn.")
    )
    terms = fields.String(
        required=True,
        metadata=described("All of that as the exact text that `commitment` binds to the seed."),
    )
    commitment = fields.String(required=True, metadata=described(_COMMITMENT))
    seed = seed_field("Left out while it is a secret.")
    revealed_at = instant_field(
        "When it finished, which revealed the seed; null before, and once it is cancelled.",
        required=True,
        allow_none=True,
    )
    created_at = instant_field("When it was set up.", required=True)
    cancelled_at = instant_field(
        "When it was cancelled; null if it is not.", required=True, allow_none=True
    )
    entered = Whole(required=True, metadata=described("How many have entered."))
    dealt = Whole(required=True, metadata=described("How many attempts are dealt."))
    me = fields.Nested(
        OwnEntrySchema,
        required=True,
        allow_none=True,
        metadata=described("Your entry; null if you have none, or send no player's token."),
    )
    revision = Whole(
        required=True, metadata=described("The number of its latest event: the `ETag`.")
    )
    now = instant_field("The server's clock.", required=True)


class ChallengeSchema(ListedChallengeSchema):
    """A challenge."""

    former_terms = fields.List(
        fields.Nested(FormerTermsSchema),
        required=True,
        metadata=described("The terms that it had before, oldest first."),
    )
    par = par_field("The par of its deal; null before the reveal, and where no win is known.")


class ChallengesSchema(Paged):
    """A page of challenges."""

    items = fields.List(
        fields.Nested(ListedChallengeSchema),
        required=True,
        metadata=described("Challenges, newest first."),
    )
