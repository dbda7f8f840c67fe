"""What hypothesis draws: options, positions in the middle of games, histories, JSON.

Cards are shuffled by a drawn number, which is much faster than drawing each card.
"""

import random
from typing import Any

from hypothesis import strategies as st

from service.rules import VARIANTS
from service.rules.cards import RANKS, SUITS
from service.rules.cruel import CHOICES
from service.rules.deals import algorithm_of
from service.rules.record import Record

# Foundation f of Calculation, by ranks.
SEQUENCES = ("A23456789TJQK", "2468TQA3579JK", "369Q258JA47TK", "48Q37J26TA59K")

limits = st.one_of(st.none(), st.integers(0, 3), st.integers(0, 99))
cruel_options = st.fixed_dictionaries(
    {name: st.sampled_from(choices) for name, choices in CHOICES.items()} | {"redeal_limit": limits}
)
seeds = st.one_of(
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,127}", fullmatch=True).filter(
        lambda seed: not seed.startswith("pysol-")
    ),
    st.integers(1, 10**20).map("pysol-{}".format),
    st.integers(1, 2**33 - 1).map("pysol-ms{}".format),
)
bases = st.tuples(*[st.sampled_from([rank + suit for suit in SUITS]) for rank in RANKS[:4]]).map(
    list
)
numbers = st.integers(0, 2**32)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def _cut(cards: list[str], count: int, rng: random.Random) -> list[list[str]]:
    ends = sorted(rng.randint(0, len(cards)) for _ in range(count - 1))
    return [cards[start:end] for start, end in zip([0, *ends], [*ends, len(cards)], strict=True)]


def _cruel_data(tops: list[int], number: int) -> dict[str, Any]:
    rng = random.Random(number)
    cards = [rank + suit for suit, top in zip(SUITS, tops, strict=True) for rank in RANKS[top:]]
    rng.shuffle(cards)
    return {
        "foundations": [RANKS[top - 1] + suit for suit, top in zip(SUITS, tops, strict=True)],
        "piles": _cut(cards, 12, rng),
    }


def _calculation_data(heights: list[int], chosen: list[str], number: int) -> dict[str, Any]:
    """Build four foundations of these heights from random suits; the rest is shuffled."""
    rng = random.Random(number)
    of_rank = {rank: [rank + suit for suit in SUITS] for rank in RANKS}
    for cards in of_rank.values():
        rng.shuffle(cards)
    for base in chosen:
        of_rank[base[0]].remove(base)
    foundations = list(chosen)
    for place, height in enumerate(heights):
        for rank in SEQUENCES[place][1:height]:
            foundations[place] = of_rank[rank].pop()
    cards = [card for left in of_rank.values() for card in left]
    rng.shuffle(cards)
    stock, *wastes = _cut(cards, 5, rng)
    return {"stock": stock, "wastes": wastes, "foundations": foundations}


# Full boards and nearly empty ones: the fewer cards, the more often a game ends.
_tops = st.one_of(
    st.lists(st.integers(1, 13), min_size=4, max_size=4),
    st.lists(st.integers(9, 13), min_size=4, max_size=4),
    st.just([1, 1, 1, 1]),
)
# Foundations 1 to 4 can be of any heights: no rank is needed more often than it is there.
_heights = st.one_of(
    st.lists(st.integers(1, 13), min_size=4, max_size=4),
    st.lists(st.integers(10, 13), min_size=4, max_size=4),
    st.just([1, 1, 1, 1]),
)

cruel_data = st.builds(_cruel_data, _tops, numbers)


def calculation_data(chosen: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw the JSON form of a position over these bases."""
    return st.builds(_calculation_data, _heights, st.just(chosen), numbers)


@st.composite
def configured(draw: st.DrawFn, family: str | None = None) -> Any:
    """Draw the rules of a variant under any options."""
    family = family or draw(st.sampled_from(["cruel", "cruel", "calculation"]))
    if family == "cruel":
        return VARIANTS["cruel"].configured(draw(cruel_options), None)
    return VARIANTS["calculation"].configured({"bases": draw(bases)}, None)


@st.composite
def starts(draw: st.DrawFn, family: str | None = None) -> tuple[Any, dict[str, Any]]:
    """Draw rules under any options, and the JSON form of a position of theirs."""
    rules = draw(configured(family))
    if rules.family == "cruel":
        return rules, draw(cruel_data)
    return rules, draw(calculation_data(rules.options()["bases"]))


@st.composite
def histories(draw: st.DrawFn, rules: Any) -> tuple[list[str], list[int] | None]:
    """Draw well-formed moves, legal or not, and perhaps their times."""
    texts = [*rules.move_texts, "U", "Q"]
    moves = draw(st.lists(st.sampled_from(texts), max_size=40))
    if not moves or draw(st.booleans()):
        return moves, None
    times = st.lists(st.integers(0, 10**18 - 1), min_size=len(moves), max_size=len(moves))
    return moves, sorted(draw(times))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw a record of any variant, from a seed or from a position."""
    variant = draw(st.sampled_from(list(VARIANTS)))
    family = VARIANTS[variant].family
    rules, data = draw(starts(family))
    moves, times = draw(histories(rules))
    undo = draw(st.booleans()) and not rules.hides_cards
    seed = draw(st.none() | seeds)
    return Record(
        variant=variant,
        rules=rules,
        seed=seed,
        deal_algorithm=None if seed is None else algorithm_of(seed),
        position=rules.read_position(data) if seed is None else None,
        undo=undo,
        moves=tuple(moves),
        times_ms=tuple(times) if times else None,
    )
