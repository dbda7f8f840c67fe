"""Clients that break off, and more of them than there are files: neither ends a worker."""

import socket
import struct
import time

from tests.faults.slow_clients import connect
from tests.faults.supervisor import children
from tests.servers import SEMILLA, ask, started_server

LIMITS = {"RATE_LIMIT_ADDRESS": "0", "RATE_LIMIT_CREATE": "0"}
HEAD = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
BROKEN_OFF = (
    HEAD + b"Expect: 100-continue\r\nContent-Length: 50\r\n\r\n",
    HEAD + b"Content-Length: 2\r\n\r\n{}",
    HEAD + b"Content-Length: 50\r\n\r\n{",
    b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n",
    b"nonsense\r\n\r\n",
    b"GET /" + b"x" * 70_000,
    b"",
)
# Closing then resets the connection at once.
RESET = struct.pack("ii", 1, 0)


def reset(url, sent):
    client = connect(url)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    client.sendall(sent)
    client.close()


def wait_for_workers(server, count):
    deadline = time.monotonic() + 30
    while len(workers := children(server.process.pid)) < count and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(workers) == count
    return workers


def test_connections_that_are_reset_end_no_worker(tmp_path):
    with started_server(tmp_path, WEB_CONCURRENCY="2", **LIMITS) as server:
        workers = wait_for_workers(server, 2)
        for sent in BROKEN_OFF:
            for _ in range(20):
                reset(server.url, sent)
            assert ask(f"{server.url}/livez").status == 200
        assert children(server.process.pid) == workers
        assert "Exception in worker process" not in server.output


def test_more_connections_than_files_wait_and_end_no_worker(tmp_path):
    limited = ("prlimit", "--nofile=60:60", SEMILLA, "serve")
    with started_server(tmp_path, command=limited, WEB_CONCURRENCY="1", **LIMITS) as server:
        workers = wait_for_workers(server, 1)
        clients = [connect(server.url) for _ in range(100)]
        for client in clients:
            client.sendall(b"GET /livez HTTP/1.1\r\n")
        time.sleep(1)
        for client in clients:
            client.close()
        assert ask(f"{server.url}/livez", timeout=30).status == 200
        assert ask(f"{server.url}/v1/games", {}, timeout=30).status == 201
        assert children(server.process.pid) == workers
        assert "Exception in worker process" not in server.output
