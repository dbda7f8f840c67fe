"""How replies tell pars."""

from marshmallow import EXCLUDE, Schema, fields

from service.api.fields import TrueOrFalse, Whole, described


class ParSchema(Schema):
    """In how few actions a deal is known to be won."""

    class Meta:
        """As all replies, it may grow."""

        unknown = EXCLUDE

    length = Whole(required=True, metadata=described("The actions of the shortest line known."))
    proven_shortest = TrueOrFalse(
        required=True, metadata=described("Whether it is proven that no line is shorter.")
    )


def par_field(description: str) -> fields.Nested:
    """Make a field of a par, or null."""
    return fields.Nested(ParSchema, required=True, allow_none=True, metadata=described(description))


def to_par_field() -> Whole:
    """Make a field of a distance to a par, or null."""
    description = (
        "How many actions more than the par the win took, fewer where it is negative; null without "
        "a win or a par."
    )
    return Whole(required=True, allow_none=True, metadata=described(description))
