"""Strict marshmallow fields: JSON says what type a value has, so nothing is guessed from text."""

from typing import Any

from marshmallow import ValidationError, fields, validate

from service.rules.cards import TEXTS
from service.rules.deals import SEED_PATTERN


class Whole(fields.Integer):
    """A JSON whole number; neither a text, nor a fraction, nor true."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        if type(value) is not int:
            detail = "Not a whole number."
            raise ValidationError(detail)
        return value


class TrueOrFalse(fields.Boolean):
    """A JSON true or false; neither 1 nor "yes"."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if not isinstance(value, bool):
            detail = "Not true or false."
            raise ValidationError(detail)
        return value


def seed_field(description: str = "A seed.", **kwargs: Any) -> fields.String:
    """Make a field of a seed. The rules check its form: they say what is wrong."""
    pattern = f"^{SEED_PATTERN}$"
    metadata = {"description": description, "pattern": pattern, "example": "semilla"}
    return fields.String(metadata=metadata, **kwargs)


def card_field(**kwargs: Any) -> fields.String:
    """Make a field of a card. The rules check it: they name its place."""
    return fields.String(metadata={"enum": list(TEXTS), "example": "TH"}, **kwargs)


def instant_field(**kwargs: Any) -> fields.String:
    """Make a field of an instant in a reply, RFC 3339 in UTC."""
    metadata = {"format": "date-time", "example": "2026-01-31T12:00:00.000Z"}
    return fields.String(metadata=metadata, **kwargs)


def one_of(*values: str, **kwargs: Any) -> fields.String:
    """Make a field of one of these words."""
    return fields.String(validate=validate.OneOf(values), **kwargs)
