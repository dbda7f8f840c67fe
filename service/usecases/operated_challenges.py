"""The operator's hand on challenges."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, update

from service.db.tables import challenges, entries, games
from service.usecases.challenge_events import lock_challenge, record_event, write_to_challenge
from service.usecases.challenge_states import (
    LAST_MS,
    ChallengeState,
    challenge_state,
    may_have_finished,
)
from service.usecases.errors import NotFound, NotRunning


def cancel(db: Engine, challenge_id: str, now: int) -> int:
    """Cancel a challenge that has not finished, whatever is dealt; one that is cancelled stays so.

    The time of attempts in play runs out at once; gives how many these were. Raises ``NotFound``
    and ``NotRunning`` where it has finished or is about to.
    """
    with write_to_challenge(db, challenge_id, now) as connection:
        challenge = _lock(connection, challenge_id, now)
        state = challenge_state(challenge, now)
        if state is ChallengeState.CANCELLED:
            return 0
        if state is ChallengeState.FINISHED:
            detail = f"challenge {challenge_id} has finished: there is nothing left to cancel"
            raise NotRunning(detail)
        if may_have_finished(challenge, now):
            detail = (
                f"challenge {challenge_id} ends within {LAST_MS // 1_000} seconds: it finishes by "
                "itself, but may be hidden"
            )
            raise NotRunning(detail)
        record_event(connection, challenge, "cancelled", None, now, cancelled_at=now)
        for table, ended_at in ((entries, "attempt_ended_at"), (games, "finished_at")):
            in_play = (
                table.c.challenge_id == challenge_id,
                table.c[ended_at].is_(None),
                table.c.deadline > now,
            )
            stopped = connection.execute(update(table).where(*in_play).values(deadline=now))
        return stopped.rowcount


def hide(db: Engine, challenge_id: str, now: int) -> None:
    """Hide a challenge from all but its host and who has entered; raises ``NotFound``."""
    with write_to_challenge(db, challenge_id, now) as connection:
        challenge = _lock(connection, challenge_id, now)
        if challenge["hidden_at"] is None:
            hidden = update(challenges).where(challenges.c.id == challenge_id)
            connection.execute(hidden.values(hidden_at=now))


def _lock(connection: Connection, challenge_id: str, now: int) -> Mapping[str, Any]:
    challenge = lock_challenge(connection, challenge_id, now)
    if challenge is None:
        detail = f"there is no challenge {challenge_id}"
        raise NotFound(detail)
    return challenge
