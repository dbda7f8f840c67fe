"""The opening of a seed. Who knows the seed knows the whole deal, so nothing is hidden here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.rules import find_variant
from service.rules.deals import algorithm_of
from service.rules.errors import Within
from service.rules.family import Rules


@dataclass(frozen=True, slots=True)
class Opening:
    """The opening position of a seed under one set of options; ``position`` is of ``rules``."""

    variant: str
    rules: Rules[Any]
    seed: str
    deal_algorithm: str
    position: Any


def find_opening(variant: str, seed: str, options: Mapping[str, object]) -> Opening:
    """Deal a seed; ``Invalid`` with place ``/seed`` or ``/options/…``, ``UnknownVariant``."""
    preset = find_variant(variant)
    with Within("/seed"):
        algorithm = algorithm_of(seed)
    with Within("/options"):
        rules = preset.configured(options, seed)
    return Opening(variant, rules, seed, algorithm, rules.opening(algorithm, seed))
