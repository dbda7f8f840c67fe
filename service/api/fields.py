"""Strict marshmallow fields: JSON says what type a value has, so nothing is guessed from text."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from marshmallow import ValidationError, fields, validate

from service.rules.cards import TEXTS
from service.rules.deals import SEED_PATTERN
from service.usecases.names import NAME_PATTERN

_INSTANT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,9})?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NO_MORE_THAN_THE_DECK = validate.Length(max=len(TEXTS))


class Whole(fields.Integer):
    """A JSON whole number; neither a text, nor a fraction, nor true."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        if type(value) is not int:
            detail = "Not a whole number."
            raise ValidationError(detail)
        return value


class Digits(fields.Integer):
    """A whole number in a query, written in digits alone."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", value):
            detail = "Not a whole number."
            raise ValidationError(detail)
        return int(value)


class TrueOrFalse(fields.Boolean):
    """A JSON true or false; neither 1 nor "yes"."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if not isinstance(value, bool):
            detail = "Not true or false."
            raise ValidationError(detail)
        return value


class Instant(fields.Field[int]):
    """An instant in RFC 3339, in any time zone, read as ms since 1970 UTC.

    What is finer than a millisecond is left out.
    """

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        match = _INSTANT.fullmatch(value) if isinstance(value, str) else None
        try:
            date, time, fraction, zone = match.groups("") if match else [""] * 4
            found = datetime.fromisoformat(f"{date}T{time}{zone.upper().replace('Z', '+00:00')}")
        except ValueError as error:
            detail = "Not an instant as in 2026-01-31T18:00:00Z or 2026-01-31T19:00:00+01:00."
            raise ValidationError(detail) from error
        return (found - _EPOCH) // timedelta(milliseconds=1) + int(f"{fraction[1:4]:0<3}")


class Several(fields.List[Any]):
    """A list whose length is looked at before its items: a long one is refused at little cost."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> list[Any]:
        if isinstance(value, list):
            self._validate(value)
        return super()._deserialize(value, *args, **kwargs)


def described(description: str) -> dict[str, str]:
    """Give the metadata of a field that says what its value is."""
    return {"description": description}


def seed_field(description: str, **kwargs: Any) -> fields.String:
    """Make a field of a seed. The rules check its form: they say what is wrong."""
    metadata = {"description": description, "pattern": f"^{SEED_PATTERN}$"}
    return fields.String(metadata=metadata, **kwargs)


def player_name_field(description: str, **kwargs: Any) -> fields.String:
    """Make a field of a player's name."""

    def check(name: str) -> None:
        if not re.fullmatch(NAME_PATTERN, name):
            detail = "A name has 3 to 24 letters, digits, _ and -."
            raise ValidationError(detail)

    metadata = {"description": description, "pattern": f"^{NAME_PATTERN}$"}
    return fields.String(validate=check, metadata=metadata, **kwargs)


def card_field(description: str | None = None, **kwargs: Any) -> fields.String:
    """Make a field of a card. The rules check it: they name its place."""
    metadata = {**(described(description) if description else {}), "enum": list(TEXTS)}
    return fields.String(metadata=metadata, **kwargs)


def cards_field(description: str, **kwargs: Any) -> fields.List[Any]:
    """Make a field of a row of cards."""
    kwargs.setdefault("validate", _NO_MORE_THAN_THE_DECK)
    return Several(card_field(), metadata=described(description), **kwargs)


def piles_field(description: str, **kwargs: Any) -> fields.List[Any]:
    """Make a field of piles, each a list of cards from its bottom to its top."""
    pile = Several(card_field(), validate=_NO_MORE_THAN_THE_DECK)
    return Several(pile, metadata=described(description), **kwargs)


def instant_field(description: str, **kwargs: Any) -> fields.String:
    """Make a field of an instant in a reply, RFC 3339 in UTC."""
    metadata = {"description": description, "format": "date-time"}
    return fields.String(metadata=metadata, **kwargs)


def one_of(*words: str, description: str | None = None, **kwargs: Any) -> fields.String:
    """Make a field of one of these words."""
    metadata = described(description) if description else {}
    return fields.String(validate=validate.OneOf(words), metadata=metadata, **kwargs)
