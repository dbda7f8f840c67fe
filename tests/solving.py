"""What tests of the solver's use cases share: deals of which is known what becomes of them."""

import copy

from service.solver import solve
from service.solver.solution import Budget
from tests.naive.deals import opening
from tests.naive.engine import Naive
from tests.naive.variants import DEFAULT_BASES, cruel_options

# Seeds of `cruel`: the README wins the first; of the second a handful of positions can be reached,
# none of them won; the third is lost at its opening; the fourth takes some thousand positions.
WINNABLE, UNWINNABLE, LOST, HARD = "32", "29", "135", "11"


def naive_game(variant, seed):
    """Deal a game in the other engine."""
    if variant == "calculation":
        options = {"bases": DEFAULT_BASES}
        return Naive(variant, options, opening(variant, options, seed))
    options = cruel_options(variant)
    return Naive("cruel", options, opening("cruel", options, seed), undo=False)


def wins(variant, seed, line, *, after=()):
    """Tell whether the other engine accepts a line, which wins with its last move."""
    game = naive_game(variant, seed)
    for number, move in enumerate([*after, *line]):
        assert game.status == "in_progress", number
        assert game.play(move) is None, number
    return game.status == "won"


def reachable(game):
    """Give every state of the other engine that a game can come to, redeals and all."""
    found, open_games = {str(game.table.shown()): game.status}, [game]
    while open_games:
        game = open_games.pop()
        for move in game.legal_moves():
            after = copy.deepcopy(game)
            after.play(move)
            state = str(after.table.shown())
            if state not in found:
                found[state] = after.status
                open_games.append(after)
    return found


def searching_by_nodes(nodes):
    """Give a search that spends nodes instead of time, so that every machine finds the same."""

    def search(rules, position, goal, _budget):
        search.calls += 1
        return solve(rules, position, goal, Budget(nodes=nodes))

    search.calls = 0
    return search
