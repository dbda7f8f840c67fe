"""Boards as pictures: SVG documents that need nothing else, and the same as PNG."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.blueprint import ApiBlueprint
from service.api.context import PNG, SVG, answer_once, answers_in, services
from service.api.deals import FOR_EVER, read_opening
from service.api.requests import DealSchema
from service.api.tokens import bearer, refuse_unknown_token
from service.api.variants import variant_json
from service.boards.png import draw_png
from service.boards.svg import draw_game_svg, draw_opening_svg
from service.boards.terminal import changed_options
from service.rules.family import Rules
from service.rules.game import Game
from service.usecases import games

# The least under which a picture that is opened by itself keeps its colours.
CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_PICTURE = {"type": "string", "description": "An SVG document."}
_PNG = {"type": "string", "format": "binary", "description": "A PNG."}

blueprint = ApiBlueprint(
    "pictures", __name__, url_prefix="/v1", description="Boards as pictures, for pages."
)


@blueprint.route("/games/<game_id>.svg")
@blueprint.response(200, _PICTURE, content_type=SVG)
@blueprint.operation("getGamePicture", "not_found")
@answers_in(SVG)
def get_game_picture(game_id: str) -> Response:
    """Look at the board of a game.

    It shows what reading the game shows, no card more; its title and description say it in words.
    """
    return _answer(_draw_game(game_id), SVG, "no-store")


@blueprint.route("/games/<game_id>.png")
@blueprint.response(200, _PNG, content_type=PNG)
@blueprint.operation("getGamePng", "not_found")
@answers_in(PNG)
def get_game_png(game_id: str) -> Response:
    """Look at the board of a game as PNG.

    The same picture, 640 pixels wide, for what shows no SVG, such as previews of links.
    """
    return _answer(draw_png(_draw_game(game_id)), PNG, "no-store")


@blueprint.route("/deals/<variant>/<seed>/board.svg")
@blueprint.arguments(DealSchema, location="query")
@blueprint.response(200, _PICTURE, content_type=SVG)
@blueprint.operation("getDealPicture", "not_found", "validation_failed", reads=["If-None-Match"])
@answers_in(SVG)
def get_deal_picture(query: Mapping[str, Any], variant: str, seed: str) -> Response:
    """Look at the board that a seed deals.

    The opening as a player sees it: of Calculation's stock only the turned card lies face up.
    """
    refuse_unknown_token()
    return answer_once(_answer(_draw_deal(query, variant, seed), SVG, FOR_EVER))


@blueprint.route("/deals/<variant>/<seed>/board.png")
@blueprint.arguments(DealSchema, location="query")
@blueprint.response(200, _PNG, content_type=PNG)
@blueprint.operation("getDealPng", "not_found", "validation_failed", reads=["If-None-Match"])
@answers_in(PNG)
def get_deal_png(query: Mapping[str, Any], variant: str, seed: str) -> Response:
    """Look at the board that a seed deals as PNG.

    The same picture, 640 pixels wide, for what shows no SVG, such as previews of links.
    """
    refuse_unknown_token()
    return answer_once(_answer(draw_png(_draw_deal(query, variant, seed)), PNG, FOR_EVER))


def _draw_game(game_id: str) -> str:
    service = services()
    view = games.read(service.db, game_id, bearer(), service.now_ms())
    return draw_game_svg(view.game, _title(view.variant, view.game.rules, view.seed))


def _draw_deal(query: Mapping[str, Any], variant: str, seed: str) -> str:
    opening = read_opening(query, variant, seed)
    game = Game.start(opening.rules, opening.position, undo=False)
    return draw_opening_svg(game, _title(variant, opening.rules, seed))


def _title(variant: str, rules: Rules[Any], seed: str | None) -> str:
    """Name a board: the variant, the seed where the viewer may know it, and changed options."""
    known = [] if seed is None else [f"seed {seed}"]
    changed = changed_options(variant, rules, seed)
    return ", ".join([str(variant_json(variant, "en")["title"]), *known, *changed])


def _answer(drawn: str | bytes, kind: str, kept: str) -> Response:
    headers = {"Cache-Control": kept, "Content-Security-Policy": CONTENT_SECURITY_POLICY}
    return Response(drawn, headers=headers, mimetype=kind)
