"""Challenges that were played over HTTP to their end, whose records can be taken away."""

from service.rules.record_text import parse_record
from tests.cli.running import RECORDS
from tests.conftest import NOON
from tests.hosting import HOUR, MINUTE, SECOND, Host, rfc
from tests.racing.deal import WON

END = NOON + HOUR
OWN = {"ends_at": rfc(END), "attempts": 2, "time_limit_ms": 30 * MINUTE}
RACE = {"clock": "shared", "starts_at": rfc(NOON + SECOND), "ends_at": rfc(END), "order": "time"}


class World:
    """A challenge with a host and players, who are known by their names."""

    def __init__(self, client, db, clock, /, **terms):
        self.client, self.db, self.clock = client, db, clock
        self.host = Host(client, db, "hana")
        self.made = self.host.create(**terms)
        self.people, self.games = {}, {}

    @property
    def path(self):
        return self.host.path

    def enter(self, *names):
        for name in names:
            self.people[name] = Host(self.client, self.db, name)
            self.clock.tick(1)
            self.send(name, "PUT", "/entries/me")

    def send(self, name, verb, below, body=None):
        options = {} if body is None else {"json": body}
        path = below if below.startswith("/v1") else f"{self.path}{below}"
        auth = (self.host if name == "hana" else self.people[name]).auth
        reply = self.client.open(path, method=verb, headers=auth, **options)
        assert reply.status_code < 300, reply.text
        return reply

    def deal(self, name, attempt=1):
        reply = self.send(name, "PUT", f"/entries/me/attempts/{attempt}")
        self.games[name] = reply.json["id"], 0
        return reply.json

    def play(self, name, *moves, after=SECOND):
        """Play moves in one request, after so many milliseconds."""
        self.clock.tick(after)
        game, ply = self.games[name]
        self.send(name, "POST", f"/v1/games/{game}/moves", {"at": ply, "moves": moves})
        self.games[name] = game, ply + len(moves)

    def judge(self, name, *, disqualified=True):
        body = {"disqualified": disqualified, "reason": "two accounts"}
        self.send("hana", "PATCH", f"/entries/{name}", body)

    def get(self, below="/record", **query):
        return self.client.get(f"{self.path}{below}", query_string=query)

    def pages(self, limit=50):
        """Give all pages of the record, which must be there."""
        found, cursor = [], {}
        while True:
            reply = self.get(limit=limit, **cursor)
            assert reply.status_code == 200, reply.text
            found.append(reply.json)
            if reply.json["next"] is None:
                return found
            cursor = {"cursor": reply.json["next"]}


def played_own(client, db, clock):
    """Play a challenge on the own clock: a win, a tie, a time-out, a resignation, a cheat."""
    world = World(client, db, clock, **OWN)
    world.host.patch(time_limit_ms=20 * MINUTE)
    world.enter("win", "tie", "late", "quit", "cheat", "gone", "absent")
    for name in ("win", "tie"):
        world.deal(name)
        world.play(name, *WON[:3])
        world.play(name, "Q")
    for name in ("win", "tie"):
        world.deal(name, 2)
        world.play(name, *WON[:30])
        world.play(name, *WON[30:])
    world.deal("late")
    world.play("late", *WON[:5])
    world.deal("quit")
    world.play("quit", *WON[:2])
    world.send("quit", "DELETE", "/entries/me")
    world.deal("cheat")
    world.play("cheat", *WON, after=1)
    world.judge("cheat")
    world.deal("gone")
    world.play("gone", *WON[:9])
    world.send("gone", "DELETE", "/v1/players/me")
    return world


def played_race(client, db, clock):
    """Play a race to its early end, by time."""
    world = World(client, db, clock, **RACE)
    world.enter("first", "second", "third")
    clock.ms = NOON + SECOND
    for name in ("first", "second", "third"):
        world.deal(name)
    world.play("second", *WON[:4])
    world.play("first", *WON)
    world.play("second", *WON[4:])
    world.play("third", "Q")
    return world


def played_calculation(client, db, clock):
    """Play a challenge at Calculation, at a seed that the host has named."""
    record = parse_record((RECORDS / "calculation-won.txt").read_text("utf-8"))
    terms = {"variant": "calculation", "seed": record.seed, "options": record.rules.options()}
    world = World(client, db, clock, **terms, ends_at=rfc(END))
    world.enter("win", "quit")
    for name in ("win", "quit"):
        world.deal(name)
    for move in record.moves:
        world.play("win", move, after=10)
    world.play("quit", *record.moves[:1])
    world.play("quit", "Q")
    return world
