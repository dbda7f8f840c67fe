"""The host takes an entry out of the ranking, or back into it, with a reason for everybody."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, update

from service.db.tables import entries, players
from service.usecases.callers import require_caller
from service.usecases.challenge_events import record_event, write_to_challenge
from service.usecases.challenge_states import ChallengeState, challenge_state
from service.usecases.entry_views import ENTRIES, EntryView, entry_view, lock_for
from service.usecases.errors import Forbidden, NotFound, NotRunning
from service.usecases.names import is_name
from service.usecases.players import holder_of


def disqualify(
    db: Engine,
    challenge_id: str,
    player: str,
    token_hash: bytes | None,
    *,
    disqualified: bool,
    reason: str,
    now: int,
) -> EntryView:
    """Disqualify an entry or reinstate it; what stands already stays as it is, without an event.

    ``player``: the name, whatever its case, or the id of the entry, for who has been deleted and
    has no name. Only another ``reason`` changes a disqualification that stands. Raises
    ``Unauthenticated``, ``NotFound``, ``Forbidden`` for all but the host, and ``NotRunning`` in a
    challenge that is cancelled.
    """
    with write_to_challenge(db, challenge_id, now) as connection:
        caller = require_caller(connection, token_hash)
        challenge, _ = lock_for(connection, challenge_id, caller.id, now)
        if challenge["host"] != caller.id:
            detail = "only the host of a challenge disqualifies and reinstates"
            raise Forbidden(detail)
        entry = _find(connection, challenge_id, player)
        if challenge_state(challenge, now) is ChallengeState.CANCELLED:
            detail = "this challenge is cancelled: it has no ranking"
            raise NotRunning(detail)
        since, standing_reason = entry["disqualified_at"], entry["disqualified_reason"]
        after = ((now if since is None else since), reason) if disqualified else (None, None)
        if after != (since, standing_reason):
            changes = dict(zip(("disqualified_at", "disqualified_reason"), after, strict=True))
            changed = update(entries).where(entries.c.id == entry["id"])
            connection.execute(changed.values(changes))
            kind = "disqualified" if disqualified else "reinstated"
            facts: dict[str, object] = {"reason": reason}
            challenge = record_event(connection, challenge, kind, entry["player_id"], now, facts)
            entry = {**entry, **changes}
        return entry_view(entry, challenge, now)


def _find(connection: Connection, challenge_id: str, player: str) -> Mapping[str, Any]:
    """Find an entry by an index, however many there are: no name is as long as an id."""
    if is_name(player):
        named = holder_of(player).with_only_columns(players.c.id)
        meant: ColumnElement[bool] = entries.c.player_id.in_(named)
    else:
        meant = entries.c.id == player
    asked = ENTRIES.where(entries.c.challenge_id == challenge_id, meant)
    found = connection.execute(asked).mappings().first()
    if found is None:
        detail = "nobody of this name is in this challenge: GET …/entries lists who is"
        raise NotFound(detail)
    return dict(found)
