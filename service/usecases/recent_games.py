"""The games that this process has played on lately, as they were then.

Whoever plays a game mostly plays it over one connection, so the next move comes to the process
that recorded the last: it need not read the game again. Nothing of this is trusted: a move is
stored only where the row still holds what is remembered here, and is refused only by what was read.
"""

from collections import OrderedDict

from service.db.per_engine import PerEngine
from service.usecases.game_views import StoredGame

# Of each process, some KB each. Who comes back after so many others waits for one SELECT.
MOST = 1_024


class RecentGames:
    """The games of one database, those played on longest ago first; for any number of threads."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, StoredGame] = OrderedDict()

    def take(self, game_id: str) -> StoredGame | None:
        """Give a game and forget it: whoever plays it on remembers it as it is then."""
        return self._games.pop(game_id, None)

    def keep(self, stored: StoredGame) -> None:
        """Remember a game that has just been recorded."""
        self._games[stored.row["id"]] = stored
        if len(self._games) > MOST:
            self._games.popitem(last=False)

    def clear(self) -> None:
        """Forget them all."""
        self._games.clear()


# The games that this process remembers of a database.
recent_games = PerEngine(RecentGames)
