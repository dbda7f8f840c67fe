"""Lists of challenges, newest first."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Engine, and_, select, union

from service.db.tables import challenges, entries, player_names
from service.usecases.callers import Caller, identify, require_caller
from service.usecases.challenge_rows import PUBLIC
from service.usecases.challenge_states import ChallengeState
from service.usecases.challenge_views import ChallengeView, challenges_seen_by, view_of
from service.usecases.pages import Key, Place, fetch_page

_KEY = (challenges.c.created_at, challenges.c.id)


@dataclass(frozen=True, slots=True)
class ChallengePage:
    """Some challenges; ``next`` and ``prev`` as in ``pages.Page``: ms since 1970 UTC and id."""

    items: list[ChallengeView]
    next: Key | None
    prev: Key | None


def list_challenges(
    db: Engine,
    token_hash: bytes | None,
    *,
    status: str | None,
    variant: str | None,
    host: str | None,
    mine: bool,
    place: Place,
    now: int,
) -> ChallengePage:
    """List public challenges; or the caller's, which they host or have entered, whatever they are.

    Without a ``status`` the caller's are those that are not over. ``host`` is a name, in any case,
    also one that they had before. One SELECT, and one for the caller. Raises ``Unauthenticated``,
    and ``Forbidden`` for a game's token that asks for the caller's.
    """
    with db.connect() as connection:
        if mine:
            caller = require_caller(connection, token_hash)
            asked = challenges_seen_by(caller).where(challenges.c.id.in_(_ids_of(caller)))
        else:
            asked = challenges_seen_by(identify(connection, token_hash)).where(
                challenges.c.visibility == PUBLIC, challenges.c.hidden_at.is_(None)
            )
        if status is not None:
            asked = asked.where(_has_state(ChallengeState(status), now))
        elif mine:
            asked = asked.where(_goes_on(now))
        if variant is not None:
            asked = asked.where(challenges.c.variant == variant)
        if host is not None:
            named = select(player_names.c.player_id).where(player_names.c.folded == host.lower())
            asked = asked.where(challenges.c.host.in_(named))
        page = fetch_page(connection, asked, _KEY, place, descending=True)
    return ChallengePage([view_of(row, now) for row in page.rows], page.next, page.prev)


def _ids_of(caller: Caller) -> CompoundSelect[Any]:
    """Ask for the ids by the two indexes that there are of players: not all rows are looked at."""
    hosted = challenges.alias()
    return union(
        select(hosted.c.id).where(hosted.c.host == caller.id),
        select(entries.c.challenge_id).where(entries.c.player_id == caller.id).correlate(None),
    )


def _goes_on(now: int) -> ColumnElement[bool]:
    return and_(challenges.c.cancelled_at.is_(None), challenges.c.finishes_at > now)


def _has_state(state: ChallengeState, now: int) -> ColumnElement[bool]:
    """Say the same as ``challenge_states.challenge_state``, where the rows are."""
    if state is ChallengeState.CANCELLED:
        return challenges.c.cancelled_at.is_not(None)
    if state is ChallengeState.FINISHED:
        return and_(challenges.c.cancelled_at.is_(None), challenges.c.finishes_at <= now)
    started = challenges.c.starts_at <= now
    # Few are not over: they are found by their ends. SQLite would look at all in the list's order.
    live = challenges.alias()
    found = challenges.c.id.in_(select(live.c.id).where(live.c.finishes_at > now))
    return and_(found, _goes_on(now), started if state is ChallengeState.RUNNING else ~started)
