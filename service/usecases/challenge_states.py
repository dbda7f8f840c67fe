"""The states of challenges and entries: computed from stored instants and the time now.

Nothing has to run for a race to start or to end. Rows are those of ``challenges`` and ``entries``
by column; instants are ms since 1970 UTC.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from service.rules.family import Status

Columns = Mapping[str, Any]

CLOCKS = OWN, SHARED = "own", "shared"
# Longer than a write takes from the moment when it looked at the clock, the waits for a connection
# and for the lock included.
LAST_MS = 15_000


class ChallengeState(StrEnum):
    """Where a challenge stands."""

    SCHEDULED = "scheduled"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class EntryState(StrEnum):
    """Where an entry stands; a disqualification stands beside it."""

    REGISTERED = "registered"
    PLAYING = "playing"  # or free to have the next attempt dealt
    FINISHED = "finished"
    FORFEITED = "forfeited"
    TIMED_OUT = "timed_out"
    NO_SHOW = "no_show"


def challenge_state(challenge: Columns, now: int) -> ChallengeState:
    """Give the state of a challenge."""
    if challenge["cancelled_at"] is not None:
        return ChallengeState.CANCELLED
    if now >= challenge["finishes_at"]:
        return ChallengeState.FINISHED
    started = now >= challenge["starts_at"]
    return ChallengeState.RUNNING if started else ChallengeState.SCHEDULED


def may_have_finished(challenge: Columns, now: int) -> bool:
    """Tell whether others may have seen a challenge finished before what is written now is there.

    They have seen its seed then: so it stays finished, and is neither cancelled nor changed.
    """
    return bool(now + LAST_MS >= challenge["finishes_at"])


def race_has_started(challenge: Columns, now: int) -> bool:
    """Tell whether a challenge is on the shared clock and has started.

    A request that took the time before the start may have waited for the lock: what others have
    done since tells that it comes too late.
    """
    acted = challenge["dealt"] or challenge["ended"]
    return challenge["clock"] == SHARED and bool(acted or now >= challenge["starts_at"])


def revealed_at(challenge: Columns, now: int) -> int | None:
    """Give when the seed was revealed, None while it is not: a cancelled challenge never tells."""
    over = challenge_state(challenge, now) is ChallengeState.FINISHED
    return int(challenge["finishes_at"]) if over else None


def entry_state(entry: Columns, challenge: Columns, now: int) -> EntryState:
    """Give the state of an entry of a challenge."""
    state = challenge_state(challenge, now)
    if entry["forfeited_at"] is not None:
        return EntryState.FORFEITED
    if not entry["dealt"]:
        return EntryState.NO_SHOW if state is ChallengeState.FINISHED else EntryState.REGISTERED
    more = entry["dealt"] < challenge["attempts"] and state is ChallengeState.RUNNING
    if more or not attempt_has_ended(entry, now):
        return EntryState.PLAYING
    played_out = entry["attempt_ended_at"] is not None
    return EntryState.FINISHED if played_out else EntryState.TIMED_OUT


def attempt_has_ended(entry: Columns, now: int) -> bool:
    """Tell whether the latest attempt of an entry has ended, by a move or by its deadline."""
    return entry["attempt_ended_at"] is not None or now >= entry["deadline"]


def status_at(status: str, due: int | None, now: int) -> str:
    """Give the status of a stored game now: its time may have run out without a write."""
    late = status == Status.IN_PROGRESS and due is not None and now >= due
    return Status.TIMED_OUT.value if late else status


def deadline(challenge: Columns, dealt_at: int) -> int:
    """Give when an attempt's time runs out: no move is recorded from then on."""
    limit, ends_at = challenge["time_limit_ms"], int(challenge["ends_at"])
    return ends_at if limit is None else min(dealt_at + limit, ends_at)


def finishes_at(challenge: Columns, now: int) -> int:
    """Give when a challenge finishes, by its terms and by how many have entered and ended.

    Everybody in a race starts at once: it ends at their common deadline, or once all have ended.
    Nobody enters or leaves it from its start on.
    """
    if challenge["clock"] == OWN:
        return int(challenge["ends_at"])
    last = deadline(challenge, challenge["starts_at"])
    over = 0 < challenge["entered"] == challenge["ended"]
    return max(min(now, last), int(challenge["starts_at"])) if over else last


def recounted(challenge: Columns, now: int, **counts: int) -> dict[str, Any]:
    """Give counts that change, of ``entered`` and ``ended``, and when the challenge finishes then.

    Only for one that has not finished: a finish that has passed never moves.
    """
    return {**counts, "finishes_at": finishes_at({**challenge, **counts}, now)}
