"""Enter a challenge, leave or forfeit it, and see who is in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, select, update

from service.db.tables import entries, games
from service.rules.family import RESIGN
from service.rules.record_text import format_moves
from service.usecases.callers import identify, require_caller
from service.usecases.challenge_ends import count_end
from service.usecases.challenge_events import record_event, write_to_challenge
from service.usecases.challenge_states import (
    ChallengeState,
    Columns,
    EntryState,
    attempt_has_ended,
    challenge_state,
    entry_state,
    race_has_started,
    recounted,
)
from service.usecases.challenge_views import visible
from service.usecases.entry_views import (
    ENTRIES,
    EntryView,
    entered,
    entry_view,
    find_challenge,
    find_entry,
    lock_for,
    own_view,
)
from service.usecases.errors import EntriesClosed, Forbidden, NotRunning
from service.usecases.game_views import MAX_HISTORY, cached_columns, last_entry_ms, stored_game
from service.usecases.ids import new_id
from service.usecases.pages import Key, Place, fetch_page

_FORFEITED = "you have forfeited this challenge, and nobody comes back"


@dataclass(frozen=True, slots=True)
class Entered:
    """One's entry, and whether the request has made it."""

    view: EntryView
    new: bool


@dataclass(frozen=True, slots=True)
class EntryPage:
    """Some entries, oldest first; ``next`` and ``prev`` as in ``pages.Page``: an entry's id."""

    items: list[EntryView]
    next: Key | None
    prev: Key | None


def enter(db: Engine, challenge_id: str, token_hash: bytes | None, now: int) -> Entered:
    """Enter a challenge; who is in already gets their entry as it is.

    Raises ``Unauthenticated``, ``NotFound``, and ``EntriesClosed`` for who has forfeited, once a
    race has started, and for all others from the end on.
    """
    with write_to_challenge(db, challenge_id, now) as connection:
        caller = require_caller(connection, token_hash)
        challenge, entry = lock_for(connection, challenge_id, caller.id, now)
        new = entry is None
        if entry is None:
            _check_open(challenge, now)
            challenge, entry = _add(connection, challenge, caller.id, now)
        elif entry["forfeited_at"] is not None:
            raise EntriesClosed(_FORFEITED)
        return Entered(own_view(connection, entry, challenge, now), new)


def _check_open(challenge: Columns, now: int) -> None:
    state = challenge_state(challenge, now)
    over = state in (ChallengeState.FINISHED, ChallengeState.CANCELLED)
    if over or race_has_started(challenge, now):
        what = f"this challenge is {state}" if over else "this race has started"
        detail = f"{what}, and nobody enters it now: GET /v1/challenges lists others"
        raise EntriesClosed(detail)


def _add(
    connection: Connection, challenge: Columns, player_id: str, now: int
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    row = {
        "id": new_id(now),
        "challenge_id": challenge["id"],
        "player_id": player_id,
        "entered_at": now,
        "dealt": 0,
    }
    connection.execute(insert(entries), row)
    changes = recounted(challenge, now, entered=challenge["entered"] + 1)
    challenge = record_event(connection, challenge, "entered", player_id, now, **changes)
    return challenge, entered(find_entry(connection, challenge["id"], player_id))


def leave(db: Engine, challenge_id: str, token_hash: bytes | None, now: int) -> EntryView | None:
    """Leave a challenge, or forfeit it: None where one is not in it (any more), else the entry.

    One leaves while nothing is dealt and, on the shared clock, before the start; after that one
    forfeits, which resigns a running game. An entry that has ended stays as it is. Raises
    ``Unauthenticated``, ``NotFound``, ``NotRunning`` once the challenge is over, and ``Forbidden``
    for who would leave a disqualification behind.
    """
    with write_to_challenge(db, challenge_id, now) as connection:
        caller = require_caller(connection, token_hash)
        challenge, entry = lock_for(connection, challenge_id, caller.id, now)
        if entry is None:
            return None
        if entry["forfeited_at"] is None:
            _check_not_over(challenge, now)
            if not entry["dealt"] and not race_has_started(challenge, now):
                _check_not_disqualified(entry)
                _remove(connection, challenge, entry, now)
                return None
            # Time that has run out is an end too: nothing is left to give up.
            ended = (EntryState.FINISHED, EntryState.TIMED_OUT)
            if entry_state(entry, challenge, now) not in ended:
                challenge, entry = _forfeit(connection, challenge, entry, now)
        return own_view(connection, entry, challenge, now)


def _check_not_over(challenge: Columns, now: int) -> None:
    state = challenge_state(challenge, now)
    if state in (ChallengeState.FINISHED, ChallengeState.CANCELLED):
        detail = f"this challenge is {state}: there is nothing to leave or to forfeit"
        raise NotRunning(detail)


def _check_not_disqualified(entry: Columns) -> None:
    """Refuse to leave what whoever entered again would be rid of."""
    if entry["disqualified_at"] is not None:
        detail = (
            "the host has disqualified you, and that stands in your entry: ask them to reinstate "
            "you, then leave"
        )
        raise Forbidden(detail)


def _remove(connection: Connection, challenge: Columns, entry: Columns, now: int) -> None:
    connection.execute(delete(entries).where(entries.c.id == entry["id"]))
    changes = recounted(challenge, now, entered=challenge["entered"] - 1)
    record_event(connection, challenge, "left", entry["player_id"], now, **changes)


def _forfeit(
    connection: Connection, challenge: Columns, entry: Columns, now: int
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    changed: dict[str, object] = {"forfeited_at": now}
    if entry["dealt"] and not attempt_has_ended(entry, now):
        _resign(connection, entry, now)
        changed["attempt_ended_at"] = now
    connection.execute(update(entries).where(entries.c.id == entry["id"]).values(changed))
    changes = count_end(connection, challenge, now)
    challenge = record_event(connection, challenge, "forfeited", entry["player_id"], now, **changes)
    return challenge, {**entry, **changed}


def _resign(connection: Connection, entry: Columns, now: int) -> None:
    """Resign the game of the latest attempt, unless its history is full: then it rests as it is."""
    latest = (
        games.c.challenge_id == entry["challenge_id"],
        games.c.owner == entry["player_id"],
        games.c.attempt == entry["dealt"],
    )
    # Locked: a move that is being recorded stands before the resignation, or is refused after it.
    row = connection.execute(select(games).where(*latest).with_for_update()).mappings().one()
    game = stored_game(row)
    if game.ply >= MAX_HISTORY:
        return
    at_ms = max(now - row["started_at"], last_entry_ms(row["history"]))
    history = f"{row['history']} {format_moves([RESIGN], [at_ms])}".lstrip()
    finished_at = row["started_at"] + at_ms
    values = {**cached_columns(game.advance(RESIGN)), "history": history}
    values["finished_at"] = finished_at
    connection.execute(update(games).where(*latest).values(values))


def read_own(db: Engine, challenge_id: str, token_hash: bytes | None, now: int) -> EntryView:
    """Read one's own entry; raises ``Unauthenticated``, ``NotFound`` and ``NotEntered``."""
    with db.connect() as connection:
        caller = require_caller(connection, token_hash)
        entry = find_entry(connection, challenge_id, caller.id)
        found = find_challenge(connection, challenge_id, now)
        challenge = visible(found, caller.id, entered=entry is not None)
        return own_view(connection, entered(entry), challenge, now)


def list_entries(
    db: Engine, challenge_id: str, token_hash: bytes | None, *, place: Place, now: int
) -> EntryPage:
    """List who is in a challenge; raises ``NotFound``, ``Unauthenticated`` for an unknown token."""
    with db.connect() as connection:
        caller = identify(connection, token_hash)
        player_id = None if caller is None else caller.id
        entry = find_entry(connection, challenge_id, player_id) if player_id else None
        found = find_challenge(connection, challenge_id, now)
        challenge = visible(found, player_id, entered=entry is not None)
        asked = ENTRIES.where(entries.c.challenge_id == challenge_id)
        page = fetch_page(connection, asked, (entries.c.id,), place)
    views = [entry_view(dict(row), challenge, now) for row in page.rows]
    return EntryPage(views, page.next, page.prev)
