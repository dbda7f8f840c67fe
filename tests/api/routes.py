"""Every route of an application with a request that it answers, so that no test forgets one."""

from contextlib import suppress
from itertools import count
from typing import NamedTuple

from service.db.engine import DatabaseDown
from service.usecases import players
from service.usecases.errors import NameTaken
from service.usecases.tokens import hash_token, token_is_known
from tests.conftest import NOON

# What stands for a placeholder; `game_id` comes from the test, and the documentation has files.
VALUES = {
    "variant": "cruel",
    "seed": "semilla",
    "name": "ana",
    "challenge_id": "nothing",
    "player": "ada",
    "attempt": "1",
}
DOCUMENTATION = {"name": "start.js"}

# A body for each operation that takes one. They are accepted one after the other, in any order but
# for `resign`, by a game of Cruel Semicolon in which a redeal stands.
BODIES = {
    "evaluate.evaluate": {"variant": "cruel", "seed": "semilla"},
    "games.create_game": {"variant": "cruel", "seed": "semilla"},
    "games.play_moves": {"moves": ["6>9"]},
    "games.redeal": {},
    "games.undo": {},
    "games.resign": {},
    "entries.judge_entry": {"disqualified": True, "reason": "a solver"},
    "players.register_player": {"name": "somebody"},
    "players.change_me": {"bot": True},
    "players.rotate_token": {},
}
# The operations that only a player's token is good for.
PLAYERS_ONLY = {
    "players.get_me",
    "players.change_me",
    "players.delete_me",
    "players.rotate_token",
}

_numbers = count(1)


# The blueprint of what needs a player and a challenge: how it answers is told by tests of its own.
_CHALLENGES = "entries."


class Route(NamedTuple):
    """One verb of one path."""

    endpoint: str
    verb: str
    path: str

    def send(self, client, **options):
        """Send the request with its body, if the operation has one.

        Where only a player's token is good, one stands in for that of a game; and who is looked
        for, or registers, is there, or is not.
        """
        db = client.application.extensions["semilla"].db
        if self.endpoint == "players.get_player":
            with suppress(NameTaken, DatabaseDown):
                players.register(db, name=VALUES["name"], bot=False, now=NOON)
        if self.endpoint in PLAYERS_ONLY and "Authorization" in options.get("headers", {}):
            options["headers"] = _as_player(db, options["headers"])
        if self.verb in ("POST", "PATCH") and "json" not in options and "data" not in options:
            options["json"] = BODIES[self.endpoint]
            if self.endpoint == "players.register_player":
                options["json"] = {"name": _new_name()}
        return client.open(self.path, method=self.verb, buffered=True, **options)


def _as_player(db, headers):
    token = headers["Authorization"].removeprefix("Bearer ")
    with suppress(DatabaseDown):
        if token_is_known(db, hash_token(token)):
            new = players.register(db, name=_new_name(), bot=False, now=NOON)
            return {**headers, "Authorization": f"Bearer {new.token}"}
    return headers


def _new_name():
    return f"somebody-{next(_numbers)}"


def routes_of(app, game_id):
    """Give every verb that each path answers, but those that Flask adds by itself."""
    urls = app.url_map.bind("localhost")
    found = []
    for rule in app.url_map.iter_rules():
        values = {"game_id": game_id, **VALUES}
        if rule.endpoint.startswith("docs."):
            values |= DOCUMENTATION
        path = urls.build(rule.endpoint, {name: values[name] for name in rule.arguments})
        verbs = rule.methods - {"HEAD", "OPTIONS"}
        found += [Route(rule.endpoint, verb, path) for verb in sorted(verbs)]
    return found


def without_challenges(routes):
    """Give those of some routes that a game and its token are enough for."""
    return [route for route in routes if not route.endpoint.startswith(_CHALLENGES)]
