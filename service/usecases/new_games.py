"""Start stored games: one INSERT, and those of an idempotency key where the request has one."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Engine, insert, update

from service.db.direct import connect_directly
from service.db.tables import games
from service.rules import find_variant
from service.rules.errors import InvalidOptions, Within
from service.rules.family import RULES_VERSION, Rules, Status
from service.rules.game import Game
from service.usecases.callers import Caller, identify
from service.usecases.deals import Opening, find_opening
from service.usecases.game_views import (
    GameView,
    StoredGame,
    cached_columns,
    canonical_options,
    load_game,
)
from service.usecases.idempotency import Key, make_once
from service.usecases.ids import new_id
from service.usecases.tokens import hash_token, new_game_token

_DRAWS = 100
_NEW = insert(games)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game, and the token that plays it, which is shown this once.

    ``replayed``: whether the request had made it before; then there is a token, a fresh one in
    place of the first, only while nobody has played.
    """

    view: GameView
    token: str | None
    replayed: bool = False


def create(
    db: Engine,
    *,
    variant: str,
    options: Mapping[str, object],
    seed: str | None,
    undo: bool | None,
    now: int,
    token_hash: bytes | None = None,
    key: Key | None = None,
) -> NewGame:
    """Start a game of a variant with some options changed: one INSERT, one SELECT for a token.

    It belongs to the player whose token it is; otherwise it gets a token of its own. Without a
    ``seed`` the server draws one of 128 bits whose deal is not lost at the opening. ``undo`` is on
    by default where the family has it. With a ``key`` that has made a game already that game is
    the answer. Raises ``Invalid`` with the place, ``KeyReused``, and ``Unauthenticated`` where
    nobody has the token.
    """
    owner = _owner(db, token_hash)
    with Within("/variant"):
        preset = find_variant(variant)
    undo = choose_undo(preset, undo)
    opening = _deal(variant, options, seed)
    game = Game.start(opening.rules, opening.position, undo=undo)
    token = None if owner else new_game_token()
    finished_at = None if game.status is Status.IN_PROGRESS else now
    game_id = new_id(now)
    row: dict[str, Any] = {
        "id": game_id,
        "variant": variant,
        "options": canonical_options(game.rules),
        "seed": opening.seed,
        "seed_named": seed is not None,
        "deal_algorithm": opening.deal_algorithm,
        "rules_version": RULES_VERSION,
        "undo": undo,
        "owner": owner.id if owner else None,
        "token_hash": hash_token(token) if token else None,
        "history": "",
        "started_at": now,
        "finished_at": finished_at,
        **cached_columns(game),
    }
    if key is not None:
        made = make_once(db, key, game_id, now, lambda connection: connection.execute(_NEW, row))
        if made != game_id:
            return _replay(db, made, owner, token_hash, now)
    else:
        with db.connect() as connection:
            connection.execute(_NEW, row)
    return NewGame(_stored(row, game, owner).view(now), token)


def _owner(db: Engine, token_hash: bytes | None) -> Caller | None:
    if token_hash is None:
        return None
    with db.connect() as connection:
        return identify(connection, token_hash)


def _stored(row: dict[str, Any], game: Game[Any], owner: Caller | None) -> StoredGame:
    around = {"player": owner and owner.name, "challenge_id": None, "attempt": None}
    return StoredGame(
        {**row, **around, "deadline": None},
        game,
        token_hash=row["token_hash"],
        plays=True,
        revealed=False,
        last_ms=0,
    )


def _replay(
    db: Engine, game_id: str, owner: Caller | None, token_hash: bytes | None, now: int
) -> NewGame:
    """Answer a request again: while nobody has played, with a token that voids the one before.

    The game of a player has none.
    """
    if owner:
        with connect_directly(db) as connection:
            stored = load_game(connection, game_id, token_hash, now)
        return NewGame(stored.view(now), None, replayed=True)
    token = new_game_token()
    unused = (games.c.id == game_id, games.c.ply == 0)
    with db.connect() as connection:
        fresh = {"token_hash": hash_token(token)}
        given = connection.execute(update(games).where(*unused).values(fresh)).rowcount
    with connect_directly(db) as connection:
        # Loaded without the token, which a replay at the same moment may have voided by now.
        stored = replace(load_game(connection, game_id, None, now), plays=bool(given))
    return NewGame(stored.view(now), token if given else None, replayed=True)


def choose_undo(rules: Rules[Any], undo: bool | None) -> bool:  # noqa: FBT001 - what was asked for
    """Decide whether a game has undo: by default where its family may; ``Invalid`` where not."""
    if undo and rules.hides_cards:
        detail = f"{rules.family} is played without undo: it would be peeking at hidden cards"
        raise InvalidOptions(detail, "/undo")
    return not rules.hides_cards if undo is None else undo


def _deal(variant: str, options: Mapping[str, object], seed: str | None) -> Opening:
    """Deal the seed that was named; without one draw seeds until a deal is not lost at once."""
    if seed is not None:
        return find_opening(variant, seed, options)
    for _ in range(_DRAWS):
        opening = find_opening(variant, secrets.token_hex(16), options)
        if opening.rules.status(opening.position) is Status.IN_PROGRESS:
            break
    return opening
