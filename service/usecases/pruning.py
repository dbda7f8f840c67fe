"""Delete what nobody comes back to: old games that belong to no player and to no challenge."""

from typing import NamedTuple

from sqlalchemy import Connection, Engine, case, delete, func, select, tuple_

from service.db.tables import games

# So few that those who play hardly wait for the lock.
_BATCH = 500
# The end of a history, longer than its last entry. A negative place is another one in SQLite.
_LENGTH = func.length(games.c.history)
_CUT = func.substr(games.c.history, _LENGTH - 32)
_TAIL = case((_LENGTH > 32, _CUT), else_=games.c.history).label("tail")  # noqa: PLR2004 - as above


class Pruned(NamedTuple):
    """How many games nobody owns, and how many of them were idle."""

    seen: int
    idle: int


def prune_games(db: Engine, before: int, *, dry_run: bool) -> Pruned:
    """Delete the games of nobody whose last move, or start, came before an instant.

    ``before``: ms since 1970 UTC; ``dry_run``: only count them. In batches, each one SELECT and one
    DELETE, and without a lock between the two: a game that is played in between stays.
    """
    seen = idle = 0
    last = ""
    with db.connect() as connection:
        while True:
            asked = (
                select(games.c.id, games.c.ply, games.c.started_at, _TAIL)
                .where(
                    games.c.id > last,
                    games.c.owner.is_(None),
                    games.c.challenge_id.is_(None),
                )
                .order_by(games.c.id)
                .limit(_BATCH)
            )
            rows = connection.execute(asked).all()
            if not rows:
                return Pruned(seen, idle)
            found = [
                (row.id, row.ply)
                for row in rows
                if row.started_at + int(row.tail.rpartition("@")[2] or 0) < before
            ]
            seen += len(rows)
            idle += len(found) if dry_run else _delete(connection, found)
            last = rows[-1].id


def _delete(connection: Connection, found: list[tuple[str, int]]) -> int:
    """Delete games that are still at the ply at which they were found; give how many."""
    if not found:
        return 0
    same = tuple_(games.c.id, games.c.ply).in_(found)
    return connection.execute(delete(games).where(same)).rowcount
