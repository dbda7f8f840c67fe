"""The contract with examples that the service really gave.

``make openapi`` writes it: ``python -m tests.contract.document > service/api/openapi.yaml``.
"""

import json
import logging
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import pytest
import yaml
from sqlalchemy import update

from service.api.errors import PROBLEM
from service.api.paging import write_key_cursor
from service.api.spec import openapi
from service.app import create_app
from service.config import Config
from service.db.migrations import upgrade
from service.db.tables import games
from service.rules import VARIANTS
from service.solver import Budget, Goal, solve
from service.usecases.challenge_terms import Terms, commit
from service.usecases.solutions import Known, deal_key, keep
from tests.challenges import SECRET_SEED, let_all_win, new_challenge
from tests.conftest import Clock, Player, limited
from tests.entrants import new_entrant
from tests.hosting import change_row, enter, stored
from tests.player_rows import fill_in
from tests.players import new_player, player_id
from tests.racing.deal import SEED, WON

FILE = Path(__file__).parents[2] / "service" / "api" / "openapi.yaml"
JSON = "application/json"
TEXT = {"Accept": "text/plain"}
REQUEST_ID = "0123456789abcdef"
_URL = "https://semilla.example"
_WIDTH = 100
_CHALLENGE = "01kdwpvng1"
# What a search takes differs from run to run.
_ELAPSED_MS = 3


class Recorder:
    """Somebody who calls operations by their ids and notes what comes as their examples."""

    def __init__(self, client, document):
        self.client = client
        self.document = document
        self.stand_ins = {}
        self._operations = {
            operation["operationId"]: (path, verb, operation)
            for path, items in document["paths"].items()
            for verb, operation in items.items()
            if verb != "parameters"
        }

    def call(self, operation_id, example, *, headers=None, query=None, **options):
        """Call an operation; ``options`` are its path parameters and ``json`` or ``data``.

        Problems are named by their code: ``example`` names everything else.
        """
        path, verb, operation = self._operations[operation_id]
        sent = {
            name: options.pop(name) for name in ("json", "data", "content_type") if name in options
        }
        reply = self.client.open(
            path.format(**options), method=verb, headers=headers, query_string=query, **sent
        )
        response = self._resolve(operation["responses"][str(reply.status_code)])
        if "content" not in response:
            return reply
        value = reply.json if reply.is_json else reply.text
        if operation_id == "solve" and value.get("nodes"):
            value["elapsed_ms"] = _ELAPSED_MS
        if reply.mimetype == PROBLEM:
            value["request_id"] = REQUEST_ID
            example = value["code"]
        elif "json" in sent:
            _note(operation["requestBody"]["content"][JSON], example, sent["json"])
        _note(response["content"][reply.mimetype], example, value)
        return reply

    def start(self, example, **body):
        """Start a game, with an id and a token in the examples that are always the same."""
        game = self.call("createGame", example, json=body).json
        number = sum(found.startswith("sg_") for found in self.stand_ins) + 1
        self.stand_ins[game["id"]] = f"01kdwpvng0{number:016}"
        self.stand_ins[game["token"]] = f"sg_{'example-token-':x<42}{number}"
        return {"game_id": game["id"]}, {"Authorization": f"Bearer {game['token']}"}

    def _resolve(self, response):
        if "$ref" in response:
            response = self.document["components"]["responses"][response["$ref"].split("/")[-1]]
        return response


def _note(media, name, value):
    media.setdefault("examples", {}).setdefault(name, {"value": value})


def make_document(folder):
    """Give the contract as JSON values; the folder takes a database."""
    clock = Clock()
    app = create_app(Config(data=folder, public_url=_URL), clock)
    db = app.extensions["semilla"].db
    recorder = Recorder(app.test_client(), json.loads(json.dumps(openapi(app))))
    recorder.call("checkReady", "down")
    upgrade(db)
    _ask(recorder)
    _evaluate(recorder)
    _host(recorder, db, clock)
    _play(recorder, clock)
    _solve(recorder, db)
    _register(recorder, db, clock)
    _fail(recorder, clock)
    _enter(recorder, clock, db)
    _play_daily(recorder, db)
    db.dispose()
    text = json.dumps(recorder.document)
    for found, stand_in in recorder.stand_ins.items():
        text = text.replace(found, stand_in)
    return json.loads(text)


def _ask(recorder):
    recorder.call("checkLive", "alive")
    recorder.call("checkReady", "ready")
    recorder.call("getVariant", "english", variant="cruel", headers={"Accept-Language": "en"})
    variants = recorder.call("listVariants", "spanish", headers={"Accept-Language": "es"}).json
    content = recorder.document["paths"]["/v1/variants"]["get"]["responses"]["200"]["content"]
    summary = "In Spanish; the first of them"
    first = {"items": variants["items"][:1]}
    content[JSON]["examples"]["spanish"] = {"summary": summary, "value": first}
    recorder.call("getDeal", "cruel", variant="cruel", seed="semilla")
    bases = {"bases": "AC,2D,3H,4S"}
    recorder.call("getDeal", "calculation", variant="calculation", seed="semilla", query=bases)
    recorder.call("getDeal", "", variant="cruel", seed="semilla", query=bases)


def _evaluate(recorder):
    seeded = {"variant": "cruel", "seed": "semilla", "moves": ["12>2", "R", "4>7"]}
    recorder.call("evaluate", "seeded", json=seeded)
    recorder.call("evaluate", "failed", json={**seeded, "moves": ["12>2", "12>2"]})
    position = {"piles": [["KC"], ["KD"], ["KH", "QH"], ["KS"], *[[]] * 8]}
    moves = ["1>F", "2>F", "3>F", "3>F", "4>F"]
    placed = {"variant": "cruel", "position": position}
    recorder.call("evaluate", "positioned", json={**placed, "moves": moves})
    twice = {"piles": [["KC"], ["KC"], *[[]] * 10]}
    recorder.call("evaluate", "", json={"variant": "cruel", "position": twice})
    recorder.call("evaluate", "", data="seed=semilla", content_type="text/plain")
    recorder.call("evaluate", "", data=b" " * 2**19, content_type=JSON)


def _host(recorder, db, clock):
    eva_token, leo_token = (new_player(db, name) for name in ("eva", "leo"))
    eva, leo = ({"Authorization": f"Bearer {token}"} for token in (eva_token, leo_token))

    def create(example, **body):
        made = recorder.call("createChallenge", example, headers=eva, json=body).json
        number = sum(id_.startswith(_CHALLENGE) for id_ in recorder.stand_ins.values()) + 1
        recorder.stand_ins[made["id"]] = f"{_CHALLENGE}{number:016}"
        return {"challenge_id": made["id"]}

    def stand_in(commitment, number):
        recorder.stand_ins[commitment] = sha256(b"an example %d" % number).hexdigest()

    weekend = create("weekend", title="Weekend", seed="pysol-7", attempts=3)
    clock.tick(1_000)  # of two at the same millisecond chance says which is the newer
    times = {"starts_at": "2026-01-03T19:00:00+01:00", "ends_at": "2026-01-03T18:30:00Z"}
    race = create("race", title="Race of two", clock="shared", order="time", **times)
    stand_in(recorder.call("getChallenge", "race", **race).json["commitment"], 1)
    change = {"title": "Race of three", "time_limit_ms": 1_200_000}
    headers = {**eva, "If-Match": '"0"'}
    changed = recorder.call("changeChallenge", "changed", headers=headers, json=change, **race)
    stand_in(changed.json["commitment"], 2)
    recorder.call("changeChallenge", "", headers=headers, json=change, **race)
    recorder.call("changeChallenge", "", headers=eva, json=change, **race)
    recorder.call("changeChallenge", "", headers={**leo, "If-Match": "*"}, json=change, **race)
    enter(db, race["challenge_id"], player_id(db, leo_token), clock.ms)
    headers["If-Match"] = '"2"'
    recorder.call("changeChallenge", "", headers=headers, json={"order": "actions"}, **race)
    recorder.call("getChallenge", "entered", headers=leo, **race)
    recorder.call("getChallenge", "drawn", headers=TEXT, **weekend)
    page = recorder.call("listChallenges", "public", query={"limit": 1, "variant": "cruel"}).json
    last = (clock.ms, recorder.stand_ins[race["challenge_id"]])
    recorder.stand_ins[page["next"]] = write_key_cursor("after", last)
    recorder.call("listChallenges", "", query={"status": "over"})
    recorder.call("listChallenges", "", query={"mine": "true"})
    recorder.call("createChallenge", "", headers=eva, json={"title": "Race", "clock": "shared"})
    recorder.call("createChallenge", "", json={"title": "Race"})
    recorder.call("cancelChallenge", "cancelled", headers=eva, json={}, **race)
    recorder.call("getChallenge", "", challenge_id="nobodys-challenge")
    clock.tick(-1_000)


def _play(recorder, clock):
    game, token = recorder.start("cruel", variant="cruel", seed="semilla")
    recorder.call("getGame", "cruel", **game, headers=token)
    clock.tick(1_520)
    played = {"at": 0, "moves": ["12>2"]}
    recorder.call("playMoves", "played", **game, headers=token, json=played)
    recorder.call("playMoves", "recorded", **game, headers=token, json=played)
    clock.tick(700)
    recorder.call("previewRedeal", "allowed", **game)
    recorder.call("redeal", "redealt", **game, headers=token, json={"at": 1})
    recorder.call("undo", "undone", **game, headers=token, json={"at": 2})
    recorder.call("getGame", "drawn", **game, headers=TEXT)
    recorder.call("getHistory", "page", **game, query={"limit": 2})
    record = recorder.call("getRecord", "cruel", **game).json
    recorder.call("getRecord", "text", **game, headers=TEXT)
    recorder.call("evaluate", "record", json=record)


def _solve(recorder, db):
    asked = {"variant": "cruel", "seed": "32", "goal": "line", "budget_ms": 10_000}
    recorder.call("solve", "line", json=asked)
    recorder.call("solve", "known", json={**asked, "goal": "verdict"})
    recorder.call("solve", "unwinnable", json={**asked, "seed": "29"})
    recorder.call("solve", "", json={**asked, "moves": ["12>1"]})
    recorder.call("solve", "", json={**asked, "goal": "win"})

    def hint(example, variant="cruel", seed="32"):
        body = {"variant": variant, "seed": seed}
        game_id = recorder.client.post("/v1/games", json=body).json["id"]
        recorder.call("getHint", example, game_id=game_id)

    hint("cruel")
    hint("unwinnable", seed="29")
    hint("", seed="135")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.usecases.hints.CALCULATION_BUDGET", Budget(nodes=2_000))
        hint("calculation", "calculation")
    host = new_entrant(db, "ines")[0]
    new_challenge(db, host, seed="pysol-7")
    recorder.call("solve", "", json={**asked, "seed": "pysol-7"})
    hint("", seed="pysol-ms7")


def _register(recorder, db, clock):
    def stand_in(reply, number):
        token = reply.json["token"]
        recorder.stand_ins[token] = f"sp_{'example-token-':x<42}{number}"
        return {"Authorization": f"Bearer {token}"}

    ana = {"name": "ana"}
    stand_in(recorder.call("registerPlayer", "ana", json={**ana, "bot": False}), 1)
    token = stand_in(recorder.call("registerPlayer", "bot", json={"name": "robo", "bot": True}), 2)
    for body in (ana, {"name": "operator"}, {"name": "a b"}):
        recorder.call("registerPlayer", "", json=body)
    recorder.call("changeMe", "renamed", headers=token, json={"name": "robo-2"})
    recorder.call("changeMe", "", headers=token, json=ana)
    recorder.call("getMe", "")
    fill_in(db, "robo-2", clock.ms)
    recorder.call("getMe", "playing", headers=token)
    recorder.call("getPlayer", "played", name="robo-2")
    recorder.call("getPlayer", "", name="robo")
    recorder.call("getPlayerHistory", "weeks", name="robo-2", query={"period": "week"})
    for query in ({"period": "year"}, {"cursor": "page-2"}):
        recorder.call("getPlayerHistory", "", name="robo-2", query=query)
    recorder.call("getPlayerHistory", "", name="robo")
    token = stand_in(recorder.call("rotateToken", "rotated", headers=token, json={}), 2)
    recorder.call("deleteMe", "", headers=token)
    recorder.call("getMe", "", headers=token)


def _fail(recorder, clock):
    recorder.call("createGame", "", json={"options": {"redeal": "never"}})
    game, token = recorder.start("no_undo", seed="semilla", undo=False)
    bases = {"bases": ["AC", "2D", "3H", "4S"]}
    other, others = recorder.start(
        "calculation", variant="calculation", seed="semilla", options=bases
    )

    def play(*moves, at=0, headers=token):
        body = {"at": at, "moves": moves}
        recorder.call("playMoves", "played", **game, headers=headers, json=body)

    play("12>2", headers=None)
    play("12>2", headers=others)
    play("12>2", "12>2")
    play("12>2", at=1)
    play("U")
    clock.tick(5_000)
    recorder.call("playMoves", "calculation", **other, headers=others, json={"moves": ["S>W1"]})
    play("1>11")
    play("12>2")
    recorder.call("getGame", "calculation", **other, headers=others)
    recorder.call("getRecord", "", **other)
    recorder.call("previewRedeal", "", **other)
    recorder.call("redeal", "", **other, headers=others)
    recorder.call("undo", "", **game, headers=token)
    recorder.call("getHistory", "", **game, query={"cursor": "page-2"})
    recorder.call("getHistory", "", **game, query={"page": "2"})
    recorder.call("getGame", "", **game, headers={"Accept": "image/png"})
    recorder.call("getGame", "", game_id="nobodys-game")
    recorder.call("resign", "resigned", **game, headers=token, json={})
    play("6>9", at=2)
    with limited(recorder.client.application, create=1):
        for _ in range(2):
            recorder.call("evaluate", "seeded", json={"seed": "semilla"})


def _enter(recorder, clock, db):
    (host, hosts), (_, adas) = (new_entrant(db, name) for name in ("hugo", "ada"))
    shown = {"challenge_id": new_challenge(db, host, attempts=2)}
    recorder.stand_ins[shown["challenge_id"]] = "01kdwpvng00000000000000c01"
    hosts, adas = ({"Authorization": f"Bearer {token}"} for token in (hosts, adas))

    def call(operation_id, example, headers=adas, **options):
        return recorder.call(operation_id, example, **shown, headers=headers, **options)

    call("getEntry", "")
    entry = call("enterChallenge", "entered").json
    recorder.stand_ins[entry["id"]] = "01kdwpvng00000000000000e01"
    call("enterChallenge", "again")
    call("dealAttempt", "", attempt=2)
    game = call("dealAttempt", "dealt", attempt=1).json
    recorder.stand_ins[game["id"]] = "01kdwpvng00000000000000g01"
    call("dealAttempt", "again", attempt=1)
    drawn = call("dealAttempt", "drawn", headers={**adas, **TEXT}, attempt=1)
    assert drawn.status_code == 200
    call("getEntry", "playing")
    call("dealAttempt", "", attempt=3)
    judgement = {"disqualified": True, "reason": "a solver has played"}
    call("judgeEntry", "disqualified", headers=hosts, player="ada", json=judgement)
    call("judgeEntry", "", player="ada", json=judgement)
    call("listEntries", "page", headers=None)
    call(
        "judgeEntry",
        "reinstated",
        headers=hosts,
        player="ada",
        json={**judgement, "disqualified": False},
    )
    call("getLeaderboard", "page", headers=None)
    call("getLeaderboard", "around me", query={"around": "me"})
    call("getLeaderboard", "drawn", headers=TEXT)
    call("getLeaderboard", "", headers=hosts, query={"around": "me"})
    call("getLeaderboardTable", "whole", headers=None)
    call("watchChallenge", "running", headers=None)
    call("watchChallenge", "", headers=None, query={"after": "last"})
    call("getChallengeRecord", "", headers=None)
    call("getChallengeStatistics", "", headers=None)
    call("improveChallengePar", "", json={"budget_ms": 1})
    call("improveGamePar", "", game_id=game["id"], json={"budget_ms": 1})
    clock.tick(60_000)
    call("leaveChallenge", "forfeited")
    recorder.call("listGames", "page", headers=adas, query={"player": "ada"})
    recorder.call("listGames", "", query={"variant": "cruel"})
    call("enterChallenge", "")
    terms = Terms.of(stored(db, **shown)).write()
    known = {"terms": terms, "commitment": commit(SECRET_SEED, terms)}
    change_row(db, **shown, finishes_at=clock.ms, **known)
    call("getChallengeRecord", "whole", headers=None)
    call("getChallengeStatistics", "unsolved", headers=None)
    let_all_win(db, shown["challenge_id"])
    call("getChallengeStatistics", "solved", headers=None)
    _ask_for_par(recorder, db, clock, host)
    early = {"challenge_id": new_challenge(db, host, starts_at=clock.ms + 1)}
    recorder.call("enterChallenge", "entered", **early, headers=adas)
    recorder.call("dealAttempt", "", **early, headers=adas, attempt=1)


def _ask_for_par(recorder, db, clock, host):
    """Ask for the par of a deal of which the shortest line is known: a search takes its time."""
    rules = VARIANTS["cruel"]
    opening = rules.opening("deal/1", SEED)
    found = solve(rules, opening, Goal.SHORTEST, Budget(nodes=20_000))
    assert found.proven_shortest
    keep(db, deal_key(rules, opening), Known.of(found), clock.ms)
    shown = {"challenge_id": new_challenge(db, host, seed=SEED, finishes_at=clock.ms)}
    recorder.call("improveChallengePar", "known", json={"budget_ms": 5_000}, **shown)
    player = Player(recorder.client)
    player.start("cruel", SEED)
    player.play(*WON)
    recorder.stand_ins[player.id] = "01kdwpvng00000000000000g02"
    recorder.call("improveGamePar", "known", json={}, game_id=player.id)
    recorder.call("getGame", "par", game_id=player.id)


def _play_daily(recorder, db):
    mia = {"Authorization": f"Bearer {new_player(db, 'mia')}"}
    daily = recorder.call("getDaily", "untouched", variant="cruel").json
    recorder.stand_ins[daily["commitment"]] = sha256(b"an example of today").hexdigest()
    recorder.call("getDaily", "drawn", variant="cruel", headers=TEXT)
    recorder.call("getDaily", "", variant="patience")
    board = {"variant": "cruel"}
    recorder.call("getDailyLeaderboard", "", query={"around": "me"}, headers=mia, **board)
    path = f"/v1/challenges/{daily['id']}/entries/me"
    recorder.client.put(path, headers=mia)
    game = recorder.client.put(f"{path}/attempts/1", headers=mia).json["id"]
    with db.connect() as connection:
        won = update(games).where(games.c.id == game)
        connection.execute(won.values(status="won", cards_up=52, moves=61, redeals=9))
    recorder.call("getDailyLeaderboard", "week", **board)
    recorder.call("getDailyLeaderboard", "drawn", headers=TEXT, **board)
    recorder.call("getDailyLeaderboard", "", query={"period": "year"}, **board)
    recorder.call("getDailyLeaderboard", "", query={"cursor": "page-2"}, **board)


class _Dumper(yaml.SafeDumper):
    """Block style, but for rows of words; texts of several lines as they are."""

    def ignore_aliases(self, _data):
        return True


def _dump_list(dumper, data):
    row = bool(data) and not any(isinstance(item, dict | list) for item in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=row or not data)


def _dump_text(dumper, data):
    style = "|" if "\n" in data else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)


_Dumper.add_representer(list, _dump_list)
_Dumper.add_representer(str, _dump_text)


def to_yaml(document):
    """Write a document for people."""
    head = "# Written by `make openapi`: change the code, not this file.\n"
    body = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
    return head + body


if __name__ == "__main__":
    logging.disable()  # the errors are wanted
    with tempfile.TemporaryDirectory() as scratch:
        sys.stdout.write(to_yaml(make_document(Path(scratch))))
