"""A load generator that costs little: requests made beforehand, over a few kept connections.

In a closed loop each connection sends its next request as soon as it has the answer to the last; at
a pace, requests are sent when their time has come, whatever became of those before.
"""

import json
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from bench.servers import WORKERS

_TIMEOUT = 30
_TRIES = 500


class Load(NamedTuple):
    """What some seconds of load gave: the latency of each request in ms, and the times in s."""

    latencies_ms: list[float]
    seconds: float
    client_cpu_seconds: float


def connect(port: int, small: bytes, count: int) -> tuple[list[socket.socket], set[int]]:
    """Open ``count`` connections, as many to each worker; give them and the workers' pids.

    ``small`` is a request whose answer names the worker. A worker keeps a connection that it has
    accepted, and which one accepts is chance: left to it, one worker may serve them all.
    """
    kept: dict[int, list[socket.socket]] = {}
    spare: list[socket.socket] = []
    for _ in range(_TRIES):
        connection = socket.create_connection(("127.0.0.1", port), _TIMEOUT)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(small)
        worker = json.loads(_answer(connection).partition(b"\r\n\r\n")[2])["worker"]
        of_worker = kept.setdefault(worker, [])
        (of_worker if len(of_worker) < count // WORKERS else spare).append(connection)
        if sum(map(len, kept.values())) == count:
            break
    else:
        message = "one worker accepts every connection: are there two?"
        raise RuntimeError(message)
    for connection in spare:
        connection.close()
    return [connection for of_worker in kept.values() for connection in of_worker], set(kept)


def run(
    connections: list[socket.socket], requests: Sequence[Iterator[bytes]], seconds: float
) -> Load:
    """Send requests for some seconds and wait for the last answers; then close the connections.

    ``requests``: those of each connection. Raises ``RuntimeError`` for an answer other than 200.
    """
    latencies: list[float] = []
    sent_at: dict[socket.socket, float] = {}
    cpu, start = time.process_time(), time.perf_counter()
    with selectors.DefaultSelector() as selector:
        for opened, own in zip(connections, requests, strict=True):
            selector.register(opened, selectors.EVENT_READ, own)
            sent_at[opened] = time.perf_counter()
            opened.sendall(next(own))
        while sent_at:
            for key, _ in selector.select(_TIMEOUT):
                connection = cast("socket.socket", key.fileobj)
                _answer(connection)
                now = time.perf_counter()
                latencies.append((now - sent_at[connection]) * 1e3)
                if now < start + seconds:
                    sent_at[connection] = now
                    connection.sendall(next(key.data))
                else:
                    del sent_at[connection]
                    selector.unregister(connection)
                    connection.close()
    return Load(latencies, time.perf_counter() - start, time.process_time() - cpu)


def run_at(
    connections: list[socket.socket],
    requests: Sequence[Iterator[bytes]],
    seconds: float,
    per_second: float,
) -> Load:
    """Send requests at a pace for some seconds, over whichever connection is free; then close them.

    A request that finds none free waits, and its latency counts from when its time had come. Those
    that have no answer by the end are not counted. Raises what ``run`` raises.
    """
    latencies: list[float] = []
    free = list(zip(connections, requests, strict=True))
    due_at: dict[socket.socket, float] = {}
    cpu, start = time.process_time(), time.perf_counter()
    due, end = start, start + seconds
    with selectors.DefaultSelector() as selector:
        for opened, own in free:
            selector.register(opened, selectors.EVENT_READ, own)
        while (now := time.perf_counter()) < end:
            while free and due <= now:
                connection, own = free.pop(0)
                due_at[connection] = due
                connection.sendall(next(own))
                due += 1 / per_second
            wait = min(end, due) - now if free else end - now
            for key, _ in selector.select(max(wait, 0)):
                connection = cast("socket.socket", key.fileobj)
                _answer(connection)
                latencies.append((time.perf_counter() - due_at.pop(connection)) * 1e3)
                free.append((connection, key.data))
        for connection in due_at:
            _answer(connection)
    for connection in connections:
        connection.close()
    return Load(latencies, seconds, time.process_time() - cpu)


def _answer(connection: socket.socket) -> bytes:
    answer = connection.recv(65_536)
    while not _is_whole(answer):
        more = connection.recv(65_536)
        if not more:
            message = f"the answer broke off: {answer!r}"
            raise RuntimeError(message)
        answer += more
    if not answer.startswith(b"HTTP/1.1 200 "):
        message = f"not the answer that was asked for: {answer.decode()}"
        raise RuntimeError(message)
    return answer


def _is_whole(answer: bytes) -> bool:
    head, gap, body = answer.partition(b"\r\n\r\n")
    if not gap:
        return False
    length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
    return len(body) == int(length)
