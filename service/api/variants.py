"""Variants: the games on offer, with their rules in English and Spanish."""

from functools import cache
from importlib import resources

from flask import Response, request

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, answer, answer_once, answers_in
from service.api.replies import VariantSchema, VariantsSchema
from service.api.tokens import refuse_unknown_token
from service.api.variant_texts import LANGUAGES, NOTATION, OPTIONS
from service.rules import VARIANTS, find_variant
from service.rules.cruel import CHOICES, FANNED, REDEAL_LIMITS

_READS = ("Accept-Language", "If-None-Match")

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
    language = asked_language()
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
    language = asked_language()
    return _cacheable(variant_json(variant, language), language)


@cache
def variant_json(name: str, language: str) -> dict[str, object]:
    """Give a variant of ``VARIANTS`` in a language of ``LANGUAGES``."""
    rules = VARIANTS[name]
    options = rules.options().items()
    text = (resources.files(__package__) / "texts" / language / f"{name}.md").read_text("utf-8")
    title, summary, _ = text.split("\n\n", 2)
    return {
        "variant": name,
        "family": rules.family,
        "title": title.removeprefix("# "),
        "summary": " ".join(summary.split()),
        "options": {name: _option(name, value, language) for name, value in options},
        "undo": not rules.hides_cards,
        "fanned": name in FANNED,
        "move_notation": NOTATION[language][rules.family],
        "rules": text,
        "language": language,
    }


def _option(name: str, default: object, language: str) -> dict[str, object]:
    option: dict[str, object] = {"default": default, "description": OPTIONS[language][name]}
    if name in CHOICES:
        option["values"] = list(CHOICES[name])
    if name == "redeal_limit":
        option |= {"minimum": REDEAL_LIMITS[0], "maximum": REDEAL_LIMITS[-1], "nullable": True}
    return option


def asked_language() -> str:
    """Choose the language of an answer by ``Accept-Language``."""
    return request.accept_languages.best_match(LANGUAGES, LANGUAGES[0]) or LANGUAGES[0]


def _cacheable(data: object, language: str) -> Response:
    headers = {
        "Content-Language": language,
        "Vary": "Accept-Language",
        "Cache-Control": "public, max-age=3600",
    }
    return answer_once(answer(data, headers=headers))
