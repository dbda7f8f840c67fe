"""Players: register under a name, change it or the token, leave for good."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, and_, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from service.db.engine import write_transaction
from service.db.tables import challenges, entries, games, player_names, players
from service.usecases.callers import Caller, lock_caller
from service.usecases.errors import NameTaken, NotFound
from service.usecases.idempotency import Key, make_once
from service.usecases.ids import new_id
from service.usecases.names import check_name, fold_name, is_name
from service.usecases.tokens import hash_token, new_player_token


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as everybody may see them. ``created_at``: ms since 1970 UTC."""

    name: str
    bot: bool
    created_at: int


@dataclass(frozen=True, slots=True)
class PlayerToken:
    """A player, and the token that stands for them, which is shown this once.

    ``replayed``: whether the request had registered them before; then there is a token, a fresh one
    in place of the first, only while the player has done nothing.
    """

    player: PlayerView
    token: str | None
    replayed: bool = False


def register(db: Engine, *, name: str, bot: bool, now: int, key: Key | None = None) -> PlayerToken:
    """Register a player. With a ``key`` that has registered one already they are the answer.

    Raises ``Invalid`` with the place, ``NameReserved``, ``NameTaken`` and ``KeyReused``.
    """
    check_name(name)
    player_id, token = new_id(now), new_player_token()
    row = {
        "id": player_id,
        "name": name,
        "bot": bot,
        "token_hash": hash_token(token),
        "created_at": now,
    }

    def make(connection: Connection) -> None:
        connection.execute(insert(players), row)
        _take(connection, player_id, name)

    if key is not None:
        made = make_once(db, key, player_id, now, make)
        if made != player_id:
            return _replay(db, made, name, bot=bot)
    else:
        with write_transaction(db) as connection:
            make(connection)
    return PlayerToken(PlayerView(name, bot, now), token)


def change(
    db: Engine, token_hash: bytes | None, *, name: str | None, bot: bool | None
) -> PlayerView:
    """Change the name or the flag of the player of a token; None leaves it as it is.

    The old name stays theirs: nobody else gets it, and they may go back to it. Raises what
    ``register`` and ``require_caller`` raise.
    """
    with write_transaction(db) as connection:
        caller = lock_caller(connection, token_hash)
        if name is not None:
            rename(connection, caller.id, name)
        if bot is not None:
            connection.execute(update(players).where(players.c.id == caller.id).values(bot=bot))
    return PlayerView(
        name=caller.name if name is None else name,
        bot=caller.bot if bot is None else bot,
        created_at=caller.created_at,
    )


def rename(connection: Connection, player_id: str, name: str) -> None:
    """Give a player another name, or the same in other letters, in a write transaction."""
    check_name(name)
    holder = select(player_names.c.player_id).where(player_names.c.folded == fold_name(name))
    if connection.execute(holder).scalar() != player_id:
        _take(connection, player_id, name)
    connection.execute(update(players).where(players.c.id == player_id).values(name=name))


def rotate(db: Engine, token_hash: bytes | None) -> PlayerToken:
    """Give the player of a token another one, which voids it."""
    token = new_player_token()
    with write_transaction(db) as connection:
        caller = lock_caller(connection, token_hash)
        fresh = {"token_hash": hash_token(token)}
        connection.execute(update(players).where(players.c.id == caller.id).values(fresh))
    return PlayerToken(player_view(caller), token)


def remove(db: Engine, token_hash: bytes | None, now: int) -> None:
    """Delete the player of a token: nothing leads to them any more, and what they did stays.

    Their names stay taken. What they are playing is left as it is: nobody can play it.
    """
    with write_transaction(db) as connection:
        caller = lock_caller(connection, token_hash)
        gone = {"name": None, "token_hash": None, "deleted_at": now}
        connection.execute(update(players).where(players.c.id == caller.id).values(gone))
        theirs = player_names.c.player_id == caller.id
        connection.execute(update(player_names).where(theirs).values(player_id=None))


def find_named(connection: Connection, name: str, *, lock: bool = False) -> Row[Any]:
    """Find the player who has a name now, in whatever capitals: one SELECT.

    ``lock``: keep others off them until the write transaction ends. Raises ``NotFound`` for a name
    that nobody has, or has any more.
    """
    asked = holder_of(name)
    if lock:
        asked = asked.with_for_update(of=players)
    # What is no name may be no text that a database takes.
    found = connection.execute(asked).first() if is_name(name) else None
    if found is None:
        detail = "nobody has this name"
        raise NotFound(detail)
    return found


def holder_of(name: str) -> Select[Any]:
    """Ask for the player who has a name now, in whatever capitals; by an index."""
    folded = fold_name(name)
    return (
        select(players)
        .join_from(player_names, players, player_names.c.player_id == players.c.id)
        .where(player_names.c.folded == folded, func.lower(players.c.name) == folded)
    )


def player_view(player: Row[Any] | Caller) -> PlayerView:
    """Show a player to everybody."""
    return PlayerView(player.name, player.bot, player.created_at)


def _take(connection: Connection, player_id: str, name: str) -> None:
    """Take a name for a player; ``NameTaken`` ends the transaction."""
    try:
        row = {"folded": fold_name(name), "player_id": player_id}
        connection.execute(insert(player_names), row)
    except IntegrityError as error:
        detail = f"the name {name} is or was somebody's: take another one"
        raise NameTaken(detail) from error


def _replay(db: Engine, player_id: str, name: str, *, bot: bool) -> PlayerToken:
    """Answer a request again: while the player has done nothing, with a token that voids the first.

    Where they are deleted by now it is as for everybody else: the name is taken.
    """
    token = new_player_token()
    names = select(func.count()).where(player_names.c.player_id == player_id).scalar_subquery()
    unused = and_(
        players.c.id == player_id,
        players.c.token_hash.is_not(None),
        players.c.name == name,
        players.c.bot == bot,
        names == 1,
        *(
            ~exists().where(column == player_id)
            for column in (games.c.owner, entries.c.player_id, challenges.c.host)
        ),
    )
    with write_transaction(db) as connection:
        fresh = {"token_hash": hash_token(token)}
        given = connection.execute(update(players).where(unused).values(fresh)).rowcount
        asked = select(players).where(players.c.id == player_id)
        row = connection.execute(asked).one()
    if row.deleted_at is not None:
        detail = f"the name {name} was somebody's: take another one"
        raise NameTaken(detail)
    return PlayerToken(player_view(row), token if given else None, replayed=True)
