"""What the searches work with, against the rules: moves, redeals, keys, and what is surely lost."""

import random

import pytest

from service.rules.cards import DECK, parse_card
from service.rules.cruel import CHOICES
from service.rules.cruel_redeals import redeal_piles
from service.rules.family import REDEAL
from service.solver import (
    Engine,
    cruel_bounds,
    cruel_children,
    cruel_layout,
    cruel_met,
    cruel_search,
)
from service.solver.cruel_layout import CELLS, END
from tests.solver.endgames import by_rules, endgame, every_rules, name_of, rules_of

BUILDS = CHOICES["build"]


def searching(options, piles, **more):
    rules = rules_of(options)
    position = rules.read_position({"piles": piles})
    return cruel_search.Search(Engine.PYTHON, rules, position, "best_first", **more)


def positions(name, count, most):
    """Give seeded endgames under every combination of options in turn."""
    rng = random.Random(name)
    every = every_rules((None, 1))
    for number in range(count):
        yield every[number % len(every)], endgame(rng, rng.randint(1, most))


def as_bits(cards):
    return sum(1 << card for card in cards)


def laid(search, slot):
    """Give the piles of a slot that hold cards."""
    piles, pile = [], []
    for cell in search.pool.cells[slot * CELLS : slot * CELLS + search.pool.sizes[slot]]:
        pile.append(cell & 63)
        if cell & END:
            piles.append(bytes(pile))
            pile = []
    assert not pile
    return tuple(piles)


def reached(rules, position, move):
    return tuple(pile for pile in rules.apply(position, move).piles if pile)


def expanded(search):
    """Give the slots of all children of the start, none left out for being lost."""
    state = search.state
    cruel_children.expand(search.pool, search.keys, search.setup, state, 0, -1, -1)
    return range(1, state[cruel_layout.COUNT])


@pytest.fixture
def nothing_is_dead(monkeypatch):
    monkeypatch.setattr(cruel_met, "is_dead", lambda *_: False)


@pytest.mark.usefixtures("nothing_is_dead")
def test_the_children_of_a_position_are_those_of_the_rules_moves():
    seen = set()
    for options, piles in positions("children", 600, 40):
        rules = rules_of(options)
        position = rules.read_position({"piles": piles})
        search = searching(options, piles)
        start = laid(search, 0)
        found = {laid(search, slot) for slot in expanded(search)}
        moves = rules.moves(position)
        assert found == {reached(rules, position, move) for move in moves} - {start}
        seen |= {(options["build"], move == REDEAL, move[-1] == "F") for move in moves}
    assert len(seen) == 6


@pytest.mark.usefixtures("nothing_is_dead")
def test_the_key_of_a_child_is_the_one_that_its_cells_have():
    for options, piles in positions("keys", 300, 40):
        search = searching(options, piles)
        for slot in expanded(search):
            node = search.pool.nodes[slot]
            kept = search.pool.low[node], search.pool.high[node]
            cruel_met.write_key(search.pool, search.keys, slot)
            assert kept == (search.pool.low[node], search.pool.high[node])


def test_the_parts_of_keys_differ():
    keys = list(cruel_search.keys_of(Engine.PYTHON))
    assert len(keys) == 2 * (53 * 53 + 52)
    assert len(set(keys)) == len(keys)
    assert all(-(2**63) <= key < 2**63 for key in keys)


@pytest.mark.parametrize("redeal", CHOICES["redeal"])
def test_a_redeal_gives_the_piles_of_the_rules(redeal):
    rng = random.Random(redeal)
    for _ in range(200):
        piles = endgame(rng, rng.randint(1, 40))
        options = every_rules()[0] | {"redeal": redeal}
        search = searching(options, piles)
        search.pool.nodes[1] = 1
        search.state[cruel_layout.COUNT] = 1
        cruel_children.begin_child(search.pool, search.state, 0, cruel_layout.REDEAL)
        changed = cruel_children.redealt(
            search.pool,
            search.keys,
            search.setup,
            search.state,
            0,
        )
        start = rules_of(options).read_position({"piles": piles}).piles
        wanted = tuple(pile for pile in redeal_piles(redeal, start) if pile)
        assert laid(search, 1) == wanted
        assert changed is (wanted != laid(search, 0))


@pytest.mark.parametrize("build", range(2))
def test_who_can_be_put_on_whom_is_as_in_the_rules(build):
    rules = rules_of(every_rules()[0] | {"build": BUILDS[build]})
    rng = random.Random(build)
    in_piles = [card for card in DECK if card % 13]
    for _ in range(200):
        tops = rng.sample(in_piles, rng.randint(1, 12))
        position = rules.opening("deal/1", "any")._replace(
            piles=tuple(bytes([card]) for card in tops), foundations=bytes(4)
        )
        moves = [move.split(">") for move in rules.moves(position) if move != REDEAL]
        pairs = [(tops[int(a) - 1], tops[int(b) - 1]) for a, b in moves if b != "F"]
        assert cruel_bounds.movers(build, as_bits(tops)) == as_bits({a for a, _ in pairs})
        assert cruel_bounds.takers(build, as_bits(tops)) == as_bits({b for _, b in pairs})


def test_the_next_cards_are_the_lowest_of_each_suit():
    cards = [parse_card(text) for text in "4C KC TD JD QD KD KS".split()]
    assert cruel_bounds.next_cards(as_bits(cards)) == as_bits(
        parse_card(text) for text in "4C TD KS".split()
    )
    assert cruel_bounds.next_cards(0) == 0


def test_what_is_called_dead_cannot_be_won():
    dead = dict.fromkeys(map(name_of, every_rules((None, 1))), 0)
    for options, piles in positions("dead", 2_000, 9):
        search = searching(options, piles)
        if cruel_bounds.is_dead(search.pool, search.setup, 0):
            dead[name_of(options)] += 1
            assert by_rules(options, piles) is None, piles
    assert all(
        bool(count) == ("fans" not in name or name.endswith("0")) for name, count in dead.items()
    )


def test_no_win_takes_fewer_builds_and_redeals_than_the_least():
    bounds = set()
    for options, piles in positions("least", 1_000, 8):
        search = searching(options, piles)
        least = cruel_bounds.least_cost(search.pool, search.setup, 0)
        fewest = by_rules(options, piles)
        if fewest is not None:
            assert least <= fewest - search.pool.sizes[0], piles
            bounds.add(least)
    assert bounds >= {0, 1, 2}


# Each is lost whatever is played, and shows it by the order of its piles.
@pytest.mark.parametrize(
    "piles",
    [
        "QC KC",  # the king covers the card that must go up before it
        "JC KC / QC",
        "QC KD QD KC / JC",
    ],
)
def test_a_card_over_a_lower_one_in_the_first_pile_that_nothing_can_take_is_lost(piles):
    lying = [pile.split() for pile in piles.split(" / ")]
    lying += [[] for _ in range(12 - len(lying))]
    search = searching(every_rules()[0], lying)
    assert cruel_bounds.is_dead(search.pool, search.setup, 0)
