"""A game in play straight at the use cases, and the row that holds it."""

from contextlib import contextmanager

import pytest
from sqlalchemy import text

from service.db.direct import DirectConnection
from service.rules.game import Game
from service.rules.record_text import format_moves
from service.usecases import game_views, games, new_games, playing
from service.usecases.tokens import hash_token

# Of `cruel` with the seed `semilla`: four moves that stand, and after which no card can move.
OPENING_MOVES = ["12>2", "1>11", "6>9"]
FOUR_MOVES = ["6>9", "1>11", "12>2", "1>6"]
# Deals of `cruel` that are lost at the opening.
LOST_SEEDS = ["s268", "s400", "s486", "s835"]


class Sitting:
    """A game just started, and somebody who holds its token and plays it."""

    def __init__(self, db, clock, variant="cruel", *, seed="semilla", undo=None, **options):
        self.db = db
        self.clock = clock
        new = new_games.create(
            db, variant=variant, options=options, seed=seed, undo=undo, now=clock.ms
        )
        self.opened = new.view
        self.id = new.view.id
        self.token = new.token
        self.hash = hash_token(new.token)

    def play(self, *moves, at=None):
        """Play as the holder of the token; how it went."""
        return playing.play(self.db, self.id, self.hash, moves, at, self.clock.ms)

    def play_out(self):
        """Play the first legal move until the game has ended; the view of it then."""
        while moves := self.view().game.legal_moves():
            self.play(moves[0])
        return self.view()

    def view(self):
        """Read the game as the holder of the token."""
        return self.view_with(self.hash)

    def view_with(self, token_hash):
        """Read the game as the holder of some token, or of none."""
        return games.read(self.db, self.id, token_hash, self.clock.ms)

    def history(self, **place):
        """Read a page of the history, by default all of it."""
        terms = {"after": None, "before": None, "limit": 10_000, **place}
        return games.history(self.db, self.id, self.hash, self.clock.ms, **terms)

    @property
    def moves(self):
        """The move texts of the history."""
        return [move for _, move, _ in self.history().entries]

    @property
    def row(self):
        """The row just as it is stored."""
        query = text("SELECT * FROM games WHERE id = :id")
        with self.db.connect() as connection:
            return dict(connection.execute(query, {"id": self.id}).mappings().one())

    def write(self, **columns):
        """Write over columns of the row, right or wrong."""
        given = ", ".join(f"{name} = :{name}" for name in columns)
        query = text(f"UPDATE games SET {given} WHERE id = :id")  # noqa: S608 - names of columns
        with self.db.connect() as connection:
            connection.execute(query, {**columns, "id": self.id})

    def replayed(self):
        """Give the game that the stored history leads to, from the opening."""
        record = games.record(self.db, self.id, self.hash, self.clock.ms)
        game, failure = record.replay()
        assert failure is None
        return game

    def fill(self, count):
        """Write a history of so many redeals into the row, as if they had been played at once."""
        view = self.view()
        rules, opening = view.game.rules, view.game.position
        game = Game.start(rules, opening, undo=view.game.undo)
        for _ in range(count):
            game = game.advance("R")
        history = format_moves(["R"] * count, [0] * count)
        self.write(history=history, **game_views.cached_columns(game))


@contextmanager
def before_updates(act, times=1):
    """Let somebody act just before the next updates of a game, which have read it already."""
    left, inside, change = times, False, DirectConnection.change

    def interfere(*arguments):
        nonlocal left, inside
        if left and not inside:
            left, inside = left - 1, True
            act()
            inside = False
        return change(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DirectConnection, "change", interfere)
        yield
    assert not left
