"""Count the entries of a challenge that have ended: a race finishes with the last of them."""

from typing import Any

from sqlalchemy import Connection, func, select

from service.db.tables import entries, games
from service.usecases.challenge_states import SHARED, Columns, recounted


def count_end(connection: Connection, challenge: Columns, now: int) -> dict[str, Any]:
    """Count one more entry of a locked challenge that has ended; give the columns that change.

    To be called once what ends it is written. Who waited for the lock may have looked at the clock
    before others who have ended since: no race finishes before any of their ends.
    """
    ended = challenge["ended"] + 1
    if challenge["clock"] == SHARED and ended == challenge["entered"]:
        now = max(now, _latest_end(connection, challenge["id"]))
    return recounted(challenge, now, ended=ended)


def _latest_end(connection: Connection, challenge_id: str) -> int:
    """Give when the last entry ended, by a move or given up; 0 where none has."""
    finished = select(func.max(games.c.finished_at)).where(games.c.challenge_id == challenge_id)
    asked = select(
        func.max(entries.c.attempt_ended_at),
        func.max(entries.c.forfeited_at),
        finished.scalar_subquery(),
    ).where(entries.c.challenge_id == challenge_id)
    return max(at or 0 for at in connection.execute(asked).one())
