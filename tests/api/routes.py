"""Every route of an application with a request that it answers, so that no test forgets one."""

from contextlib import suppress
from itertools import count
from typing import NamedTuple

from sqlalchemy import delete, update

from service.db.engine import DatabaseDown, write_transaction
from service.db.tables import challenges, events, former_terms
from service.usecases import challenges as hosting
from service.usecases.tokens import hash_token, token_is_known
from tests.conftest import NOON
from tests.players import new_player

# What stands for a placeholder; `game_id` comes from the test.
VALUES = {
    "variant": "cruel",
    "seed": "semilla",
    "name": "start.js",
    "challenge_id": "a-challenge",
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
    "challenges.create_challenge": {"title": "Weekend"},
    "challenges.change_challenge": {"title": "Sunday"},
    "challenges.cancel_challenge": {},
}
# The operations that only a player's token is good for.
PLAYERS_ONLY = {
    "challenges.create_challenge",
    "challenges.change_challenge",
    "challenges.cancel_challenge",
}
_numbers = count(1)


class Route(NamedTuple):
    """One verb of one path."""

    endpoint: str
    verb: str
    path: str

    def send(self, client, **options):
        """Send the request with its body, if the operation has one.

        Where only a player's token is good, one stands in for that of a game; and a challenge that
        is asked for is there, just set up by that player.
        """
        db = client.application.extensions["semilla"].db
        host = None
        if self.endpoint in PLAYERS_ONLY and "Authorization" in options.get("headers", {}):
            options["headers"], host = _as_player(db, options["headers"])
        if f"/{VALUES['challenge_id']}" in self.path:
            with suppress(DatabaseDown):
                _set_up(db, host)
            options["headers"] = {"If-Match": "*", **options.get("headers", {})}
        if self.verb in ("POST", "PATCH") and "json" not in options and "data" not in options:
            options["json"] = BODIES[self.endpoint]
        return client.open(self.path, method=self.verb, buffered=True, **options)


def _as_player(db, headers):
    token = headers["Authorization"].removeprefix("Bearer ")
    with suppress(DatabaseDown):
        if token_is_known(db, hash_token(token)):
            new = new_player(db, _new_name())
            return {**headers, "Authorization": f"Bearer {new}"}, new
    return headers, None


def _set_up(db, host):
    """Set the challenge of ``VALUES`` up anew, by a player with this token or by another."""
    token = hash_token(host or new_player(db, _new_name()))
    body = {"variant": "cruel", **BODIES["challenges.create_challenge"]}
    made, known = hosting.create(db, token, body, NOON).view.id, VALUES["challenge_id"]
    with write_transaction(db) as connection:
        for table in (events, former_terms):
            connection.execute(delete(table).where(table.c.challenge_id == known))
        connection.execute(delete(challenges).where(challenges.c.id == known))
        connection.execute(update(challenges).where(challenges.c.id == made).values(id=known))


def _new_name():
    return f"somebody-{next(_numbers)}"


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
