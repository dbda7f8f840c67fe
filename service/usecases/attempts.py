"""Deal the attempts of a challenge, and end them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, insert, select, update

from service.db.direct import connect_directly
from service.db.tables import entries, games
from service.rules.family import Status
from service.rules.game import Game
from service.usecases.callers import require_caller
from service.usecases.challenge_ends import count_end
from service.usecases.challenge_events import record_event, write_to_challenge
from service.usecases.challenge_states import (
    SHARED,
    ChallengeState,
    Columns,
    attempt_has_ended,
    challenge_state,
    deadline,
)
from service.usecases.entry_views import entered, lock_for
from service.usecases.errors import (
    AttemptInProgress,
    AttemptsExhausted,
    EntriesClosed,
    NotFound,
    NotRunning,
)
from service.usecases.game_views import GameView, cached_columns, load_game, stored_rules
from service.usecases.ids import new_id
from service.usecases.standing import best_standing, standing_of


@dataclass(frozen=True, slots=True)
class DealtAttempt:
    """The game of an attempt, and whether the request has dealt it."""

    view: GameView
    new: bool


def deal(
    db: Engine, challenge_id: str, number: int, token_hash: bytes | None, now: int
) -> DealtAttempt:
    """Deal attempt ``number``, from 1; one that was dealt before is given as it is, at any time.

    Raises ``Unauthenticated``, ``NotFound``, ``NotEntered``; and for an attempt that is not dealt
    yet ``NotRunning`` before the start and from the end on, ``EntriesClosed`` for who has
    forfeited, ``AttemptsExhausted``, and ``AttemptInProgress`` while the one before has not ended.
    """
    with write_to_challenge(db, challenge_id, now) as connection:
        caller = require_caller(connection, token_hash)
        challenge, found = lock_for(connection, challenge_id, caller.id, now)
        if number < 1:
            detail = "attempts are numbered 1, 2, 3, …"
            raise NotFound(detail)
        entry = entered(found)
        new = number > entry["dealt"]
        if new:
            _check_may_deal(challenge, entry, number, now)
            challenge = _deal_next(connection, challenge, entry, now)
        game_id = _game_of(connection, challenge_id, caller.id, number)
    with connect_directly(db) as direct:
        return DealtAttempt(load_game(direct, game_id, token_hash, now).view(now), new)


def _game_of(connection: Connection, challenge_id: str, player_id: str, number: int) -> str:
    asked = select(games.c.id).where(
        games.c.challenge_id == challenge_id,
        games.c.owner == player_id,
        games.c.attempt == number,
    )
    return str(connection.execute(asked).scalar_one())


def _check_may_deal(challenge: Columns, entry: Columns, number: int, now: int) -> None:
    state = challenge_state(challenge, now)
    if state is not ChallengeState.RUNNING:
        then = ": ask again from its starts_at on" if state is ChallengeState.SCHEDULED else ""
        detail = f"this challenge is {state}, and attempts are dealt while it runs{then}"
        raise NotRunning(detail)
    if entry["forfeited_at"] is not None:
        detail = "you have forfeited this challenge: no more attempts are dealt"
        raise EntriesClosed(detail)
    if number > challenge["attempts"]:
        detail = f"attempts of this challenge are numbered 1 to {challenge['attempts']}"
        raise AttemptsExhausted(detail)
    dealt = entry["dealt"]
    if dealt and not attempt_has_ended(entry, now):
        detail = f"attempt {dealt} has not ended: finish it, resign it, or wait for its deadline"
        raise AttemptInProgress(detail, attempt=dealt)
    if number > dealt + 1:
        detail = f"attempt {dealt + 1} comes first: deal it with PUT …/attempts/{dealt + 1}"
        raise AttemptInProgress(detail, attempt=dealt + 1)


def _deal_next(
    connection: Connection, challenge: Columns, entry: Columns, now: int
) -> Mapping[str, Any]:
    """Deal the next attempt of an entry; give the challenge after it."""
    number = entry["dealt"] + 1
    earlier = _retire(connection, entry)
    # Who waited for the lock may have looked at the clock before the end of the attempt before.
    shared = challenge["clock"] == SHARED
    dealt_at = challenge["starts_at"] if shared else max(now, earlier.ended_at)
    due = deadline(challenge, dealt_at)
    rules = stored_rules(challenge["variant"], challenge["options"])
    opening = rules.opening(challenge["deal_algorithm"], challenge["seed"])
    game = Game.start(rules, opening, undo=False)
    ended = game.status is not Status.IN_PROGRESS
    columns = {
        "variant": challenge["variant"],
        "options": challenge["options"],
        "seed": challenge["seed"],
        "seed_named": challenge["seed_public"],
        "deal_algorithm": challenge["deal_algorithm"],
        "rules_version": challenge["rules_version"],
        "undo": False,
        "owner": entry["player_id"],
        "history": "",
        "started_at": dealt_at,
        "finished_at": dealt_at if ended else None,
        "challenge_id": challenge["id"],
        "entry_id": entry["id"],
        "attempt": number,
        "deadline": due,
        "standing": best_standing(challenge["order"], standing_of(game, 0), earlier.standing),
        "earlier_standing": earlier.standing,
        "earlier_attempt": earlier.attempt,
        "ranks": True,
    }
    connection.execute(insert(games), {"id": new_id(now), **columns, **cached_columns(game)})
    latest = {"dealt": number, "deadline": due, "attempt_ended_at": None}
    connection.execute(update(entries).where(entries.c.id == entry["id"]).values(latest))
    facts: dict[str, object] = {"attempt": number}
    count = challenge["dealt"] + 1
    challenge = record_event(
        connection, challenge, "attempt_dealt", entry["player_id"], now, facts, dealt=count
    )
    if ended:
        challenge = end_attempt(connection, challenge, {**entry, **latest}, game.status, now)
    return challenge


class _Earlier(NamedTuple):
    """The best standing so far, and whose it is; ``ended_at``: the last end by a move, or 0."""

    standing: str | None = None
    attempt: int | None = None
    ended_at: int = 0


def _retire(connection: Connection, entry: Columns) -> _Earlier:
    """Take the rank from the latest attempt so far."""
    if not entry["dealt"]:
        return _Earlier()
    retired = (
        update(games)
        .where(
            games.c.challenge_id == entry["challenge_id"],
            games.c.owner == entry["player_id"],
            games.c.attempt == entry["dealt"],
        )
        .values(ranks=False)
        .returning(
            games.c.standing,
            games.c.earlier_standing,
            games.c.earlier_attempt,
            games.c.finished_at,
        )
    )
    before = connection.execute(retired).one()
    # Of equal standings the one that was reached first stays.
    improved = before.standing != before.earlier_standing
    attempt = entry["dealt"] if improved else before.earlier_attempt
    return _Earlier(before.standing, attempt, before.finished_at or 0)


def end_attempt(
    connection: Connection, challenge: Columns, entry: Columns, status: Status, now: int
) -> dict[str, Any]:
    """Note that the latest attempt of an entry ends with a move; give the challenge after it.

    To be called once, in the write transaction that records the move, and only if that recorded
    it. ``challenge`` is what ``lock_challenge`` gave, before the game was written; ``entry`` was
    read under that lock (``entry_views.find_entry``); ``status`` is the game's. After the last
    attempt the entry counts among those that have ended: a race finishes with the last of them.
    The games themselves are left alone. Nothing is checked.
    """
    number = entry["dealt"]
    changed = update(entries).where(entries.c.id == entry["id"])
    connection.execute(changed.values(attempt_ended_at=now))
    last = number == challenge["attempts"]
    changes = count_end(connection, challenge, now) if last else {}
    facts: dict[str, object] = {"attempt": number, "status": status.value}
    return record_event(
        connection, challenge, "attempt_ended", entry["player_id"], now, facts, **changes
    )
