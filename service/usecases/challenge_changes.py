"""Change challenges: title and visibility at any time, the terms while nobody is bound by them."""

from collections.abc import Collection, Mapping
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, func, insert, select

from service.db.tables import entries, former_terms
from service.usecases.callers import require_caller
from service.usecases.challenge_events import record_event, write_to_challenge
from service.usecases.challenge_states import (
    SHARED,
    ChallengeState,
    challenge_state,
    finishes_at,
)
from service.usecases.challenge_terms import Terms, committed, settle_terms
from service.usecases.challenge_views import ChallengeView, load_view
from service.usecases.challenges import check_not_finishing, lock_hosted
from service.usecases.drawing import Drawn, draw_seed, keep_drawn
from service.usecases.errors import (
    AlreadyStarted,
    HasEntries,
    HistoryFull,
    NotRunning,
    PreconditionRequired,
    StaleRevision,
)
from service.usecases.titles import check_title

# What may change at any time; everything else is a term.
_ABOUT = ("title", "visibility")
_SECOND_MS = 1_000
# Everybody reads them with the challenge.
MOST_FORMER_TERMS = 100
# Seeds by what they were drawn for.
_Draws = dict[tuple[object, ...], Drawn]
# For who wants to change a challenge whatever has happened to it.
ANY_REVISION = range(2**31)


def change(
    db: Engine,
    challenge_id: str,
    token_hash: bytes | None,
    asked: Mapping[str, Any],
    seen: Collection[int] | None,
    now: int,
) -> ChallengeView:
    """Change what is asked for, if the challenge is at a revision that the host has ``seen``.

    Other terms come with another drawn seed, unless it is one that the host has named. Raises
    ``PreconditionRequired``, ``StaleRevision``, ``Invalid``, and what ``cancel`` raises; beside it
    ``HasEntries``, and ``HistoryFull`` where the terms have changed too often. Title and visibility
    may always change. ``Busy`` where no deal of the new terms was proven winnable in time.
    """
    drawn: _Draws = {}
    began = monotonic()
    while True:
        # Drawing takes seconds: what is written then is judged by the time that it is then.
        later = now + int(monotonic() - began) * _SECOND_MS
        try:
            return _change(db, challenge_id, token_hash, asked, seen, later, drawn)
        except _NeedsSeed as needs:
            # Nobody waits for the challenge while its deal is drawn.
            drawn[_deal_terms(needs.terms)] = draw_seed(needs.terms)


class _NeedsSeed(Exception):  # noqa: N818 - what is missing, no fault
    """Terms that are accepted, but nothing is drawn for them yet."""

    def __init__(self, terms: Terms) -> None:
        super().__init__()
        self.terms = terms


def _deal_terms(terms: Terms) -> tuple[object, ...]:
    """Give what a seed is drawn for."""
    return terms.variant, terms.options, terms.deal_algorithm, terms.require_winnable


def _change(
    db: Engine,
    challenge_id: str,
    token_hash: bytes | None,
    asked: Mapping[str, Any],
    seen: Collection[int] | None,
    now: int,
    drawn: _Draws,
) -> ChallengeView:
    """Do as ``change``, with what is drawn; changes nothing where that is not for these terms."""
    with write_to_challenge(db, challenge_id, now) as connection:
        caller = require_caller(connection, token_hash)
        challenge = lock_hosted(connection, challenge_id, caller, now)
        _check_revision(challenge, seen)
        about = _changed_about(challenge, asked)
        terms, facts = _changed_terms(connection, challenge, asked, now, drawn)
        if about or terms:
            facts = {"fields": [*about, *facts.pop("fields", [])], **facts}
            changes = {**about, **terms}
            record_event(connection, challenge, "changed", caller.id, now, facts, **changes)
        return load_view(connection, challenge_id, caller, now)


def _check_revision(challenge: Mapping[str, Any], seen: Collection[int] | None) -> None:
    revision = challenge["revision"]
    if seen is None:
        detail = (
            f'say which revision you change: send If-Match: "{revision}" if you have seen that one'
        )
        raise PreconditionRequired(detail)
    if revision not in seen:
        detail = (
            f"If-Match does not name revision {revision}, at which this challenge is: read it, "
            "then send its ETag just as it is"
        )
        raise StaleRevision(detail, revision=revision)


def _changed_about(challenge: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    about = {name: asked[name] for name in _ABOUT if name in asked}
    if "title" in about:
        about["title"] = check_title(about["title"])
    return {name: value for name, value in about.items() if value != challenge[name]}


def _changed_terms(
    connection: Connection,
    challenge: Mapping[str, Any],
    asked: Mapping[str, Any],
    now: int,
    draws: _Draws,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the columns that other terms change, and what everybody may know of it."""
    differing = _differing(challenge, asked)
    if not differing:
        return {}, {}
    # Where the host says so again it holds for the other terms too.
    again = {name: asked[name] for name in ("require_winnable",) if name in asked}
    asked = {**differing, **again}
    _check_terms_open(connection, challenge, now)
    old_name = challenge["seed"] if challenge["seed_public"] else None
    named, before = asked.get("seed", old_name), Terms.of(challenge)
    terms = settle_terms(asked, named, now, challenge)
    if terms == before and named == old_name:
        return {}, {}
    _check_not_too_often(connection, challenge)
    drawn = Drawn(named, None) if named is not None else draws.get(_deal_terms(terms))
    if drawn is None:
        raise _NeedsSeed(terms)
    keep_drawn(connection, terms, drawn, now)
    columns = committed(terms, drawn.seed)
    former = {name: challenge[name] for name in ("terms", "seed", "commitment")}
    revision = challenge["revision"] + 1
    key = {"challenge_id": challenge["id"], "revision": revision}
    connection.execute(insert(former_terms).values(**key, **former))
    fields = [name for name, value in columns.items() if value != challenge[name]]
    facts = {
        "fields": [name for name in fields if name not in former],
        "former_commitment": challenge["commitment"],
        "commitment": columns["commitment"],
    }
    if named != old_name:
        facts["fields"].append("seed")
    return {**columns, "finishes_at": finishes_at({**challenge, **columns}, now)}, facts


def _check_not_too_often(connection: Connection, challenge: Mapping[str, Any]) -> None:
    theirs = former_terms.c.challenge_id == challenge["id"]
    count = connection.execute(select(func.count()).where(theirs)).scalar_one()
    if count >= MOST_FORMER_TERMS:
        detail = (
            f"the terms of a challenge change {MOST_FORMER_TERMS} times at most: set another one up"
        )
        raise HistoryFull(detail)


def _differing(challenge: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Give the terms that are asked for and are not so already."""
    terms = Terms.of(challenge)
    now_so = {name: challenge[name] for name in asked if name not in ("options", "seed")}
    now_so["seed"] = challenge["seed"] if challenge["seed_public"] else None
    differing = {
        name: value
        for name, value in asked.items()
        if name not in (*_ABOUT, "options") and value != now_so[name]
    }
    options = terms.rules.options()
    changes = asked.get("options", {})
    # Under another variant the same value may be a change.
    if "variant" in differing or any(changes[name] != options.get(name) for name in changes):
        differing["options"] = changes
    return differing


def _check_terms_open(connection: Connection, challenge: Mapping[str, Any], now: int) -> None:
    """Refuse to change terms that stand: those of what is over, has begun, or has drawn others."""
    state = challenge_state(challenge, now)
    if state in (ChallengeState.CANCELLED, ChallengeState.FINISHED):
        detail = f"this challenge is {state}: its terms stand, set another one up"
        raise NotRunning(detail)
    begun = challenge["clock"] == SHARED and state is ChallengeState.RUNNING
    if begun or challenge["dealt"]:
        what = "this race has begun" if begun else "the first attempt is dealt"
        detail = f"{what}: the terms stand, only title and visibility change"
        raise AlreadyStarted(detail)
    check_not_finishing(challenge, now)
    others = (
        select(entries.c.id)
        .where(entries.c.challenge_id == challenge["id"], entries.c.player_id != challenge["host"])
        .limit(1)
    )
    if connection.execute(others).first() is not None:
        detail = "somebody has entered under these terms: only title and visibility change"
        raise HasEntries(detail)
