"""A gunicorn worker whose threads never wait for a client.

The threads of gunicorn's own read requests and write replies, so that a few clients that send a
byte a second, or take no reply, would hold them all. Here the main loop of a worker receives each
request until it is whole, sends what its client does not take at once, and waits for the client's
end of a connection that is closed. A thread gets the bytes of a request and then the end of them.

This is built on what ``gthread`` of gunicorn 27.0 is inside; ``setup.cfg`` allows no other.
"""

import errno
import socket
import struct
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from io import BytesIO
from selectors import EVENT_READ, EVENT_WRITE
from types import SimpleNamespace
from typing import Any

from gunicorn.http import Request, get_parser
from gunicorn.http.body import LengthReader
from gunicorn.workers.gthread import ThreadWorker

from service.connections import Connection
from service.framing import MORE, NEVER

# How long a client may take to send a request, from its first byte; to take more of a reply; and
# to close its end after the last reply.
REQUEST_SECONDS = 30
REPLY_SECONDS = 30
CLOSING_SECONDS = 2

_AT_ONCE = 64 * 1024  # bytes that are received
_NO_LINGER = struct.pack("ii", 1, 0)
_NOBODY_THERE = (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK)
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_NO_ROOM_SECONDS = 0.05


def _refusal(status: int, title: str, code: str, detail: str) -> bytes:
    """Write a reply for those that have sent no request which the application could answer."""
    body = (
        f'{{"type":"urn:semilla:problem:{code}","title":"{title}","status":{status},'
        f'"detail":"{detail}","code":"{code}"}}\n'
    )
    head = (
        f"HTTP/1.1 {status} {title}\r\nConnection: close\r\nCache-Control: no-store\r\n"
        f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_TOO_LATE = _refusal(
    408,
    "Request timeout",
    "request_timeout",
    f"a request must be here as a whole within {REQUEST_SECONDS} seconds",
)
_HEAD_TOO_LONG = _refusal(
    431, "Head too long", "head_too_long", "the headers are longer than this service takes"
)
# What is no HTTP, by the status that gunicorn gives it.
_NO_HTTP = {
    400: _refusal(400, "Bad request", "bad_request", "this is no HTTP request"),
    414: _refusal(414, "Uri too long", "uri_too_long", "the request line is too long"),
    417: _refusal(417, "Expectation failed", "expectation_failed", "expect 100-continue only"),
    431: _HEAD_TOO_LONG,
    501: _refusal(501, "Not implemented", "not_implemented", "send the body as it is, or chunked"),
}
_MISTAKE = _refusal(
    500, "Internal error", "internal_error", "the service made a mistake: send the request again"
)


class PatientWorker(ThreadWorker):
    """See the module. ``longest_body``: the most bytes of a body that the application takes."""

    longest_body = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Connections in the poller, but for idle ones: until when, and what to do then.
        self._waiting: dict[Connection, tuple[float, Callable[[], None]]] = {}
        self._next_look = 0.0

    def accept(self, listener: socket.socket) -> None:
        """Begin a connection."""
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno in _NO_ROOM:
                # They wait where they are; looking again at once would take all of a core.
                time.sleep(_NO_ROOM_SECONDS)
            elif error.errno not in _NOBODY_THERE:
                raise
            return
        self.nr_conns += 1
        ends = (client, address, listener.getsockname())
        self.enqueue_req(Connection(self.cfg, *ends, longest_body=self.longest_body))

    def enqueue_req(self, conn: Connection) -> None:  # type: ignore[override] # accept makes them
        """Begin to receive a request; gunicorn calls this where one is to come."""
        conn.told_to_go_on = False
        self._step(conn, partial(self._receive, conn, time.monotonic() + REQUEST_SECONDS))

    def _step(self, conn: Connection, go_on: Callable[[], None]) -> None:
        """Go on with a connection: what its client does to it ends that one and nothing else."""
        try:
            go_on()
        except OSError:
            self._close(conn)

    def _receive(self, conn: Connection, deadline: float) -> None:
        """Receive what has come, and give the request to a thread if that is all of it."""
        incoming = conn.incoming
        ended = False
        try:
            received = conn.sock.recv(_AT_ONCE, socket.MSG_DONTWAIT)
            incoming.data += received
            ended = not received
        except BlockingIOError:
            pass
        if not incoming.data:
            self._close(conn) if ended else self._keep(conn)
            return
        end = incoming.end()
        if end == MORE and not ended:
            if incoming.expects_continue and not conn.told_to_go_on:
                conn.told_to_go_on = True
                conn.sock.sendall(_CONTINUE)
            receive = partial(self._receive, conn, deadline)
            refuse = partial(self._refuse, conn, _TOO_LATE)
            self._wait(conn, EVENT_READ, receive, deadline, refuse)
        elif end == NEVER and incoming.head_is_too_long:
            self._refuse(conn, _HEAD_TOO_LONG)
        else:
            conn.cut = end in (MORE, NEVER)
            request = incoming.take(len(incoming.data) if conn.cut else end)
            conn.parser = get_parser(self.cfg, [request], conn.client)
            super().enqueue_req(conn)

    def handle_request(self, req: Request, conn: Connection) -> bool:  # type: ignore[override]
        """Answer a request; runs in a thread."""
        if conn.cut:
            req.force_close()
        if conn.told_to_go_on or conn.cut:
            # Or gunicorn would tell it again, or ask for what will be refused.
            vars(req)["_expected_100_continue"] = False
        if not conn.cut and req.body and isinstance(req.body.reader, LengthReader):
            # All of it is here, and nothing else: gunicorn's readers would look for more.
            vars(req)["body"] = BytesIO(req.unreader.take_buffered())
        # gunicorn sends the head by itself: one packet more, and a client that is woken twice.
        conn.sock.hold()
        try:
            return super().handle_request(req, conn)
        finally:
            conn.sock.release()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Refuse what is no HTTP: gunicorn judges and logs it, and here it is a problem."""
        said = bytearray()
        page: Any = SimpleNamespace(gettimeout=lambda: 0.0, sendall=said.extend)
        super().handle_error(req, page, addr, exc)
        status = int(said.split(maxsplit=2)[1])
        client.sendall(_NO_HTTP.get(status, _MISTAKE))

    def finish_request(self, conn: Connection, fs: Future[bool]) -> None:  # type: ignore[override]
        """Go on with a connection that a thread has done with."""
        conn.kept = not fs.cancelled() and not fs.exception() and fs.result()
        self._step(conn, partial(self._send, conn))

    def _send(self, conn: Connection) -> None:
        """Send the rest of the reply, then close the connection or keep it for another request."""
        if conn.sock.unsent:
            conn.sock.send_on()
        if conn.sock.unsent:
            deadline = time.monotonic() + REPLY_SECONDS
            send, abort = partial(self._send, conn), partial(self._abort, conn)
            self._wait(conn, EVENT_WRITE, send, deadline, abort)
        elif not conn.kept:
            self._end(conn)
        elif conn.incoming.data:
            self.enqueue_req(conn)
        else:
            self._keep(conn)

    def _refuse(self, conn: Connection, reply: bytes) -> None:
        conn.kept = False
        conn.sock.sendall(reply)
        self._send(conn)

    def _end(self, conn: Connection) -> None:
        """Close our end, and the rest soon: at once could cost the client the reply (RFC 9112)."""
        conn.sock.shutdown(socket.SHUT_WR)
        self._drain(conn, time.monotonic() + CLOSING_SECONDS)

    def _drain(self, conn: Connection, deadline: float) -> None:
        try:
            ended = not conn.sock.recv(_AT_ONCE, socket.MSG_DONTWAIT)
        except BlockingIOError:
            ended = False
        if ended:
            self._close(conn)
        else:
            drain = partial(self._drain, conn, deadline)
            self._wait(conn, EVENT_READ, drain, deadline, partial(self._close, conn))

    def _keep(self, conn: Connection) -> None:
        """Leave an idle connection to gunicorn, which closes it after ``keepalive`` seconds."""
        seconds = self.cfg.keepalive if self.alive else CLOSING_SECONDS
        conn.timeout = time.monotonic() + seconds
        self.keepalived_conns.append(conn)
        readable = partial(self.on_client_socket_readable, conn)
        self.poller.register(conn.sock, EVENT_READ, readable)

    def _abort(self, conn: Connection) -> None:
        """Close a connection without keeping what its client has not taken."""
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        self._close(conn)

    def _close(self, conn: Connection) -> None:
        self.nr_conns -= 1
        conn.close()

    def _wait(
        self,
        conn: Connection,
        event: int,
        go_on: Callable[[], None],
        deadline: float,
        give_up: Callable[[], None],
    ) -> None:
        """Go on when the client has sent or taken something, or give up at the deadline."""
        self.poller.register(conn.sock, event, partial(self._awake, conn, go_on))
        self._waiting[conn] = (deadline, give_up)

    def _awake(self, conn: Connection, go_on: Callable[[], None], _client: object = None) -> None:
        self.poller.unregister(conn.sock)
        del self._waiting[conn]
        self._step(conn, go_on)

    def murder_pending(self) -> None:
        """Give up those whose time is over; gunicorn calls this after each turn of its loop."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + 1
            late = [(conn, up) for conn, (until, up) in self._waiting.items() if until <= now]
            for conn, give_up in late:
                self._awake(conn, give_up)
