"""Clients that send a byte now and then, or never take a reply."""

import select
import socket
import time
from contextlib import ExitStack, contextmanager
from threading import Event, Thread

HEAD = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /v1/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = POST + b"Content-Length: 100\r\n\r\n"
CHUNKS = POST + b"Transfer-Encoding: chunked\r\n\r\n60\r\n"
# What each kind sends at once, and what then comes a byte at a time.
TRICKLES = {
    "nothing": (b"", b""),
    "a head from its first byte": (b"", HEAD + b"X-Filler: " + b"x" * 200),
    "headers": (HEAD, b"X-Filler: " + b"x" * 200),
    "a body": (BODY, b" " * 99),
    "a body in chunks": (CHUNKS, b" " * 90),
    "chunks": (CHUNKS[:-4], b"1\r\n \r\n" * 20),
}


def connect(url, **options):
    """Open a connection to a server."""
    host, _, port = url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=10, **options)


class SlowClient:
    """A connection that trickles; it notes what comes back, and when the server is done with it."""

    def __init__(self, url, kind):
        self.kind = kind
        self.socket = connect(url)
        first, self._rest = TRICKLES[kind]
        self.socket.sendall(first)
        self.received = b""
        self.cut_off = False

    def trickle(self):
        """Send another byte, if the server still listens, and take what it has sent."""
        try:
            if self._rest:
                self.socket.send(self._rest[:1])
                self._rest = self._rest[1:]
            while not self.cut_off and select.select([self.socket], [], [], 0)[0]:
                received = self.socket.recv(4_096)
                self.received += received
                self.cut_off = not received
        except OSError:
            self.cut_off = True


@contextmanager
def slow_clients(url, kinds):
    """Give clients of these kinds, each of which sends a byte a second until the end."""
    done = Event()
    with ExitStack() as stack:
        clients = [SlowClient(url, kind) for kind in kinds]
        for client in clients:
            stack.enter_context(client.socket)

        def trickle():
            while not done.wait(1):
                for client in clients:
                    if not client.cut_off:
                        client.trickle()

        thread = Thread(target=trickle)
        thread.start()
        try:
            yield clients
        finally:
            done.set()
            thread.join()


def wait_until_cut_off(clients, seconds):
    """Wait until the server is done with all of them."""
    deadline = time.monotonic() + seconds
    while not all(client.cut_off for client in clients):
        assert time.monotonic() < deadline, [c.kind for c in clients if not c.cut_off]
        time.sleep(0.1)
