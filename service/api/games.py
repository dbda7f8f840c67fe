"""Games: create, read, play, redeal, undo, resign, history and record."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import BODY_PROBLEMS, ApiBlueprint, Token
from service.api.context import (
    JSON,
    NO_STORE,
    TEXT,
    Services,
    answer,
    answer_text,
    answers_in,
    base_url,
    chosen_type,
    services,
)
from service.api.idempotency import HEADER, REPLAYED, idempotency_key
from service.api.paging import read_cursor, write_cursor
from service.api.replies import (
    GameSchema,
    HistorySchema,
    NewGameReplySchema,
    PlayedGameSchema,
    RedealPreviewSchema,
)
from service.api.requests import (
    AtSchema,
    MovesSchema,
    NewGameSchema,
    PageSchema,
    RecordSchema,
)
from service.api.states import game_answer, redeal_preview_json
from service.api.tokens import bearer
from service.api.watch import metrics
from service.metrics import Metrics
from service.rules.errors import InvalidMove
from service.rules.family import REDEAL, RESIGN, UNDO
from service.rules.record import to_json
from service.rules.record_text import format_record
from service.usecases import games, new_games, playing

blueprint = ApiBlueprint("games", __name__, url_prefix="/v1/games", description="Stored games.")

_PLAY_PROBLEMS = (
    *BODY_PROBLEMS,
    "forbidden",
    "not_found",
    "ply_conflict",
    "ply_gap",
    "game_over",
    "history_full",
    "time_expired",
)


@blueprint.route("", methods=["POST"])
@blueprint.arguments(NewGameSchema, required=False)
@blueprint.response(
    201, NewGameReplySchema, headers={name: name for name in ("Location", REPLAYED)}
)
@blueprint.operation("createGame", *BODY_PROBLEMS, "key_reused", reads=[HEADER], text=201)
@answers_in(JSON, TEXT)
def create_game(body: Mapping[str, Any]) -> Response:
    """Start a game, from a seed or a fresh one.

    The reply holds the token that plays it, this once. A request with an `Idempotency-Key` may be
    sent again, for 24 hours: it makes one game. The answer is that game as it is then, with a
    fresh token, which voids the one before, as long as nobody has played.
    """
    service, key = services(), idempotency_key("game", body)
    new = new_games.create(service.db, **body, now=service.now_ms(), token_hash=bearer(), key=key)
    headers = {"Location": f"{base_url()}/v1/games/{new.view.id}"}
    if new.replayed:
        headers[REPLAYED] = "true"
    else:
        metrics().game_created(new.view.variant, new.view.game.status.value)
    return game_answer(new.view, status=201, headers=headers, token=new.token)


@blueprint.route("/<game_id>")
@blueprint.response(200, GameSchema)
@blueprint.operation("getGame", "not_found", text=200)
@answers_in(JSON, TEXT)
def get_game(game_id: str) -> Response:
    """Read a game.

    Whoever has its id may; `Accept: text/plain` draws the board. While a game of Calculation runs
    its seed is shown only to who named it and sends the token. Once the game has ended, or the
    challenge has finished, it tells how far from par it was won.
    """
    service = services()
    read = games.read_with_par(service.db, game_id, bearer(), service.now_ms())
    return game_answer(read.view, with_par=read)


@blueprint.route("/<game_id>/moves", methods=["POST"])
@blueprint.arguments(MovesSchema)
@blueprint.response(200, PlayedGameSchema)
@blueprint.operation(
    "playMoves",
    *_PLAY_PROBLEMS,
    "illegal_move",
    "undo_forbidden",
    "nothing_to_undo",
    token=Token.NEEDED,
    text=200,
)
@answers_in(JSON, TEXT)
def play_moves(body: Mapping[str, Any], game_id: str) -> Response:
    """Play moves: all of them, or none.

    With `at` the same request may be sent again: what is recorded already is skipped. Where the
    stock is secret, a move that hangs on a card which this very request turns is refused.
    """
    return _play(game_id, body["moves"], body["at"])


@blueprint.route("/<game_id>/redeal", methods=["POST"])
@blueprint.arguments(AtSchema, required=False)
@blueprint.response(200, PlayedGameSchema)
@blueprint.operation("redeal", *_PLAY_PROBLEMS, "illegal_move", token=Token.NEEDED, text=200)
@answers_in(JSON, TEXT)
def redeal(body: Mapping[str, Any], game_id: str) -> Response:
    """Redeal.

    The same as the move `R`; in Calculation there is none.
    """
    return _act(game_id, REDEAL, body["at"])


@blueprint.route("/<game_id>/undo", methods=["POST"])
@blueprint.arguments(AtSchema, required=False)
@blueprint.response(200, PlayedGameSchema)
@blueprint.operation(
    "undo", *_PLAY_PROBLEMS, "undo_forbidden", "nothing_to_undo", token=Token.NEEDED, text=200
)
@answers_in(JSON, TEXT)
def undo(body: Mapping[str, Any], game_id: str) -> Response:
    """Take the latest standing action back.

    The same as the move `U`. The history keeps what was undone.
    """
    return _act(game_id, UNDO, body["at"])


@blueprint.route("/<game_id>/resign", methods=["POST"])
@blueprint.arguments(AtSchema, required=False)
@blueprint.response(200, PlayedGameSchema)
@blueprint.operation("resign", *_PLAY_PROBLEMS, token=Token.NEEDED, text=200)
@answers_in(JSON, TEXT)
def resign(body: Mapping[str, Any], game_id: str) -> Response:
    """Give the game up.

    The same as the move `Q`.
    """
    return _act(game_id, RESIGN, body["at"])


@blueprint.route("/<game_id>/redeal")
@blueprint.response(200, RedealPreviewSchema)
@blueprint.operation("previewRedeal", "not_found", "validation_failed")
@answers_in(JSON)
def preview_redeal(game_id: str) -> Response:
    """Look at what a redeal would give, without making it.

    Also where it is not accepted, and why not; in Calculation there is none.
    """
    service = services()
    preview = games.preview_redeal(service.db, game_id, bearer(), service.now_ms())
    return answer(redeal_preview_json(preview), headers=NO_STORE)


@blueprint.route("/<game_id>/moves")
@blueprint.arguments(PageSchema, location="query")
@blueprint.response(200, HistorySchema)
@blueprint.operation("getHistory", "not_found", "bad_cursor", "validation_failed")
@answers_in(JSON)
def get_history(query: Mapping[str, Any], game_id: str) -> Response:
    """Read the history, with its times.

    Undone moves and undos are entries too. Pages follow each other by `next` and `prev`.
    """
    place = read_cursor(query.get("cursor"))
    service = services()
    page = games.history(
        service.db, game_id, bearer(), service.now_ms(), **place, limit=query["limit"]
    )
    entries = [{"ply": ply, "move": move, "at_ms": at} for ply, move, at in page.entries]
    body = {
        "items": entries,
        "next": write_cursor("after", page.end) if page.has_after else None,
        "prev": write_cursor("before", page.start + 1) if page.start else None,
    }
    return answer(body, headers=NO_STORE)


@blueprint.route("/<game_id>/record")
@blueprint.response(200, RecordSchema)
@blueprint.operation("getRecord", "not_found", "still_secret", text=200)
@answers_in(JSON, TEXT)
def get_record(game_id: str) -> Response:
    """Take the portable record away; `Accept: text/plain` gives its text form.

    `POST /v1/evaluate` accepts it, and `semilla replay` verifies it offline.
    """
    service = services()
    record = games.record(service.db, game_id, bearer(), service.now_ms())
    headers = {"Cache-Control": "no-store", "Vary": "Accept"}
    if chosen_type(JSON, TEXT) == TEXT:
        return answer_text(format_record(record), headers=headers)
    return answer(to_json(record), headers=headers)


def _play(game_id: str, moves: list[str], at: int | None) -> Response:
    played = play(services(), metrics(), game_id, bearer(), moves, at)
    return game_answer(played.view, recorded=played.recorded)


def play(
    service: Services,
    counted: Metrics,
    game_id: str,
    token_hash: bytes | None,
    moves: list[str],
    at: int | None,
) -> playing.PlayedGame:
    """Play moves and count them; see ``playing.play``."""
    played = playing.play(service.db, game_id, token_hash, moves, at, service.now_ms())
    view, added = played.view, len(moves) - played.recorded
    counted.moves_played(view.variant, added, view.game.status.value)
    return played


def _act(game_id: str, move: str, at: int | None) -> Response:
    """Play the one move of a route; its body holds no move that an error could point to."""
    try:
        return _play(game_id, [move], at)
    except InvalidMove as error:
        raise InvalidMove(error.detail) from error
