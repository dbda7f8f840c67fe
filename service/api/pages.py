"""The page: its files, and one HTML document that names what it is about, for previews of links.

The document knows nothing that a stranger may not: it is the same whoever asks. All that people see
of a game the page asks the API for, with the token that it keeps.
"""

from html import escape
from string import Template
from typing import NamedTuple

from flask import Blueprint, Response, request

from service.api.context import answer_once, base_url, services
from service.api.deals import FOR_EVER, read_opening
from service.api.errors import Problem
from service.api.page_texts import TEXTS
from service.api.variants import asked_language, variant_json
from service.rules.errors import Invalid, UnknownVariant
from service.usecases import games
from service.usecases.errors import NotFound
from service.web import files, version

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_DOCUMENT = "index.html"
# The options that change a deal, as its route takes them.
_DEALING = ("deal", "bases")

blueprint = Blueprint("pages", __name__)


class _About(NamedTuple):
    """What a document is about: a heading, a sentence, and the path of a picture."""

    title: str
    description: str
    picture: str


@blueprint.before_request
def ignore_if_match() -> None:
    """Serve files to all: nobody can change one, so there is nothing to insist on."""
    request.environ.pop("HTTP_IF_MATCH", None)


@blueprint.route("/")
def home() -> Response:
    """Serve the page where somebody chooses what to play."""
    return _answer(_home(), root="")


@blueprint.route("/games/<game_id>")
def game(game_id: str) -> Response:
    """Serve the page of a game; 404 where a stranger finds none, and its player may still."""
    service = services()
    try:
        view = games.read(service.db, game_id, None, service.now_ms())
    except NotFound:
        return _answer(_home(), root="../", status=404)
    up = view.game.score.cards_up
    description = TEXTS[asked_language()][view.game.status].format(up=up)
    title = _title(view.variant, view.seed)
    return _answer(_About(title, description, f"/v1/games/{view.id}.png"), root="../")


@blueprint.route("/deals/<variant>/<seed>")
def deal(variant: str, seed: str) -> Response:
    """Serve the page of a deal; 404 where there is none of that name."""
    query = {name: request.args[name] for name in _DEALING if name in request.args}
    try:
        opening = read_opening(query, variant, seed)
    except (Invalid, Problem, UnknownVariant):
        return _answer(_home(), root="../../", status=404)
    changed = "&".join(f"{name}={query[name]}" for name in query)
    picture = f"/v1/deals/{variant}/{seed}/board.png{'?' if changed else ''}{changed}"
    description = TEXTS[asked_language()]["deal"]
    about = _About(_title(opening.variant, seed), description, picture)
    return _answer(about, root="../../")


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


def _home() -> _About:
    texts = TEXTS[asked_language()]
    return _About(texts["title"], texts["home"], "/v1/deals/cruel/semilla/board.png")


def _title(variant: str, seed: str | None) -> str:
    named = str(variant_json(variant, asked_language())["title"])
    return named if seed is None else f"{named}, {TEXTS[asked_language()]['seed']} {seed}"


def _answer(about: _About, *, root: str, status: int = 200) -> Response:
    """Fill the document in; ``root`` leads from its path to that of the service."""
    language = asked_language()
    assets = f"{root}page/{version()}/"
    modules = [name for name in files() if name.endswith(".js") and not name.startswith("i18n/")]
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
    response = Response(html, status, headers, mimetype="text/html")
    return response if status != 200 else answer_once(response)  # noqa: PLR2004 - OK
