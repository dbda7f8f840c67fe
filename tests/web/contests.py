"""Challenges that real players set up, enter and play over HTTP, to their end."""

import itertools
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from tests.servers import ask

# How many seconds something may take: first as on a machine that is idle.
SPANS = (1.2, 4, 12)

_numbers = itertools.count(1)


class Person:
    """A player, who sends requests with a token of their own."""

    def __init__(self, url, name):
        self.url = url
        # Names are never free again, and one server serves all tests.
        self.name = f"{name}{next(_numbers)}"
        self.token = ask(f"{url}/v1/players", {"name": self.name}).json["token"]

    def send(self, method, path, body=None, **headers):
        reply = ask(f"{self.url}/v1/{path}", body, method=method, token=self.token, **headers)
        assert reply.status < 300, reply.text
        return reply.json if reply.body else None


class Contest:
    """A challenge with its host and the players in it, by the names they are called here."""

    def __init__(self, url, title, **terms):
        self.url = url
        self.host = Person(url, "hana")
        made = self.host.send("POST", "challenges", {"title": title, **terms})
        self.id = made["id"]
        self.people, self.games = {}, {}

    @property
    def path(self):
        return f"challenges/{self.id}"

    def get(self, below="", **query):
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        return ask(f"{self.url}/v1/{self.path}{below}?{asked}").json

    def change(self, **terms):
        self.host.send("PATCH", self.path, terms, If_Match="*")

    def enter(self, *names):
        for name in names:
            self.people[name] = Person(self.url, name)
            self.people[name].send("PUT", f"{self.path}/entries/me")

    def deal(self, name, attempt=1):
        path = f"{self.path}/entries/me/attempts/{attempt}"
        self.games[name] = self.people[name].send("PUT", path)

    def play(self, name, *moves):
        game = self.games[name]
        body = {"at": game["ply"], "moves": moves}
        self.games[name] = self.people[name].send("POST", f"games/{game['id']}/moves", body)

    def wander(self, name, count):
        """Play so many moves of a game of Cruel as they come, but none after which it is over."""
        for _ in range(count):
            state = self.games[name]
            moves = (move for move in state["legal_moves"] if self._goes_on(state, move))
            self.play(name, next(moves))

    def _goes_on(self, state, move):
        rules = {name: state[name] for name in ("variant", "options")}
        body = {**rules, "position": {"piles": state["piles"]}, "moves": [move]}
        return ask(f"{self.url}/v1/evaluate", body).json["status"] == "in_progress"

    def wait_until(self, state):
        deadline = time.monotonic() + 20
        while (found := self.get()["state"]) != state:
            assert time.monotonic() < deadline, found
            time.sleep(0.02)


def in_time(make):
    """Give what ``make(seconds)`` gives, which has to be done in so many; more where it was not."""
    *most, last = SPANS
    for seconds in most:
        with suppress(AssertionError):
            return make(seconds)
    return make(last)


def new_race(url, title, *names, **terms):
    """Give a race that runs, with these in it, each with the cards."""

    def make(seconds):
        shared = {"clock": "shared", "ends_at": within(hours=1), **terms}
        race = Contest(url, title, starts_at=within(seconds=seconds), **shared)
        try:
            race.enter(*names)
        except AssertionError:
            # Its seed would be a secret for as long as it runs.
            race.host.send("POST", f"{race.path}/cancel")
            raise
        return race

    race = in_time(make)
    race.wait_until("running")
    for name in names:
        race.deal(name)
    return race


def within(**span):
    """Write the instant that is so far ahead."""
    at = datetime.now(UTC) + timedelta(**span)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
