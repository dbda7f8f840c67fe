"""What previews of links tell of each page: a heading, a sentence and a picture.

It is the same whoever asks, so it knows nothing that a stranger may not, and of a challenge no card
before the reveal. Each of these gives None where a stranger finds nothing.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from service.api.context import services
from service.api.deals import read_opening
from service.api.errors import Problem
from service.api.page_texts import TEXTS
from service.api.variants import asked_language, variant_json
from service.rules import VARIANTS
from service.rules.errors import Invalid, UnknownVariant
from service.usecases import challenges, games
from service.usecases.challenge_views import ChallengeView
from service.usecases.errors import NotFound
from service.usecases.instants import write_instant
from service.usecases.player_statistics import read_statistics

# Without a card, for what is still a secret, and for what no card stands for.
PICTURE = "/preview.png"
_HOME_PICTURE = "/v1/deals/cruel/semilla/board.png"
# The options that change a deal, as its route takes them.
_DEALING = ("deal", "bases")


class Preview(NamedTuple):
    """What a document is about: a heading, a sentence, and the path of a picture."""

    title: str
    description: str
    picture: str


def preview_home() -> Preview:
    """Tell what the service is."""
    return Preview(_text("title"), _text("home"), _HOME_PICTURE)


def preview_place(name: str) -> Preview:
    """Tell of a page that is the same for all: ``challenges``, ``new`` or ``me``."""
    return Preview(_text(f"{name}.title"), _text(name), PICTURE)


def preview_game(game_id: str) -> Preview | None:
    """Tell how a game stands."""
    service = services()
    try:
        view = games.read(service.db, game_id, None, service.now_ms())
    except NotFound:
        return None
    description = _text(view.game.status, up=view.game.score.cards_up)
    return Preview(_title(view.variant, view.seed), description, f"/v1/games/{view.id}.png")


def preview_deal(variant: str, seed: str, asked: Mapping[str, str]) -> Preview | None:
    """Tell of a deal; of ``asked`` those parameters count that change one."""
    query = {name: asked[name] for name in _DEALING if name in asked}
    try:
        opening = read_opening(query, variant, seed)
    except (Invalid, Problem, UnknownVariant):
        return None
    return Preview(_title(opening.variant, seed), _text("deal"), _board(variant, seed, query))


def preview_challenge(challenge_id: str) -> Preview | None:
    """Tell of a challenge where it stands; its board is shown once it has finished."""
    service = services()
    try:
        view = challenges.read(service.db, challenge_id, None, service.now_ms())
    except NotFound:
        return None
    terms = view.terms
    description = _text(
        f"challenge.{view.state}",
        kind=_text(f"clock.{terms.clock}"),
        variant=_name(terms.variant),
        starts=_minute(terms.starts_at),
        ends=_minute(terms.ends_at),
        entered=view.entered,
    )
    return Preview(view.title, description, _revealed(view))


def preview_daily(variant: str) -> Preview | None:
    """Tell of the daily challenges of a variant."""
    if variant not in VARIANTS:
        return None
    return Preview(_text("daily.title", variant=_name(variant)), _text("daily"), PICTURE)


def preview_player(name: str) -> Preview | None:
    """Tell what a player has done."""
    service = services()
    try:
        found = read_statistics(service.db, name, service.now_ms())
    except NotFound:
        return None
    ends = found.tally.ends
    description = _text("player", won=ends.won, finished=ends.finished)
    return Preview(found.player.name, description, PICTURE)


def _revealed(view: ChallengeView) -> str:
    if view.revealed_at is None or view.seed is None:
        return PICTURE
    options = json.loads(view.terms.options)
    query = {
        name: value if isinstance(value, str) else ",".join(value)
        for name, value in options.items()
        if name in _DEALING
    }
    return _board(view.terms.variant, view.seed, query)


def _board(variant: str, seed: str, query: Mapping[str, str]) -> str:
    changed = urlencode(query, safe=",")
    return f"/v1/deals/{variant}/{seed}/board.png{'?' if changed else ''}{changed}"


def _title(variant: str, seed: str | None) -> str:
    return _name(variant) if seed is None else f"{_name(variant)}, {_text('seed')} {seed}"


def _name(variant: str) -> str:
    return str(variant_json(variant, asked_language())["title"])


def _minute(instant: int) -> str:
    """Write an instant for people: its day and minute of UTC."""
    return f"{write_instant(instant)[:16].replace('T', ' ')} UTC"


def _text(key: str, **values: object) -> str:
    return TEXTS[asked_language()][key].format(**values)
