"""Where a request ends in the bytes of a connection (RFC 9112), and no more of HTTP than that.

Whoever parses the request judges it, and is given these bytes and then the end of them: an error
here can cost one connection, never a wait.
"""

import re

MORE = 0
NEVER = -1

LONGEST_HEAD = 64 * 1024

_BARE_LF = re.compile(rb"(?<!\r)\n")
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,12})[ \t]*\r\n")
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked[ \t]*\r\n")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;|$)")


class Incoming:
    """The bytes that have come and were not taken; bodies beyond ``longest_body`` never fit."""

    def __init__(self, longest_body: int) -> None:
        self.data = bytearray()
        self._longest_body = longest_body
        self._begin()

    def _begin(self) -> None:
        self.expects_continue = False
        self._seen = 0  # up to where there is no end of the head
        self._body = 0  # where the body begins, once the head is whole
        self._end = 0  # where it ends, if its length is known
        self._chunk = 0  # else where the line with the size of its next chunk begins

    def end(self) -> int:
        """Tell where the first request ends: ``MORE`` if it is not whole yet, or ``NEVER``.

        What no parser takes, such as a bare LF or another coding than chunks, counts as ``NEVER``.
        What was looked at once is not looked at again, so that no client can make this slow.
        """
        if not self._body:
            head = self.data.find(b"\r\n\r\n", max(self._seen - 3, 0))
            if head < 0:
                bare = _BARE_LF.search(self.data, self._seen)
                self._seen = len(self.data)
                return NEVER if bare or self.head_is_too_long else MORE
            self._read_head(head)
        if self._chunk:
            return self._end_of_chunks()
        return self._end if self._end <= len(self.data) else MORE

    @property
    def head_is_too_long(self) -> bool:
        """Whether the head has not ended where it must."""
        return not self._body and len(self.data) > LONGEST_HEAD

    def take(self, size: int) -> bytes:
        """Take the first request away, which has this many bytes."""
        taken = bytes(self.data[:size])
        del self.data[:size]
        self._begin()
        return taken

    def _read_head(self, length: int) -> None:
        """Read what a whole head of this length says about the body.

        ``expects_continue``: whether the client waits for a word before it sends the body.
        """
        head = bytes(self.data[: length + 2]).lower()
        self._body = self._end = length + 4
        if _CHUNKED.search(head):
            self._chunk = self._body
        elif b"\r\ntransfer-encoding:" in head:
            self._end = NEVER
        elif b"\r\ncontent-length:" in head:
            found = _LENGTH.search(head)
            size = int(found[1]) if found else -1
            self._end = self._body + size if 0 <= size <= self._longest_body else NEVER
        version = head.partition(b"\r\n")[0].rpartition(b" ")[2]
        self.expects_continue = b"\r\nexpect: 100-continue\r\n" in head and version == b"http/1.1"

    def _end_of_chunks(self) -> int:
        """Go from chunk to chunk, as far as they are there."""
        while self._chunk <= self._body + self._longest_body:
            line = self.data.find(b"\r\n", self._chunk)
            size = _CHUNK_SIZE.match(self.data[self._chunk : line]) if line >= 0 else None
            if size and int(size[1], 16):
                self._chunk = line + 2 + int(size[1], 16) + 2
                continue
            if line >= 0 and not size:
                return NEVER
            trailers = self.data.find(b"\r\n\r\n", line) if size else -1
            if trailers >= 0:
                return trailers + 4
            return NEVER if len(self.data) - self._chunk > LONGEST_HEAD else MORE
        return NEVER
