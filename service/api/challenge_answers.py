"""Challenges as JSON and as text for a terminal."""

from flask import Response

from service.api.context import (
    JSON,
    TEXT,
    answer,
    answer_text,
    base_url,
    chosen_type,
    instant,
    instant_or_null,
    person,
)
from service.api.par_answers import par_json
from service.api.preconditions import revision_tag
from service.boards.terminal import changed_options
from service.usecases.challenge_states import SHARED, ChallengeState, EntryState
from service.usecases.challenge_views import ChallengeView, FormerTerms


def challenge_answer(
    view: ChallengeView, *, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Answer with a challenge, as JSON or as text, whichever the client accepts."""
    headers = {
        "Cache-Control": "no-store",
        "ETag": revision_tag(view.revision),
        "Vary": "Accept",
        **(headers or {}),
    }
    if chosen_type(JSON, TEXT) == TEXT:
        return answer_text(draw_challenge(view), status, headers)
    return answer(challenge_json(view), status, headers)


def challenge_json(view: ChallengeView) -> dict[str, object]:
    """Give a challenge as its viewer may see it."""
    terms, host, me = view.terms, view.host, view.me
    former = None if view.former is None else [former_json(each) for each in view.former]
    return {
        "id": view.id,
        "title": view.title,
        "host": None if host is None else person(host.name, bot=host.bot),
        "visibility": view.visibility,
        "state": view.state,
        "variant": terms.variant,
        "options": terms.rules.options(),
        "deal_algorithm": terms.deal_algorithm,
        "clock": terms.clock,
        "starts_at": instant(terms.starts_at),
        "ends_at": instant(terms.ends_at),
        "time_limit_ms": terms.time_limit_ms,
        "attempts": terms.attempts,
        "order": terms.order,
        "seed_public": terms.seed_public,
        "require_winnable": terms.require_winnable,
        "terms": view.published,
        "commitment": view.commitment,
        **({} if view.seed is None else {"seed": view.seed}),
        "revealed_at": instant_or_null(view.revealed_at),
        **({} if former is None else {"par": par_json(view.par), "former_terms": former}),
        "created_at": instant(view.created_at),
        "cancelled_at": instant_or_null(view.cancelled_at),
        "entered": view.entered,
        "dealt": view.dealt,
        "me": me and {"state": me.state, "dealt": me.dealt, "disqualified": me.disqualified},
        "revision": view.revision,
        "now": instant(view.now),
    }


def former_json(former: FormerTerms) -> dict[str, object]:
    """Give terms that were replaced; with their seed where it is no secret."""
    return {
        "revision": former.revision,
        "terms": former.terms,
        "commitment": former.commitment,
        **({} if former.seed is None else {"seed": former.seed}),
    }


def draw_challenge(view: ChallengeView) -> str:
    """Write a challenge for a terminal: what is played, by whom, and the command that enters."""
    terms = view.terms
    shared = terms.clock == SHARED
    changed = changed_options(terms.variant, terms.rules, view.seed)
    secret = "never told" if view.cancelled_at else "secret until it has finished"
    limit = terms.time_limit_ms
    lines = {
        "challenge": view.id,
        "title": view.title,
        "host": _host_words(view),
        "variant": ", ".join([terms.variant, *changed]),
        "state": f"{view.state}, {view.entered} in it",
        "from": f"{instant(terms.starts_at)}{', all at once' if shared else ''}",
        "to": instant(terms.ends_at),
        # A race ends early, once all have ended.
        **({"finished": instant(view.revealed_at)} if view.revealed_at is not None else {}),
        "limit": "none" if limit is None else f"{_seconds(limit)} s for each attempt",
        "attempts": f"{terms.attempts}{', the best counts' if terms.attempts > 1 else ''}",
        "order": "the least time" if terms.order == "time" else "the fewest actions",
        "seed": secret if view.seed is None else view.seed,
        "commitment": view.commitment,
        "now": instant(view.now),
        **({"you": str(view.me.state)} if view.me else {}),
    }
    return "".join(f"{name:<10}  {words}\n" for name, words in lines.items()) + _next(view)


def _host_words(view: ChallengeView) -> str:
    if view.host is None:
        return "the service itself"
    name = "a player who is gone" if view.host.name is None else view.host.name
    return f"{name}, a bot" if view.host.bot else name


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.3f}".rstrip("0").rstrip(".")


def _next(view: ChallengeView) -> str:
    """Write the commands that enter and that have an attempt dealt, as far as they may be sent."""
    if view.state in (ChallengeState.FINISHED, ChallengeState.CANCELLED):
        return ""
    running = view.state is ChallengeState.RUNNING
    place = f"{base_url()}/v1/challenges/{view.id}/entries/me"
    enter = f"""
Enter:
curl -X PUT -H "Authorization: Bearer $TOKEN" \\
  {place}
"""
    # Sent again, the attempt that was dealt last is what one plays on with.
    play = f"""
Play{"" if running else f", from {instant(view.terms.starts_at)} on"}:
curl -X PUT -H 'Accept: text/plain' -H "Authorization: Bearer $TOKEN" \\
  {place}/attempts/{max(view.me.dealt, 1) if view.me else 1}
"""
    if view.me is None:
        return "" if running and view.terms.clock == SHARED else enter + play
    goes_on = view.me.state in (EntryState.REGISTERED, EntryState.PLAYING)
    return play if goes_on else ""
