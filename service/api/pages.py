"""The page: its files, and one HTML document that names what it is about, for previews of links.

The document knows nothing that a stranger may not: it is the same whoever asks. All that people see
of a game the page asks the API for, with the token that it keeps.
"""

from html import escape
from string import Template

from flask import Blueprint, Response, request

from service.api.context import answer_once, base_url
from service.api.deals import FOR_EVER
from service.api.errors import Problem
from service.api.page_texts import TEXTS
from service.api.previews import (
    PICTURE,
    Preview,
    preview_challenge,
    preview_daily,
    preview_deal,
    preview_game,
    preview_home,
    preview_place,
    preview_player,
)
from service.api.variants import asked_language
from service.boards.png import draw_png
from service.web import files, modules_of, version

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_DOCUMENT = "index.html"

blueprint = Blueprint("pages", __name__)


@blueprint.before_request
def ignore_if_match() -> None:
    """Serve files to all: nobody can change one, so there is nothing to insist on."""
    request.environ.pop("HTTP_IF_MATCH", None)


@blueprint.route("/")
def home() -> Response:
    """Serve the page where somebody chooses what to play."""
    return _answer(preview_home(), "home.js", root="")


@blueprint.route("/games/<game_id>")
def game(game_id: str) -> Response:
    """Serve the page of a game, for all: where a stranger finds none its player may."""
    return _answer(preview_game(game_id) or preview_home(), "play/page.js", root="../")


@blueprint.route("/games/<game_id>/replay")
def replay(game_id: str) -> Response:
    """Serve the page that replays a game, as that of the game."""
    return _answer(preview_game(game_id) or preview_home(), "replay.js", root="../../")


@blueprint.route("/deals/<variant>/<seed>")
def deal(variant: str, seed: str) -> Response:
    """Serve the page of a deal; 404 where there is none of that name."""
    return _answer(preview_deal(variant, seed, request.args), "deal.js", root="../../")


@blueprint.route("/challenges")
def challenge_list() -> Response:
    """Serve the page with the challenges."""
    return _answer(preview_place("challenges"), "challenges/list.js", root="")


@blueprint.route("/challenges/new")
def new_challenge() -> Response:
    """Serve the page where a challenge is set up."""
    return _answer(preview_place("new"), "challenges/create.js", root="../")


@blueprint.route("/challenges/<challenge_id>")
def challenge(challenge_id: str) -> Response:
    """Serve the page of a challenge; 404 where there is none."""
    return _answer(preview_challenge(challenge_id), "challenges/page.js", root="../")


@blueprint.route("/daily/<variant>")
def daily(variant: str) -> Response:
    """Serve the page of today's challenge; 404 where there is no such variant."""
    return _answer(preview_daily(variant), "daily.js", root="../")


@blueprint.route("/players/me")
def me() -> Response:
    """Serve the page of whoever plays here."""
    return _answer(preview_place("me"), "players/account.js", root="../")


@blueprint.route("/players/<name>")
def player(name: str) -> Response:
    """Serve the page of a player; 404 where there is none."""
    return _answer(preview_player(name), "players/page.js", root="../")


@blueprint.route(PICTURE)
def picture() -> Response:
    """Draw the picture of what has no board to show."""
    drawn = draw_png(files()["preview.svg"].body.decode("utf-8"))
    response = Response(drawn, mimetype="image/png")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return answer_once(response)


@blueprint.route("/page/<built>/<path:name>")
def file(built: str, name: str) -> Response:
    """Serve a file of the page; ``built`` names the state of all files, so they stay for ever.

    Who asks for another state, in the middle of an upgrade, gets the file that there is.
    """
    found = files().get(name)
    if found is None or name == _DOCUMENT:
        detail = f"there is nothing at {request.path}: /docs lists what there is"
        raise Problem(code="not_found", detail=detail)
    packed = request.accept_encodings.quality("gzip") > 0
    response = Response(found.packed if packed else found.body, content_type=found.mimetype)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Cache-Control"] = FOR_EVER if built == version() else "no-cache"
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    response.headers["Vary"] = "Accept-Encoding"
    return answer_once(response)


def _answer(found: Preview | None, module: str, *, root: str) -> Response:
    """Fill the document in; ``root`` leads from its path to that of the service.

    ``module`` shows the page: it and all that it imports is named, so that it is fetched at once.

    Where nothing is found it is that of the first page, with 404: the page itself may still find
    what a stranger does not.
    """
    about = found or preview_home()
    language = asked_language()
    assets = f"{root}page/{version()}/"
    modules = dict.fromkeys(modules_of("app.js") + modules_of(module))
    values = {
        "language": language,
        "title": about.title,
        "description": about.description,
        "picture": f"{base_url()}{about.picture}",
        "url": f"{base_url()}{request.path}",
        "assets": assets,
        "noscript": TEXTS[language]["noscript"],
    }
    safe = {name: escape(text) for name, text in values.items()}
    preloads = [f'<link rel="modulepreload" href="{assets}{name}">' for name in modules]
    document = Template(files()[_DOCUMENT].body.decode("utf-8"))
    html = document.substitute(safe, preloads="\n    ".join(preloads))
    headers = {
        "Cache-Control": "no-cache",
        "Content-Language": language,
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "Referrer-Policy": "no-referrer",
        "Vary": "Accept-Language",
    }
    if not found:
        return Response(html, 404, headers, mimetype="text/html")
    return answer_once(Response(html, 200, headers, mimetype="text/html"))
