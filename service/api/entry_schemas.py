"""What is sent and answered about the entries of challenges."""

from marshmallow import ValidationError, fields, validate

from service.api.fields import (
    TrueOrFalse,
    Whole,
    described,
    instant_field,
    one_of,
)
from service.api.replies import Open, Paged
from service.api.requests import Closed
from service.rules.family import Status
from service.usecases.challenge_states import EntryState

MAX_REASON = 200


def _shows(text: str) -> None:
    """Refuse a text of which a reader sees nothing, or that has characters for machines in it."""
    if not text.isprintable() or text.isspace():
        detail = "Not a line of text that can be read."
        raise ValidationError(detail)


class JudgementSchema(Closed):
    """What the host decides about an entry."""

    disqualified = TrueOrFalse(
        required=True,
        metadata=described("Whether it is out of the ranking; false reinstates it."),
    )
    reason = fields.String(
        required=True,
        validate=validate.And(validate.Length(1, MAX_REASON), _shows),
        metadata=described("Why: everybody sees it."),
    )


class EntrantSchema(Open):
    """Who has entered."""

    name = fields.String(
        required=True, allow_none=True, metadata=described("Null once they are deleted.")
    )
    bot = TrueOrFalse(required=True, metadata=described("Whether they call themselves a program."))


class DisqualificationSchema(Open):
    """That the host has taken an entry out of the ranking."""

    at = instant_field("Since when.", required=True)
    reason = fields.String(required=True, metadata=described("Why."))


class AttemptSchema(Open):
    """An attempt that was dealt."""

    attempt = Whole(required=True, metadata=described("Its number, from 1."))
    game_id = fields.String(required=True, metadata=described("The id of its game."))
    status = one_of(
        *Status,
        required=True,
        description="Of the game: one whose deadline has passed stays `in_progress`.",
    )
    started_at = instant_field("When its clock started.", required=True)
    deadline = instant_field("From then on no move is recorded.", required=True)
    finished_at = instant_field(
        "When a move ended it; null where none has.", required=True, allow_none=True
    )


class ListedEntrySchema(Open):
    """Somebody in a challenge; nothing of anybody's cards."""

    id = fields.String(required=True, metadata=described("The id of the entry."))
    player = fields.Nested(EntrantSchema, required=True, metadata=described("Who has entered."))
    state = one_of(
        *EntryState,
        required=True,
        description=(
            "`playing`: an attempt runs or may be dealt; `timed_out`: the latest attempt's time "
            "ran out; `no_show`: the challenge ended and no attempt had been dealt."
        ),
    )
    entered_at = instant_field("When they entered.", required=True)
    dealt = Whole(required=True, metadata=described("How many attempts were dealt."))
    deadline = instant_field(
        "When the latest attempt's time runs out; null before the first.",
        required=True,
        allow_none=True,
    )
    forfeited_at = instant_field(
        "When they forfeited; null where they have not.", required=True, allow_none=True
    )
    disqualified = fields.Nested(
        DisqualificationSchema,
        required=True,
        allow_none=True,
        metadata=described("Null where the entry counts."),
    )


class ChallengeEntrySchema(ListedEntrySchema):
    """An entry by itself."""

    revision = Whole(required=True, metadata=described("The challenge's revision."))
    now = instant_field("The server's clock.", required=True)


class MyEntrySchema(ChallengeEntrySchema):
    """One's own entry, with the attempts."""

    attempts = fields.List(
        fields.Nested(AttemptSchema),
        required=True,
        metadata=described("Those that were dealt, in their order."),
    )


class EntriesSchema(Paged):
    """A page of the entries of a challenge."""

    items = fields.List(
        fields.Nested(ListedEntrySchema),
        required=True,
        metadata=described("Entries, oldest first."),
    )
