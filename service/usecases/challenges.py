"""Set challenges up, read and cancel them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, insert

from service.db.engine import write_transaction
from service.db.tables import challenges
from service.rules import find_variant
from service.usecases.callers import Caller, identify, require_caller
from service.usecases.challenge_events import lock_challenge, record_event, write_to_challenge
from service.usecases.challenge_rows import PUBLIC, new_row
from service.usecases.challenge_states import (
    LAST_MS,
    ChallengeState,
    challenge_state,
    may_have_finished,
)
from service.usecases.challenge_terms import settle_terms
from service.usecases.challenge_views import ChallengeView, load_view
from service.usecases.dailies import daily_id
from service.usecases.drawing import Drawn, draw_seed, keep_drawn
from service.usecases.errors import AlreadyStarted, Forbidden, NotRunning
from service.usecases.idempotency import Key, find_made, make_once
from service.usecases.ids import new_id
from service.usecases.titles import check_title


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """A challenge, and whether the request that asks for it had made it before."""

    view: ChallengeView
    replayed: bool


def create(
    db: Engine, token_hash: bytes | None, asked: Mapping[str, Any], now: int, key: Key | None = None
) -> NewChallenge:
    """Set a challenge up as ``asked``: title, variant, and whatever else is not to be by default.

    With a ``key`` that has made one already that one is the answer, whatever the time is now.
    Raises ``Unauthenticated``, ``Forbidden``, ``KeyReused``, ``Invalid`` with the place, and
    ``Busy`` where no deal was proven winnable in time.
    """
    with db.connect() as connection:
        caller = require_caller(connection, token_hash)
    made = None if key is None else find_made(db, key, now)
    challenge_id = new_id(now)
    if made is None:
        made = _make(db, challenge_id, caller, asked, now, key)
    with db.connect() as connection:
        view = load_view(connection, made, caller, now)
    return NewChallenge(view, replayed=made != challenge_id)


def _make(
    db: Engine,
    challenge_id: str,
    host: Caller,
    asked: Mapping[str, Any],
    now: int,
    key: Key | None,
) -> str:
    """Make a challenge, unless the key makes one meanwhile; give its id."""
    named = asked.get("seed")
    terms = settle_terms(asked, named, now)
    title = check_title(asked["title"])
    drawn = draw_seed(terms) if named is None else Drawn(named, None)
    row = new_row(
        challenge_id,
        host.id,
        title,
        terms,
        drawn.seed,
        visibility=asked.get("visibility", PUBLIC),
        created_at=now,
    )

    def make(connection: Connection) -> None:
        connection.execute(insert(challenges).values(row))
        keep_drawn(connection, terms, drawn, now)

    if key is not None:
        return make_once(db, key, challenge_id, now, make)
    with write_transaction(db) as connection:
        make(connection)
    return challenge_id


def read(db: Engine, challenge_id: str, token_hash: bytes | None, now: int) -> ChallengeView:
    """Read a challenge; raises ``NotFound``, and ``Unauthenticated`` where nobody has the token."""
    with db.connect() as connection:
        return load_view(connection, challenge_id, identify(connection, token_hash), now)


def read_daily(db: Engine, variant: str, token_hash: bytes | None, now: int) -> ChallengeView:
    """Read today's challenge of a variant; raises what ``read`` does, and ``UnknownVariant``."""
    with db.connect() as connection:
        caller = identify(connection, token_hash)
        find_variant(variant)
        return load_view(connection, daily_id(variant, now), caller, now)


def cancel(db: Engine, challenge_id: str, token_hash: bytes | None, now: int) -> ChallengeView:
    """Cancel a challenge of the caller's; one that is cancelled stays so.

    Raises ``Unauthenticated``, ``Forbidden``, ``NotFound``, ``NotRunning`` where it has finished or
    is about to, and ``AlreadyStarted`` once an attempt is dealt.
    """
    with write_to_challenge(db, challenge_id, now) as connection:
        caller = require_caller(connection, token_hash)
        challenge = lock_hosted(connection, challenge_id, caller, now)
        state = challenge_state(challenge, now)
        if state is not ChallengeState.CANCELLED:
            if state is ChallengeState.FINISHED:
                detail = "this challenge has finished: there is nothing left to cancel"
                raise NotRunning(detail)
            if challenge["dealt"]:
                detail = "the first attempt is dealt: nobody cancels this challenge any more"
                raise AlreadyStarted(detail)
            check_not_finishing(challenge, now)
            record_event(connection, challenge, "cancelled", caller.id, now, cancelled_at=now)
        return load_view(connection, challenge_id, caller, now)


def check_not_finishing(challenge: Mapping[str, Any], now: int) -> None:
    """Refuse with ``NotRunning`` what would undo a finish that others may have seen by then."""
    if may_have_finished(challenge, now):
        detail = (
            f"this challenge ends within {LAST_MS // 1_000} seconds: it finishes by itself, "
            "and its terms stand"
        )
        raise NotRunning(detail)


def lock_hosted(
    connection: Connection, challenge_id: str, caller: Caller, now: int
) -> Mapping[str, Any]:
    """Lock a challenge of the caller's; raises ``NotFound``, and ``Forbidden`` for another's."""
    challenge = lock_challenge(connection, challenge_id, now)
    if challenge is None or challenge["host"] != caller.id:
        load_view(connection, challenge_id, caller, now)  # there may be none for them
        detail = "only its host changes or cancels a challenge"
        raise Forbidden(detail)
    return challenge
