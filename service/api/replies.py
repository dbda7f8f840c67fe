"""What the service answers. Open: clients ignore what they do not know.

Documentation: views build their JSON themselves, and tests hold it to these schemas.
"""

from marshmallow import Schema, fields

from service.api.errors import STATUSES
from service.api.fields import TrueOrFalse, Whole, card_field, instant_field, one_of, seed_field
from service.rules import VARIANTS
from service.rules.cruel import CHOICES
from service.rules.deals import ALGORITHMS
from service.rules.game import REASONS, Status
from service.rules.record import FORMAT


class FaultSchema(Schema):
    """One fault of a request: where it is (in the body or a parameter) and what it is."""

    pointer = fields.String(metadata={"description": "JSON pointer into the body."})
    parameter = fields.String(metadata={"description": "Name of a query or path parameter."})
    detail = fields.String(required=True)


class ProblemSchema(Schema):
    """An error, RFC 9457."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = Whole(required=True)
    detail = fields.String(required=True, metadata={"description": "What, why, and the way out."})
    code = one_of(*STATUSES, required=True, metadata={"description": "Stable; switch on it."})
    request_id = fields.String(required=True)
    errors = fields.List(fields.Nested(FaultSchema))
    index = Whole(metadata={"description": "Which of the moves sent, from 0."})
    move = fields.String()
    reason = one_of(*REASONS)
    at = Whole(metadata={"description": "The true number of history entries."})
    retry_after = Whole(metadata={"description": "Seconds."})


class GameOptionsSchema(Schema):
    """The full set of options: of the Cruel family, or `bases` of Calculation."""

    deal = one_of(*CHOICES["deal"])
    build = one_of(*CHOICES["build"])
    redeal = one_of(*CHOICES["redeal"])
    redeal_when = one_of(*CHOICES["redeal_when"])
    redeal_limit = Whole(allow_none=True)
    bases = fields.List(card_field())


class ScoreSchema(Schema):
    """The score of the standing actions; `actions` = `moves` + `redeals`."""

    cards_up = Whole(required=True)
    moves = Whole(required=True)
    redeals = Whole(required=True)
    actions = Whole(required=True)
    undos = Whole(required=True)


class RedealSchema(Schema):
    """Whether a redeal is accepted now."""

    allowed = TrueOrFalse(required=True)
    reason = one_of(*REASONS)
    detail = fields.String()
    changes_layout = TrueOrFalse(required=True)
    used = Whole(required=True)
    left = Whole(required=True, allow_none=True)


class RedealPreviewSchema(RedealSchema):
    """What a redeal would do, and the layout it would give."""

    piles = fields.List(fields.List(card_field()), required=True)


class StateSchema(Schema):
    """A game as it lies on the table. Of Calculation's stock only the turned card is shown."""

    variant = one_of(*VARIANTS, required=True)
    options = fields.Nested(GameOptionsSchema, required=True)
    seed = seed_field("Left out while it is a secret.")
    deal_algorithm = one_of(*ALGORITHMS, required=True, allow_none=True)
    status = one_of(*Status, required=True)
    ply = Whole(required=True, metadata={"description": "Entries of the history."})
    foundations = fields.List(
        card_field(), required=True, metadata={"description": "Top cards of foundations 1 to 4."}
    )
    piles = fields.List(
        fields.List(card_field()), metadata={"description": "Cruel family: 12 piles, bottom first."}
    )
    stock_count = Whole(metadata={"description": "Calculation: unturned cards."})
    card = card_field(allow_none=True)
    wastes = fields.List(
        fields.List(card_field()), metadata={"description": "Calculation: 4 wastes, bottom first."}
    )
    legal_moves = fields.List(fields.String(), required=True)
    redeal = fields.Nested(RedealSchema, required=True, allow_none=True)
    score = fields.Nested(ScoreSchema, required=True)
    undo = TrueOrFalse(required=True, metadata={"description": "Whether undo is allowed."})


class GameSchema(StateSchema):
    """A stored game."""

    id = fields.String(required=True)
    started_at = instant_field(required=True)
    finished_at = instant_field(required=True, allow_none=True)
    elapsed_ms = Whole(required=True)
    now = instant_field(required=True)


class NewGameReplySchema(GameSchema):
    """A game just started, with the token that plays it."""

    token = fields.String(metadata={"description": "Shown this once. `sg_…`"})


class PlayedGameSchema(GameSchema):
    """A game after moves."""

    recorded = Whole(
        required=True, metadata={"description": "How many of the moves were recorded already."}
    )


class FailureSchema(Schema):
    """The first refused move."""

    index = Whole(required=True)
    move = fields.String(required=True)
    reason = one_of(*REASONS, required=True)
    detail = fields.String(required=True)


class EvaluationSchema(StateSchema):
    """The state after the moves, or before the one that `failed`."""

    failed = fields.Nested(FailureSchema)


class EntrySchema(Schema):
    """One entry of a history."""

    ply = Whole(required=True)
    move = fields.String(required=True)
    at_ms = Whole(required=True, metadata={"description": "Milliseconds since the start."})


class HistorySchema(Schema):
    """A page of a history."""

    items = fields.List(fields.Nested(EntrySchema), required=True)
    next = fields.String(required=True, allow_none=True)
    prev = fields.String(required=True, allow_none=True)


class StartSchema(Schema):
    """A whole position, hidden cards included."""

    piles = fields.List(fields.List(card_field()))
    stock = fields.List(card_field(), metadata={"description": "In turning order."})
    wastes = fields.List(fields.List(card_field()))
    foundations = fields.List(card_field(), required=True)


class RecordSchema(Schema):
    """All that anyone needs to replay and verify a game."""

    record = one_of(FORMAT, required=True)
    variant = one_of(*VARIANTS, required=True)
    options = fields.Nested(GameOptionsSchema, required=True)
    deal_algorithm = one_of(*ALGORITHMS)
    rules_version = Whole(required=True)
    seed = seed_field()
    position = fields.Nested(StartSchema)
    undo = TrueOrFalse(required=True)
    moves = fields.List(fields.String(), required=True)
    times_ms = fields.List(Whole())


class OpeningSchema(StartSchema):
    """The opening position of a seed."""

    variant = one_of(*VARIANTS, required=True)
    seed = seed_field(required=True)
    deal_algorithm = one_of(*ALGORITHMS, required=True)
    options = fields.Nested(GameOptionsSchema, required=True)


class OptionSchema(Schema):
    """An option: its preset and what it may be."""

    default = fields.Raw(required=True)
    values = fields.List(fields.String(), metadata={"description": "The words that it takes."})
    minimum = Whole()
    maximum = Whole()
    nullable = TrueOrFalse()
    description = fields.String(required=True)


class VariantSchema(Schema):
    """A game on offer."""

    variant = one_of(*VARIANTS, required=True)
    family = one_of("cruel", "calculation", required=True)
    title = fields.String(required=True)
    summary = fields.String(required=True)
    options = fields.Dict(keys=fields.String(), values=fields.Nested(OptionSchema), required=True)
    undo = TrueOrFalse(required=True, metadata={"description": "Whether undo may be had."})
    fanned = TrueOrFalse(required=True, metadata={"description": "Display hint: fan the piles."})
    move_notation = fields.List(fields.String(), required=True)
    rules = fields.String(required=True, metadata={"description": "Markdown."})
    language = fields.String(required=True)


class VariantsSchema(Schema):
    """The games on offer."""

    items = fields.List(fields.Nested(VariantSchema), required=True)


class HealthSchema(Schema):
    """How the service is."""

    status = one_of("ok", required=True)
