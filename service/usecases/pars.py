"""Par: the fewest actions in which a deal is known to be won; told once nobody plays it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Connection, bindparam, select

from service.db.direct import DirectConnection, Statement
from service.db.tables import solutions
from service.rules.family import Status
from service.solver.solution import Solution
from service.usecases.challenge_terms import Terms
from service.usecases.game_views import GameView, StoredGame
from service.usecases.secret_deals import IN_PLAY, seed_values
from service.usecases.solutions import key_of_seed

_ASKED = select(solutions.c.length, solutions.c.lower_bound, IN_PLAY).where(
    solutions.c.deal == bindparam("deal"), solutions.c.length.is_not(None)
)
_OF_DEAL = Statement(_ASKED)


@dataclass(frozen=True, slots=True)
class Par:
    """The length of the shortest line known, and whether it is proven that none is shorter."""

    length: int
    proven_shortest: bool

    @classmethod
    def of(cls, solution: Solution) -> Self | None:
        """Give the par of a deal as it was solved, None where no line is known."""
        if solution.length is None:
            return None
        return cls(solution.length, solution.proven_shortest)

    def distance(self, actions: int) -> int:
        """Give how many actions more a win took; negative where it is better than what is known."""
        return actions - self.length


@dataclass(frozen=True, slots=True)
class GameWithPar:
    """A game as its viewer may see it, with the par of its deal where that is known and told."""

    view: GameView
    par: Par | None

    @property
    def to_par(self) -> int | None:
        """How many actions more than the par the win took; None without a win or a par."""
        game = self.view.game
        if self.par is None or game.status is not Status.WON:
            return None
        return self.par.distance(game.score.actions)


def is_told(stored: StoredGame) -> bool:
    """Tell whether a game's deal is no secret any more: it has ended, its challenge has finished.

    A free game's deal may still be that of a challenge.
    """
    in_challenge = stored.row["challenge_id"] is not None
    return stored.revealed if in_challenge else stored.ended


def par_of_game(connection: DirectConnection, stored: StoredGame, now: int) -> Par | None:
    """Give the par of a stored game's deal where it may be told: one SELECT, none while it runs.

    While a challenge is played on that deal it is not told.
    """
    if not is_told(stored):
        return None
    row = stored.row
    deal = key_of_seed(stored.game.rules, row["deal_algorithm"], row["seed"])
    return _told(connection.first(_OF_DEAL, {"deal": deal, **seed_values(row["seed"], now)}))


def par_of_challenge(connection: Connection, terms: Terms, seed: str, now: int) -> Par | None:
    """Give the par of a challenge that is revealed: one SELECT.

    While another challenge is played on that deal it is not told.
    """
    deal = key_of_seed(terms.rules, terms.deal_algorithm, seed)
    found = connection.execute(_ASKED, {"deal": deal, **seed_values(seed, now)}).mappings().first()
    return _told(found)


def _told(found: Mapping[Any, Any] | None) -> Par | None:
    if found is None or found["in_play"]:
        return None
    return Par(found["length"], found["length"] <= found["lower_bound"])
