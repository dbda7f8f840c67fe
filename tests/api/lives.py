"""A game of Calculation by somebody who knows its stock, and what each reply may tell of it."""

import base64
import re
from itertools import chain
from urllib.parse import quote
from xml.etree import ElementTree as ET

from sqlalchemy import select, update

from service.db.tables import games
from tests.api.routes import routes_of
from tests.api.scanning import text_of
from tests.boards.test_svg import drawn_cards, named_cards
from tests.conftest import Player
from tests.naive.deals import opening
from tests.naive.engine import CalculationTable, Naive
from tests.naive.variants import DEFAULT_BASES

# A seed that a player names.
NAMED = "a-seed-that-somebody-chose"
CARD = re.compile(r"(?<![A-Za-z0-9])[A23456789TJQK][CDHS](?![A-Za-z0-9])")
OPTIONS = {"bases": DEFAULT_BASES}
TEXTS = [*CalculationTable(OPTIONS, {"stock": []}).texts(), "U", "Q", "R", "X"]
TEXT = {"Accept": "text/plain"}


def row_of(db, game_id):
    with db.connect() as connection:
        query = select(games).where(games.c.id == game_id)
        return dict(connection.execute(query).mappings().one())


def write_row(db, row):
    with db.connect() as connection:
        connection.execute(update(games).where(games.c.id == row["id"]).values(row))


class Life:
    """A game of Calculation, what the one who plays it has seen of it, and what is hidden."""

    def __init__(self, app, db, client, seed=None):
        self.app, self.client = app, client
        self.player, self.other = Player(client), Player(client)
        self.other.start("cruel")
        self.player.start("calculation", seed)
        self.id, self.seed = self.player.id, row_of(db, self.player.id)["seed"]
        # The other engine deals the seed, and so knows the stock.
        self.naive = Naive("calculation", OPTIONS, opening("calculation", OPTIONS, self.seed))
        self.replies = 0

    @property
    def face_up(self):
        """Every card that lies, or has lain, face up."""
        return set(deck()) - set(self.naive.table.stock[1:])

    def viewers(self):
        return {"player": self.player.auth, "stranger": {}, "other": self.other.auth}

    def play(self, move):
        assert self.naive.play(move) is None
        return self.player.play(move)

    def check(self, reply, *, seed_too=True):
        """Check that a reply tells nothing that is hidden."""
        self.replies += 1
        told = f"{text_of(reply)}\n{reply.headers}"
        if seed_too:
            check_seed(told, self.seed)
        if reply.mimetype == "image/svg+xml" and reply.data:
            root = ET.fromstring(reply.data)  # noqa: S314 - what we drew ourselves
            self.check_picture(root)
            # Its words alone: the outlines of suits may look like cards.
            told = f"{' '.join(root.itertext())}\n{reply.headers}"
        assert set(CARD.findall(told)) <= self.face_up
        if reply.status_code < 300 and reply.is_json and reply.data:
            self.check_state(reply.json)

    def check_state(self, state):
        assert "stock" not in state
        if "wastes" in state:
            table = self.naive.table
            assert state["wastes"] == table.wastes
            assert state["foundations"] == table.foundations
            assert state["card"] == (table.stock[0] if table.stock else None)
            assert state["stock_count"] == max(len(table.stock) - 1, 0)

    def check_picture(self, root):
        """Check that a picture draws and names each card that lies face up, and no other."""
        table = self.naive.table
        shown = [*table.foundations, *chain(*table.wastes), *table.stock[:1]]
        assert sorted(card for card, _, _ in drawn_cards(root)) == sorted(shown)
        assert sorted(named_cards(root)) == sorted(shown)


def deck():
    return [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def check_seed(told, seed):
    """Check that a text holds a seed in no form in which it might slip out."""
    for form in (seed, seed[::-1], quote(seed, safe=""), base64.b64encode(seed.encode()).decode()):
        assert form.lower() not in told.lower()


def about(life):
    """Give the routes that have to do with the game, but for pixels, drawn from the SVG."""
    found = [
        route
        for route in routes_of(life.app, life.id)
        if life.id in route.path and route.endpoint != "pictures.get_game_png"
    ]
    assert len(found) >= 9
    return found


def ask_everything(life, headers):
    """Ask every route for what it knows about the game, and give the replies."""
    for route in about(life):
        if route.verb == "GET":
            for accept in ({}, TEXT):
                yield route.send(life.client, headers={**headers, **accept})
        yield life.client.head(route.path, headers=headers)
        yield life.client.options(route.path, headers=headers)
