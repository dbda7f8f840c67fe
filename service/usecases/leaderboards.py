"""The ranking of a challenge, page by page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, bindparam, select

from service.db.tables import challenges, entries, games, players
from service.usecases.callers import identify, require_caller
from service.usecases.challenge_states import (
    ChallengeState,
    Columns,
    EntryState,
    challenge_state,
    entry_state,
    revealed_at,
    status_at,
)
from service.usecases.challenge_terms import Terms
from service.usecases.challenge_views import visible
from service.usecases.dailies import find_daily
from service.usecases.entry_views import entered
from service.usecases.pages import Key, Place
from service.usecases.pars import Par, par_of_challenge
from service.usecases.ranking_pages import fetch_page
from service.usecases.rankings import Spot, ranked
from service.usecases.standing import Standing, read_standing

# How many rows are read at a time where the whole ranking is asked for.
CHUNK = 1_000

# A challenge with the caller, their entry and its standing. Built once, which takes its time.
_FOUND = (
    select(
        challenges,
        players.c.id.label("caller"),
        entries.c.id.label("entry_id"),
        entries.c.disqualified_at,
        games.c.standing,
        ranked().label("ranked"),
    )
    .select_from(challenges)
    .join(players, players.c.token_hash == bindparam("caller_token"), isouter=True)
    .join(
        entries,
        (entries.c.challenge_id == challenges.c.id) & (entries.c.player_id == players.c.id),
        isouter=True,
    )
    .join(
        games,
        (games.c.challenge_id == challenges.c.id)
        & (games.c.owner == players.c.id)
        & (games.c.attempt == entries.c.dealt),
        isouter=True,
    )
    .where(challenges.c.id == bindparam("challenge_id"))
)
# What that finds beside a challenge which nobody has entered.
_NOBODY = {
    **dict.fromkeys(("caller", "entry_id", "disqualified_at", "standing")),
    "ranked": 0,
}


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """An entry in its place, by its best attempt.

    ``player``: the name, None once they are deleted. ``status``: of that attempt, and ``game_id``
    its game, None before the reveal. ``state``: of the entry. ``to_par``: how many actions more
    than the par a win took, None without either.
    """

    rank: int
    player: str | None
    bot: bool
    attempt: int
    standing: Standing
    status: str
    state: EntryState
    game_id: str | None
    to_par: int | None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Some of a ranking, the best first.

    ``next``: after which row the next page begins; ``prev``: before which the one before it ends;
    each ``(place, rank, standing, entry id)``, where the place counts from 1 and is shared by
    nobody, or None where there is no such page. ``provisional``: until the challenge has finished.
    ``entered``: how many are in the challenge; ``ranked``: how many are in the ranking. ``par``: of
    its deal, None before the reveal and where no win is known.
    """

    items: list[RankedEntry]
    next: Key | None
    prev: Key | None
    provisional: bool
    revision: int
    order: str
    entered: int
    ranked: int
    par: Par | None
    now: int


def read_leaderboard(
    db: Engine,
    challenge_id: str,
    token_hash: bytes | None,
    *,
    around_me: bool,
    place: Place,
    now: int,
) -> Leaderboard:
    """Read a page of the ranking: two SELECTs, and one more where ties begin before the page.

    Once the challenge is revealed another one more, for its par.
    One of today's dailies that is not stored yet has an empty one.

    Ranked is who has an attempt dealt and is not disqualified; nobody in a challenge that is
    cancelled. ``around_me``: the page with the caller in its middle, whatever ``place`` begins
    with, and the first where they are in the challenge but not ranked. A page after or before a row
    goes on from the place and the rank of its key, even if the row has moved since.

    Raises ``NotFound``, ``Unauthenticated`` where nobody has the token; with ``around_me`` what
    ``require_caller`` raises, and ``NotEntered``.
    """
    with db.connect() as connection:
        challenge = _find(connection, challenge_id, token_hash, now, around_me=around_me)
        if challenge_state(challenge, now) is ChallengeState.CANCELLED:
            return _leaderboard([], None, None, {**challenge, "ranked": 0}, None, now)
        if around_me:
            place = Place(None, None, place.limit)
        own = _own_spot(challenge) if around_me else None
        page = fetch_page(connection, challenge_id, place, own)
        par = _par(connection, challenge, now)
    items = [
        _ranked_entry(row, rank, challenge, par, now)
        for row, rank in zip(page.rows, page.ranks, strict=True)
    ]
    return _leaderboard(items, page.next, page.prev, challenge, par, now)


def read_whole(
    db: Engine, challenge_id: str, token_hash: bytes | None, now: int
) -> Iterator[list[RankedEntry]]:
    """Read the whole ranking, as many rows at a time as ``CHUNK``, the first of them at once.

    While people play somebody may move past the rows that are being read: they come twice then, or
    not at all. Raises what ``read_leaderboard`` raises.
    """

    def read(after: Key | None) -> Leaderboard:
        place = Place(after, None, CHUNK)
        return read_leaderboard(db, challenge_id, token_hash, around_me=False, place=place, now=now)

    def go_on(page: Leaderboard) -> Iterator[list[RankedEntry]]:
        yield page.items
        while page.next is not None:
            page = read(page.next)
            yield page.items

    return go_on(read(None))


def _find(
    connection: Connection,
    challenge_id: str,
    token_hash: bytes | None,
    now: int,
    *,
    around_me: bool,
) -> dict[str, Any]:
    """Find a challenge for the caller, with their entry and its standing: one SELECT.

    One of today's that is not stored yet is there too, for a SELECT more.
    """
    values = {"challenge_id": challenge_id, "caller_token": token_hash or b""}
    row = connection.execute(_FOUND, values).mappings().first()
    found = None if row is None else dict(row)
    if found is None and (daily := find_daily(connection, challenge_id, now)):
        found = {**daily, **_NOBODY}
    caller = None if found is None else found["caller"]
    if caller is None:
        ask = require_caller if around_me else identify
        known = ask(connection, token_hash)
        caller = None if known is None else known.id
    in_it = found is not None and found["entry_id"] is not None
    challenge = dict(visible(found, caller, entered=in_it))
    if around_me:
        entered(challenge if in_it else None)
    return challenge


def _par(connection: Connection, challenge: Columns, now: int) -> Par | None:
    if revealed_at(challenge, now) is None:
        return None
    return par_of_challenge(connection, Terms.of(challenge), challenge["seed"])


def _own_spot(challenge: Columns) -> Spot | None:
    if challenge["standing"] is None or challenge["disqualified_at"] is not None:
        return None
    return Spot(challenge["standing"], challenge["entry_id"])


def _leaderboard(
    items: list[RankedEntry],
    following: Key | None,
    preceding: Key | None,
    challenge: Columns,
    par: Par | None,
    now: int,
) -> Leaderboard:
    return Leaderboard(
        items=items,
        next=following,
        prev=preceding,
        provisional=revealed_at(challenge, now) is None,
        revision=challenge["revision"],
        order=challenge["order"],
        entered=challenge["entered"],
        ranked=challenge["ranked"],
        par=par,
        now=now,
    )


def _ranked_entry(
    row: RowMapping, rank: int, challenge: Columns, par: Par | None, now: int
) -> RankedEntry:
    standing = read_standing(challenge["order"], row["standing"])
    return RankedEntry(
        rank=rank,
        player=row["name"],
        bot=row["bot"],
        attempt=row["attempt"],
        standing=standing,
        status=status_at(row["status"], row["shown_deadline"], now),
        state=entry_state(dict(row), challenge, now),
        game_id=None if revealed_at(challenge, now) is None else row["game_id"],
        to_par=par.distance(standing.actions) if par is not None and standing.won else None,
    )
