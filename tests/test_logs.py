"""What a server writes: JSON lines that help an operator and tell no secret."""

import json
import logging
import re
import socket
import sys
import threading
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from service import logs
from service.api.watch import METHODS, NO_ROUTE, OTHER_METHOD
from service.usecases.tokens import new_game_token
from tests.api.routes import answer_by
from tests.conftest import Player
from tests.naive.deals import opening
from tests.naive.engine import Naive
from tests.naive.players import Dice, calculation_choice
from tests.naive.variants import DEFAULT_BASES
from tests.servers import ask, started_server

OPERATIONS = Path(__file__).resolve().parent.parent / "docs" / "operations.md"
BASES = {"bases": DEFAULT_BASES}
REQUEST = ["time", "level", "logger", "pid", "message"]
REQUEST += ["request_id", "method", "route", "status", "ms", "address"]
CARD = re.compile(r"(?<![A-Za-z0-9])[A23456789TJQK][CDHS](?![A-Za-z0-9])")


class Stream:
    """What has come to standard error since the test began."""

    def __init__(self, capture):
        self._capture, self._read = capture, b""

    @property
    def text(self):
        self._read += self._capture.readouterr().err
        return self._read.decode()

    @property
    def lines(self):
        """Read every line: each must be a JSON object."""
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def written(monkeypatch, capfdbinary):
    """Log as a server does, at the level of debug, and give what it writes."""
    root, service = logging.root, logging.getLogger("service")
    for place, name in ((sys, "excepthook"), (threading, "excepthook"), (logging, "_srcfile")):
        monkeypatch.setattr(place, name, getattr(place, name))
    monkeypatch.setattr(root, "handlers", [])
    levels = root.level, service.level
    logs.configure("debug")
    yield Stream(capfdbinary)
    logging.captureWarnings(capture=False)
    root.setLevel(levels[0])
    service.setLevel(levels[1])


def documented_fields():
    section = OPERATIONS.read_text("utf-8").partition("## Log lines\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


# ---- the line of a request ----


def test_each_request_is_one_line(written, player):
    player.start(seed="32")
    player.play("12>F")
    assert [list(line) for line in written.lines] == [REQUEST, REQUEST]
    first, second = written.lines
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", first["time"])
    assert (first["method"], first["route"], first["status"]) == ("POST", "/v1/games", 201)
    assert second["route"] == "/v1/games/<game_id>/moves"
    assert (first["level"], first["logger"], first["address"]) == (
        "info",
        "service.requests",
        "127.0.0.0",
    )
    assert 0 < first["ms"] < 60_000


def test_a_problem_has_its_code_and_the_id_that_its_reply_has(written, client):
    reply = client.get("/v1/games/nobodys")
    (line,) = written.lines
    assert [*line] == [*REQUEST, "code"]
    assert (line["status"], line["code"]) == (404, "not_found")
    assert line["request_id"] == reply.json["request_id"] == reply.headers["X-Request-ID"]


def test_an_id_that_a_client_sends_is_ignored(written, client):
    sent = "0123456789abcdef"
    reply = client.get("/v1/variants", headers={"X-Request-ID": sent})
    assert reply.headers["X-Request-ID"] != sent
    assert sent not in written.text


@pytest.mark.parametrize("path", ["/v1/nothing/sg_x", "/v1/games/x/moves/", "/%2e%2e/etc", "/\x01"])
def test_a_path_that_is_none_of_ours_is_one_word(path, written, client):
    client.get(path)
    client.delete("/v1/games")
    assert [line["route"] for line in written.lines] == [NO_ROUTE, NO_ROUTE]


def test_a_method_that_is_none_of_https_is_one_word(written, client):
    for method in ("BREW", "X" * 1_000, *METHODS):
        client.open("/v1/variants", method=method)
    assert [line["method"] for line in written.lines] == [OTHER_METHOD, OTHER_METHOD, *METHODS]


def test_only_what_fails_of_the_machines_questions_is_more_than_debugging(
    written, client, monkeypatch
):
    for path in ("/livez", "/readyz", "/metrics"):
        client.get(path)
    assert {line["level"] for line in written.lines} == {"debug"}

    def fail(_db):
        raise RuntimeError

    monkeypatch.setattr("service.api.operations.check_ready", fail)
    client.get("/readyz")
    assert [line["level"] for line in written.lines[3:]] == ["error", "info"]


def test_the_level_says_what_is_left_out(written, client):
    for level, count in (("info", 1), ("warning", 1), ("debug", 3)):
        logs.configure(level)
        client.get("/v1/variants")
        client.get("/livez")
        assert len(written.lines) == count


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.77", "203.0.113.0"),
        ("255.255.255.255", "255.255.255.0"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ("2001:DB8:FFFF:ffff::1", "2001:db8:ffff::"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
        ("::ffff:203.0.113.77", "203.0.113.0"),
        ("", ""),
        ("unix:", ""),
        ("sg_token", ""),
    ],
)
def test_an_address_is_cut_to_its_network(address, network, written, client):
    client.get("/v1/variants", environ_overrides={"REMOTE_ADDR": address})
    (line,) = written.lines
    assert line["address"] == network
    assert logs.truncated(address) == network


# ---- all other lines ----


@pytest.mark.parametrize("secret", ["0123456789abcdef" * 2, "0123456789abcdef" * 4])
def test_an_exception_is_one_line_with_its_traceback_and_no_secret(
    written, app, player, secret, monkeypatch
):
    player.start("calculation", None)

    def view(*_):
        hidden = f"{player.token} {secret}"
        return {"value": 1}[hidden]

    answer_by(monkeypatch, app, "games.get_game", view)
    reply = player.get()
    crash, request = written.lines[1:]
    assert crash["request_id"] == request["request_id"] == reply.json["request_id"]
    assert (crash["level"], crash["message"]) == ("error", "request failed: KeyError")
    assert crash["traceback"].startswith("Traceback (most recent call last):\n")
    assert "in view\n" in crash["traceback"]
    assert crash["traceback"].endswith("KeyError: '[secret] [secret]'")
    assert player.token not in written.text
    assert secret not in written.text


@pytest.mark.parametrize("digits", [16, 31, 33, 40, 48, 63, 65, 128])
def test_other_hexadecimal_digits_are_no_seed(written, digits):
    text = "0123456789abcdef" * 8
    logging.getLogger("service").warning("revision %s", text[:digits])
    assert written.lines[0]["message"] == f"revision {text[:digits]}"


def test_what_an_operator_does_is_a_line_whatever_the_level(written):
    logging.getLogger("service").setLevel("ERROR")
    logs.log_operator("player rename", player="ana", new_name="sp_" + "x" * 43)
    (line,) = written.lines
    about = {"level": "info", "logger": "service.operator", "message": "player rename"}
    assert about.items() <= line.items()
    assert (line["player"], line["new_name"]) == ("ana", "[secret]")


def test_what_json_cannot_hold_is_written_in_another_way(written, monkeypatch):
    # Only by the service's own handler: pytest-xdist cannot send what pytest's would keep of this.
    monkeypatch.setattr(logging.root, "handlers", logging.root.handlers[:1])
    logging.getLogger("service.test").info("a \udcff b\n%s", {"x"})
    assert written.lines[0]["message"] == "a \\udcff b\n{'x'}"


def test_warnings_and_whatever_ends_a_thread_are_lines_too(written):
    logging.getLogger("py.warnings").warning("warned")
    error = OverflowError("too much")
    sys.excepthook(OverflowError, error, None)
    threading.excepthook(threading.ExceptHookArgs((OverflowError, error, None, None)))
    assert [line["level"] for line in written.lines] == ["warning", "critical", "critical"]
    assert all("OverflowError" in line["traceback"] for line in written.lines[1:])


@pytest.mark.usefixtures("written")
def test_a_stream_that_is_gone_stops_no_request(client, monkeypatch):
    class Broken(BytesIO):
        def write(self, _bytes):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", TextIOWrapper(Broken(), "utf-8"))
    assert client.get("/v1/variants").status_code == 200


def test_libraries_only_warn(written):
    logging.getLogger("flask_cors.core").debug("Request to '/v1/games/x'")
    logging.getLogger("sqlalchemy.engine").info("UPDATE")
    assert written.text == ""


# ---- whole sessions ----


def test_no_line_of_a_whole_session_tells_a_secret(written, client, monkeypatch):
    player, other = Player(client), Player(client)
    chosen = "a-seed-that-somebody-chose"
    other.start("cruel", chosen)
    other.play("1>2", "X")
    address = {"REMOTE_ADDR": "198.51.100.77"}
    lost = new_game_token()
    player.start("calculation", chosen)
    stock = opening("calculation", BASES, chosen)
    naive, dice = Naive("calculation", BASES, stock), Dice("log")
    url = f"/v1/games/{player.id}"
    while naive.status == "in_progress":
        move = calculation_choice(naive, dice)
        for auth in ({"Authorization": f"Bearer {lost}"}, {"Authorization": lost}, {}, other.auth):
            client.post(
                f"{url}/moves", json={"moves": [move]}, headers=auth, environ_overrides=address
            )
        client.get(f"{url}?token={player.token}&seed={chosen}", headers={"User-Agent": lost})
        client.get(f"/v1/games/{player.token}", headers={"X-Forwarded-For": "198.51.100.78"})
        client.get(f"/v1/{chosen}", headers={"Referer": lost, "Cookie": lost})
        client.get(f"/v1/deals/calculation/{chosen}")
        client.post(f"{url}/moves", data=f'{{"{lost}"', content_type="application/json")
        client.open(url, method="BREW", headers=player.auth)
        with monkeypatch.context() as patch:
            patch.setattr("service.usecases.games.load_game", fail_with(player.token))
            assert player.get().status_code == 500
        assert player.play(move).status_code == 200
        assert naive.play(move) is None
    text = written.text
    for secret in (player.token, other.token, lost, chosen, player.id, other.id, "198.51.100.7"):
        assert secret not in text, secret
    assert not CARD.findall(text.replace("AC,2D,3H,4S", ""))
    assert "calculation" not in text
    assert len(written.lines) > 400
    assert {field for line in written.lines for field in line} == documented_fields()


def fail_with(words):
    def fail(*_args, **_kwargs):
        detail = f"the row of {words}"
        raise RuntimeError(detail)

    return fail


def send(port, sent):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        return client.recv(1_000)


def test_all_that_the_processes_of_a_server_write_is_such_lines(tmp_path):
    token = new_game_token()
    broken = [
        f"GET /{token} HTTP/9\r\n\r\n",
        f"GET  /{token}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: x\r\nAuthori zation: Bearer {token}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n x: {token}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {token}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: x\r\nExpect: {token}\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: x\r\nX: {'x' * 20_000}\r\n\r\n",
        f"GET /{'x' * 20_000} HTTP/1.1\r\n\r\n",
        f"{token}\r\n\r\n",
        "\x00\x01\x02\r\n\r\n",
    ]
    with started_server(tmp_path, LOG_LEVEL="debug") as server:
        port = int(server.url.rpartition(":")[2])
        game = ask(f"{server.url}/v1/games", {"variant": "calculation"}).json
        for text in broken:
            assert b" 4" in send(port, text.encode()) or b" 501" in send(port, text.encode()), text
        cut = f"POST /v1/games/{game['id']}/moves HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n"
        send(port, f"{cut}{token}".encode())
        send(port, f"GET /{token}".encode())
        ask(f"{server.url}/v1/games/{game['id']}?{token}", token=game["token"], User_Agent=token)
    lines = [json.loads(line) for line in server.output.splitlines()]
    assert all(line.keys() <= documented_fields() for line in lines)
    assert {"service.requests", "gunicorn.error"} <= {line["logger"] for line in lines}
    warned = [line for line in lines if line["level"] == "warning"]
    assert len(warned) >= len(broken)
    assert {line.get("address") for line in warned} == {"127.0.0.0"}
    assert "debug" in {line["level"] for line in lines}
    for secret in (token, game["token"], game["id"]):
        assert secret not in server.output
    # Where it listens is the one whole address.
    assert server.output.count("127.0.0.1") == 1
