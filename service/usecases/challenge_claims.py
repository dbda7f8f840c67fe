"""What the record of a challenge claims, read from JSON that anybody may have written.

Nothing here is checked but the form: ``verify_challenge`` checks what is claimed. Append-only:
records are kept by others, so what is read today must be read for ever; a new form is another
``FORMAT``.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from service.rules.errors import Invalid
from service.rules.record import read_rules
from service.usecases.challenge_states import CLOCKS
from service.usecases.challenge_terms import ATTEMPTS, TIME_LIMITS_MS, Terms
from service.usecases.game_views import MAX_HISTORY, canonical_options
from service.usecases.standing import ORDERS

FORMAT = "semilla-challenge/1"

_HEAD = (
    *("record", "id", "terms", "commitment", "seed", "former_terms"),
    *("rules_version", "revealed_at", "dealt"),
)
_FIGURES = ("cards_up", "moves", "redeals", "actions", "elapsed_ms")
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

T = TypeVar("T")


class NoRecord(ValueError):  # noqa: N818 - what it is not
    """It is not the record of a challenge, or not the whole of it; the sentence says why."""


@dataclass(frozen=True, slots=True)
class FormerClaim:
    """Terms that were replaced."""

    revision: int
    terms: str
    commitment: str
    seed: str


@dataclass(frozen=True, slots=True)
class AttemptClaim:
    """An attempt; instants in ms since 1970 UTC; ``score``: the figures by their names."""

    entry: str
    player: str | None
    disqualified: bool
    number: int
    game_id: str
    started_at: int
    deadline: int
    status: str
    score: Mapping[str, int]
    moves: tuple[str, ...]
    times_ms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A whole record; ``revealed_at``: ms since 1970 UTC."""

    id: str
    terms: str
    commitment: str
    seed: str
    former: tuple[FormerClaim, ...]
    rules_version: int
    revealed_at: int
    dealt: int
    attempts: tuple[AttemptClaim, ...]


def read_pages(pages: Sequence[object]) -> Claim:
    """Read all pages of a record, in their order; ``NoRecord`` where they are not that."""
    read = [typed(page, dict, "a page") for page in pages]
    if not read or any(page.get("record") != FORMAT for page in read):
        detail = (
            f"a page of the record of a challenge is an object whose field record is {FORMAT!r}"
        )
        raise NoRecord(detail)
    head = read[0]
    if any(page.get(name) != head.get(name) for page in read for name in _HEAD):
        detail = "its pages are not of one record: their heads differ"
        raise NoRecord(detail)
    if head.get("prev") is not None or read[-1].get("next") is not None:
        detail = "pages are missing: the first has no prev, and the last no next"
        raise NoRecord(detail)
    former = field_of(head, "former_terms", list)
    return Claim(
        id=field_of(head, "id", str),
        terms=field_of(head, "terms", str),
        commitment=field_of(head, "commitment", str),
        seed=field_of(head, "seed", str),
        former=tuple(_former(typed(each, dict, "one of former_terms")) for each in former),
        rules_version=field_of(head, "rules_version", int),
        revealed_at=_instant(head, "revealed_at"),
        dealt=field_of(head, "dealt", int),
        attempts=tuple(
            _attempt(typed(item, dict, "one of items"))
            for page in read
            for item in field_of(page, "items", list)
        ),
    )


def read_terms(text: str) -> Terms:
    """Read published terms; ``NoRecord`` where the text is not exactly as terms are written."""
    try:
        data = typed(json.loads(text), dict, "terms")
        rules = read_rules(data.get("variant"), data.get("options"))
    except Invalid as error:
        detail = f"its terms cannot be read: {error}"
        raise NoRecord(detail) from error
    except (ValueError, RecursionError) as error:
        detail = "its terms are no JSON object"
        raise NoRecord(detail) from error
    limit = data.get("time_limit_ms")
    known: dict[str, Any] = {
        **{field.name: data.get(field.name) for field in fields(Terms)},
        "options": canonical_options(rules),
        "starts_at": _instant(data, "starts_at"),
        "ends_at": _instant(data, "ends_at"),
    }
    for name in ("seed_public", "require_winnable"):
        field_of(data, name, bool)
    fits = (
        field_of(data, "clock", str) in CLOCKS
        and field_of(data, "order", str) in ORDERS
        and field_of(data, "attempts", int) in ATTEMPTS
        and (limit is None or field_of(data, "time_limit_ms", int) in TIME_LIMITS_MS)
    )
    terms = Terms(**known)
    if not fits or terms.write() != text:
        detail = "its terms are not written as those of a challenge are"
        raise NoRecord(detail)
    return terms


def _former(data: Mapping[str, object]) -> FormerClaim:
    return FormerClaim(
        revision=field_of(data, "revision", int),
        terms=field_of(data, "terms", str),
        commitment=field_of(data, "commitment", str),
        seed=field_of(data, "seed", str),
    )


def _attempt(data: Mapping[str, object]) -> AttemptClaim:
    player, score = field_of(data, "player", dict), field_of(data, "score", dict)
    moves, times = field_of(data, "moves", list), field_of(data, "times_ms", list)
    if len(moves) > MAX_HISTORY or len(times) != len(moves):
        detail = f"a history has at most {MAX_HISTORY} moves, and a time for each"
        raise NoRecord(detail)
    return AttemptClaim(
        entry=field_of(data, "entry", str),
        player=nullable(player, "name", str),
        disqualified=nullable(data, "disqualified", dict) is not None,
        number=field_of(data, "attempt", int),
        game_id=field_of(data, "game_id", str),
        started_at=_instant(data, "started_at"),
        deadline=_instant(data, "deadline"),
        status=field_of(data, "status", str),
        score={figure: field_of(score, figure, int) for figure in _FIGURES},
        moves=tuple(typed(move, str, "one of moves") for move in moves),
        times_ms=tuple(typed(time, int, "one of times_ms") for time in times),
    )


def field_of(data: Mapping[str, object], name: str, kind: type[T]) -> T:
    """Give a field that must be of this kind; raises ``NoRecord``."""
    return typed(data.get(name), kind, name)


def nullable(data: Mapping[str, object], name: str, kind: type[T]) -> T | None:
    """Give a field that must be there, as null or of this kind; raises ``NoRecord``."""
    if name not in data:
        detail = f"{name} is missing"
        raise NoRecord(detail)
    return None if data[name] is None else typed(data[name], kind, name)


def typed(value: object, kind: type[T], what: str) -> T:
    """Give a value that must be of this kind; raises ``NoRecord``, which names ``what`` it is."""
    # True is no number here.
    if type(value) is not kind:
        detail = f"{what} is not {_KINDS[kind]}"
        raise NoRecord(detail)
    return value


def _instant(data: Mapping[str, object], name: str) -> int:
    text = field_of(data, name, str)
    try:
        found = datetime.fromisoformat(text if _INSTANT.fullmatch(text) else "")
        return (found - _EPOCH) // timedelta(milliseconds=1)
    except ValueError as error:
        detail = f"{name} is no instant as in 2026-01-31T18:00:00.000Z"
        raise NoRecord(detail) from error
