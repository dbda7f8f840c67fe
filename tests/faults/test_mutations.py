"""Requests that went wrong on their way break nothing, and change no game unless they are accepted.

Valid requests are recorded from sessions over the whole API, then changed by chance and sent over
real connections, one after the other. After each of them the rows of the games are looked at.
"""

import itertools
import json
import os
import random
import socket
import sys
import time
from collections import Counter
from contextlib import ExitStack

import pytest
from sqlalchemy import func, select

from service.config import Config
from service.db.engine import open_engine
from service.db.tables import games
from tests import postgres
from tests.api.problems import CODES
from tests.cli.operating import invoke
from tests.conftest import DATABASES
from tests.faults.mutations import Mutator, get, post, read_answers
from tests.naive.deals import opening
from tests.servers import started_server

SECONDS = 10
BATCH = 250
FEW, MANY = 600, 50_000
# What gunicorn answers itself, as HTML, to what is no HTTP; 501 is for unknown transfer codings.
WORKER_CODES = {
    "uri_too_long": 414,
    "expectation_failed": 417,
    "head_too_long": 431,
    "not_implemented": 501,
}
ACCEPTED = {200, 201, 204, 206, 302, 304, 308}
HIDDEN_CARDS = 6
NO_LIMITS = {"RATE_LIMIT_ADDRESS": "0", "RATE_LIMIT_CREATE": "0"}


def exchange(url, raw):
    """Send bytes over a connection of their own, and give all that comes back."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=SECONDS) as client:
        received = bytearray()
        try:
            client.sendall(raw)
            # Now even a request that promises more is as long as it gets.
            client.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it was refused before it was through
        deadline = time.monotonic() + SECONDS
        try:
            while some := client.recv(262_144):
                received += some
                if time.monotonic() > deadline:
                    raise TimeoutError
        except ConnectionResetError:
            pass
        return bytes(received)


class Sessions:
    """People who play, and the valid requests that they sent."""

    def __init__(self, url, number):
        self.url = url
        self.recorded = []
        self.tokens = {}
        for session in (
            self._look,
            self._play_cruel,
            self._play_calculation,
            self._give_up,
            self._start_twice,
        ):
            session(number)

    def send(self, request):
        (answer,) = read_answers(exchange(self.url, request.raw), head_only=False)
        assert answer.status in ACCEPTED, answer
        self.recorded.append(request)
        return answer

    def json(self, request):
        return json.loads(self.send(request).body)

    def start(self, variant, **asked):
        game = self.json(post("/v1/games", {"variant": variant, **asked}))
        self.tokens[game["id"]] = game["token"]
        return game, f"/v1/games/{game['id']}", game["token"]

    def read(self, path, token):
        for shown in (token, None):
            self.send(get(path, shown))
            self.send(get(path, shown, Accept="text/plain"))
            self.send(get(f"{path}.svg", shown))
        page = self.json(get(f"{path}/moves?limit=1", token))
        if page["next"]:
            self.send(get(f"{path}/moves?limit=1&cursor={page['next']}", token))

    def _look(self, _number):
        for path in ("/livez", "/readyz", "/openapi.yaml", "/docs", "/", "/docs/start.js"):
            self.send(get(path))
        etag = self.send(get("/v1/variants")).headers["etag"]
        self.send(get("/v1/variants", If_None_Match=etag))
        self.send(get("/v1/variants/cruel", Accept_Language="es"))
        self.send(get("/v1/deals/cruel/semilla?deal=by_round"))
        self.send(get("/v1/deals/cruel/pysol-12345"))
        self.send(get("/v1/deals/cruel/semilla/board.svg"))
        deal = self.json(get("/v1/deals/calculation/semilla?bases=AC,2D,3H,4S"))
        position = {name: deal[name] for name in ("stock", "wastes", "foundations")}
        self.send(post("/v1/evaluate", {"variant": "calculation", "position": position}))
        deal = self.json(get("/v1/deals/cruel/semilla"))
        position = {"piles": deal["piles"], "foundations": deal["foundations"]}
        self.send(post("/v1/evaluate", {"variant": "cruel", "position": position, "moves": ["R"]}))

    def _play_cruel(self, _number):
        options = {"redeal_limit": 3, "redeal_when": "if_changes", "build": "suit_down"}
        game, path, token = self.start("cruel", seed="32", options=options, undo=True)
        at = 0
        for moves in (game["legal_moves"][:1], ["U"], game["legal_moves"][:1]):
            game = self.json(post(f"{path}/moves", {"at": at, "moves": moves}, token))
            at += 1
        for _ in range(2):
            self.send(post(f"{path}/undo", {"at": at}, token))
        for _ in range(3):
            self.send(post(f"{path}/moves", {"moves": moves}, token))
            self.send(post(f"{path}/undo", None, token))
        if self.json(get(f"{path}/redeal", token))["allowed"]:
            self.send(post(f"{path}/redeal", None, token))
        self.send(get(f"{path}/redeal", token))
        self.read(path, token)
        record = self.json(get(f"{path}/record", token))
        self.send(get(f"{path}/record", token, Accept="text/plain"))
        self.send(post("/v1/evaluate", record))

    def _play_calculation(self, number):
        for seed in ({}, {"seed": f"c-{number}", "options": {"bases": ["AC", "2D", "3H", "4S"]}}):
            game, path, token = self.start("calculation", **seed)
            for _ in range(3):
                at, moves = game["ply"], game["legal_moves"][:1]
                game = self.json(post(f"{path}/moves", {"at": at, "moves": moves}, token))
            self.read(path, token)

    def _give_up(self, _number):
        _, path, token = self.start("cruel-semicolon")
        self.send(post(f"{path}/resign", {"at": 0}, token))
        self.send(post(f"{path}/resign", {"at": 0}, token))
        self.send(get(f"{path}/record"))

    def _start_twice(self, number):
        body = {"variant": "cruel", "seed": "32"}
        request = post("/v1/games", body, None, Idempotency_Key=f"a-key-of-nobody-else-{number}")
        first, second = self.json(request), self.json(request)
        assert first["id"] == second["id"]
        self.tokens[first["id"]] = second["token"]


class Attack:
    """Mutated requests against a server, and what must hold after each of them."""

    def __init__(self, server, engine, seed):
        self.server, self.engine, self.seed = server, engine, seed
        self.statuses = Counter()
        self.sent = self.created = self.changed = self.slowest = 0

    def run(self, count):
        for batch in itertools.count():
            if self.sent >= count:
                return
            sessions = Sessions(self.server.url, f"{self.seed}-{batch}")
            self.created += len(sessions.tokens)
            self.rows = self.read_rows(sessions.tokens)
            self.secrets = set(self.secrets_of(sessions.tokens))
            mutator = Mutator(random.Random(f"{self.seed}-{batch}"), sessions.recorded)
            # What could change something is the more interesting.
            posts = [request for request in sessions.recorded if request.method == "POST"]
            valid = sessions.recorded + 3 * posts
            for _ in range(min(BATCH, count - self.sent)):
                raw = mutator.bytes_of(mutator.chance.choice(valid))
                self.sent += 1
                try:
                    self.send(raw)
                except Exception as error:
                    error.add_note(f"seed {self.seed}, request {self.sent}: {raw!r}")
                    error.add_note(self.server.output[-5_000:])
                    raise
            with self.engine.connect() as connection:
                stored = connection.execute(select(func.count()).select_from(games)).scalar_one()
            assert stored == self.created, "a game was created by a request that was refused"

    def send(self, raw):
        began = time.monotonic()
        received = exchange(self.server.url, raw)
        self.slowest = max(self.slowest, time.monotonic() - began)
        answers = read_answers(received, head_only=raw.startswith(b"HEAD "))
        # Who does not even send a whole head may get nothing.
        assert answers or b"\r\n\r\n" not in raw[2:], "no reply"
        self.statuses.update(answer.status for answer in answers)
        if not answers:
            self.statuses["closed"] += 1
        for answer in answers:
            self.check(answer, raw)
        self.check_rows(answers)

    def check(self, answer, raw):
        told = f"{answer.headers}{answer.body.decode('utf-8', 'replace')}"
        for secret in self.secrets:
            assert secret not in told, f"a secret is told: {answer}"
        if answer.status in ACCEPTED:
            return
        assert answer.headers.get("content-type") == "application/problem+json", answer
        refused_coding = answer.status == 501 and b"transfer-encoding" in raw.lower()
        assert answer.status < 500 or refused_coding, answer
        if answer.body:
            problem = json.loads(answer.body)
            assert {**CODES, **WORKER_CODES}[problem["code"]] == answer.status, answer
            assert problem["status"] == answer.status
            assert problem["detail"]

    def check_rows(self, answers):
        """Check that no row has changed but by an accepted request, and just as its reply says."""
        rows = self.read_rows(self.rows)
        changed = [game_id for game_id in rows if rows[game_id] != self.rows[game_id]]
        made = [answer for answer in answers if answer.status == 201]
        again = [answer for answer in made if "idempotent-replayed" in answer.headers]
        self.created += len(made) - len(again)
        if changed:
            (game_id,) = changed
            old, new = self.rows[game_id], rows[game_id]
            if again:
                # The reply has a fresh token, which is the only one now.
                assert new._asdict() | {"token_hash": old.token_hash} == old._asdict()
                self.rows = rows
                return
            (accepted,) = [answer for answer in answers if answer.status == 200]
            assert new.ply > old.ply
            assert new.history.startswith(old.history)
            assert accepted.headers["content-type"].partition(";")[0] in (
                "application/json",
                "text/plain",
            )
            if accepted.headers["content-type"].startswith("application/json") and accepted.body:
                game = json.loads(accepted.body)
                assert (game["id"], game["ply"], game["status"]) == (game_id, new.ply, new.status)
            self.changed += 1
            self.rows = rows
            self.secrets = set(self.secrets_of(rows))

    def read_rows(self, ids):
        with self.engine.connect() as connection:
            found = connection.execute(select(games).where(games.c.id.in_(list(ids))))
            return {row.id: row for row in found}

    def secrets_of(self, ids):
        """Give the seeds of running games of Calculation that were drawn, and the stock of all."""
        for row in self.read_rows(ids).values():
            if row.variant == "calculation" and row.status == "in_progress":
                if not row.seed_named:
                    yield row.seed
                options = json.loads(row.options)
                stock = opening("calculation", options, row.seed)["stock"][-HIDDEN_CARDS:]
                yield '","'.join(stock)
                yield " ".join(stock)


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_mutated_requests_are_answered_and_change_nothing_unless_accepted(
    count, database, tmp_path, capsys
):
    with ExitStack() as stack:
        url = ""
        if database == "postgresql":
            url = stack.enter_context(postgres.new_database(postgres.server_url()))
            invoke("db", "upgrade", DATABASE_URL=url)
        _attack(count, tmp_path, url, capsys)


def _attack(count, tmp_path, database_url, capsys):
    seed = os.environ.get("MUTATION_SEED") or "semilla"
    settings = {"WEB_CONCURRENCY": "2", "DATABASE_URL": database_url, **NO_LIMITS}
    with started_server(tmp_path, **settings) as server:
        engine = open_engine(Config(data=tmp_path / "data", database_url=database_url).url)
        attack = Attack(server, engine, seed)
        try:
            attack.run(count)
        finally:
            engine.dispose()
    statuses = dict(sorted(attack.statuses.items(), key=str))
    with capsys.disabled():
        sys.stdout.write(
            f"\n{attack.sent} mutated requests by seed {seed}: {statuses}\n"
            f"{attack.changed} changed a game; the slowest took {attack.slowest:.2f} s\n"
        )
    assert attack.changed > count / 500
    verified = invoke(
        "verify-games", SEMILLA_DATA=str(tmp_path / "data"), DATABASE_URL=database_url
    ).stdout
    assert verified == f"{attack.created} games checked, 0 faulty\n"
    assert "Traceback" not in server.output
