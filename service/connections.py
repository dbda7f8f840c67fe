"""The connections of a worker: what has come of a request, and what is to go of a reply."""

import socket
from typing import Any

from gunicorn.workers.gthread import TConn

from service.framing import Incoming


class Client(socket.socket):
    """The socket of a client, which keeps in ``unsent`` what the client does not take at once.

    While it is held it keeps the first part of a reply until the second comes, so that the head and
    the body leave together.
    """

    def __init__(self, accepted: socket.socket) -> None:
        super().__init__(fileno=accepted.detach())
        self.unsent = bytearray()
        self._held = False

    def sendall(self, data: Any, _flags: int = 0) -> None:
        """Send what can be sent now, and keep the rest."""
        if self._held and self.unsent:
            self.unsent += data
            self.release()
        elif self._held or self.unsent:
            self.unsent += data
        else:
            self.unsent += memoryview(data)[self._send_now(data) :]

    def hold(self) -> None:
        """Keep the first part that is to be sent from now on; nothing is unsent before it."""
        self._held = True

    def release(self) -> None:
        """Send what was held, as far as can be sent now; not where the socket has been closed."""
        self._held = False
        if self.unsent and self.fileno() >= 0:
            self.send_on()

    def send_on(self) -> None:
        """Send more of what was kept."""
        del self.unsent[: self._send_now(self.unsent)]

    def _send_now(self, data: Any) -> int:
        try:
            return self.send(data, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return 0


class Connection(TConn):
    """A connection with what has come of its next request.

    ``cut``: the thread did not get the whole of the last, so that nothing can follow it;
    ``told_to_go_on``: the client has been told to send the body that it announced; ``kept``: it may
    send another request once it has taken the reply.
    """

    sock: Client

    def __init__(self, *args: Any, longest_body: int) -> None:
        super().__init__(*args)
        self.sock = Client(self.sock)
        # For gunicorn, which would make one parser for all requests.
        self.initialized = True
        self.incoming = Incoming(longest_body)
        self.cut = self.told_to_go_on = self.kept = False
