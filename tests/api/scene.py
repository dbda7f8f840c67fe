"""A challenge with a drawn seed, entrants in every state, and everybody who might look at it."""

import re
from hashlib import sha256
from itertools import count
from types import SimpleNamespace

import pytest
from sqlalchemy import insert, select

from service.db.engine import write_transaction
from service.db.tables import Base, challenges, former_terms, games, solutions
from service.rules import VARIANTS
from service.solver import covers
from service.usecases.recent_games import recent_games
from tests.api.scanning import Secrets
from tests.conftest import NOON, Player
from tests.hosting import HOUR, MINUTE, SECOND, rfc
from tests.naive.deals import opening
from tests.naive.engine import Naive
from tests.naive.players import Dice, choose
from tests.players import new_player

START, END = NOON + HOUR, NOON + 5 * HOUR
# Who is in, named after what becomes of them.
ENTRANTS = ("waiting", "playing", "resigning", "forfeiting", "judged", "leaving")


class Scene:
    """Everything that is there; ``replies`` are all that were given while it was set up."""

    def __init__(self, app, db, clock, variant, kind):
        self.app, self.db, self.clock = app, db, clock
        self.client = app.test_client()
        self.variant, self.kind = variant, kind
        self.replies = []
        self.revealed = False
        self.tokens = {name: new_player(db, name) for name in ("hosting", "foreign", *ENTRANTS)}
        self.free = Player(self.client)
        self.free.start("cruel")
        self.tokens["of a game"] = self.free.token
        self.owned = {}  # the id of each attempt's game, by its player
        self.games = {}  # and the game as the other engine deals and plays it
        draws = (sha256(f"{variant} {kind} {n}".encode()).hexdigest() for n in count(1))
        with pytest.MonkeyPatch.context() as patch:
            # The same in each run: under some seeds a game is lost before so many moves are played.
            chance = SimpleNamespace(token_hex=lambda _count: next(draws))
            patch.setattr("service.usecases.drawing.secrets", chance)
            self._set_up()

    # ---- what happens ----

    def ask(self, verb, path, who=None, body=None, headers=()):
        options = {} if body is None else {"json": body}
        found = self.client.open(
            path, method=verb, headers={**self.auth(who), **dict(headers)}, **options
        )
        self.replies.append((who, path, found))
        return found

    def _done(self, *asked, **options):
        reply = self.ask(*asked, **options)
        assert reply.status_code < 300, reply.text
        return reply

    def _set_up(self):
        body = {"title": "Weekend", "variant": self.variant, "clock": self.kind}
        times = {"starts_at": rfc(START), "ends_at": rfc(END + HOUR)}
        made = self._done("POST", "/v1/challenges", "hosting", {**body, **times})
        self.id = made.json["id"]
        self.path = f"/v1/challenges/{self.id}"
        for change in ({"ends_at": rfc(END)}, {"visibility": "unlisted"}, {"visibility": "public"}):
            self._done("PATCH", self.path, "hosting", change, headers={"If-Match": "*"}.items())
        for name in ENTRANTS:
            self._done("PUT", f"{self.path}/entries/me", name)
        self._done("DELETE", f"{self.path}/entries/me", "leaving")
        with self.db.connect() as connection:
            seed, options = connection.execute(
                select(challenges.c.seed, challenges.c.options)
            ).one()
            former = connection.execute(select(former_terms.c.seed)).scalars().all()
            lines = [
                line.split() for line in connection.execute(select(solutions.c.line)).scalars()
            ]
        covered = covers(VARIANTS[self.variant])
        assert len(lines) == (2 if covered else 0)
        assert len({seed, *former}) == 2
        self.seed, self.secrets = seed, Secrets([seed, *former], lines)
        options = self.app.json.loads(options)
        family = "calculation" if self.variant == "calculation" else "cruel"
        self.deal = lambda: Naive(family, options, opening(family, options, seed), undo=False)
        self.bases = set(options.get("bases", ()))

    def start(self):
        """Let the challenge start, and everybody do what they are named after."""
        self.clock.ms = START
        for name in ("playing", "resigning", "forfeiting", "judged"):
            reply = self._done("PUT", f"{self.path}/entries/me/attempts/1", name)
            self.owned[name] = reply.json["id"]
        self.clock.tick(SECOND)
        for name in ("playing", "resigning", "judged"):
            self._play(name, 9)
        self._done("POST", f"/v1/games/{self.owned['resigning']}/resign", "resigning", {"at": 9})
        self._done("DELETE", f"{self.path}/entries/me", "forfeiting")
        verdict = {"disqualified": True, "reason": "a solver"}
        self._done("PATCH", f"{self.path}/entries/judged", "hosting", verdict)
        self.clock.tick(MINUTE)

    def _play(self, name, moves):
        game, dice = self.deal(), Dice(f"scene-{name}")
        for at in range(moves):
            move = choose(game, dice)
            assert game.play(move) is None
            path = f"/v1/games/{self.owned[name]}/moves"
            self._done("POST", path, name, {"moves": [move], "at": at})

    def finish(self):
        """Let the time of the challenge run out."""
        self.clock.ms = END
        self.revealed = True

    # ---- who looks, and what they may know ----

    @property
    def viewers(self):
        return [None, *self.tokens]

    def auth(self, who):
        return {} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}

    def naive(self, name):
        """Give an attempt as it stands, dealt and played by the other engine."""
        game = self.deal()
        with self.db.connect() as connection:
            asked = select(games.c.history).where(games.c.id == self.owned[name])
            history = connection.execute(asked).scalar_one()
        for entry in history.split():
            assert game.play(entry.partition("@")[0]) is None
        return game

    def known_cards(self, who, path, turns=0):
        """Give the cards that a viewer may be told of on a path; ``turns``: cards of the stock."""
        game = self.games.get(who)
        if re.fullmatch(f"{self.path}/entries/me/attempts/.*", path):
            if game is None and who == "waiting" and self.clock.ms >= START:
                game = self.deal()
        elif game is None or self.owned[who] not in path:
            return self.bases
        if game is None:
            return self.bases
        if self.variant != "calculation":
            return {card for pile in self.deal().table.piles for card in pile} | _ACES
        table = game.table
        dealt = self.deal().table.stock
        return self.bases | set(dealt[: len(dealt) - len(table.stock) + 1 + turns])

    def remember(self):
        """Note every row as it is now, and where each game stands."""
        with self.db.connect() as connection:
            self._rows = {
                table: [dict(row) for row in connection.execute(select(table)).mappings()]
                for table in Base.metadata.sorted_tables
            }
        self.games = {name: self.naive(name) for name in self.owned}

    def bring_back(self):
        """Bring every row back as it was."""
        recent_games(self.db).clear()
        with write_transaction(self.db) as connection:
            for table in reversed([*self._rows]):
                connection.execute(table.delete())
            for table, rows in self._rows.items():
                if rows:
                    connection.execute(insert(table), rows)


_ACES = {"AC", "AD", "AH", "AS"}
