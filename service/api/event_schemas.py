"""What is asked and answered about the events of a challenge."""

from marshmallow import fields, validate

from service.api.entry_schemas import EntrantSchema
from service.api.fields import Digits, TrueOrFalse, Whole, described, instant_field, one_of
from service.api.replies import Open
from service.api.requests import Closed
from service.usecases.challenge_events import KINDS
from service.usecases.challenge_snapshots import MOST_ENTRIES, MOST_EVENTS
from service.usecases.challenge_states import ChallengeState, EntryState


class EventsQuerySchema(Closed):
    """Which events."""

    after = Digits(
        load_default=0,
        validate=validate.Range(0),
        metadata=described("Only those after this number: the last one that you have seen."),
    )


class WatchedEntrySchema(Open):
    """Somebody in a challenge, and how far their latest attempt is."""

    id = fields.String(required=True, metadata=described("The id of the entry."))
    player = fields.Nested(EntrantSchema, required=True, metadata=described("Who has entered."))
    state = one_of(*EntryState, required=True, description="As in the list of entries.")
    disqualified = TrueOrFalse(
        required=True, metadata=described("Whether the host has taken it out of the ranking.")
    )
    attempt = Whole(
        required=True,
        allow_none=True,
        metadata=described("The latest attempt; null before the first."),
    )
    cards_up = Whole(
        required=True,
        allow_none=True,
        metadata=described("Its cards on the foundations, bases included."),
    )
    actions = Whole(
        required=True, allow_none=True, metadata=described("Its card moves and redeals.")
    )


class SnapshotSchema(Open):
    """How a challenge stands."""

    state = one_of(*ChallengeState, required=True, description="Where it stands now.")
    entered = Whole(required=True, metadata=described("How many are in it."))
    dealt = Whole(required=True, metadata=described("How many attempts were dealt."))
    ended = Whole(
        required=True,
        metadata=described("How many have ended their last attempt by a move, or forfeited."),
    )
    entries = fields.List(
        fields.Nested(WatchedEntrySchema),
        required=True,
        metadata=described(
            f"The first {MOST_ENTRIES} by standing, the best first; last who has no deal yet."
        ),
    )


class EventSchema(Open):
    """What somebody has done."""

    number = Whole(required=True, metadata=described("From 1, without gaps."))
    kind = one_of(*KINDS, required=True, description="What was done.")
    at = instant_field("When.", required=True)
    player = fields.Nested(
        EntrantSchema,
        required=True,
        allow_none=True,
        metadata=described("Who did it, or whom the host judged; null for the operator."),
    )
    facts = fields.Dict(
        required=True,
        metadata=described("What else there is to tell, such as the number of the attempt."),
    )


class EventsSchema(Open):
    """A challenge for who watches it."""

    snapshot = fields.Nested(
        SnapshotSchema, required=True, metadata=described("How it stands, a second ago at most.")
    )
    events = fields.List(
        fields.Nested(EventSchema),
        required=True,
        metadata=described(
            f"At most the first {MOST_EVENTS} after the number that you gave; "
            "where more wait, `poll_after_ms` is 0."
        ),
    )
    revision = Whole(required=True, metadata=described("The number of the latest event."))
    poll_after_ms = Whole(
        required=True,
        metadata=described("After how long it is worth asking again; 0: more events wait."),
    )
    now = instant_field("The server's clock.", required=True)
