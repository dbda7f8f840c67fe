"""What the service answers. Open: clients ignore what they do not know.

Documentation: views build their JSON themselves, and tests hold it to these schemas.
"""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields

from service.api.errors import STATUSES
from service.api.fields import (
    TrueOrFalse,
    Whole,
    card_field,
    cards_field,
    described,
    instant_field,
    one_of,
    piles_field,
    seed_field,
)
from service.api.par_fields import par_field, to_par_field
from service.api.requests import OptionFields
from service.rules import VARIANTS
from service.rules.deals import ALGORITHMS
from service.rules.family import REASONS, Status


class Open(Schema):
    """A reply; it may hold more than a client knows."""

    class Meta:
        """See the class."""

        unknown = EXCLUDE


def _text(description: str, *, required: bool = True, nullable: bool = False) -> fields.String:
    return fields.String(required=required, allow_none=nullable, metadata=described(description))


def _whole(description: str, *, required: bool = True, nullable: bool = False) -> Whole:
    return Whole(required=required, allow_none=nullable, metadata=described(description))


def _flag(description: str, *, required: bool = True) -> TrueOrFalse:
    return TrueOrFalse(required=required, metadata=described(description))


def _texts(description: str, *, required: bool = True) -> fields.List[Any]:
    return fields.List(fields.String(), required=required, metadata=described(description))


class FaultSchema(Open):
    """One fault of a request: where it is (in the body or a parameter) and what it is."""

    pointer = _text("JSON pointer into the body.", required=False)
    parameter = _text("Name of a query or path parameter.", required=False)
    detail = _text("What is wrong there.")


class ProblemSchema(Open):
    """An error, RFC 9457."""

    type = _text("A URN that names the kind of error, made of `code`.")
    title = _text("The same as `code`, for people.")
    status = _whole("The HTTP status.")
    detail = _text("What, why, and the way out.")
    code = one_of(*STATUSES, required=True, description="Stable: switch on it.")
    request_id = _text("Names this request in the service's log.")
    errors = fields.List(
        fields.Nested(FaultSchema), metadata=described("Every fault of an invalid request.")
    )
    index = _whole("Which of the moves sent it is about, from 0.", required=False)
    move = _text("The text of that move.", required=False)
    reason = one_of(*REASONS, description="The rule that forbids it.")
    at = _whole("The true number of history entries.", required=False)
    attempt = _whole("Which attempt has to be dealt or to end first.", required=False)
    revision = _whole("The true revision of a challenge.", required=False)
    policy = _text("The limit that was reached, as in `RateLimit-Policy`.", required=False)
    retry_after = _whole("After how many seconds to try again.", required=False)


class GameOptionsSchema(OptionFields, Open):
    """The full set of options: of the Cruel family, or `bases` of Calculation."""


class ScoreSchema(Open):
    """The score of the standing actions."""

    cards_up = _whole("Cards on the foundations, of 52; bases count.")
    moves = _whole("Standing card moves.")
    redeals = _whole("Standing redeals.")
    actions = _whole("`moves` + `redeals`.")
    undos = _whole("Undos ever made.")


class RedealSchema(Open):
    """Whether a redeal is accepted now."""

    allowed = _flag("Whether the move `R` is accepted.")
    reason = one_of(*REASONS, description="Why not.")
    detail = _text("The same as a sentence.", required=False)
    changes_layout = _flag("Whether the cards would lie differently.")
    used = _whole("Redeals that stand.")
    left = _whole("Redeals that are left; null where there is no limit.", nullable=True)


class RedealPreviewSchema(RedealSchema):
    """What a redeal would do, whether it is accepted or not."""

    piles = piles_field("The 12 piles that it would give, bottom first.", required=True)


class OutlineSchema(Open):
    """What is played, and how far it is."""

    variant = one_of(*VARIANTS, required=True, description="The variant that is played.")
    options = fields.Nested(
        GameOptionsSchema, required=True, metadata=described("Every option of the family.")
    )
    seed = seed_field("Left out while it is a secret, or where there is none.")
    deal_algorithm = one_of(
        *ALGORITHMS,
        required=True,
        allow_none=True,
        description="What deals the seed; null where the start is an explicit position.",
    )
    status = one_of(
        *Status, required=True, description="Only `in_progress` accepts moves; `lost` an undo."
    )
    ply = _whole("Entries of the history.")
    score = fields.Nested(
        ScoreSchema, required=True, metadata=described("The score of the standing actions.")
    )
    undo = _flag("Whether undo is allowed.")


class StateSchema(OutlineSchema):
    """A game as it lies on the table. Of Calculation's stock only the turned card is shown."""

    foundations = cards_field("Top cards of foundations 1 to 4.", required=True)
    piles = piles_field("Cruel family: the 12 piles, bottom first.")
    stock_count = _whole("Calculation: how many cards are not turned yet.", required=False)
    card = card_field("Calculation: the turned card; null once there is none.", allow_none=True)
    wastes = piles_field("Calculation: the 4 wastes, bottom first.")
    legal_moves = _texts("Every move that would be accepted now, sorted, `R` included.")
    redeal = fields.Nested(
        RedealSchema,
        required=True,
        allow_none=True,
        metadata=described("Whether a redeal is accepted now; null in Calculation."),
    )


class StoredSchema(Open):
    """What a stored game has beside its state."""

    id = _text("The id of the game.")
    started_at = instant_field("When it was started.", required=True)
    finished_at = instant_field("When it ended; null before.", required=True, allow_none=True)
    elapsed_ms = _whole("Milliseconds from the start to the end, or to now.")
    now = instant_field("The server's clock.", required=True)
    player = _text("Whose game it is; null where it is nobody's.", nullable=True)
    challenge_id = _text("The challenge that it is an attempt of, or null.", nullable=True)
    attempt = _whole("Which attempt it is, from 1, or null.", nullable=True)
    deadline = instant_field(
        "From when on the attempt takes no more moves, or null.", required=True, allow_none=True
    )


class GameSchema(StateSchema, StoredSchema):
    """A stored game."""

    par = par_field(
        "The par of its deal; null where no win is known, while the deal is played, by this game "
        "or in a challenge, and in answers to moves."
    )
    to_par = to_par_field()


class ListedGameSchema(OutlineSchema, StoredSchema):
    """A stored game in a list: all but the board."""


class Paged(Open):
    """Some of a list, whose ``items`` each list names."""

    next = _text("`cursor` of the page after this one; null at the end.", nullable=True)
    prev = _text("`cursor` of the page before this one; null at the start.", nullable=True)


class GamesSchema(Paged):
    """A page of games."""

    items = fields.List(
        fields.Nested(ListedGameSchema), required=True, metadata=described("Games, newest first.")
    )


class NewGameReplySchema(GameSchema):
    """A game just started, with the token that plays it."""

    token = _text("`sg_…`, shown this once.", required=False)


class PlayedGameSchema(GameSchema):
    """A game after moves."""

    recorded = _whole("How many of the moves were recorded already.")


class FailureSchema(Open):
    """The first refused move."""

    index = _whole("Which of the moves sent it is, from 0.")
    move = _text("Its text.")
    reason = one_of(*REASONS, required=True, description="The rule that forbids it.")
    detail = _text("The same as a sentence that names the cards.")


class EvaluationSchema(StateSchema):
    """The state after the moves, or before the one that `failed`."""

    failed = fields.Nested(
        FailureSchema, metadata=described("The first refused move; left out where there is none.")
    )


class EntrySchema(Open):
    """One entry of a history."""

    ply = _whole("Its number, from 1.")
    move = _text("The move text.")
    at_ms = _whole("Milliseconds since the start.")


class HistorySchema(Paged):
    """A page of a history."""

    items = fields.List(
        fields.Nested(EntrySchema), required=True, metadata=described("Entries, oldest first.")
    )


class OpeningSchema(Open):
    """The opening position of a seed, hidden cards included."""

    variant = one_of(*VARIANTS, required=True, description="The variant that is dealt.")
    seed = seed_field("The seed.", required=True)
    deal_algorithm = one_of(*ALGORITHMS, required=True, description="What deals the seed.")
    options = fields.Nested(
        GameOptionsSchema, required=True, metadata=described("Every option of the family.")
    )
    foundations = cards_field("The bases: top cards of foundations 1 to 4.", required=True)
    piles = piles_field("Cruel family: the 12 piles, bottom first.")
    stock = cards_field("Calculation: the stock in turning order, the turned card first.")
    wastes = piles_field("Calculation: the 4 wastes, all empty.")


class OptionSchema(Open):
    """An option: its preset and what it may be."""

    default = fields.Raw(required=True, metadata=described("What the variant presets."))
    values = _texts("The words that it takes, if it takes words.", required=False)
    minimum = _whole("The lowest number that it takes.", required=False)
    maximum = _whole("The highest number that it takes.", required=False)
    nullable = _flag("Whether it may be null too.", required=False)
    description = _text("What it changes.")


class VariantSchema(Open):
    """A game on offer."""

    variant = one_of(*VARIANTS, required=True, description="Its name.")
    family = one_of("cruel", "calculation", required=True, description="Whose rules it follows.")
    title = _text("Its name for people.")
    summary = _text("What is special about it, in a sentence or two.")
    options = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(OptionSchema),
        required=True,
        metadata=described("Its options by name."),
    )
    undo = _flag("Whether undo may be had.")
    fanned = _flag("Display hint: fan the piles, so that every card can be read.")
    move_notation = _texts("How its moves are written, with examples.")
    rules = _text("The rules in Markdown.")
    language = _text("The language of the texts: `en` or `es`.")


class VariantsSchema(Open):
    """The games on offer."""

    items = fields.List(
        fields.Nested(VariantSchema), required=True, metadata=described("One for each variant.")
    )


class HealthSchema(Open):
    """How the service is."""

    status = one_of("ok", required=True, description="Always `ok`: trouble is a problem.")
