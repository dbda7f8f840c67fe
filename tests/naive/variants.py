"""The variant table of the rules, as data: name -> (family, options)."""

from typing import Any


def _cruel(deal: str, build: str, redeal: str, when: str, limit: int | None) -> dict[str, Any]:
    return {
        "deal": deal,
        "build": build,
        "redeal": redeal,
        "redeal_when": when,
        "redeal_limit": limit,
    }


DEFAULT_BASES = ["AC", "2D", "3H", "4S"]

CRUEL_VARIANTS: dict[str, dict[str, Any]] = {
    "cruel": _cruel("by_pile", "suit_down", "packets", "if_changes", None),
    "cruel-semicolon": _cruel("by_pile", "suit_down", "packets", "anytime", None),
    "cruel-strict": _cruel("by_round", "suit_down", "packets", "when_stuck", None),
    "perseverance": _cruel("by_round", "suit_down", "packets", "when_stuck", None),
    "ripple-fan": _cruel("by_round", "suit_down", "fans", "when_stuck", None),
    "royal-family": _cruel("by_round", "alternate_up", "packets", "if_changes", None),
    "limited-cruel": _cruel("by_round", "suit_down", "packets", "when_stuck", 3),
    "cruel-pysol": _cruel("by_round", "suit_down", "packets_from_top", "anytime", None),
}


def cruel_options(variant: str = "cruel", **changes: str | int | None) -> dict[str, Any]:
    """Return the full options of a Cruel variant, some of them overridden."""
    return {**CRUEL_VARIANTS[variant], **changes}
