"""What is played in the season: twelve challenges of every kind, and the dailies of nine days."""

from hashlib import sha256
from typing import Any, NamedTuple

from tests.hosting import MINUTE

RACE = {"clock": "shared"}


class Challenge(NamedTuple):
    """A challenge of the season.

    ``terms``: what its host asks for beside title, times and seed; ``many``: how many enter;
    ``named``: the seed, where the host names it.
    """

    name: str
    terms: dict[str, Any]
    many: int
    named: str | None = None


PROGRAMME = (
    Challenge("weekend", {"variant": "cruel"}, 60),
    Challenge(
        "retries", {"variant": "cruel-semicolon", "attempts": 3, "time_limit_ms": 30 * MINUTE}, 18
    ),
    Challenge("sprint", {"variant": "cruel-strict", **RACE, "order": "time"}, 18),
    Challenge("stamina", {"variant": "perseverance", **RACE, "time_limit_ms": 20 * MINUTE}, 16),
    Challenge("ripples", {"variant": "ripple-fan", "visibility": "unlisted"}, 14, "ripple-2026"),
    Challenge("family", {"variant": "royal-family", "attempts": 2}, 14),
    Challenge(
        "five", {"variant": "limited-cruel", "options": {"redeal_limit": 5}, "attempts": 5}, 14
    ),
    Challenge("numbered", {"variant": "cruel-pysol", "attempts": 2}, 16, "pysol-2026"),
    Challenge("reckoning", {"variant": "calculation"}, 16, "reckoning-2026"),
    Challenge("hidden", {"variant": "calculation", "time_limit_ms": 10 * MINUTE}, 12),
    Challenge("abacus", {"variant": "calculation", **RACE, "order": "time"}, 12),
    Challenge("early", {"variant": "cruel", **RACE, "visibility": "unlisted"}, 15),
)

# On this key the dailies of the season hang.
DAILY_KEY = sha256(b"season").digest()
DAILY_VARIANTS = ("cruel", "ripple-fan")
# From a Wednesday on: the week ends on the first of February, the month the day before.
DATES = (
    *("2026-01-28", "2026-01-29", "2026-01-30", "2026-01-31"),
    *("2026-02-01", "2026-02-02", "2026-02-03", "2026-02-04", "2026-02-05"),
)


def drawn_seed(name: str, number: int) -> str:
    """Give a seed as the server draws them: number 1, 2, … of a challenge."""
    return sha256(f"season {name} {number}".encode()).hexdigest()
