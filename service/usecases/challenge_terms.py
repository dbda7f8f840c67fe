"""The terms of a challenge: what its host may set, and the commitment that binds them to a seed.

Append-only: published terms and commitments must read the same for ever. Another form of either
needs another ``v`` or another ``commit/…``.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from service.rules import find_variant
from service.rules.deals import algorithm_of
from service.rules.errors import Invalid, Within
from service.rules.family import Rules
from service.solver import covers
from service.usecases.challenge_states import OWN, SHARED
from service.usecases.game_views import canonical_options, stored_rules
from service.usecases.instants import write_instant

ATTEMPTS = range(1, 101)
SECOND_MS = 1_000
DAY_MS = 24 * 60 * 60 * SECOND_MS
LONGEST_MS = 90 * DAY_MS
TIME_LIMITS_MS = range(SECOND_MS, LONGEST_MS + 1)
# How far ahead a challenge may start; how far back its start may lie, for clocks that are late.
FARTHEST_MS = 365 * DAY_MS
LATE_MS = 60 * SECOND_MS


class InvalidTerms(Invalid):
    """Terms that do not fit each other, or the time now."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What everybody in a challenge plays under; the columns of ``challenges`` by these names.

    ``options`` is canonical JSON; instants are ms since 1970 UTC.
    """

    variant: str
    options: str
    deal_algorithm: str
    clock: str
    starts_at: int
    ends_at: int
    time_limit_ms: int | None
    attempts: int
    order: str
    seed_public: bool
    require_winnable: bool

    @classmethod
    def of(cls, challenge: Mapping[str, Any]) -> Self:
        """Take the terms out of the columns of a challenge."""
        return cls(**{field.name: challenge[field.name] for field in fields(cls)})

    @property
    def rules(self) -> Rules[Any]:
        """The rules under which every attempt is played."""
        return stored_rules(self.variant, self.options)

    def write(self) -> str:
        """Write the terms as the one JSON text that is published."""
        published = {
            "v": 1,
            **asdict(self),
            "options": json.loads(self.options),
            "starts_at": write_instant(self.starts_at),
            "ends_at": write_instant(self.ends_at),
        }
        return json.dumps(published, separators=(",", ":"))


def commit(seed: str, terms: str) -> str:
    """Bind a seed to published terms, in 64 hex digits that give nothing of the seed away."""
    return hashlib.sha256(f"commit/1\n{seed}\n{terms}".encode()).hexdigest()


def committed(terms: Terms, seed: str) -> dict[str, object]:
    """Give the columns of a challenge that hold its terms, its seed and its commitment."""
    text = terms.write()
    return {**asdict(terms), "seed": seed, "terms": text, "commitment": commit(seed, text)}


def settle_terms(
    asked: Mapping[str, Any], named: str | None, now: int, before: Mapping[str, Any] | None = None
) -> Terms:
    """Settle the terms that are asked for: what is left out stays as ``before``, or by default.

    ``before``: the columns of the challenge that changes, None for a new one; ``named``: the seed
    that its host has named, None for one to draw. Words and single numbers are not checked here.
    Raises ``Invalid`` with the place.
    """
    variant = asked["variant"] if before is None else asked.get("variant", before["variant"])
    clock = asked.get("clock", before["clock"] if before else OWN)
    starts_at = _start(asked, clock, now, before)
    options = _options(variant, asked.get("options", {}), named, before)
    terms = Terms(
        variant=variant,
        options=options,
        deal_algorithm=_algorithm(named),
        clock=clock,
        starts_at=starts_at,
        ends_at=_end(asked, starts_at, now, before),
        time_limit_ms=asked.get("time_limit_ms", before["time_limit_ms"] if before else None),
        attempts=asked.get("attempts", before["attempts"] if before else 1),
        order=asked.get("order", before["order"] if before else "actions"),
        seed_public=named is not None,
        require_winnable=_winnable(asked, stored_rules(variant, options), named, before),
    )
    _check_together(terms)
    return terms


def _algorithm(named: str | None) -> str:
    with Within("/seed"):
        return "deal/1" if named is None else algorithm_of(named)


def _options(
    variant: str,
    changes: Mapping[str, object],
    named: str | None,
    before: Mapping[str, Any] | None,
) -> str:
    """Give every option; those that were set before stay, unless the variant is another."""
    with Within("/variant"):
        preset = find_variant(variant)
    _algorithm(named)
    kept: dict[str, object] = {}
    if before is not None and variant == before["variant"]:
        old = before["seed"] if before["seed_public"] else None
        unset = preset.configured({}, old).options()
        stored = stored_rules(variant, before["options"]).options()
        kept = {name: value for name, value in stored.items() if value != unset[name]}
    with Within("/options"):
        return canonical_options(preset.configured({**kept, **changes}, named))


def _start(asked: Mapping[str, Any], clock: str, now: int, before: Mapping[str, Any] | None) -> int:
    old = before["starts_at"] if before else None
    starts_at: int | None = asked.get("starts_at", old)
    if clock == SHARED and (starts_at is None or starts_at <= now):
        detail = "in a race all start at one instant, which lies ahead: send starts_at"
        raise InvalidTerms(detail, "/starts_at")
    if starts_at is None:
        return now
    if starts_at == old:
        return starts_at
    if starts_at < now - LATE_MS:
        detail = f"this has passed, it is {write_instant(now)}: leave it out to start now"
        raise InvalidTerms(detail, "/starts_at")
    if starts_at > now + FARTHEST_MS:
        detail = f"a challenge starts within {FARTHEST_MS // DAY_MS} days"
        raise InvalidTerms(detail, "/starts_at")
    return max(starts_at, now)


def _end(
    asked: Mapping[str, Any], starts_at: int, now: int, before: Mapping[str, Any] | None
) -> int:
    ends_at: int | None = asked.get("ends_at", before["ends_at"] if before else None)
    if ends_at is None:
        ends_at = starts_at + DAY_MS
    if ends_at < max(starts_at, now) + SECOND_MS:
        detail = "a challenge ends at least a second after its start, and after now: send ends_at"
        raise InvalidTerms(detail, "/ends_at")
    if ends_at > starts_at + LONGEST_MS:
        detail = f"a challenge lasts at most {LONGEST_MS // DAY_MS} days: send an earlier ends_at"
        raise InvalidTerms(detail, "/ends_at")
    return ends_at


def _winnable(
    asked: Mapping[str, Any],
    rules: Rules[Any],
    named: str | None,
    before: Mapping[str, Any] | None,
) -> bool:
    """Settle whether the deal must be proven winnable: by default wherever it can be.

    A host who has said no to that before need not say it again.
    """
    can = named is None and covers(rules)
    wanted: bool | None = asked.get("require_winnable")
    if wanted is None:
        refused = (
            before is not None
            and not before["seed_public"]
            and not before["require_winnable"]
            and covers(Terms.of(before).rules)
        )
        return can and not refused
    if wanted and not can:
        detail = (
            "under these options no search proves deals winnable: leave this out, or send false"
            if named is None
            else "a seed that you name deals what it deals: leave this out, or have a seed drawn"
        )
        raise InvalidTerms(detail, "/require_winnable")
    return wanted


def _check_together(terms: Terms) -> None:
    if terms.attempts != 1 and terms.clock == SHARED:
        detail = "a race has one attempt: send attempts 1, or the clock own"
        raise InvalidTerms(detail, "/attempts")
    if terms.attempts != 1 and terms.rules.hides_cards:
        detail = (
            f"{terms.rules.family} has one attempt, since the second would know what the first "
            "has turned: send attempts 1"
        )
        raise InvalidTerms(detail, "/attempts")
    if terms.order == "time" and terms.clock != SHARED:
        detail = "time counts only where all start at once: send order actions, or the clock shared"
        raise InvalidTerms(detail, "/order")
