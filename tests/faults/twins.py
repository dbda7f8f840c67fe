"""What two requests at the same moment may come to, for each pair that gets in its own way.

Each scenario plays one round with a ``Round``; ``SCENARIOS`` lists them all.
"""

import secrets
import time
from itertools import count
from typing import NamedTuple

from tests.cli.running import CRUEL_MOVES
from tests.faults.pairs import Ask

# The recorded game of ``cruel`` with the seed 32, won by these moves.
WON_SEED, WON_MOVES = "32", CRUEL_MOVES.split()

_numbers = count(1)


class TooSlowError(Exception):
    """The machine was so busy that a moment had passed before a round was set up."""


class Person(NamedTuple):
    """Somebody who has registered."""

    name: str
    token: str


def new_name():
    return f"p{next(_numbers)}-{secrets.token_hex(4)}"


def now_ms():
    return time.time_ns() // 1_000_000


def rfc(ms):
    seconds, rest = divmod(ms, 1_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03}Z"


def codes(*replies):
    """Give the statuses of replies, with the codes of problems, in an order that is no matter."""
    return sorted(
        f"{reply.status} {reply.json['code']}" if reply.status >= 400 else str(reply.status)
        for reply in replies
    )


class Round:
    """One round: a pair of lines, and what its replies have promised.

    A promise is kept now, and must be kept when all rounds are over.
    """

    def __init__(self, url, pair, promises):
        self.url = url
        self.both = pair.both
        self.chance = pair.chance
        self._pair, self._promises = pair, promises

    def ask(self, verb, path, body=None, token=None, **headers):
        return self._pair.send(Ask(verb, path, body, token, headers))

    def read(self, path, token=None):
        reply = self.ask("GET", path, token=token)
        assert reply.status == 200, reply.text
        return reply.json

    def holds(self, path, token=None, **fields):
        """Promise that a resource has these fields from now on."""
        self._promises.append((path, token, fields))
        found = self.read(path, token)
        assert {name: found[name] for name in fields} == fields, path

    def player(self):
        name = new_name()
        reply = self.ask("POST", "/v1/players", {"name": name})
        assert reply.status == 201, reply.text
        return Person(name, reply.json["token"])

    def challenge(self, host, **terms):
        """Set a challenge up; give its path."""
        body = {"title": "Twins", "variant": "cruel", **terms}
        reply = self.ask("POST", "/v1/challenges", body, host.token)
        if reply.status == 422 and {"starts_at", "ends_at"} & terms.keys():
            raise TooSlowError
        assert reply.status == 201, reply.text
        return f"/v1/challenges/{reply.json['id']}"

    def entrant(self, path):
        player = self.player()
        reply = self.ask("PUT", f"{path}/entries/me", token=player.token)
        found = self.read(path)
        late = (found["clock"], found["state"]) == ("shared", "running")
        if reply.status == 409 and (late or found["state"] == "finished"):
            raise TooSlowError
        assert reply.status == 201, reply.text
        return player

    def dealt(self, path, player, number=1):
        """Have an attempt dealt; give the path of its game."""
        reply = self.ask("PUT", f"{path}/entries/me/attempts/{number}", token=player.token)
        assert reply.status == 201, reply.text
        return f"/v1/games/{reply.json['id']}"

    def almost_won(self, path, player):
        """Have an attempt dealt and played up to the winning move; give the path of its game."""
        game = self.dealt(path, player)
        body = {"moves": WON_MOVES[:-1], "at": 0}
        assert self.ask("POST", f"{game}/moves", body, player.token).status == 200
        return game

    def wait_until(self, ms, spread_ms=0):
        """Wait until an instant, or a random moment around it."""
        until = ms + self.chance.uniform(-spread_ms, spread_ms)
        time.sleep(max(until - now_ms(), 0) / 1_000)


def enter(path, player):
    return Ask("PUT", f"{path}/entries/me", token=player.token)


def leave(path, player):
    return Ask("DELETE", f"{path}/entries/me", token=player.token)


def deal(path, player, number=1):
    return Ask("PUT", f"{path}/entries/me/attempts/{number}", token=player.token)


def cancel(path, host):
    return Ask("POST", f"{path}/cancel", {}, host.token)


def last_move(game, player):
    body = {"moves": WON_MOVES[-1:], "at": len(WON_MOVES) - 1}
    return Ask("POST", f"{game}/moves", body, player.token)


def resign(game, player):
    return Ask("POST", f"{game}/resign", {"at": 0}, player.token)


# ---- players ----


def register_one_name(play):
    name = new_name()
    asks = [Ask("POST", "/v1/players", {"name": each}) for each in (name, name.upper())]
    replies = play.both(*asks)
    assert codes(*replies) == ["201", "409 name_taken"]
    made = next(reply.json for reply in replies if reply.status == 201)
    play.holds("/v1/players/me", made["token"], name=made["name"])


def register_with_one_key(play):
    key = {"Idempotency_Key": secrets.token_hex(16)}
    ask = Ask("POST", "/v1/players", {"name": new_name()}, None, key)
    replies = play.both(ask, ask)
    assert codes(*replies) == ["201", "201"]
    assert sorted(reply.headers.get("Idempotent-Replayed", "") for reply in replies) == ["", "true"]
    newest = next(reply for reply in replies if reply.headers.get("Idempotent-Replayed")).json
    play.holds("/v1/players/me", newest["token"], name=ask.body["name"])
    tokens = [reply.json["token"] for reply in replies]
    statuses = [play.ask("GET", "/v1/players/me", token=token).status for token in tokens]
    assert sorted(statuses) == [200, 401]


def rename_to_one_name(play):
    name, players = new_name(), (play.player(), play.player())
    asks = [Ask("PATCH", "/v1/players/me", {"name": name}, each.token) for each in players]
    replies = play.both(*asks)
    assert codes(*replies) == ["200", "409 name_taken"]
    for player, reply in zip(players, replies, strict=True):
        now = name if reply.status == 200 else player.name
        play.holds("/v1/players/me", player.token, name=now)


def rename_oneself_twice(play):
    player = play.player()
    names = (new_name(), new_name())
    asks = [Ask("PATCH", "/v1/players/me", {"name": name}, player.token) for name in names]
    assert codes(*play.both(*asks)) == ["200", "200"]
    now = play.read("/v1/players/me", player.token)["name"]
    assert now in names
    play.holds("/v1/players/me", player.token, name=now)
    for taken in (player.name, *names):
        assert play.ask("POST", "/v1/players", {"name": taken}).json["code"] == "name_taken"


def rotate_twice(play):
    player = play.player()
    ask = Ask("POST", "/v1/players/me/token", {}, player.token)
    replies = play.both(ask, ask)
    assert codes(*replies) == ["200", "401 unauthenticated"]
    fresh = next(reply.json["token"] for reply in replies if reply.status == 200)
    play.holds("/v1/players/me", fresh, name=player.name)
    assert play.ask("GET", "/v1/players/me", token=player.token).status == 401


def rotate_against_entering(play):
    path, player = play.challenge(play.player()), play.player()
    turned, entered = play.both(
        Ask("POST", "/v1/players/me/token", {}, player.token), enter(path, player)
    )
    assert turned.status == 200
    assert codes(entered) in (["201"], ["401 unauthenticated"])
    play.holds(path, entered=int(entered.status == 201))


def delete_against_entering(play):
    path, player = play.challenge(play.player()), play.player()
    gone, entered = play.both(
        Ask("DELETE", "/v1/players/me", token=player.token), enter(path, player)
    )
    assert gone.status == 204
    assert codes(entered) in (["201"], ["401 unauthenticated"])
    play.holds(path, entered=int(entered.status == 201))


# ---- challenges ----


def create_with_one_key(play):
    host = play.player()
    body = {"title": "Twins", "variant": "cruel"}
    ask = Ask(
        "POST", "/v1/challenges", body, host.token, {"Idempotency_Key": secrets.token_hex(16)}
    )
    replies = play.both(ask, ask)
    assert codes(*replies) == ["201", "201"]
    (made,) = {reply.json["id"] for reply in replies}
    listed = play.read(f"/v1/challenges?host={host.name}")["items"]
    assert [item["id"] for item in listed] == [made]


def change_one_revision(play):
    host = play.player()
    path = play.challenge(host)
    field = play.chance.choice([("title", ["A", "B"]), ("attempts", [2, 3])])
    asks = [
        Ask("PATCH", path, {field[0]: value}, host.token, {"If_Match": '"0"'}) for value in field[1]
    ]
    replies = play.both(*asks)
    assert codes(*replies) == ["200", "412 stale_revision"]
    won = next(reply.json for reply in replies if reply.status == 200)
    play.holds(path, revision=1, commitment=won["commitment"], **{field[0]: won[field[0]]})


def change_terms_against_entering(play):
    host, player = play.player(), play.player()
    path = play.challenge(host)
    changed, entered = play.both(
        Ask("PATCH", path, {"attempts": 5}, host.token, {"If_Match": "*"}), enter(path, player)
    )
    assert entered.status == 201
    assert codes(changed) in (["200"], ["409 has_entries"])
    play.holds(path, attempts=5 if changed.status == 200 else 1, entered=1)


def cancel_against_entering(play):
    host, player = play.player(), play.player()
    path = play.challenge(host)
    cancelled, entered = play.both(cancel(path, host), enter(path, player))
    assert cancelled.status == 200
    assert codes(entered) in (["201"], ["409 entries_closed"])
    play.holds(path, state="cancelled", entered=int(entered.status == 201), dealt=0)


def cancel_against_a_deal(play):
    host = play.player()
    path = play.challenge(host)
    player = play.entrant(path)
    outcome = codes(*play.both(cancel(path, host), deal(path, player)))
    assert outcome in (["200", "409 not_running"], ["201", "409 already_started"])
    dealt = outcome[0] == "201"
    play.holds(path, state="running" if dealt else "cancelled", dealt=int(dealt))


def cancel_twice(play):
    host = play.player()
    path = play.challenge(host)
    assert codes(*play.both(cancel(path, host), cancel(path, host))) == ["200", "200"]
    play.holds(path, state="cancelled", revision=1)


SCENARIOS = [
    register_one_name,
    register_with_one_key,
    rename_to_one_name,
    rename_oneself_twice,
    rotate_twice,
    rotate_against_entering,
    delete_against_entering,
    create_with_one_key,
    change_one_revision,
    change_terms_against_entering,
    cancel_against_entering,
    cancel_against_a_deal,
    cancel_twice,
]
