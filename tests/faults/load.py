"""Clients that play the same games at the same time, retry at random, and keep a ledger.

Each request names its place by ``at``, or carries an ``Idempotency-Key``, and is sent until it has
a definite answer. So at the end the histories must be exactly what was acknowledged:
``checker.py`` looks.
"""

import random
import secrets
import time
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event, Lock
from typing import NamedTuple

from tests.servers import ask

# Cruel first: it has redeals and undo. Calculation has neither, and a secret.
VARIANTS = ("cruel", "cruel-semicolon", "calculation", "royal-family")
MOST_ENTRIES = 120
# Long enough for every fault here to pass; who waits longer has found that it does not.
SECONDS_WITHOUT_ANSWER = 90
STUCK_SECONDS = 60
# A client that gives up so early seldom has the reply, though the move may be recorded.
IMPATIENT_SECONDS = 0.01
EXPECTED = ("ply_conflict", "game_over")


class Request(NamedTuple):
    """Moves from a place of a history on, and the route that takes them."""

    route: str
    at: int
    moves: tuple

    @property
    def body(self):
        named = {"moves": list(self.moves)} if self.route == "moves" else {}
        return {"at": self.at, **named}


class Refusal(NamedTuple):
    """A reply of 503, which a client answers by trying again."""

    code: str
    request_id: str
    detail: str


class Game:
    """A game that many play: the newest state that anyone has seen, and what was acknowledged."""

    def __init__(self, state):
        self.id, self.token, self.state = state["id"], state["token"], state
        self.acknowledged = []
        # The plies that replies acknowledged, and those that a reply recorded and did not skip.
        # Where the reply that did was cut off, the next one skips.
        self.plies, self.recorded = set(), set()

    @property
    def over(self):
        return self.state["status"] != "in_progress"


class Load:
    """``with Load(url, clients=8, games=4) as load:`` plays until the end of the block.

    Leaving it waits until every request is answered, and raises what a client has found wrong.
    """

    def __init__(self, url, *, clients=8, games=4, seed=1):
        self.url = url
        self.games = []
        self.refusals = []
        # Requests whose connection was cut off, and those that found nobody at the port.
        self.cut_off = self.unheard = 0
        self.conflicts = 0
        self._clients, self._seed = clients, seed
        # The games that are played now, and a lock for each, so that one client starts the next.
        self._places, self._starts = [None] * games, [Lock() for _ in range(games)]
        self._lock, self._done = Lock(), Event()
        self._pool = ThreadPoolExecutor(clients)
        self._playing = []

    def __enter__(self):
        self._playing = [
            self._pool.submit(self._play_on, random.Random(f"{self._seed} {number}"))
            for number in range(self._clients)
        ]
        return self

    def __exit__(self, kind, *_):
        self._done.set()
        wait(self._playing)
        self._pool.shutdown()
        if kind is None:
            self._raise_what_was_found()

    def _raise_what_was_found(self):
        for client in self._playing:
            if client.done():
                client.result()

    @property
    def acknowledged(self):
        """Count the moves that the service has acknowledged, each once."""
        return sum(len(game.plies) for game in self.games)

    def wait_for_moves(self, count):
        """Wait until so many more moves are acknowledged: the service is well."""
        self._wait(lambda: self.acknowledged, count, "moves are acknowledged")

    def wait_for_refusals(self, count):
        """Wait until so many more requests are answered by 503."""
        self._wait(lambda: len(self.refusals), count, "requests are refused")

    def _wait(self, reached, count, what):
        """Wait for progress: as long as it takes, unless there is none."""
        target, last, since = reached() + count, reached(), time.monotonic()
        while reached() < target:
            self._raise_what_was_found()
            if reached() != last:
                last, since = reached(), time.monotonic()
            assert time.monotonic() < since + STUCK_SECONDS, f"no {what} any more"
            time.sleep(0.02)

    # ---- what each client does ----

    def _play_on(self, chance):
        while not self._done.is_set():
            game = self._game(chance.randrange(len(self._places)))
            if game.acknowledged and chance.random() < 0.15:
                self._send_again(game, chance.choice(game.acknowledged))
            elif not game.over:
                self._play(game, choose(game.state, chance), chance)

    def _game(self, place):
        """Give the game that is played at a place; where that is over, one that is new."""
        with self._starts[place]:
            game = self._places[place]
            if game is None or game.over:
                body = {"variant": VARIANTS[place % len(VARIANTS)]}
                key = secrets.token_hex(16)
                reply = self._send("/v1/games", body, expected=(201,), Idempotency_Key=key)
                game = Game(reply.json)
                self._places[place] = game
                self.games.append(game)
            return game

    def _play(self, game, request, chance):
        impatient = chance.random() < 0.1
        reply = self._send_moves(game, request, impatient=impatient)
        if reply.status == 200:
            self._acknowledge(game, request, reply.json)
            if chance.random() < 0.2:
                self._send_again(game, request)
        else:
            assert reply.json["code"] in EXPECTED, reply.text
            seen = self._send(f"/v1/games/{game.id}", token=game.token, expected=(200,)).json
            with self._lock:
                self.conflicts += reply.json["code"] == "ply_conflict"
                self._look(game, seen)

    def _send_again(self, game, request):
        reply = self._send_moves(game, request)
        assert reply.status == 200, f"{request} was acknowledged, and now: {reply.text}"
        assert reply.json["recorded"] == len(request.moves), f"{request} once more: {reply.text}"

    def _acknowledge(self, game, request, state):
        plies = range(request.at + 1, request.at + len(request.moves) + 1)
        recorded = set(plies[state["recorded"] :])
        with self._lock:
            assert not recorded & game.recorded, f"{game.id}: recorded twice: {request}"
            game.recorded |= recorded
            game.plies.update(plies)
            game.acknowledged.append(request)
            self._look(game, state)

    def _look(self, game, state):
        assert state["elapsed_ms"] >= 0, state
        if state["ply"] > game.state["ply"]:
            game.state = state

    def _send_moves(self, game, request, *, impatient=False):
        path = f"/v1/games/{game.id}/{request.route}"
        return self._send(
            path, request.body, token=game.token, expected=(200, 409), impatient=impatient
        )

    def _send(self, path, body=None, *, token=None, expected, impatient=False, **headers):
        """Send a request until it has a definite answer."""
        started = time.monotonic()
        if impatient:
            self._ask_and_leave(path, body, token)
        while True:
            try:
                reply = ask(f"{self.url}{path}", body, token=token, timeout=30, **headers)
            except OSError as error:
                refused = isinstance(getattr(error, "reason", error), ConnectionRefusedError)
                with self._lock:
                    self.unheard += refused
                    self.cut_off += not refused
            else:
                if reply.status != 503:
                    assert reply.status in expected, f"{path} {body}: {reply.status} {reply.text}"
                    return reply
                self._refused(reply)
            waited = time.monotonic() - started
            assert waited < SECONDS_WITHOUT_ANSWER, "the service is gone for good"
            time.sleep(0.1)

    def _ask_and_leave(self, path, body, token):
        try:
            ask(f"{self.url}{path}", body, token=token, timeout=IMPATIENT_SECONDS)
        except OSError:
            return

    def _refused(self, reply):
        assert reply.headers["Content-Type"] == "application/problem+json", reply.text
        problem = reply.json
        assert problem["code"] in ("not_ready", "busy"), reply.text
        assert int(reply.headers["Retry-After"]) >= 1
        with self._lock:
            refusal = Refusal(problem["code"], problem["request_id"], problem["detail"])
            self.refusals.append(refusal)


def choose(state, chance):
    """Choose a request that is accepted in this state, if nobody else is faster."""
    at, legal = state["ply"], [move for move in state["legal_moves"] if move != "R"]
    weights = {
        "card": 40 if legal else 0,
        "redeal": 8 if state["redeal"] and state["redeal"]["allowed"] else 0,
        "undo": 8 if state["undo"] and state["score"]["actions"] else 0,
        "resign": 1,
    }
    (kind,) = chance.choices(list(weights), list(weights.values()))
    if at >= MOST_ENTRIES:
        kind = "resign"
    if kind == "resign":
        return Request("resign", at, ("Q",))
    if kind == "redeal":
        return Request("redeal", at, ("R",))
    if kind == "undo":
        return Request("undo", at, ("U",))
    move = chance.choice(legal)
    batches = [(move,), (move, "U"), (move, "U", move)] if state["undo"] else [(move,)]
    return Request("moves", at, chance.choice(batches))
