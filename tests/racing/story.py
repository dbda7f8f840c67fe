"""People in one challenge whose clock is moved by hand; whatever they do they do twice."""

import hashlib
import json

from tests.api.problems import CODES
from tests.challenges import kinds_of_events
from tests.hosting import rfc
from tests.naive.deals import opening
from tests.naive.engine import Naive
from tests.naive.variants import cruel_options
from tests.players import new_player
from tests.racing.deal import SEED


class Story:
    """A challenge of the host Hana; the others are known by their names."""

    def __init__(self, db, client, clock, names, terms):
        self.db, self.client, self.clock = db, client, clock
        self.auth = {None: {}}
        for name in ("hana", *names):
            self.auth[name] = {"Authorization": f"Bearer {new_player(db, name)}"}
        self.path, self.games = "", {}
        self.revealed_at = None
        key = {"Idempotency-Key": "one-challenge-and-no-more"}
        body = {"title": "Weekend", **terms}
        made = self._send("hana", "POST", "/v1/challenges", body, key)
        again = self._send("hana", "POST", "/v1/challenges", body, key)
        assert (made.status_code, again.status_code, again.json) == (201, 201, made.json)
        self.path = f"/v1/challenges/{made.json['id']}"
        self.made = made.json

    def _send(self, name, verb, path, body=None, more=None):
        options = {} if body is None else {"json": body}
        headers = {**self.auth[name], **(more or {})}
        reply = self.client.open(path, method=verb, headers=headers, **options)
        hidden = self.revealed_at is None or self.clock.ms < self.revealed_at
        assert not hidden or SEED not in f"{reply.text}{reply.headers}"
        return reply

    # ---- doing ----

    def do(self, name, verb, path, body=None, *, status=200):
        """Do something twice: the same is answered, and only the first time something is done."""
        path = path if path.startswith("/v1") else f"{self.path}{path}"
        changes = {"If-Match": "*"} if verb == "PATCH" else {}
        reply = self._send(name, verb, path, body, changes)
        assert reply.status_code == status, reply.text
        kinds = kinds_of_events(self.db, self.path.rpartition("/")[2])
        again = self._send(name, verb, path, body, changes)
        assert again.status_code == (200 if status == 201 else status)
        assert kinds_of_events(self.db, self.path.rpartition("/")[2]) == kinds
        if not reply.data:
            return None
        counted = {"recorded": len(body["moves"])} if "recorded" in reply.json else {}
        assert again.json == {**reply.json, **counted}
        return reply.json

    def refuse(self, code, name, verb, path, body=None):
        """Do what is refused, and changes nothing."""
        path = path if path.startswith("/v1") else f"{self.path}{path}"
        before = self.kinds()
        reply = self._send(name, verb, path, body, {"If-Match": "*"} if verb == "PATCH" else {})
        assert (reply.status_code, reply.json["code"]) == (CODES[code], code)
        assert self.kinds() == before

    def kinds(self):
        """Give the kinds of all events, which were numbered without gaps."""
        return kinds_of_events(self.db, self.path.rpartition("/")[2])

    def enter(self, *names):
        for name in names:
            self.do(name, "PUT", "/entries/me", status=201)

    def deal(self, name, number=1):
        """Have an attempt dealt, and play that game from now on."""
        game = self.do(name, "PUT", f"/entries/me/attempts/{number}", status=201)
        self.games[name, number] = game["id"]
        return game

    def play(self, name, number, at, *moves):
        """Play moves after ply ``at``; give the game after them."""
        body = {"at": at, "moves": list(moves)}
        return self.do(name, "POST", f"/v1/games/{self.games[name, number]}/moves", body)

    def retry(self, name, number, at, *moves):
        """Send moves again that are recorded: 200 at any time."""
        path = f"/v1/games/{self.games[name, number]}/moves"
        reply = self._send(name, "POST", path, {"at": at, "moves": list(moves)})
        assert (reply.status_code, reply.json["recorded"]) == (200, len(moves))

    def too_late(self, name, number, at, *moves):
        """Play moves whose time has run out."""
        path = f"/v1/games/{self.games[name, number]}"
        self.refuse("time_expired", name, "POST", f"{path}/moves", {"at": at, "moves": list(moves)})
        self.refuse("time_expired", name, "POST", f"{path}/resign", {"at": at})

    # ---- looking ----

    def look(self, state, entries, games, *, revealed_at=None):
        """Check everything that the clock may change: a state for each entry and each game."""
        self.revealed_at = revealed_at
        challenge = self._send(None, "GET", self.path).json
        assert challenge["state"] == state
        assert challenge["now"] == rfc(self.clock.ms)
        assert challenge["revealed_at"] == (None if revealed_at is None else rfc(revealed_at))
        assert challenge.get("seed") == (None if revealed_at is None else SEED)
        assert challenge["revision"] == len(self.kinds())
        items = self._send(None, "GET", f"{self.path}/entries").json["items"]
        assert {each["player"]["name"]: each["state"] for each in items} == entries
        for name, expected in entries.items():
            entry = self._send(name, "GET", f"{self.path}/entries/me").json
            mine = self._send(name, "GET", self.path).json["me"]
            assert entry["state"] == mine["state"] == expected
            found = {(name, each["attempt"]): each["status"] for each in entry["attempts"]}
            assert found == {key: status for key, status in games.items() if key[0] == name}
        self._look_at_games(games, revealed=revealed_at is not None)
        if revealed_at is not None:
            self._check_commitments(challenge)

    def _look_at_games(self, games, *, revealed):
        assert set(self.games) == set(games)
        for (name, number), status in games.items():
            path = f"/v1/games/{self.games[name, number]}"
            game = self._send(name, "GET", path).json
            assert (game["status"], game["attempt"]) == (status, number)
            assert game.get("seed") == (SEED if revealed else None)
            record, stranger = (self._send(who, "GET", f"{path}/record") for who in (name, None))
            if revealed:
                assert stranger.json == record.json
                check_record(record.json, game)
            else:
                assert record.json["code"] == "still_secret"
                assert stranger.json["code"] == "not_found"
        listed = self._send(None, "GET", f"/v1/games?challenge={self.path.rpartition('/')[2]}").json
        found = {item["id"] for item in listed["items"]}
        assert found == (set(self.games.values()) if revealed else set())

    def _check_commitments(self, challenge):
        for bound in (challenge, *challenge["former_terms"]):
            text = f"commit/1\n{bound['seed']}\n{bound['terms']}"
            assert bound["commitment"] == hashlib.sha256(text.encode()).hexdigest()
            for detected in (text.replace('"cruel"', '"cruel-strict"'), text[:9] + "0" + text[10:]):
                assert hashlib.sha256(detected.encode()).hexdigest() != bound["commitment"]
        assert json.loads(challenge["terms"])["time_limit_ms"] == challenge["time_limit_ms"]


def naive_game(*moves):
    """Give the naive engine's game after moves of the deal."""
    options = cruel_options()
    naive = Naive("cruel", options, opening("cruel", options, SEED))
    assert [naive.play(move) for move in moves] == [None] * len(moves)
    return naive


def check_record(record, game):
    """Check that the moves of a record lead to the game, by the naive engine."""
    assert (record["seed"], record["options"], record["undo"]) == (SEED, cruel_options(), False)
    naive = naive_game(*record["moves"])
    assert len(naive.history) == len(record.get("times_ms", [])) == game["ply"]
    assert naive.state()["score"] == game["score"]
    # That its time has run out stands in no record.
    assert naive.status == ("in_progress" if game["status"] == "timed_out" else game["status"])
