"""Leading generated requests to real games, so that more than 404s are reached.

What is done to a request follows from the request alone, so that a failure can be repeated: each
one gets a game of its own, and chance is seeded by what was generated.
"""

from itertools import count
from random import Random
from secrets import token_hex

from service.api.paging import write_cursor, write_key_cursor
from service.rules import DEFAULT_VARIANT, VARIANTS
from tests.challenges import new_challenge
from tests.conftest import NOON, Player
from tests.entrants import new_entrant
from tests.hosting import Host

# How the games stand: a variant, terms and moves.
SCENES = [
    ("cruel", {}, []),
    ("cruel", {}, ["12>2", "R", "U", "6>9"]),
    ("cruel", {"undo": False}, ["12>2"]),
    ("cruel", {}, ["12>2", "Q"]),
    ("limited-cruel", {"seed": "191"}, ["8>9"]),  # lost, and undo leads out
    ("ripple-fan", {"options": {"redeal_limit": 0}}, []),
    ("royal-family", {}, []),
    ("calculation", {}, []),
    ("calculation", {}, ["S>W1", "S>W2"]),
    ("calculation", {}, ["Q"]),
]

_numbers = count(1)


def lead(case, client):
    """Change a generated case in place; what was made wrong on purpose stays wrong."""
    about = [case.operation.label, case.path_parameters, case.query, dict(case.headers), case.body]
    chance = Random(repr(about))
    wrong = {
        location.container_name
        for location, part in case.meta.components.items()
        if part.mode.is_negative
    }
    if "game_id" in case.path_parameters and "path_parameters" not in wrong:
        _lead_to_game(case, chance, client, wrong)
    if case.operation.path.startswith("/v1/challenges/{challenge_id}/entries"):
        _lead_to_entry(case, chance, client, wrong)
    elif case.operation.path.startswith("/v1/challenges"):
        _lead_to_challenge(case, chance, client, wrong)
    elif case.operation.path.startswith("/v1/players/"):
        _lead_to_player(case, chance, client, wrong)
    if case.operation.path.endswith("/par") and "body" not in wrong:
        # Any other budget would be as good, and take so long.
        case.body = {"budget_ms": chance.randint(1, 5)}
    if case.operation.label == "POST /v1/evaluate" and "body" not in wrong:
        _lead_evaluation(case, chance)
    likely = 0.5 if _is_drawn(case.operation) else 0.05
    if "headers" not in wrong and chance.random() < likely:
        case.headers["Accept"] = "text/plain"


def _is_drawn(operation):
    responses = operation.definition.raw["responses"].values()
    return any("text/plain" in response.get("content", {}) for response in responses)


def _lead_to_game(case, chance, client, wrong):
    variant, terms, moves = chance.choice(SCENES)
    player = Player(client)
    state = player.start(variant, **terms)
    if moves:
        played = player.play(*moves)
        assert played.status_code == 200, played.text
        state = played.json
    case.path_parameters["game_id"] = player.id
    if "headers" not in wrong and chance.random() < 0.9:
        case.headers["Authorization"] = player.auth["Authorization"]
    if "body" not in wrong and isinstance(case.body, dict):
        _lead_body(case, chance, state)
    if "query" not in wrong and "cursor" in case.query and chance.random() < 0.8:
        side = chance.choice(["after", "before"])
        case.query["cursor"] = write_cursor(side, chance.randint(0, 5))


def _lead_to_challenge(case, chance, client, wrong):
    host = Host(client, client.application.extensions["semilla"].db, f"host-{next(_numbers)}")
    host.create(seed=chance.choice([None, "semilla"]))
    if "challenge_id" in case.path_parameters and "path_parameters" not in wrong:
        case.path_parameters["challenge_id"] = host.id
    if "headers" not in wrong and chance.random() < 0.9:
        case.headers["Authorization"] = host.auth["Authorization"]
        if case.operation.method.upper() == "PATCH":
            case.headers["If-Match"] = chance.choice(["*", '"0"', '"1"'])
    if "body" not in wrong and isinstance(case.body, dict) and chance.random() < 0.7:
        for name in ("starts_at", "ends_at", "clock", "options", "order"):
            case.body.pop(name, None)
    if "query" not in wrong and "cursor" in case.query and chance.random() < 0.8:
        side = chance.choice(["after", "before"])
        case.query["cursor"] = write_key_cursor(side, (NOON, chance.choice(["", "z"])))


def _lead_to_entry(case, chance, client, wrong):
    if "path_parameters" in wrong:
        return
    db = client.application.extensions["semilla"].db
    names = [token_hex(8) for _ in range(2)]  # the same request may come again: names do not
    (host, hosts), (_, players) = (new_entrant(db, name) for name in names)
    terms = chance.choice([{}, {"attempts": 3}, {"starts_at": NOON + 1}, {"ends_at": NOON}])
    case.path_parameters["challenge_id"] = new_challenge(db, host, **terms)
    entry = "/v1/challenges/{challenge_id}/entries/me".format(**case.path_parameters)
    auth = {"Authorization": f"Bearer {players}"}
    for below in chance.choice([[], [""], ["", "/attempts/1"]]):
        client.put(f"{entry}{below}", headers=auth)
    if "player" in case.path_parameters:
        case.path_parameters["player"] = names[1]
        auth = {"Authorization": f"Bearer {chance.choice([hosts, hosts, players])}"}
    if "attempt" in case.path_parameters:
        case.path_parameters["attempt"] = chance.randint(1, 3)
    if "headers" not in wrong and chance.random() < 0.9:
        case.headers.update(auth)
    if "query" not in wrong and "cursor" in case.query and chance.random() < 0.8:
        side = chance.choice(["after", "before"])
        case.query["cursor"] = write_key_cursor(side, (chance.choice(["", "z"]),))


def _lead_to_player(case, chance, client, wrong):
    name = f"somebody-{next(_numbers)}"
    player = client.post("/v1/players", json={"name": name}).json
    if "headers" not in wrong and chance.random() < 0.9:
        case.headers["Authorization"] = f"Bearer {player['token']}"
    if "name" in case.path_parameters and "path_parameters" not in wrong:
        case.path_parameters["name"] = chance.choice([name, name.upper()])


def _lead_body(case, chance, state):
    if case.body.get("at") is not None:
        case.body["at"] = chance.choice([0, state["ply"], state["ply"], state["ply"] + 1])
    if "moves" in case.body:
        known = [*state["legal_moves"] * 3, "R", "U", "Q", *VARIANTS[state["variant"]].move_texts]
        count = min(len(case.body["moves"]), chance.randint(1, 3))
        case.body["moves"] = [chance.choice(known) for _ in range(count)]


def _lead_evaluation(case, chance):
    body = case.body
    if not isinstance(body, dict) or "record" in body:
        return
    variant = VARIANTS[body.get("variant", DEFAULT_VARIANT)]
    if chance.random() < 0.8:
        body.pop("options", None)
        body.pop("position", None)
        body.setdefault("seed", "semilla")
        body.pop("undo", None)
    if "moves" in body:
        known = [*variant.move_texts, "U", "Q"]
        body["moves"] = [chance.choice(known) for _ in body["moves"]]
