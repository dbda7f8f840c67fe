"""What somebody does in a challenge: done under a lock on its row, and numbered without gaps.

Whoever writes takes this lock first, before any entry or game: so nobody waits for each other.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, insert, select, update

from service.db.engine import write_transaction
from service.db.tables import challenges, events
from service.usecases.dailies import prepare_daily, store_daily

# Every kind of event. Append-only: clients switch on them.
KINDS = (
    "entered",
    "left",
    "attempt_dealt",
    "attempt_ended",
    "forfeited",
    "disqualified",
    "reinstated",
    "changed",
    "cancelled",
)


@contextmanager
def write_to_challenge(db: Engine, challenge_id: str, now: int) -> Iterator[Connection]:
    """Open a write transaction that is to lock a challenge, and store it if it is one of today's.

    Its deal is drawn before: that may take seconds, and nobody should wait for it. Raises ``Busy``.
    """
    prepare_daily(db, challenge_id, now)
    with write_transaction(db) as connection:
        yield connection


def lock_challenge(connection: Connection, challenge_id: str, now: int) -> Mapping[str, Any] | None:
    """Lock a challenge until the write transaction ends; None where there is none.

    One of today's that is not stored yet is stored first: only in ``write_to_challenge``.
    """
    asked = select(challenges).where(challenges.c.id == challenge_id).with_for_update()
    found = connection.execute(asked).mappings().first()
    if found is None and store_daily(connection, challenge_id, now):
        found = connection.execute(asked).mappings().one()
    return None if found is None else dict(found)


def record_event(
    connection: Connection,
    challenge: Mapping[str, Any],
    kind: str,
    player_id: str | None,
    at: int,
    facts: dict[str, object] | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """Record an event of a locked challenge, and what it changes there; give the columns after it.

    ``at``: ms since 1970 UTC; ``facts``: what else everybody may know of it.
    """
    number = int(challenge["revision"]) + 1
    changed = update(challenges).where(challenges.c.id == challenge["id"])
    connection.execute(changed.values(revision=number, **changes))
    row = {
        "challenge_id": challenge["id"],
        "number": number,
        "kind": kind,
        "at": at,
        "player_id": player_id,
        "facts": json.dumps(facts or {}, separators=(",", ":")),
    }
    connection.execute(insert(events).values(row))
    return {**challenge, "revision": number, **changes}
