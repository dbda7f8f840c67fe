"""The words of the contract, each list a schema of its own, so that clients have one type for it.

Lists grow, but for the cards: a reply may hold a word that a client does not know yet.
"""

from collections.abc import Iterable
from typing import Any

from service.api.errors import STATUSES, by_status
from service.rules import VARIANTS
from service.rules.cards import TEXTS
from service.rules.cruel import CHOICES
from service.rules.deals import ALGORITHMS
from service.rules.family import REASONS, Status
from service.solver.solution import Goal, Verdict
from service.usecases.challenge_rows import VISIBILITIES
from service.usecases.challenge_states import CLOCKS, ChallengeState, EntryState
from service.usecases.daily_leaderboards import PERIODS
from service.usecases.standing import ORDERS


def _words(description: str, words: Iterable[str]) -> dict[str, Any]:
    return {"description": description, "type": "string", "enum": [*words]}


_CODES = ". ".join(
    f"{status}: {', '.join(f'`{code}`' for code in codes)}"
    for status, codes in by_status(tuple(STATUSES))
)

WORDS = {
    "Card": _words("A card: its rank, A 2 … 9 T J Q K, and its suit, C D H S.", TEXTS),
    "VariantName": _words("The name of a variant.", VARIANTS),
    "Family": _words(
        "Whose rules a variant follows.", dict.fromkeys(rules.family for rules in VARIANTS.values())
    ),
    "DealAlgorithm": _words("What deals a seed; `docs/deals.md` tells how.", ALGORITHMS),
    "Deal": _words("A value of the option `deal`.", CHOICES["deal"]),
    "Build": _words("A value of the option `build`.", CHOICES["build"]),
    "Redealing": _words("A value of the option `redeal`.", CHOICES["redeal"]),
    "RedealWhen": _words("A value of the option `redeal_when`.", CHOICES["redeal_when"]),
    "Status": _words("How a game stands.", Status),
    "Clock": _words("Whose clock runs in a challenge: each attempt's, or one for all.", CLOCKS),
    "ChallengeState": _words("Where a challenge stands.", ChallengeState),
    "EntryState": _words("Where an entry in a challenge stands.", EntryState),
    "Period": _words("Over which time the dailies are ranked.", PERIODS),
    "Reason": _words("The rule that forbids a move.", REASONS),
    "Order": _words("What ranks those who got equally far.", ORDERS),
    "Goal": _words("What a search is for.", Goal),
    "Verdict": _words("Whether a position can be won.", Verdict),
    "Visibility": _words("Whether a challenge stands in lists.", VISIBILITIES),
    "ProblemCode": _words(f"What went wrong, by HTTP status. {_CODES}.", STATUSES),
}
_NAMES = {tuple(schema["enum"]): name for name, schema in WORDS.items()}
# Nobody will add a card to the pack.
_CLOSED = ("Card",)


def schema_ref(name: str) -> dict[str, str]:
    """Give a reference to a schema of the contract."""
    return {"$ref": f"#/components/schemas/{name}"}


def name_words(schema: Any, *, grows: bool = False) -> Any:
    """Give a schema with a reference wherever it spelt one of the lists out.

    ``grows``: other words than those of today may come too.
    """
    if isinstance(schema, list):
        return [name_words(part, grows=grows) for part in schema]
    if not isinstance(schema, dict):
        return schema
    name = _NAMES.get(tuple(word for word in schema.get("enum", ()) if word is not None))
    if name is None:
        return {key: name_words(part, grows=grows) for key, part in schema.items()}
    choices = [schema_ref(name)]
    if grows and name not in _CLOSED:
        choices.append({"type": "string"})
    if "null" in schema["type"]:
        choices.append({"type": "null"})
    rest = {key: value for key, value in schema.items() if key not in ("type", "enum")}
    return {**rest, "anyOf": choices} if len(choices) > 1 else {**rest, **choices[0]}
