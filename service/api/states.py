"""Games and positions as JSON: what each reply holds, field by field."""

from typing import Any

from flask import Response

from service.api.context import (
    JSON,
    NO_STORE,
    TEXT,
    answer,
    answer_text,
    chosen_type,
    instant,
    instant_or_null,
)
from service.api.par_answers import game_par_json
from service.api.text import draw_view
from service.rules.cards import card_texts
from service.rules.family import RedealPreview
from service.rules.game import Game
from service.usecases.deals import Opening
from service.usecases.evaluate import Evaluation
from service.usecases.game_views import GameView
from service.usecases.pars import GameWithPar

# The fields of a game in a list; ``seed`` where the viewer may know it.
LISTED = (
    *("id", "variant", "options", "seed", "deal_algorithm", "status", "ply", "score", "undo"),
    *(
        "started_at",
        "finished_at",
        "elapsed_ms",
        "now",
        "player",
        "challenge_id",
        "attempt",
        "deadline",
    ),
)

# The headers of games, beside those of every reply.
OF_GAMES = {**NO_STORE, "Vary": "Accept"}


def game_answer(
    view: GameView,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    token: str | None = None,
    recorded: int | None = None,
    with_par: GameWithPar | None = None,
) -> Response:
    """Answer with a game, as JSON or drawn, whichever the client accepts.

    ``token`` and ``recorded`` are added where the reply has them; ``with_par``: None where no par
    is looked up, as for those who play on and should not wait for it.
    """
    headers = {**OF_GAMES, **(headers or {})}
    known = with_par or GameWithPar(view, None)
    if chosen_type(JSON, TEXT) == TEXT:
        return answer_text(draw_view(known, token, recorded), status, headers)
    if recorded is not None:
        return answer(played_json(view, recorded), status, headers)
    body = read_json(known)
    if token is not None:
        body["token"] = token
    return answer(body, status, headers)


def read_json(read: GameWithPar) -> dict[str, object]:
    """Give a game that is read, with its par."""
    return {**game_json(read.view), **game_par_json(read)}


def played_json(view: GameView, recorded: int) -> dict[str, object]:
    """Give a game after moves, of which so many were recorded already."""
    return {**read_json(GameWithPar(view, None)), "recorded": recorded}


def game_json(view: GameView) -> dict[str, object]:
    """Give a stored game's state."""
    until = view.now if view.finished_at is None else view.finished_at
    return {
        "id": view.id,
        **_state(view.variant, view.seed, view.deal_algorithm, view.game),
        "started_at": instant(view.started_at),
        "finished_at": instant_or_null(view.finished_at),
        "elapsed_ms": max(until - view.started_at, 0),
        "now": instant(view.now),
        "player": view.player,
        "challenge_id": view.challenge_id,
        "attempt": view.attempt,
        "deadline": instant_or_null(view.deadline),
    }


def listed_json(view: GameView) -> dict[str, object]:
    """Give what a list tells of a stored game: all but the board."""
    whole = game_json(view)
    return {name: whole[name] for name in LISTED if name in whole}


def evaluation_json(evaluation: Evaluation) -> dict[str, object]:
    """Give the state that an evaluation reached, and the move that failed, if one did."""
    state = _state(evaluation.variant, evaluation.seed, evaluation.deal_algorithm, evaluation.game)
    failed = evaluation.failed
    if failed:
        state["failed"] = {
            "index": failed.index,
            "move": failed.move,
            "reason": failed.reason,
            "detail": failed.detail,
        }
    return state


def opening_json(opening: Opening) -> dict[str, object]:
    """Give the whole opening of a seed, hidden cards included."""
    return {
        "variant": opening.variant,
        "seed": opening.seed,
        "deal_algorithm": opening.deal_algorithm,
        "options": opening.rules.options(),
        **opening.rules.position_json(opening.position),
    }


def redeal_json(preview: RedealPreview) -> dict[str, object]:
    """Tell whether a redeal is accepted now, and why not."""
    refusal = preview.refusal
    return {
        "allowed": refusal is None,
        **({"reason": refusal.reason, "detail": refusal.detail} if refusal else {}),
        "changes_layout": preview.changes_layout,
        "used": preview.used,
        "left": preview.left,
    }


def redeal_preview_json(preview: RedealPreview) -> dict[str, object]:
    """Tell the same with the layout that the redeal would give."""
    return {**redeal_json(preview), "piles": [card_texts(pile) for pile in preview.piles]}


def _state(
    variant: str, seed: str | None, algorithm: str | None, game: Game[Any]
) -> dict[str, object]:
    score, preview = game.score, game.preview_redeal()
    return {
        "variant": variant,
        "options": game.rules.options(),
        **({"seed": seed} if seed is not None else {}),
        "deal_algorithm": algorithm,
        "status": game.status,
        "ply": game.ply,
        **game.rules.face_up(game.position),
        "legal_moves": game.legal_moves(),
        "redeal": redeal_json(preview) if preview else None,
        "score": {
            "cards_up": score.cards_up,
            "moves": score.moves,
            "redeals": score.redeals,
            "actions": score.actions,
            "undos": score.undos,
        },
        "undo": game.undo,
    }
