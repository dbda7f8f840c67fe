"""Lists of games, newest first: what a player has played, and what was played in a challenge."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Engine, and_, or_, select, true

from service.db.tables import challenges, games, player_names, players
from service.rules.family import Status
from service.usecases.callers import Caller, identify
from service.usecases.challenge_rows import PUBLIC
from service.usecases.challenge_states import revealed_at
from service.usecases.game_views import NEEDED, GameView, StoredGame, stored_game
from service.usecases.names import fold_name
from service.usecases.pages import Key, Place, fetch_page

_KEY = (games.c.id,)
_LISTED = (
    select(
        *[games.c[name] for name in NEEDED],
        players.c.name.label("player"),
        challenges.c.cancelled_at,
        challenges.c.starts_at,
        challenges.c.finishes_at,
    )
    .join_from(games, players, players.c.id == games.c.owner)
    .outerjoin(challenges, challenges.c.id == games.c.challenge_id)
)


@dataclass(frozen=True, slots=True)
class GamePage:
    """Some games; ``next`` and ``prev`` as in ``pages.Page``: the id of a game."""

    items: list[GameView]
    next: Key | None
    prev: Key | None


def list_games(
    db: Engine,
    token_hash: bytes | None,
    *,
    player: str | None,
    challenge: str | None,
    status: str | None,
    variant: str | None,
    place: Place,
    now: int,
) -> GamePage:
    """List the games of a player, or of a challenge, or of both: one SELECT, and one for a caller.

    Callers see all of their own. Of others they see free games that have ended, and attempts of
    challenges that are revealed; where no challenge is named, only of such as stand in lists.
    ``player`` is a name, in any case, also one that they had before. Raises ``Unauthenticated``
    where nobody has the token.
    """
    with db.connect() as connection:
        caller = identify(connection, token_hash)
        asked = _LISTED.where(_visible_to(caller, challenge, now))
        if player is not None:
            named = select(player_names.c.player_id).where(
                player_names.c.folded == fold_name(player)
            )
            asked = asked.where(games.c.owner.in_(named))
        if challenge is not None:
            asked = asked.where(games.c.challenge_id == challenge)
        if status is not None:
            asked = asked.where(_has_status(Status(status), now))
        if variant is not None:
            asked = asked.where(games.c.variant == variant)
        page = fetch_page(connection, asked, _KEY, place, descending=True)
    views = []
    for found in page.rows:
        row = dict(found)
        plays = caller is not None and caller.id == row["owner"]
        revealed = row["challenge_id"] is not None and revealed_at(row, now) is not None
        stored = StoredGame(row, stored_game(row), token_hash, plays, revealed, last_ms=0)
        views.append(stored.view(now))
    return GamePage(views, page.next, page.prev)


def _visible_to(caller: Caller | None, challenge: str | None, now: int) -> ColumnElement[bool]:
    revealed = and_(
        challenges.c.cancelled_at.is_(None),
        challenges.c.finishes_at <= now,
        challenges.c.hidden_at.is_(None),
        # Who has the id of an unlisted challenge may see it, but nobody is led there.
        true() if challenge is not None else challenges.c.visibility == PUBLIC,
    )
    free = and_(games.c.challenge_id.is_(None), games.c.status != Status.IN_PROGRESS)
    seen = or_(free, and_(games.c.challenge_id.is_not(None), revealed))
    return seen if caller is None else or_(seen, games.c.owner == caller.id)


def _has_status(status: Status, now: int) -> ColumnElement[bool]:
    """Say the same as ``StoredGame.view``, where the rows are."""
    up = and_(games.c.deadline.is_not(None), games.c.deadline <= now)
    if status is Status.TIMED_OUT:
        return and_(games.c.status == Status.IN_PROGRESS, up)
    found = games.c.status == status
    return and_(found, ~up) if status is Status.IN_PROGRESS else found
