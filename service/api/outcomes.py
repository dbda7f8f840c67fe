"""How games have ended, as replies tell it."""

from collections.abc import Mapping

from service.usecases.outcomes import BUCKET, Ends


def ends_json(ends: Ends) -> dict[str, int]:
    """Give how many games have ended, and how many how."""
    return {
        "finished": ends.finished,
        "won": ends.won,
        "lost": ends.lost,
        "resigned": ends.resigned,
        "timed_out": ends.timed_out,
    }


def actions_json(actions: Mapping[int, int], counted: str) -> list[dict[str, int]]:
    """Give the bars of a distribution; ``counted``: the name of what they count."""
    return [
        {"low": low, "high": low + BUCKET - 1, counted: count} for low, count in actions.items()
    ]
