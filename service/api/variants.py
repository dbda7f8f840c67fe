"""Variants: the games on offer, with their rules in English and Spanish."""

from functools import cache
from importlib import resources

from flask import Response, request

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, answer, answers_in
from service.api.replies import VariantSchema, VariantsSchema
from service.api.requests import OPTIONS
from service.api.tokens import refuse_unknown_token
from service.rules import VARIANTS, find_variant
from service.rules.cruel import CHOICES, FANNED, REDEAL_LIMITS
from service.rules.game import RESIGN, UNDO

LANGUAGES = ("en", "es")
_READS = ("Accept-Language", "If-None-Match")

_NOTATION = {
    "cruel": ["7>3: top of pile 7 onto pile 3", "7>F: to its foundation", "R: redeal"],
    "calculation": [
        "S>F2: the turned card to foundation 2",
        "S>W3: the turned card onto waste 3",
        "W3>F2: top of waste 3 to foundation 2",
    ],
}

blueprint = ApiBlueprint(
    "variants", __name__, url_prefix="/v1/variants", description="The games on offer."
)
blueprint.before_request(refuse_unknown_token)


@blueprint.route("")
@blueprint.response(200, VariantsSchema)
@blueprint.operation("listVariants", reads=_READS)
@answers_in(JSON)
def list_variants() -> Response:
    """List the games on offer.

    Each with its options and their ranges, how its moves are written, and its rules in English or
    Spanish, whichever `Accept-Language` asks for.
    """
    language = _language()
    return _cacheable({"items": [variant_json(name, language) for name in VARIANTS]}, language)


@blueprint.route("/<variant>")
@blueprint.response(200, VariantSchema)
@blueprint.operation("getVariant", "not_found", reads=_READS)
@answers_in(JSON)
def get_variant(variant: str) -> Response:
    """Read one game on offer.

    Its options and their ranges, how its moves are written, and its rules in English or Spanish,
    whichever `Accept-Language` asks for.
    """
    find_variant(variant)
    language = _language()
    return _cacheable(variant_json(variant, language), language)


@cache
def variant_json(name: str, language: str) -> dict[str, object]:
    """Give a variant of ``VARIANTS`` in a language of ``LANGUAGES``."""
    rules = VARIANTS[name]
    text = (resources.files(__package__) / "texts" / language / f"{name}.md").read_text("utf-8")
    title, summary, _ = text.split("\n\n", 2)
    undo = [] if rules.hides_cards else [f"{UNDO}: undo"]
    return {
        "variant": name,
        "family": rules.family,
        "title": title.removeprefix("# "),
        "summary": " ".join(summary.split()),
        "options": {name: _option(name, value) for name, value in rules.options().items()},
        "undo": not rules.hides_cards,
        "fanned": name in FANNED,
        "move_notation": [*_NOTATION[rules.family], *undo, f"{RESIGN}: resign"],
        "rules": text,
        "language": language,
    }


def _option(name: str, default: object) -> dict[str, object]:
    option: dict[str, object] = {"default": default, "description": OPTIONS[name]}
    if name in CHOICES:
        option["values"] = list(CHOICES[name])
    if name == "redeal_limit":
        option |= {"minimum": REDEAL_LIMITS[0], "maximum": REDEAL_LIMITS[-1], "nullable": True}
    return option


def _language() -> str:
    return request.accept_languages.best_match(LANGUAGES, LANGUAGES[0]) or LANGUAGES[0]


def _cacheable(data: object, language: str) -> Response:
    response = answer(data)
    response.headers["Content-Language"] = language
    response.headers["Vary"] = "Accept-Language"
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.add_etag()
    response.make_conditional(request)
    return response
