"""Every error as a problem: each code from a real request, and nothing changed by any of them."""

import io
import json
import logging
from contextlib import closing, contextmanager
from dataclasses import replace
from http.client import HTTPConnection

import pytest
from flask import abort
from sqlalchemy import select, update

from service.api.context import provide
from service.api.errors import REFUSALS, STATUSES, by_status
from service.app import create_app
from service.config import Config
from service.db.engine import DatabaseBusy, DatabaseDown, open_engine, write_transaction
from service.db.tables import games
from service.usecases.errors import Refused
from tests.api.problems import CODES, assert_problem
from tests.api.routes import BODIES, FOR_BROWSERS, PLAYERS_ONLY, answer_by, routes_of
from tests.challenges import new_challenge
from tests.conftest import NOON, Player, limited
from tests.entrants import new_entrant
from tests.hosting import Host, change_row
from tests.servers import running_server

JSON = {"Content-Type": "application/json"}
UNKNOWN = {"Authorization": "Bearer sg_nobody"}
ACTS = ("play_moves", "redeal", "undo", "resign")


def moves(player, *texts, **body):
    path = f"/v1/games/{player.id}/moves"
    return player.client.post(path, json={"moves": [*texts], **body}, headers=player.auth)


@contextmanager
def locked(app, config, monkeypatch):
    """Hold what writers of the application's database need, for which it waits a moment only."""
    monkeypatch.setattr("service.db.engine.BUSY_TIMEOUT_MS", 1)
    services = app.extensions["semilla"]
    hasty = open_engine(config.url)
    provide(app, replace(services, db=hasty))
    with write_transaction(services.db) as connection:
        if connection.dialect.name == "postgresql":
            # There a transaction locks nothing by itself.
            connection.exec_driver_sql("LOCK TABLE games IN EXCLUSIVE MODE")
        yield
    provide(app, services)
    hasty.dispose()


# ---- each code, from a real request ----

# For each code: what a player, in a game of Cruel with `6>9` played, sends; what the problem holds.
PROVOKED = {}


def provokes(code, **expected):
    def keep(send):
        PROVOKED[code] = (send, expected)
        return send

    return keep


@provokes("malformed_json", says="the body is no JSON")
def send_broken_json(player):
    return player.client.post("/v1/games", data="{", headers=JSON)


@provokes("bad_cursor", says="next or prev")
def send_a_cursor_of_ones_own(player):
    return player.get("/moves?cursor=2")


@provokes("bad_request")
def hang_up_in_the_middle_of_a_body(player):
    broken_off = {"CONTENT_LENGTH": "99"}
    body = b'{"seed": "sem'
    return player.client.post("/v1/games", data=body, headers=JSON, environ_overrides=broken_off)


@provokes("unauthenticated", says="Authorization: Bearer")
def play_without_a_token(player):
    return player.client.post(f"/v1/games/{player.id}/resign")


@provokes("forbidden", says="another game")
def play_with_another_games_token(player):
    other = Player(player.client)
    other.start()
    return player.client.post(f"/v1/games/{player.id}/resign", headers=other.auth)


@provokes("not_found", says="no game")
def read_a_game_that_does_not_exist(player):
    return player.client.get("/v1/games/nothing")


@provokes("method_not_allowed", says="does not answer DELETE: send GET")
def delete_a_game(player):
    return player.client.delete(f"/v1/games/{player.id}", headers=player.auth)


@provokes("not_acceptable", says="Accept")
def ask_for_html(player):
    return player.get(Accept="text/html")


@provokes("ply_conflict", at=1, index=0, move="1>11", says="6>9")
def play_something_else_where_something_stands(player):
    return moves(player, "1>11", at=0)


@provokes("ply_gap", at=1, says="1 entries")
def play_beyond_the_end(player):
    return moves(player, "1>11", at=2)


@provokes("game_over", index=2, move="U", reason="game_over", at=1, says="resigned")
def undo_after_resigning(player):
    return moves(player, "1>11", "Q", "U")


@provokes("history_full", at=1)
def play_more_than_a_history_holds(player):
    return moves(player, *["R"] * 3)


@provokes("undo_forbidden", index=1, move="U", reason="undo_not_allowed", at=0)
def undo_where_there_is_none(player):
    other = Player(player.client)
    other.start("calculation")
    return moves(other, "S>W1", "U")


@provokes("nothing_to_undo", index=1, move="U", reason="nothing_to_undo", at=1, says="opening")
def undo_too_often(player):
    return moves(player, "U", "U")


@provokes("key_reused", says="take a new key")
def send_another_body_with_the_same_key(player):
    key = {"Idempotency-Key": "0123456789-0123456789-0123456789"}
    for variant in ("cruel", "calculation"):
        reply = player.client.post("/v1/games", json={"variant": variant}, headers=key)
    return reply


@provokes("name_taken", says="take another")
def register_twice(player):
    for name in ("Ana", "aNA"):
        reply = player.client.post("/v1/players", json={"name": name})
    return reply


@provokes("name_reserved", says="take another")
def register_as_the_operator(player):
    return player.client.post("/v1/players", json={"name": "Operator"})


@provokes("hint_forbidden", says="challenge")
def ask_for_a_hint_in_a_challenge(player):
    send = entrant(player)
    send("PUT")
    game = send("PUT", "/attempts/1").json
    return send("GET", f"/v1/games/{game['id']}/hint")


@provokes("still_secret", says="until the game has ended")
def take_the_record_of_a_running_game_of_calculation(player):
    other = Player(player.client)
    other.start("calculation", None)
    return other.get("/record")


def entrant(player, **terms):
    """Make a challenge and a player; give what sends about that player's entry."""
    db = player.client.application.extensions["semilla"].db
    host, _ = new_entrant(db, "host")
    _, token = new_entrant(db, "ada")
    path = f"/v1/challenges/{new_challenge(db, host, **terms)}/entries/me"

    def send(verb, below="", **body):
        headers = {"Authorization": f"Bearer {token}"}
        url = below if below.startswith("/v1/") else f"{path}{below}"
        return player.client.open(url, method=verb, headers=headers, json=body or None)

    return send


@provokes("not_entered", says="PUT")
def ask_for_a_deal_without_having_entered(player):
    return entrant(player)("PUT", "/attempts/1")


@provokes("not_running", says="scheduled")
def ask_for_a_deal_before_the_start(player):
    send = entrant(player, starts_at=NOON + 1)
    send("PUT")
    return send("PUT", "/attempts/1")


@provokes("entries_closed", says="forfeited")
def come_back_after_having_forfeited(player):
    send = entrant(player)
    for verb, below in (("PUT", ""), ("PUT", "/attempts/1"), ("DELETE", "")):
        send(verb, below)
    return send("PUT")


@provokes("time_expired", says="run out", at=0)
def move_when_the_time_of_an_attempt_has_run_out(player):
    send = entrant(player)
    send("PUT")
    game = send("PUT", "/attempts/1").json
    with player.client.application.extensions["semilla"].db.connect() as connection:
        connection.execute(update(games).values(deadline=NOON))
    return send("POST", f"/v1/games/{game['id']}/resign", at=0)


@provokes("attempt_in_progress", attempt=1, says="attempt 1 comes first")
def ask_for_the_second_deal_first(player):
    send = entrant(player, attempts=2)
    send("PUT")
    return send("PUT", "/attempts/2")


@provokes("attempts_exhausted", says="numbered 1 to 1")
def ask_for_one_deal_too_many(player):
    send = entrant(player)
    send("PUT")
    return send("PUT", "/attempts/2")


def hosted(player, **columns):
    """Set a challenge up, which is then as these columns say; give its host."""
    host = Host(player.client, player.client.application.extensions["semilla"].db)
    host.create()
    if columns:
        change_row(host.db, host.id, **columns)
    return host


@provokes("not_running", says="cancelled")
def change_the_terms_of_what_is_cancelled(player):
    return hosted(player, cancelled_at=NOON).patch(attempts=2)


@provokes("already_started", says="dealt")
def cancel_what_is_being_played(player):
    return hosted(player, dealt=1).cancel()


@provokes("has_entries", says="entered")
def change_the_terms_of_what_others_have_entered(player):
    host = hosted(player)
    Host(player.client, host.db, "Bea").enter(host)
    return host.patch(attempts=2)


@provokes("stale_revision", revision=0, says="read it")
def change_a_challenge_of_yesterday(player):
    return hosted(player).patch('"1"', title="x")


@provokes("precondition_required", says="If-Match")
def change_a_challenge_blindly(player):
    return hosted(player).patch(None, title="x")


@provokes("too_large", says="longer")
def send_too_much(player):
    return player.client.post("/v1/games", data=b" " * 65_537, headers=JSON)


@provokes("unsupported_media_type", says="curl --json")
def send_a_form(player):
    return player.client.post("/v1/games", data={"seed": "semilla"})


@provokes("validation_failed", pointers=["/at", "/moves/1"])
def send_nonsense(player):
    return moves(player, "6>9", 7, at="0")


@provokes("illegal_move", index=1, move="1>2", reason="wrong_suit", at=1, says="7H")
def break_the_rules(player):
    return moves(player, "1>11", "1>2")


@provokes("rate_limited", says="wait 60 seconds", policy="address", retry_after=60)
def send_too_many_requests(player):
    player.get()
    return moves(player, "1>11")


@provokes("internal_error", says="request_id")
def meet_a_bug(player):
    return player.get("/moves")


@provokes("not_ready", retry_after=5)
def come_too_early(player):
    return player.client.get("/readyz")


@provokes("busy", retry_after=1, says="again")
def come_when_others_write(player):
    return moves(player, "R")


def raise_bug(*_args, **_kwargs):
    message = "a bug with the password hunter2"
    raise RuntimeError(message)


@pytest.fixture
def circumstances(app, config, monkeypatch, tmp_path):
    """Arrange what must be so for a code to be answered, beside what is sent."""
    empty = Config(data=tmp_path / "empty")
    empty.data.mkdir()

    @contextmanager
    def arranged(code):
        services = app.extensions["semilla"]
        with monkeypatch.context() as patch:
            if code == "history_full":
                patch.setattr("service.usecases.playing.MAX_HISTORY", 3)
            if code == "internal_error":
                patch.setattr("service.usecases.games.history", raise_bug)
            if code == "not_ready":
                unmigrated = open_engine(empty.url)
                provide(app, replace(services, db=unmigrated))
            if code == "busy":
                with locked(app, config, patch):
                    yield
            elif code == "rate_limited":
                with limited(app, address=1):
                    yield
            else:
                yield
            if code == "not_ready":
                unmigrated.dispose()
                provide(app, services)

    return arranged


def test_the_codes_are_those_of_the_contract_with_its_statuses():
    assert STATUSES == CODES


def test_a_real_request_provokes_every_code():
    assert PROVOKED.keys() == STATUSES.keys()


@pytest.mark.parametrize("code", PROVOKED)
def test_a_real_request_is_answered_with_the_problem(player, circumstances, code, db):
    player.start("cruel-semicolon")
    player.play("6>9")
    send, expected = PROVOKED[code]
    with circumstances(code):
        reply = send(player)
    assert_problem(reply, code, **expected)
    with db.connect() as connection:
        query = select(games.c.ply, games.c.history, games.c.status).where(games.c.id == player.id)
        assert connection.execute(query).one() == (1, "6>9@0", "in_progress")


@pytest.mark.parametrize("code", PROVOKED)
def test_no_problem_shows_what_the_service_is_made_of(player, circumstances, code):
    player.start("cruel-semicolon")
    player.play("6>9")
    with circumstances(code):
        text = PROVOKED[code][0](player).text.lower()
    for word in (
        "traceback",
        "sqlite",
        "sqlalchemy",
        ".py",
        "marshmallow",
        "flask",
        "hunter2",
        " at 0x",
    ):
        assert word not in text


def subclasses(kind):
    return {kind, *(found for below in kind.__subclasses__() for found in subclasses(below))}


def test_every_refusal_of_a_use_case_has_its_code():
    assert subclasses(Refused) - {Refused} == REFUSALS.keys()
    assert set(REFUSALS.values()) <= STATUSES.keys()


def test_codes_are_grouped_by_status_for_the_documentation():
    groups = by_status(("not_ready", "bad_cursor", "busy", "malformed_json"))
    assert groups == [(400, ("bad_cursor", "malformed_json")), (503, ("not_ready", "busy"))]


# ---- bugs and the database ----


def test_a_bug_anywhere_is_a_500_that_shows_nothing_and_is_logged_with_its_id(
    app, player, monkeypatch, caplog
):
    player.start()
    for route in routes_of(app, player.id):
        caplog.clear()
        with monkeypatch.context() as patch:
            answer_by(patch, app, route.endpoint, raise_bug)
            reply = route.send(player.client, headers=player.auth)
        assert_problem(reply, "internal_error", says="report it with the request_id")
        assert "hunter2" not in reply.text
        (record,) = caplog.records
        assert record.levelno == logging.ERROR
        assert record.fields == {"request_id": reply.json["request_id"]}
        assert "hunter2" in caplog.text  # for the operator the whole traceback
        assert "raise_bug" in caplog.text
        assert player.token not in caplog.text


def test_a_bug_in_the_middle_of_a_move_records_nothing(player, monkeypatch):
    player.start()
    before = player.get().json
    with monkeypatch.context() as patch:
        patch.setattr("service.usecases.playing.format_moves", raise_bug)
        assert_problem(player.play("6>9", "1>11"), "internal_error")
    assert player.get().json == before
    assert player.play("6>9", "1>11", at=0).json["recorded"] == 0


def test_a_bug_while_a_game_starts_stores_none(client, db, monkeypatch):
    monkeypatch.setattr("service.usecases.new_games.cached_columns", raise_bug)
    assert_problem(client.post("/v1/games"), "internal_error")
    with db.connect() as connection:
        assert connection.execute(select(games)).all() == []


@pytest.mark.parametrize(
    ("error", "code", "level", "seconds"),
    [
        (DatabaseDown("/srv/hunter2.db: disk full"), "not_ready", logging.ERROR, 5),
        (DatabaseBusy("/srv/hunter2.db: locked"), "busy", logging.WARNING, 1),
    ],
)
def test_a_database_that_fails_is_a_503_that_says_when_to_come_back(
    app, player, monkeypatch, caplog, error, code, level, seconds
):
    player.start()

    def fail(*_args, **_kwargs):
        raise error

    for route in routes_of(app, player.id):
        caplog.clear()
        with monkeypatch.context() as patch:
            answer_by(patch, app, route.endpoint, fail)
            reply = route.send(player.client, headers=player.auth)
        assert_problem(reply, code, says="again", retry_after=seconds)
        assert "hunter2" not in reply.text
        (record,) = caplog.records
        assert record.levelno == level
        assert "hunter2" in record.getMessage()
        assert record.fields == {"request_id": reply.json["request_id"]}


def test_what_stores_games_needs_the_schema(clock, tmp_path, player):
    player.start()
    (tmp_path / "other").mkdir()
    bare = create_app(Config(data=tmp_path / "other"), clock)
    client = bare.test_client()
    needs_none = {"operations.live", "variants.list_variants", "variants.get_variant"}
    needs_none |= {
        "operations.get_metrics",
        "deals.get_deal",
        "pictures.get_deal_picture",
        "pictures.get_deal_png",
        "evaluate.evaluate",
    }
    needs_a_token = {f"games.{name}" for name in ("play_moves", "redeal", "undo", "resign")}
    entries = ("get_entry", "enter", "leave", "deal_attempt", "judge_entry")
    needs_a_token |= {f"entries.{name}" for name in entries}
    for route in routes_of(bare, player.id):
        if route.endpoint.startswith(FOR_BROWSERS):
            continue
        reply = route.send(client)
        if route.endpoint in needs_none:
            assert reply.status_code == 200, route
        elif route.endpoint in PLAYERS_ONLY | {f"games.{act}" for act in ACTS}:
            assert_problem(route.send(client, headers=UNKNOWN), "not_ready", retry_after=5)
        else:
            assert_problem(reply, "not_ready", retry_after=5)
    bare.extensions["semilla"].db.dispose()


def test_a_player_who_keeps_being_overtaken_is_told_to_come_again(player, monkeypatch):
    player.start()
    monkeypatch.setattr("service.usecases.playing.record", lambda *_args: None)
    assert_problem(player.play("6>9"), "busy", says="try again", retry_after=1)


def test_reading_goes_on_while_somebody_writes(app, config, player, monkeypatch):
    player.start()
    with locked(app, config, monkeypatch):
        assert player.get().status_code == 200
        assert player.get("/record").status_code == 200
        assert_problem(player.client.post("/v1/games"), "busy", retry_after=1)
    assert player.play("6>9").status_code == 200


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "bad_request"),
        (404, "not_found"),
        (413, "too_large"),
        (415, "unsupported_media_type"),
        (416, "bad_request"),
        (418, "bad_request"),
        (431, "bad_request"),
        (500, "internal_error"),
        (501, "internal_error"),
    ],
)
def test_what_flask_raises_by_itself_is_a_problem_too(app, client, monkeypatch, status, code):
    monkeypatch.setitem(app.view_functions, "operations.live", lambda: abort(status))
    assert_problem(client.get("/livez"), code)


# ---- bodies that cannot be read ----


def posts(app, player):
    found = [route for route in routes_of(app, player.id) if route.verb in ("POST", "PATCH")]
    assert {route.endpoint for route in found} == BODIES.keys()
    return found


BROKEN = {
    "nothing but spaces": b"  ",
    "an open brace": b"{",
    "an open bracket": b"[",
    "words": b"moves=R",
    "single quotes": b"{'at': 0}",
    "a comma too many": b'{"at": 0,}',
    "a comment": b'{"at": 0} // zero',
    "two values": b"{}{}",
    "NaN": b'{"at": NaN}',
    "Infinity": b'{"at": Infinity}',
    "a minus alone": b'{"at": -}',
    "a leading zero": b'{"at": 01}',
    "a plus": b'{"at": +1}',
    "hexadecimal": b'{"at": 0x1}',
    "a lone surrogate": b'{"seed": "\\ud800"}',
    "a lone surrogate in a name": b'{"\\udfff": 1}',
    "a surrogate in utf-8": b'{"seed": "\xed\xa0\x80"}',
    "no utf-8": b'{"seed": "\xff"}',
    "latin-1": '{"seed": "ñ"}'.encode("latin-1"),
    "utf-16": '{"seed": "a"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a raw NUL": b'{"seed": "a\x00b"}',
    "a raw newline in a text": b'{"seed": "a\nb"}',
    "a bad escape": b'{"seed": "\\x41"}',
    "10,000 brackets": b"[" * 10_000 + b"]" * 10_000,
    "10,000 braces": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "10,000 open brackets": b"[" * 10_000,
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_a_body_that_is_no_json_is_refused_everywhere(app, player, body):
    player.start()
    before = player.get().json
    for route in posts(app, player):
        reply = route.send(player.client, data=body, headers={**player.auth, **JSON})
        assert_problem(reply, "malformed_json", says="the body is no JSON: ")
    assert player.get().json == before


@pytest.mark.parametrize("value", [None, [], [{}], "x", "", 1, 0.5, True, ["moves"]])
def test_a_body_that_is_no_object_is_refused_everywhere(app, player, value):
    player.start()
    before = player.get().json
    for route in posts(app, player):
        body = json.dumps(value)
        reply = route.send(player.client, data=body, headers={**player.auth, **JSON})
        assert_problem(reply, "validation_failed", pointers=[""])
    assert player.get().json == before


@pytest.mark.parametrize(
    "name", ["x", "Seed", "seed ", "", "a/b", "~", "ñ", "a\x00b", "__class__", "x" * 5_000]
)
def test_an_unknown_field_is_refused_everywhere_with_its_place(app, player, name):
    player.start()
    place = "/" + name.replace("~", "~0").replace("/", "~1")
    for route in posts(app, player):
        body = {**BODIES[route.endpoint], name: 1}
        reply = route.send(player.client, json=body, headers=player.auth)
        assert_problem(reply, "validation_failed", pointers=[place])
    assert player.get().json["ply"] == 0


def test_a_deep_value_in_an_unknown_field_is_an_unknown_field(client):
    body = b'{"x":' + b"[" * 900 + b"]" * 900 + b"}"
    reply = client.post("/v1/games", data=body, headers=JSON)
    assert_problem(reply, "validation_failed", pointers=["/x"])


def test_of_a_field_that_is_written_twice_the_last_counts(client):
    reply = client.post("/v1/games", data=b'{"seed": "a", "seed": "b"}', headers=JSON)
    assert reply.json["seed"] == "b"


def test_every_fault_of_a_body_is_told_at_once(player):
    player.start()
    body = {"at": -1, "moves": ["6>9", None, 3], "extra": 1, "token": player.token}
    reply = player.client.post(f"/v1/games/{player.id}/moves", json=body, headers=player.auth)
    pointers = ["/at", "/moves/1", "/moves/2", "/extra", "/token"]
    assert_problem(reply, "validation_failed", pointers=pointers)
    assert player.token not in reply.text


# ---- media types of bodies ----


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/problem+json",
        "application/vnd.api+json",
        "application/octet-stream",
        "json",
        "application",
    ],
)
def test_a_body_of_another_type_is_refused_with_the_way_out(app, player, kind):
    player.start()
    before = player.get().json
    headers = {**player.auth, **({"Content-Type": kind} if kind else {})}
    for route in posts(app, player):
        body = json.dumps(BODIES[route.endpoint])
        reply = route.send(player.client, data=body, headers=headers)
        assert_problem(reply, "unsupported_media_type", says="curl --json")
    assert player.get().json == before


@pytest.mark.parametrize(
    "kind", ["application/json", "APPLICATION/JSON", "application/json; charset=utf-8"]
)
def test_json_is_json_however_its_type_is_written(client, kind):
    reply = client.post("/v1/games", data=b'{"seed": "a"}', headers={"Content-Type": kind})
    assert reply.status_code == 201


@pytest.mark.parametrize("kind", [None, "application/json", "application/x-www-form-urlencoded"])
def test_an_empty_body_of_any_type_is_no_body(client, kind):
    headers = {"Content-Type": kind} if kind else {}
    reply = client.post("/v1/games", data=b"", headers=headers)
    assert reply.status_code == 201
    assert_problem(
        client.post("/v1/evaluate", data=b"", headers=headers),
        "validation_failed",
        pointers=["/variant"],
    )


# ---- long bodies ----


def padded(length):
    body = b'{"variant": "cruel", "seed": "semilla"}'
    return body + b" " * (length - len(body))


def chunked(client, path, body, verb="POST"):
    """Send a body without a length, as a server hands it on when it came in chunks."""
    return client.open(
        path,
        method=verb,
        input_stream=io.BytesIO(body),
        headers={**JSON, "Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
    )


def test_a_body_has_at_most_64_kib(client):
    limit = 64 * 1024
    assert client.post("/v1/games", data=padded(limit), headers=JSON).status_code == 201
    reply = client.post("/v1/games", data=padded(limit + 1), headers=JSON)
    assert_problem(reply, "too_large")


def test_a_chunked_body_is_read_and_has_the_same_limit(client):
    limit = 64 * 1024
    reply = chunked(client, "/v1/games", padded(1_000))
    assert reply.json["seed"] == "semilla"
    assert chunked(client, "/v1/games", padded(limit)).status_code == 201
    assert_problem(chunked(client, "/v1/games", padded(limit + 1)), "too_large")
    assert_problem(chunked(client, "/v1/games", b"{"), "malformed_json")


def test_a_real_server_reads_a_chunked_body_and_refuses_a_long_one(tmp_path):
    with running_server(tmp_path, WEB_CONCURRENCY="1") as url:
        host = url.removeprefix("http://")
        for length, status in ((1_000, 201), (65_536, 201), (65_537, 413), (200_000, 413)):
            connection = HTTPConnection(host, timeout=20)
            with closing(connection):
                body = iter([padded(length)[:700], padded(length)[700:]])
                connection.request("POST", "/v1/games", body, JSON, encode_chunked=True)
                reply = connection.getresponse()
                assert reply.status == status
                told = json.loads(reply.read())
                assert told.get("code") == (None if status == 201 else "too_large")


def test_a_body_that_is_too_long_is_refused_everywhere(app, player):
    player.start()
    before = player.get().json
    for route in posts(app, player):
        length = 256 * 1024 if route.endpoint == "evaluate.evaluate" else 64 * 1024
        for headers in (JSON, {"Content-Type": "text/plain"}, {}):
            reply = route.send(
                player.client, data=b" " * (length + 1), headers={**player.auth, **headers}
            )
            assert_problem(reply, "too_large")
        long = b" " * (length + 1)
        assert_problem(chunked(player.client, route.path, long, route.verb), "too_large")
    assert player.get().json == before


def test_a_body_that_breaks_off_is_not_taken_for_none(app, player):
    player.start("cruel-semicolon")
    before = player.get().json
    for route in posts(app, player):
        for body in (b"", b"{}"):
            for server in ({}, {"wsgi.input_terminated": True}):
                reply = route.send(
                    player.client,
                    data=body,
                    headers={**player.auth, **JSON},
                    environ_overrides={"CONTENT_LENGTH": "9", **server},
                )
                words = "shorter than its Content-Length" if server else ""
                assert_problem(reply, "bad_request", says=words)
    assert player.get().json == before


@pytest.mark.usefixtures("app")
def test_the_limit_can_be_set(config, clock):
    other = create_app(replace(config, max_body_bytes=2_000), clock)
    client = other.test_client()
    assert client.post("/v1/games", data=padded(2_000), headers=JSON).status_code == 201
    assert_problem(client.post("/v1/games", data=padded(2_001), headers=JSON), "too_large")
    assert client.post("/v1/evaluate", data=padded(8_000), headers=JSON).status_code == 200
    assert_problem(client.post("/v1/evaluate", data=padded(8_001), headers=JSON), "too_large")
    other.extensions["semilla"].db.dispose()


class Breaking(io.RawIOBase):
    """A body that breaks off after some bytes, in the server's own way."""

    def __init__(self, length):
        super().__init__()
        self.left = length

    def readable(self):
        return True

    def readinto(self, buffer):
        if not self.left:
            message = "invalid chunk size"
            raise RuntimeError(message)
        size = min(len(buffer), self.left)
        buffer[:size] = b" " * size
        self.left -= size
        return size


@pytest.mark.parametrize("length", [0, 1, 64 * 1024 - 1, 64 * 1024])
def test_a_body_that_the_server_cannot_read_is_a_bad_request(client, length):
    reply = client.post(
        "/v1/games",
        headers={**JSON, "Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input": Breaking(length), "wsgi.input_terminated": True},
    )
    assert_problem(reply, "bad_request", says="cannot be read")


def test_a_body_of_faults_is_answered_by_few(client):
    for body in (
        {"variant": "cruel", "seed": "a", "moves": [1] * 9_999},
        {"variant": "cruel", "seed": "a", "moves": [1] * 99_999},
        {"variant": "cruel", "position": {"piles": [[1] * 99] * 12}},
        {"variant": "cruel", "position": {"piles": [[]] * 9_999}},
    ):
        reply = client.post("/v1/evaluate", json=body)
        assert reply.status_code in (413, 422)
        assert len(reply.data) < 8_000
