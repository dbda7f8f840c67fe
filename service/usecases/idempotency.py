"""Making a resource once, however often the request that makes it is sent."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, Engine, Row, bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError

from service.db.engine import write_transaction
from service.db.tables import idempotency_keys as keys
from service.usecases.errors import KeyReused

KEPT_MS = 24 * 60 * 60 * 1_000

_EXPIRED = delete(keys).where(keys.c.created_at < bindparam("before"))
_KNOWN = select(keys).where(keys.c.key_hash == bindparam("key"))


class Key(NamedTuple):
    """The SHA-256 of an idempotency key, and of the body that it came with: 32 bytes each."""

    key_hash: bytes
    body_hash: bytes

    @classmethod
    def of(cls, key: str, kind: str, caller: bytes | None, body: Mapping[str, object]) -> Self:
        """Hash a caller's key for one kind of resource: others may use the same for theirs.

        ``caller``: the hash of the request's token; ``body``: what was asked for, as JSON values.
        """
        scope = json.dumps([kind, caller.hex() if caller else None, key])
        asked = json.dumps(body, sort_keys=True)
        return cls(*(hashlib.sha256(text.encode()).digest() for text in (scope, asked)))


def find_made(db: Engine, key: Key, now: int) -> str | None:
    """Give the id of what a key has made in the last 24 hours, None where that is nothing.

    For who would take long to make it. Raises ``KeyReused`` as ``make_once``.
    """
    with db.connect() as connection:
        known = connection.execute(_KNOWN, {"key": key.key_hash}).first()
    if known is None or known.created_at < now - KEPT_MS:
        return None
    return _made(known, key)


def make_once(
    db: Engine, key: Key, resource_id: str, now: int, make: Callable[[Connection], object]
) -> str:
    """Make a resource, unless this key has made one in the last 24 hours; give the id of that one.

    The resource and its key are stored together or not at all. Raises ``KeyReused`` where the key
    came with another body.
    """
    while True:
        try:
            with write_transaction(db) as connection:
                connection.execute(_EXPIRED, {"before": now - KEPT_MS})
                known = connection.execute(_KNOWN, {"key": key.key_hash}).first()
                if known is None:
                    row = {**key._asdict(), "resource_id": resource_id, "created_at": now}
                    connection.execute(insert(keys).values(row))
                    make(connection)
                    return resource_id
        except IntegrityError:
            # Somebody else sent the same at the same moment and was first, if the key is known now.
            with db.connect() as connection:
                if connection.execute(_KNOWN, {"key": key.key_hash}).first() is None:
                    raise
            continue
        return _made(known, key)


def _made(known: Row[Any], key: Key) -> str:
    if known.body_hash != key.body_hash:
        detail = "this Idempotency-Key came with another body before: take a new key"
        raise KeyReused(detail)
    return str(known.resource_id)
