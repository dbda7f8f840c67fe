"""Every route of an application with a request that it answers, so that no test forgets one."""

from typing import NamedTuple

# What stands for a placeholder; `game_id` comes from the test.
VALUES = {
    "variant": "cruel",
    "seed": "semilla",
    "name": "start.js",
    "challenge_id": "nothing",
    "player": "ada",
    "attempt": "1",
}

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
}


# The blueprint of what needs a player and a challenge: how it answers is told by tests of its own.
_CHALLENGES = "entries."


class Route(NamedTuple):
    """One verb of one path."""

    endpoint: str
    verb: str
    path: str

    def send(self, client, **options):
        """Send the request with its body, if the operation has one."""
        if self.verb in ("POST", "PATCH") and "json" not in options and "data" not in options:
            options["json"] = BODIES[self.endpoint]
        return client.open(self.path, method=self.verb, buffered=True, **options)


def routes_of(app, game_id):
    """Give every verb that each path answers, but those that Flask adds by itself."""
    urls = app.url_map.bind("localhost")
    found = []
    for rule in app.url_map.iter_rules():
        values = {"game_id": game_id, **VALUES}
        path = urls.build(rule.endpoint, {name: values[name] for name in rule.arguments})
        verbs = rule.methods - {"HEAD", "OPTIONS"}
        found += [Route(rule.endpoint, verb, path) for verb in sorted(verbs)]
    return found


def without_challenges(routes):
    """Give those of some routes that a game and its token are enough for."""
    return [route for route in routes if not route.endpoint.startswith(_CHALLENGES)]
