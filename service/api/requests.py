"""What clients send. Closed: an unknown field is refused, with its place."""

from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, fields, validate

from service.api.fields import (
    Digits,
    Several,
    TrueOrFalse,
    Whole,
    card_field,
    cards_field,
    described,
    one_of,
    piles_field,
    seed_field,
)
from service.rules import DEFAULT_VARIANT, VARIANTS
from service.rules.cruel import CHOICES, REDEAL_LIMITS
from service.rules.deals import ALGORITHMS
from service.rules.record import FORMAT
from service.usecases.game_views import MAX_HISTORY

MAX_MOVES = 500
PAGE_DEFAULT, PAGE_HIGHEST = 50, 200

OPTIONS = {
    "deal": "How the 48 cards are laid out: pile after pile, or one card at a time.",
    "build": "What a top card may be put on: down in suit, or up in alternate colours.",
    "redeal": "How a redeal gathers the piles and lays them out again, without shuffling.",
    "redeal_when": "When a redeal is allowed.",
    "redeal_limit": "How many redeals a game permits; null for no limit.",
    "bases": "The A, 2, 3 and 4 under foundations 1 to 4; under pysol- seeds PySolFC's own.",
}


class Closed(Schema):
    """A request; unknown fields are refused, whatever the location."""

    class Meta:
        """See the class."""

        unknown = RAISE


class EmptySchema(Closed):
    """Nothing: there is nothing to say."""


class OptionFields:
    """The options of every family: a variant has those of its own."""

    deal = one_of(*CHOICES["deal"], description=OPTIONS["deal"])
    build = one_of(*CHOICES["build"], description=OPTIONS["build"])
    redeal = one_of(*CHOICES["redeal"], description=OPTIONS["redeal"])
    redeal_when = one_of(*CHOICES["redeal_when"], description=OPTIONS["redeal_when"])
    redeal_limit = Whole(
        allow_none=True,
        validate=validate.Range(REDEAL_LIMITS[0], REDEAL_LIMITS[-1]),
        metadata=described(OPTIONS["redeal_limit"]),
    )
    bases = Several(
        card_field(), validate=validate.Length(equal=4), metadata=described(OPTIONS["bases"])
    )


class OptionsSchema(OptionFields, Closed):
    """The options to change; each variant presets all those of its family."""


class PositionSchema(Closed):
    """An explicit start: `piles` (Cruel family) or `stock` (Calculation)."""

    piles = piles_field(
        "Cruel family: the 12 piles, bottom first.", validate=validate.Length(equal=12)
    )
    stock = cards_field("Calculation: the stock in turning order, the turned card first.")
    wastes = piles_field(
        "Calculation: the 4 wastes, bottom first; empty by default.",
        validate=validate.Length(equal=4),
    )
    foundations = cards_field(
        "The top cards of foundations 1 to 4. By default what the other cards leave (Cruel "
        "family: clubs, diamonds, hearts, spades), or the bases (Calculation).",
        validate=validate.Length(equal=4),
    )


def move_texts(description: str, **kwargs: Any) -> fields.List[Any]:
    """Make a field of moves. The rules check each: they say how moves are written."""
    text = fields.String(metadata={"examples": ["7>3"]})
    return Several(text, metadata=described(description), **kwargs)


class NewGameSchema(Closed):
    """The game to start; every field may be left out."""

    variant = one_of(
        *VARIANTS, load_default=DEFAULT_VARIANT, description="`GET /v1/variants` tells of each."
    )
    options = fields.Nested(
        OptionsSchema, load_default=dict, metadata=described("Options to change.")
    )
    seed = seed_field(
        "The seed to deal; without one the server draws one of 128 bits.", load_default=None
    )
    undo = TrueOrFalse(
        load_default=None,
        metadata=described("Whether undo is allowed; by default it is, but in Calculation never."),
    )


class EvaluationRequestSchema(Closed):
    """A start, either `seed` or `position`, and the moves to play from there."""

    variant = one_of(*VARIANTS, required=True, description="`GET /v1/variants` tells of each.")
    options = fields.Nested(OptionsSchema, metadata=described("Options to change."))
    undo = TrueOrFalse(metadata=described("Whether undo is allowed."))
    seed = seed_field("The seed to deal.")
    position = fields.Nested(PositionSchema, metadata=described("The position to start from."))
    moves = move_texts(
        "Move texts, `R`, `U` and `Q` included.", validate=validate.Length(max=MAX_HISTORY)
    )


class RecordSchema(Closed):
    """All that anyone needs to replay and verify a game: sent as it was received.

    It has either `seed` and `deal_algorithm` or `position`, and no other field than these.
    """

    record = one_of(FORMAT, required=True, description="The version of this form.")
    variant = one_of(*VARIANTS, required=True, description="The variant that was played.")
    options = fields.Nested(
        OptionsSchema, required=True, metadata=described("Every option of the family.")
    )
    deal_algorithm = one_of(*ALGORITHMS, description="What deals the seed.")
    rules_version = Whole(
        required=True, metadata=described("The version of the rules that it was played under.")
    )
    seed = seed_field("The seed that was dealt.")
    position = fields.Nested(PositionSchema, metadata=described("The position at the start."))
    undo = TrueOrFalse(required=True, metadata=described("Whether undo was allowed."))
    moves = move_texts(
        "The whole history: undone moves, `U` and `Q` included.",
        required=True,
        validate=validate.Length(max=MAX_HISTORY),
    )
    times_ms = Several(
        Whole(validate=validate.Range(0)),
        validate=validate.Length(max=MAX_HISTORY),
        metadata=described("For each move the milliseconds since the start."),
    )


class EvaluationBodySchema(Schema):
    """A start with moves; or a record, which is what has the field `record`."""

    either = (EvaluationRequestSchema(), RecordSchema())

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Load whichever of the two it is."""
        start, record = self.either
        is_record = isinstance(data, Mapping) and "record" in data
        return (record if is_record else start).load(data, **kwargs)


class AtSchema(Closed):
    """How many history entries the client has seen."""

    at = Whole(
        load_default=None,
        validate=validate.Range(0),
        metadata=described(
            "How many history entries you have seen. What is recorded already from there on is "
            "skipped if it is the same, so a request may be sent again."
        ),
    )


class MovesSchema(AtSchema):
    """Moves to play, all or none."""

    moves = move_texts(
        "Move texts of the variant's family: `7>3`, `7>F`, `S>W1`, `R`, `U`, `Q`, …",
        required=True,
        validate=validate.Length(1, MAX_MOVES),
    )

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Load it; what clients send as a rule is seen to be right at a glance.

        Most requests are moves, and the fields would take as long as the move.
        """
        return data if are_plain_moves(data) else super().load(data, **kwargs)


def are_plain_moves(data: Any) -> bool:
    """Tell whether a body of moves is what clients send as a rule, and right."""
    if type(data) is not dict or data.keys() != {"moves", "at"}:
        return False
    at, moves = data["at"], data["moves"]
    return (
        type(at) is int
        and at >= 0
        and type(moves) is list
        and 1 <= len(moves) <= MAX_MOVES
        and all(type(move) is str for move in moves)
    )


class PageSchema(Closed):
    """Which page of a list."""

    cursor = fields.String(metadata=described("`next` or `prev` of another page."))
    limit = Digits(
        load_default=PAGE_DEFAULT,
        validate=validate.Range(1, PAGE_HIGHEST),
        metadata=described("How many items at most."),
    )


class DealSchema(Closed):
    """Options that change where the cards lie."""

    deal = one_of(*CHOICES["deal"], description="Cruel family only: how the cards are laid out.")
    bases = fields.String(
        metadata={
            "description": "Calculation only: the bases, as in `AC,2D,3H,4S`.",
            "examples": ["AC,2D,3H,4S"],
        }
    )
