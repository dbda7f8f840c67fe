"""What clients send. Closed: an unknown field is refused, with its place."""

from marshmallow import RAISE, Schema, fields, validate

from service.api.fields import TrueOrFalse, Whole, card_field, one_of, seed_field
from service.rules import DEFAULT_VARIANT, VARIANTS
from service.rules.cruel import CHOICES, REDEAL_LIMITS
from service.rules.record import FORMAT
from service.usecases.games import MAX_HISTORY

MAX_MOVES = 500
PAGE_DEFAULT, PAGE_HIGHEST = 50, 200


class Closed(Schema):
    """A request; unknown fields are refused, whatever the location."""

    class Meta:
        """See the class."""

        unknown = RAISE


def _move_text() -> fields.String:
    description = "A move text of the variant's family: `7>3`, `7>F`, `S>W1`, `R`, `U`, `Q`, …"
    return fields.String(metadata={"description": description, "example": "7>3"})


class OptionsSchema(Closed):
    """The options to change; each variant presets all those of its family."""

    deal = one_of(*CHOICES["deal"])
    build = one_of(*CHOICES["build"])
    redeal = one_of(*CHOICES["redeal"])
    redeal_when = one_of(*CHOICES["redeal_when"])
    redeal_limit = Whole(
        allow_none=True, validate=validate.Range(REDEAL_LIMITS[0], REDEAL_LIMITS[-1])
    )
    bases = fields.List(card_field(), validate=validate.Length(equal=4))


class PositionSchema(Closed):
    """An explicit start: piles (Cruel family) or stock (Calculation, the turned card first)."""

    piles = fields.List(fields.List(card_field()), validate=validate.Length(equal=12))
    stock = fields.List(card_field())
    wastes = fields.List(fields.List(card_field()), validate=validate.Length(equal=4))
    foundations = fields.List(card_field(), validate=validate.Length(equal=4))


class NewGameSchema(Closed):
    """The game to start; every field may be left out."""

    variant = one_of(*VARIANTS, load_default=DEFAULT_VARIANT)
    options = fields.Nested(OptionsSchema, load_default=dict)
    seed = seed_field(load_default=None)
    undo = TrueOrFalse(load_default=None)


class EvaluationRequestSchema(Closed):
    """A start and moves; or a record, which is what has the field `record`."""

    variant = one_of(*VARIANTS)
    options = fields.Nested(OptionsSchema)
    undo = TrueOrFalse()
    seed = seed_field()
    position = fields.Nested(PositionSchema)
    moves = fields.List(_move_text(), validate=validate.Length(max=MAX_HISTORY))
    record = one_of(FORMAT)
    deal_algorithm = fields.String()
    rules_version = Whole()
    times_ms = fields.List(Whole(validate=validate.Range(0)))


class AtSchema(Closed):
    """How many history entries the client has seen."""

    at = Whole(
        load_default=None,
        validate=validate.Range(0, MAX_HISTORY),
        metadata={
            "description": "How many history entries you have seen. What is recorded already from "
            "there on is skipped if it is the same, so a request may be sent again."
        },
    )


class MovesSchema(AtSchema):
    """Moves to play, all or none."""

    moves = fields.List(_move_text(), required=True, validate=validate.Length(1, MAX_MOVES))


class PageSchema(Closed):
    """Which page of a list."""

    cursor = fields.String(metadata={"description": "`next` or `prev` of another page."})
    limit = fields.Integer(
        load_default=PAGE_DEFAULT, validate=validate.Range(1, PAGE_HIGHEST), strict=False
    )


class DealSchema(Closed):
    """Options that change where the cards lie."""

    deal = one_of(*CHOICES["deal"], metadata={"description": "Cruel family only."})
    bases = fields.String(
        metadata={"description": "Calculation only: `AC,2D,3H,4S`.", "example": "AC,2D,3H,4S"}
    )
