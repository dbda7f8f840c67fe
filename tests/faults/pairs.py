"""Two connections that reach two workers, and requests sent over both at the same moment."""

import http.client
import json
import queue
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.servers import Reply

LATEST_SECONDS = 0.004  # a twin is sent so much later at the most
TRIES = 60


class Ask(NamedTuple):
    """A request; ``headers`` are named as ``If_Match``."""

    verb: str
    path: str
    body: object = None
    token: str | None = None
    headers: dict = {}  # noqa: RUF012 - nobody writes to it


class Line:
    """One connection, which one worker answers for as long as it stands."""

    def __init__(self, server):
        where = urlsplit(server.url)
        self._connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
        request_id = self.send(Ask("GET", "/v1/variants")).headers["X-Request-ID"]
        self.worker = _worker_of(server, request_id)

    def send(self, ask):
        """Send a request; give the reply, in which no mistake of the service stands."""
        headers = {name.replace("_", "-"): value for name, value in ask.headers.items()}
        if ask.token:
            headers["Authorization"] = f"Bearer {ask.token}"
        data = None
        if ask.body is not None:
            data, headers["Content-Type"] = json.dumps(ask.body), "application/json"
        self._connection.request(ask.verb, ask.path, data, headers)
        with self._connection.getresponse() as reply:
            found = Reply(reply.status, reply.headers, reply.read())
        assert found.status < 500, f"{ask}: {found.status} {found.text}"
        return found

    def close(self):
        self._connection.close()


def _worker_of(server, request_id):
    """Tell the process that answered a request, by its line in the log."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for line in server.output.splitlines():
            if request_id in line:
                return json.loads(line)["pid"]
        time.sleep(0.01)
    message = f"no line of the log tells of {request_id}"
    raise AssertionError(message)


class Pair:
    """Two lines to two workers."""

    def __init__(self, lines, chance):
        self.lines = lines
        self.chance = chance
        self._turn = 0

    def send(self, ask):
        """Send one request, over the one or the other in turn."""
        self._turn ^= 1
        return self.lines[self._turn].send(ask)

    def both(self, first, second):
        """Send two requests at the same moment, each over its own line; give both replies."""
        barrier = threading.Barrier(2, timeout=30)
        late = self.chance.randrange(2), self.chance.choice((0, 1)) * self.chance.random()
        turned = self.chance.randrange(2)

        def send(place, ask):
            barrier.wait()
            if place == late[0]:
                time.sleep(late[1] * LATEST_SECONDS)
            return self.lines[place ^ turned].send(ask)

        with ThreadPoolExecutor(2) as pool:
            return tuple(pool.map(send, (0, 1), (first, second)))


class Pairs:
    """``with Pairs(server, count) as pairs:``; rounds borrow one each."""

    def __init__(self, server, count, seed):
        lines = _lines_of_two_workers(server, count)
        self._lines = [line for pair in lines for line in pair]
        self._free = queue.SimpleQueue()
        for number, pair in enumerate(lines):
            self._free.put(Pair(pair, random.Random(f"{seed} {number}")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for line in self._lines:
            line.close()

    @contextmanager
    def borrowed(self):
        """Give a pair that nobody else uses meanwhile."""
        pair = self._free.get()
        try:
            yield pair
        finally:
            self._free.put(pair)


def _lines_of_two_workers(server, count):
    """Connect until each of two workers has so many lines; the kernel chooses which accepts."""
    found = {}
    for _ in range(TRIES * count):
        line = Line(server)
        lines = found.setdefault(line.worker, [])
        if len(lines) < count:
            lines.append(line)
        else:
            line.close()
        if len(found) == 2 and all(len(lines) == count for lines in found.values()):
            return list(zip(*found.values(), strict=True))
    message = f"the kernel gives no {count} connections to each worker: {found}"
    raise AssertionError(message)
