"""Every route of an application with a request that it answers, so that no test forgets one."""

import re
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from sqlalchemy import delete, select, update

from service.api.plain_requests import GAME, MOVES
from service.db.engine import DatabaseDown, write_transaction
from service.db.tables import challenges, entries, events, former_terms, games
from service.usecases import challenges as hosting
from service.usecases import new_games, players
from service.usecases.errors import NameTaken
from service.usecases.tokens import GAME_PREFIX, hash_token, token_is_known
from service.web import version
from tests.conftest import NOON
from tests.hosting import change_row, enter
from tests.players import new_player, player_id

# The blueprints that serve files and documents for browsers, whatever is accepted.
FOR_BROWSERS = ("docs.", "pages.")
# What stands for a placeholder; `game_id` comes from the test, and these blueprints have files.
VALUES = {
    "variant": "cruel",
    "seed": "semilla",
    "name": "ana",
    "challenge_id": "a-challenge",
    "player": "me-not",
    "attempt": "1",
}
DOCUMENTATION = {"name": "start.js"}
PAGES = {"name": "app.js", "built": version()}

# A body for each operation that takes one. They are accepted one after the other, in any order but
# for `resign`, by a game of Cruel Semicolon in which a redeal stands.
BODIES = {
    "evaluate.evaluate": {"variant": "cruel", "seed": "semilla"},
    "games.create_game": {"variant": "cruel", "seed": "semilla"},
    "solver.solve": {"variant": "cruel", "seed": "32", "goal": "line"},
    "games.play_moves": {"moves": ["6>9"]},
    "games.redeal": {},
    "games.undo": {},
    "games.resign": {},
    "entries.judge_entry": {"disqualified": True, "reason": "a solver"},
    "players.register_player": {"name": "somebody"},
    "players.change_me": {"bot": True},
    "players.rotate_token": {},
    "challenges.create_challenge": {"title": "Weekend"},
    "challenges.change_challenge": {"title": "Sunday"},
    "challenges.cancel_challenge": {},
    "pars.improve_game_par": {"budget_ms": 1},
    "pars.improve_challenge_par": {"budget_ms": 1},
}
# The operations that only a player's token is good for.
PLAYERS_ONLY = {
    "challenges.create_challenge",
    "challenges.change_challenge",
    "challenges.cancel_challenge",
    "entries.get_entry",
    "entries.enter",
    "entries.leave",
    "entries.deal_attempt",
    "entries.judge_entry",
    "players.get_me",
    "players.change_me",
    "players.delete_me",
    "players.rotate_token",
}

# The operations that answer well only for a game that has ended.
ENDED_ONLY = {"pars.improve_game_par"}
ENDED = "a-game-that-has-ended"

# The operations that answer well only once the challenge has finished.
FINISHED_ONLY = {
    "challenge_records.get_challenge_record",
    "challenge_statistics.get_challenge_statistics",
    "pars.improve_challenge_par",
}

_numbers = count(1)


class Route(NamedTuple):
    """One verb of one path."""

    endpoint: str
    verb: str
    path: str

    def send(self, client, **options):
        """Send the request with its body, if the operation has one.

        Where only a player's token is good, one stands in for that of a game; who is looked for, or
        registers, is there, or is not; and a challenge that is asked for is there, just set up by
        that player, who has entered it. Where a game must have ended it is another one.
        """
        db, host = client.application.extensions["semilla"].db, None
        if self.endpoint in ("players.get_player", "player_history.get_player_history"):
            with suppress(NameTaken, DatabaseDown):
                players.register(db, name=VALUES["name"], bot=False, now=NOON)
        if self.endpoint in PLAYERS_ONLY and "Authorization" in options.get("headers", {}):
            options["headers"], host = _as_player(db, options["headers"])
        path = self.path
        if self.endpoint in ENDED_ONLY and "/nothing/" not in path:
            with suppress(DatabaseDown):
                end_another(db)
                path = re.sub("(?<=/games/)[^/]+", ENDED, path)
        if f"/{VALUES['challenge_id']}" in path:
            with suppress(DatabaseDown):
                entry_id = _set_up(db, host)
                if self.endpoint in FINISHED_ONLY:
                    change_row(db, VALUES["challenge_id"], finishes_at=NOON)
                path = path.replace(f"/{VALUES['player']}", f"/{entry_id}")
            options["headers"] = {"If-Match": "*", **options.get("headers", {})}
        if self.endpoint == "game_lists.list_games" and "?" not in path:
            options.setdefault("query_string", {"player": VALUES["name"]})
        if self.verb in ("POST", "PATCH") and "json" not in options and "data" not in options:
            options["json"] = BODIES[self.endpoint]
            if self.endpoint == "players.register_player":
                options["json"] = {"name": _new_name()}
        return client.open(path, method=self.verb, buffered=True, **options)


def _as_player(db, headers):
    token = headers["Authorization"].removeprefix("Bearer ")
    with suppress(DatabaseDown):
        if token.startswith(GAME_PREFIX) and token_is_known(db, hash_token(token)):
            new = new_player(db, _new_name())
            return {**headers, "Authorization": f"Bearer {new}"}, new
    return headers, None


def _set_up(db, host):
    """Set the challenge of ``VALUES`` up anew, by a player with this token or by another.

    They have entered it; give the id of their entry.
    """
    shown = host or new_player(db, _new_name())
    body = {"variant": "cruel", **BODIES["challenges.create_challenge"]}
    made = hosting.create(db, hash_token(shown), body, NOON).view.id
    known = VALUES["challenge_id"]
    with write_transaction(db) as connection:
        for table in (events, former_terms, entries, games):
            connection.execute(delete(table).where(table.c.challenge_id == known))
        connection.execute(delete(challenges).where(challenges.c.id == known))
        connection.execute(update(challenges).where(challenges.c.id == made).values(id=known))
    return enter(db, known, player_id(db, shown))


def end_another(db):
    """Have a game that has ended, under the id ``ENDED``."""
    with db.connect() as connection:
        if connection.execute(select(games.c.id).where(games.c.id == ENDED)).first():
            return
    start = {"variant": "cruel", "options": {}, "seed": "semilla", "undo": None}
    made = new_games.create(db, **start, now=NOON).view.id
    ended = {"id": ENDED, "status": "resigned"}
    with write_transaction(db) as connection:
        connection.execute(update(games).where(games.c.id == made).values(ended))


def _new_name():
    return f"somebody-{next(_numbers)}"


def answer_by(patch, app, endpoint, answer):
    """Let something else answer the requests of a route: those that Flask sees, and plain ones."""
    patch.setitem(app.view_functions, endpoint, answer)
    short = {GAME.endpoint: "_read_game", MOVES.endpoint: "_play_moves"}
    if endpoint in short:
        patch.setattr(f"service.api.plain_requests.{short[endpoint]}", answer)


def routes_of(app, game_id):
    """Give every verb that each path answers, but those that Flask adds by itself."""
    urls = app.url_map.bind("localhost")
    found = []
    for rule in app.url_map.iter_rules():
        values = {"game_id": game_id, **VALUES}
        if rule.endpoint.startswith("docs."):
            values |= DOCUMENTATION
        if rule.endpoint.startswith("pages."):
            values |= PAGES
        path = urls.build(rule.endpoint, {name: values[name] for name in rule.arguments})
        verbs = rule.methods - {"HEAD", "OPTIONS"}
        found += [Route(rule.endpoint, verb, path) for verb in sorted(verbs)]
    return found
