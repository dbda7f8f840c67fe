"""Challenges as people may see them, and how one is loaded for somebody."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Select, select

from service.db.tables import challenges, entries, former_terms, players
from service.usecases.callers import Caller
from service.usecases.challenge_states import (
    ChallengeState,
    EntryState,
    challenge_state,
    entry_state,
    revealed_at,
)
from service.usecases.challenge_terms import Terms
from service.usecases.dailies import find_daily
from service.usecases.errors import NotFound, StillSecret
from service.usecases.pars import Par, par_of_challenge

_ENTRY = "my_"
# An entry of who has not entered.
_NOBODY = dict.fromkeys(_ENTRY + column.name for column in entries.c)


@dataclass(frozen=True, slots=True)
class Host:
    """Who has set a challenge up; ``name`` is None once they are deleted."""

    name: str | None
    bot: bool


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """What the caller's own entry in a challenge comes to; ``dealt``: attempts."""

    state: EntryState
    dealt: int
    disqualified: bool


@dataclass(frozen=True, slots=True)
class FormerTerms:
    """Terms that were replaced by the event of this revision; ``seed`` is None while a secret."""

    revision: int
    terms: str
    commitment: str
    seed: str | None


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """A challenge as one viewer may see it; instants in ms since 1970 UTC.

    ``host`` is None where nobody has set it up. ``published`` is the text of the terms which
    ``commitment`` binds to the seed; ``seed`` is None while it is a secret, ``revealed_at`` while
    the challenge has not finished. ``former`` is None in lists, ``me`` for who has not entered.
    ``par``: of its deal, None before the reveal, where no win is known, and in lists.
    """

    id: str
    title: str
    host: Host | None
    visibility: str
    state: ChallengeState
    terms: Terms
    published: str
    commitment: str
    seed: str | None
    revealed_at: int | None
    former: tuple[FormerTerms, ...] | None
    created_at: int
    cancelled_at: int | None
    entered: int
    dealt: int
    me: OwnEntry | None
    revision: int
    now: int
    par: Par | None = None


def challenges_seen_by(caller: Caller | None) -> Select[Any]:
    """Ask for challenges with their hosts, and with the entry of a caller where they have one."""
    player_id = "" if caller is None else caller.id  # nobody has the id ""
    mine = (entries.c.challenge_id == challenges.c.id) & (entries.c.player_id == player_id)
    return (
        select(
            challenges,
            players.c.name.label("host_name"),
            players.c.bot.label("host_bot"),
            *(column.label(_ENTRY + column.name) for column in entries.c),
        )
        .join(players, players.c.id == challenges.c.host, isouter=True)
        .join(entries, mine, isouter=True)
    )


def load_view(
    connection: Connection, challenge_id: str, caller: Caller | None, now: int
) -> ChallengeView:
    """Load a challenge for somebody: one SELECT, and one for its former terms.

    One of today's that is not stored yet is there too, for a SELECT more; one that is revealed has
    its par, for another.
    Who has its id may see it; one that the operator has hidden only its host and who has entered.
    Raises ``NotFound``.
    """
    asked = challenges_seen_by(caller).where(challenges.c.id == challenge_id)
    found: Mapping[Any, Any] | None = connection.execute(asked).mappings().first()
    if found is None and (daily := find_daily(connection, challenge_id, now)):
        found = {**daily, **_NOBODY}
    in_it = found is not None and found[f"{_ENTRY}id"] is not None
    row = visible(found, None if caller is None else caller.id, entered=in_it)
    view = view_of(row, now, _former(connection, row, now))
    if view.revealed_at is None:
        return view
    return replace(view, par=par_of_challenge(connection, view.terms, row["seed"]))


def visible(
    challenge: Mapping[Any, Any] | None, player_id: str | None, *, entered: bool
) -> Mapping[Any, Any]:
    """Give a challenge that somebody may see; ``NotFound`` where there is none for them.

    Its id is enough, but for one that the operator has hidden: that is there for the host and for
    who has entered.
    """
    if challenge is not None:
        hosts = player_id is not None and player_id == challenge["host"]
        if challenge["hidden_at"] is None or hosts or entered:
            return challenge
    detail = "there is no challenge with this id"
    raise NotFound(detail)


def check_revealed(challenge: ChallengeView, what: str) -> None:
    """Raise ``StillSecret`` before the reveal; ``what``: of the challenge is asked for."""
    if challenge.state is ChallengeState.CANCELLED:
        detail = f"this challenge is cancelled: nobody is ever told its {what}"
        raise StillSecret(detail)
    if challenge.revealed_at is None:
        detail = f"nobody is told the {what} until the challenge has finished: ask again then"
        raise StillSecret(detail)


def view_of(
    row: Mapping[Any, Any], now: int, former: tuple[FormerTerms, ...] | None = None
) -> ChallengeView:
    """Show a row of ``challenges_seen_by``."""
    revealed = revealed_at(row, now)
    shows_seed = row["seed_public"] or revealed is not None
    return ChallengeView(
        id=row["id"],
        title=row["title"],
        host=None if row["host"] is None else Host(row["host_name"], row["host_bot"]),
        visibility=row["visibility"],
        state=challenge_state(row, now),
        terms=Terms.of(row),
        published=row["terms"],
        commitment=row["commitment"],
        seed=row["seed"] if shows_seed else None,
        revealed_at=revealed,
        former=former,
        created_at=row["created_at"],
        cancelled_at=row["cancelled_at"],
        entered=row["entered"],
        dealt=row["dealt"],
        me=_own_entry(row, now),
        revision=row["revision"],
        now=now,
    )


def _own_entry(row: Mapping[Any, Any], now: int) -> OwnEntry | None:
    entry = {column.name: row[_ENTRY + column.name] for column in entries.c}
    if entry["id"] is None:
        return None
    state = entry_state(entry, row, now)
    return OwnEntry(state, entry["dealt"], entry["disqualified_at"] is not None)


def _former(
    connection: Connection, challenge: Mapping[Any, Any], now: int
) -> tuple[FormerTerms, ...]:
    revealed = revealed_at(challenge, now) is not None
    asked = (
        select(former_terms)
        .where(former_terms.c.challenge_id == challenge["id"])
        .order_by(former_terms.c.revision)
    )
    return tuple(
        FormerTerms(
            revision=row.revision,
            terms=row.terms,
            commitment=row.commitment,
            seed=row.seed if revealed or json.loads(row.terms)["seed_public"] else None,
        )
        for row in connection.execute(asked)
    )
