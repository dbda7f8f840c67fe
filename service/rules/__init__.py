"""The games: pure rules without clock, randomness or I/O.

A variant is a name for one full set of options of a family: ``VARIANTS`` holds its rules.
"""

from collections.abc import Mapping
from typing import Any

from service.rules import calculation, cruel
from service.rules.errors import UnknownVariant
from service.rules.family import Rules

VARIANTS: Mapping[str, Rules[Any]] = {**cruel.VARIANTS, **calculation.VARIANTS}
DEFAULT_VARIANT = "cruel"


def find_variant(name: str) -> Rules[Any]:
    """Give the preset rules of a variant; ``UnknownVariant`` lists the names that there are."""
    rules = VARIANTS.get(name)
    if rules is None:
        detail = f"{name[:40]!r} is no variant: there are {', '.join(VARIANTS)}"
        raise UnknownVariant(detail)
    return rules
