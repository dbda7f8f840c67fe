"""What is answered about the record of a challenge."""

from marshmallow import fields

from service.api.challenge_schemas import FormerTermsSchema
from service.api.entry_schemas import DisqualificationSchema, EntrantSchema
from service.api.fields import Whole, described, instant_field, one_of, seed_field
from service.api.replies import Open, Paged
from service.rules.family import Status
from service.usecases.challenge_claims import FORMAT


class AttemptScoreSchema(Open):
    """What counts of an attempt: it follows from the moves."""

    cards_up = Whole(
        required=True, metadata=described("Cards on the foundations, of 52, bases included.")
    )
    moves = Whole(required=True, metadata=described("Card moves."))
    redeals = Whole(required=True, metadata=described("Redeals."))
    actions = Whole(required=True, metadata=described("Card moves and redeals together."))
    elapsed_ms = Whole(required=True, metadata=described("When the last of them was made."))


class RecordedAttemptSchema(Open):
    """An attempt with its whole history."""

    entry = fields.String(
        required=True, metadata=described("The id of the entry: whose attempts belong together.")
    )
    player = fields.Nested(EntrantSchema, required=True, metadata=described("Who has played."))
    disqualified = fields.Nested(
        DisqualificationSchema,
        required=True,
        allow_none=True,
        metadata=described("Null where the entry counts."),
    )
    attempt = Whole(required=True, metadata=described("Its number, from 1."))
    game_id = fields.String(required=True, metadata=described("The id of its game."))
    started_at = instant_field("When its clock started.", required=True)
    deadline = instant_field("From then on no move was recorded.", required=True)
    status = one_of(
        *(status for status in Status if status is not Status.IN_PROGRESS),
        required=True,
        description="How it ended.",
    )
    score = fields.Nested(AttemptScoreSchema, required=True, metadata=described("What it came to."))
    moves = fields.List(
        fields.String(), required=True, metadata=described("The whole history, `Q` included.")
    )
    times_ms = fields.List(
        Whole(),
        required=True,
        metadata=described("For each move the milliseconds since the start."),
    )


class ChallengeRecordSchema(Paged):
    """A page of the record of a challenge: its head is the same on each."""

    record = one_of(FORMAT, required=True, description="The version of this form.")
    id = fields.String(required=True, metadata=described("The id of the challenge."))
    terms = fields.String(
        required=True, metadata=described("What was played under, the exact text.")
    )
    commitment = fields.String(
        required=True,
        metadata=described('SHA-256 of `"commit/1\\n" + seed + "\\n" + terms`, in hexadecimal.'),
    )
    seed = seed_field("The seed that was dealt.", required=True)
    former_terms = fields.List(
        fields.Nested(FormerTermsSchema),
        required=True,
        metadata=described("Terms that were replaced, each with its seed and commitment."),
    )
    rules_version = Whole(
        required=True, metadata=described("The version of the rules that it was played under.")
    )
    revealed_at = instant_field("When it finished.", required=True)
    dealt = Whole(required=True, metadata=described("How many attempts all pages have together."))
    items = fields.List(
        fields.Nested(RecordedAttemptSchema),
        required=True,
        metadata=described("Attempts, by entry, the oldest first, and by number."),
    )
