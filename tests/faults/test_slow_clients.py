"""Clients that are slow, or stop in the middle, hold up nobody else and are cut off in the end."""

import json
import select
import socket
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice

import pytest

from service.worker import CLOSING_SECONDS, REPLY_SECONDS, REQUEST_SECONDS
from tests.faults.slow_clients import TRICKLES, connect, slow_clients, wait_until_cut_off
from tests.servers import ask, running_server, started_server

CROWD = 50
# Far more than a reply takes, and far less than the slow ones may take.
PATIENCE = 10
GET = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
BUNDLE = b"/docs/swagger-ui-bundle.js"


@pytest.fixture
def url(tmp_path):
    """Give the URL of a server that can answer 4 requests at once."""
    with running_server(
        tmp_path,
        WEB_CONCURRENCY="2",
        SEMILLA_THREADS="2",
        RATE_LIMIT_ADDRESS="0",
        RATE_LIMIT_CREATE="0",
    ) as url:
        yield url


def play(url, times=5):
    """Play as others do, each request on a connection of its own; all must be answered."""
    game = ask(f"{url}/v1/games", {"variant": "cruel", "seed": "32"}, timeout=PATIENCE).json
    path, token = f"{url}/v1/games/{game['id']}", game["token"]
    for at in range(times):
        body = {"at": at, "moves": game["legal_moves"][:1]}
        game = ask(f"{path}/moves", body, token=token, timeout=PATIENCE).json
        assert ask(path, timeout=PATIENCE).json["ply"] == at + 1


def read_reply(stream):
    """Read one reply from the file of a socket; give its head and its body."""
    head = b"".join(iter(stream.readline, b"\r\n"))
    length = int(head.lower().partition(b"content-length: ")[2].split()[0])
    return head, stream.read(length)


@contextmanager
def crowd_that_takes_no_reply(url):
    """Open connections that ask for more than a system keeps for them, and take nothing of it."""
    with ExitStack() as stack:
        clients = [stack.enter_context(connect(url)) for _ in range(CROWD)]
        for client in clients:
            client.sendall(GET % BUNDLE * 8)
        yield clients


def was_reset(client, seconds):
    """Tell whether the server ends a connection within these seconds."""
    poll = select.poll()
    poll.register(client, 0)  # what is always told: POLLERR and POLLHUP
    return bool(poll.poll(1_000 * seconds))


@pytest.mark.parametrize("kind", TRICKLES)
def test_a_crowd_of_slow_senders_holds_up_nobody(kind, url):
    with slow_clients(url, [kind] * CROWD):
        play(url)


def test_a_crowd_that_takes_no_reply_holds_up_nobody(url):
    with crowd_that_takes_no_reply(url):
        play(url)


@pytest.mark.slow
def test_slow_clients_are_cut_off_in_the_end(url):
    kinds = list(islice(cycle(TRICKLES), CROWD))
    with crowd_that_takes_no_reply(url) as takers, slow_clients(url, kinds) as senders:
        play(url)
        wait_until_cut_off(senders, REQUEST_SECONDS + CLOSING_SECONDS + 30)
        assert all(was_reset(client, REPLY_SECONDS) for client in takers)
        play(url, 1)
    for client in senders:
        if client.kind == "nothing":
            assert client.received == b""
        else:
            head, _, body = client.received.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 408 "), client.kind
            problem = json.loads(body)
            assert (problem["status"], problem["code"]) == (408, "request_timeout")


def test_a_crowd_that_does_not_close_its_end_holds_up_nobody(url):
    request = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") % b"/livez"
    with ExitStack() as stack:
        for _ in range(CROWD):
            stack.enter_context(connect(url)).sendall(request)
        play(url)


def test_a_slow_reader_gets_all_of_a_long_reply(url):
    whole = ask(f"{url}{BUNDLE.decode()}").body
    with connect(url) as client:
        client.sendall(GET % BUNDLE + GET % b"/livez")
        play(url, 1)
        with client.makefile("rb") as stream:
            assert read_reply(stream)[1] == whole
            assert json.loads(read_reply(stream)[1]) == {"status": "ok"}


def test_a_request_may_come_in_any_pieces_and_be_followed_by_others(url):
    body = json.dumps({"variant": "cruel", "seed": "32"}).encode()
    post = b"POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    whole = post + b"Content-Length: %d\r\n\r\n" % len(body) + body
    chunks = b"".join(b"%x;a=b\r\n%c\r\n" % (1, byte) for byte in body)
    chunked = post + b"transfer-encoding: chunked\r\n\r\n" + chunks + b"0\r\nX-A: b\r\n\r\n"
    expected = ask(f"{url}/v1/evaluate", json.loads(body)).json | {"now": None}
    with connect(url) as client, client.makefile("rb") as stream:
        for request in (whole, chunked):
            client.sendall(request + request)
            for byte in request:
                client.sendall(bytes([byte]))
            client.sendall(request + GET % b"/livez")
            replies = [read_reply(stream) for _ in range(5)]
            assert all(head.startswith(b"HTTP/1.1 200 ") for head, _ in replies)
            evaluations = [json.loads(body) | {"now": None} for _, body in replies[:4]]
            assert evaluations == [expected] * 4


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /livez HTTP/1.1\nHost: x\n\n", 400),
        (b"GET /livez HTTP/1.1\r\nHost: x\n", 400),
        (b"GET /livez HTTP/1.1\r\nX: " + b"x" * 70_000, 431),
        (POST + b"Content-Length: 999999999999\r\n\r\n", 413),
        (POST + b"Content-Length: 9999999\r\n\r\n{}", 413),
        (POST + b"Content-Length: -1\r\n\r\n", 400),
        (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{", 400),
        (CHUNKED + b"x\r\n", 400),
        (CHUNKED + b"-5\r\n", 400),
        (CHUNKED + b"ffff\r\n%s\r\nfffff\r\n%s" % (b" " * 65_535, b" " * 200_000), 413),
    ],
)
def test_what_cannot_become_a_request_is_refused_at_once_and_ends_the_connection(
    url, request_, status
):
    with connect(url) as client:
        client.sendall(request_)
        reply = b"".join(iter(lambda: client.recv(65_536), b""))
    assert reply.startswith(b"HTTP/1.1 %d " % status)
    assert b"\r\nconnection: close\r\n" in reply.lower()
    assert reply.count(b"HTTP/1.1") == 1


def test_a_request_that_breaks_off_is_refused(url):
    with connect(url) as client:
        client.sendall(b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}")
        client.shutdown(socket.SHUT_WR)
        with client.makefile("rb") as stream:
            head, body = read_reply(stream)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["code"] == "bad_request"


def test_a_server_ends_at_once_though_idle_clients_are_connected(tmp_path):
    with started_server(tmp_path) as server, ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(connect(server.url))
        client = stack.enter_context(connect(server.url))
        client.sendall(GET % b"/livez")
        read_reply(stack.enter_context(client.makefile("rb")))
        server.process.terminate()
        assert server.process.wait(10) == 0
    assert "Traceback" not in server.output
