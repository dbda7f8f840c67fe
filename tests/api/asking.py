"""Every route of an application, asked by somebody about a ``Scene``, and what each may tell."""

import random
from itertools import product

from tests.api.routes import BODIES, DOCUMENTATION, PAGES
from tests.api.scanning import TOKEN, cards_of, words_of
from tests.api.scene import ENTRANTS

# What these tell of cards is of deals that the request itself names, or of no deal at all.
OTHER_DEALS = {
    "deals.get_deal",
    "evaluate.evaluate",
    "games.create_game",
    "pictures.get_deal_picture",
    "pictures.get_deal_png",
    "solver.solve",
    "variants.get_variant",
    "variants.list_variants",
}
FILES = {"docs.openapi", "docs.viewer", "docs.viewer_with_slash", "docs.viewer_file", "pages.file"}
GIVES_TOKENS = {"games.create_game", "players.register_player", "players.rotate_token"}
READS = {"GET", "HEAD", "OPTIONS"}
ACCEPTS = ("application/json", "text/plain", "text/html")
KEY = {"Idempotency-Key": "0123456789-0123456789-012"}


class Chance(random.Random):
    """Chooses what is asked beside the plain requests."""

    def __init__(self, name, share):
        super().__init__(name)
        self.share = share

    def takes(self):
        return self.random() < self.share


def routes(scene, who, chance):
    """Give endpoint, verb and path of everything that there is to ask, also what is no route."""
    own, others = scene.owned.get(who), [each for name, each in scene.owned.items() if name != who]
    some = others if chance.share == 1 else others and [chance.choice(others)]
    games = [scene.free.id, *([own] if own else []), *some]
    urls = scene.app.url_map.bind("localhost")
    values = {
        "variant": [scene.variant],
        "seed": ["semilla", scene.id],
        "name": ["hosting", who if who in ENTRANTS else "playing"],
        "challenge_id": [scene.id],
        "player": ["judged", "waiting"],
        "attempt": ["1", "2", "0"],
        "game_id": games,
    }
    for rule in scene.app.url_map.iter_rules():
        names = sorted(rule.arguments)
        if rule.endpoint in FILES and who is not None:
            continue  # files as they are
        files = DOCUMENTATION if rule.endpoint.startswith("docs.") else PAGES
        named = {name: [text] for name, text in files.items()}
        known = {**values, **(named if rule.endpoint in FILES else {})}
        for chosen in product(*[known[name] for name in names]):
            path = urls.build(rule.endpoint, dict(zip(names, chosen, strict=True)))
            for verb in sorted(rule.methods):
                yield rule.endpoint, verb, path
    for each in ("mine=true", "host=hosting", f"variant={scene.variant}", "status=running"):
        yield "challenges.list_challenges", "GET", f"/v1/challenges?{each}"
    for each in (f"challenge={scene.id}", "player=playing", "player=resigning", "player=judged"):
        yield "game_lists.list_games", "GET", f"/v1/games?{each}"
    for below in ("seed", "record", "events", "leaderboard", "par", "attempts", "deal", "games"):
        yield None, "GET", f"{scene.path}/{below}"
    for game_id in games[1:]:
        yield from ((None, "GET", f"/v1/games/{game_id}/{below}") for below in ("seed", "line"))
        yield None, "POST", f"/v1/games/{game_id}/par"


def check(scene, who, path, endpoint, reply, turns=0):
    """Check that a reply tells its viewer nothing that is a secret."""
    told = words_of(reply)
    scene.secrets.check(told)
    assert not any(token in told for token in scene.tokens.values()), path
    if endpoint in FILES:
        return
    assert endpoint in GIVES_TOKENS or not TOKEN.search(told), path
    others = [
        game_id for name, game_id in scene.owned.items() if name != who and game_id not in path
    ]
    assert not any(game_id in told for game_id in others), (who, path)
    if scene.free.id not in path and endpoint not in OTHER_DEALS:
        assert cards_of(reply) <= scene.known_cards(who, path, turns), (who, path)


def read_all(scene, who, chance):
    """Ask everything that only reads."""
    asked = 0
    for endpoint, verb, path in routes(scene, who, chance):
        for accept in ACCEPTS:
            plain = (verb, accept) == ("GET", ACCEPTS[0])
            if verb not in READS or not (plain or chance.takes()):
                continue
            headers = {**scene.auth(who), "Accept": accept}
            reply = scene.client.open(path, method=verb, headers=headers)
            check(scene, who, path, endpoint, reply)
            reply.close()
            asked += 1
    return asked


def bodies(scene, endpoint, path):
    """Give what may be sent to an operation: what it takes, and what is wrong in every way."""
    body = BODIES.get(endpoint, {})
    yield {"json": body}
    yield {"json": body, "headers": KEY}
    yield {"json": {**body, "seed": 1, "x": "y"}}
    yield {"json": []}
    yield {"data": "{", "content_type": "application/json"}
    yield {"data": "a=b"}
    yield {"json": body, "headers": {"If-Match": '"99"', "Accept": "text/plain"}}
    yield {"json": body, "headers": {"If-Match": "*", "Accept": "text/plain"}}
    yield {"json": body, "headers": {"Accept": "text/html"}}
    owner = next((name for name, game_id in scene.owned.items() if game_id in path), None)
    if endpoint == "games.play_moves" and owner is not None:
        game = scene.games[owner]
        ply = len(game.history)
        for moves in ([text] for text in ("7>3", "12>F", "S>F1", "S>W1", "W1>F1", "R", "U", "Q")):
            yield {"json": {"moves": moves, "at": ply}}
        yield {"json": {"moves": ["S>W1", "S>F2", "S>F3"], "at": ply}}
        yield {"json": {"moves": [*game.legal_moves()[:1], "S>F1"], "at": ply}}
        yield {"json": {"moves": ["F1>W1"], "at": 0}}
        yield {"json": {"moves": ["S>W1"], "at": ply + 1}}
    elif owner is not None:
        ply = len(scene.games[owner].history)
        yield from ({"json": {"at": at}} for at in (0, ply, ply + 1))


def write_all(scene, who, chance):
    """Ask for everything that writes, and bring all of it back."""
    asked = 0
    for endpoint, verb, path in routes(scene, who, chance):
        for number, options in enumerate(bodies(scene, endpoint, path)):
            if verb in READS or not (number == 0 or chance.takes()):
                continue
            headers = {"If-Match": "*", **scene.auth(who), **options.get("headers", {})}
            sent = {**options, "headers": headers}
            turns = str(options.get("json", "")).count("S>")
            for _ in range(1 + ("Idempotency-Key" in headers)):
                reply = scene.client.open(path, method=verb, **sent)
                assert reply.status_code < 500, (verb, path, reply.text)
                check(scene, who, path, endpoint, reply, turns)
                asked += 1
            if reply.status_code < 400:
                scene.bring_back()
    return asked
