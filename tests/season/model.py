"""The ranking of a challenge once more: the naive engine's results, ranked by what api.md says."""

import copy
import json
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from tests.naive.deals import opening
from tests.naive.engine import Naive
from tests.ranking import Result, key
from tests.stateful.model import copied


class Outcome(NamedTuple):
    """What a history comes to."""

    status: str
    cards_up: int
    actions: int
    redeals: int


class Deal:
    """A deal under its rules; each history is played out by the naive engine once."""

    def __init__(self, variant, options, seed):
        family = "calculation" if variant == "calculation" else "cruel"
        start = opening(family, options, seed)
        self._games = {(): Naive(family, options, start, undo=False)}

    def after(self, moves):
        """Give what these moves come to, all of which must be allowed."""
        game = self._game(tuple(moves))
        table = game.table
        return Outcome(game.status, table.cards_up(), table.moves + table.redeals, table.redeals)

    def _game(self, moves):
        known = len(moves)
        while moves[:known] not in self._games:
            known -= 1
        for end in range(known + 1, len(moves) + 1):
            game = copy.copy(self._games[moves[: end - 1]])
            game.table, game.history, game.before = copied(game.table), [], []
            refused = game.play(moves[end - 1])
            assert refused is None, (moves[:end], refused)
            self._games[moves[:end]] = game
        return self._games[moves]


@cache
def deal_of(terms, seed):
    """Give the deal of a challenge by the published text of its terms; once for each."""
    told = json.loads(terms)
    return Deal(told["variant"], told["options"], seed)


@dataclass
class Played:
    """An attempt; instants in ms since 1970 UTC, ``times`` in ms since ``started``."""

    number: int
    game_id: str
    started: int
    deadline: int
    moves: list[str] = field(default_factory=list)
    times: list[int] = field(default_factory=list)


@dataclass
class Entry:
    """Somebody in a challenge, with their attempts in order."""

    id: str
    player: str | None
    bot: bool
    attempts: list[Played] = field(default_factory=list)
    forfeited: bool = False
    disqualified: bool = False


def result(deal, played):
    """Give what an attempt is ranked by; to resign is no action."""
    outcome = deal.after(played.moves)
    acted = [at for move, at in zip(played.moves, played.times, strict=True) if move != "Q"]
    return Result(
        outcome.status == "won",
        outcome.cards_up,
        outcome.actions,
        outcome.redeals,
        acted[-1] if acted else 0,
    )


def status(deal, played, now):
    """Give how an attempt stands now."""
    found = deal.after(played.moves).status
    return "timed_out" if found == "in_progress" and now >= played.deadline else found


def state(deal, entry, most, now, *, over):
    """Give how an entry stands; ``most``: the attempts allowed; ``over``: the challenge is."""
    if entry.forfeited:
        return "forfeited"
    if not entry.attempts:
        return "no_show" if over else "registered"
    latest = status(deal, entry.attempts[-1], now)
    if not over and (latest == "in_progress" or len(entry.attempts) < most):
        return "playing"
    return "timed_out" if latest == "timed_out" else "finished"


def ranking(deal, terms, entries, now, *, over, par=None):
    """Give the items of a leaderboard, all of them in their order.

    ``terms``: those published, as JSON; ``over``: whether the challenge has finished; ``par``: what
    is told of it.
    """
    ranked = []
    for entry in entries:
        if entry.attempts and not entry.disqualified:
            results = [result(deal, played) for played in entry.attempts]
            keys = [key(terms["order"], each) for each in results]
            best = keys.index(max(keys))  # of equal ones the first
            ranked.append((keys[best], entry, entry.attempts[best], results[best]))
    ranked.sort(key=lambda row: row[1].id)
    ranked.sort(key=lambda row: row[0], reverse=True)
    return [
        {
            "rank": 1 + sum(other > own for other, *_ in ranked),
            "player": {"name": entry.player, "bot": entry.bot},
            "attempt": best.number,
            **found._asdict(),
            "status": status(deal, best, now),
            "state": state(deal, entry, terms["attempts"], now, over=over),
            "game_id": best.game_id if over else None,
            "to_par": found.actions - par["length"] if par and found.won else None,
        }
        for own, entry, best, found in ranked
    ]
