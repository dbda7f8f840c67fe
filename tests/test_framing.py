"""Where requests end in the bytes of a connection, however these come in."""

import pytest

from service.framing import LONGEST_HEAD, MORE, NEVER, Incoming

LONGEST = 1_000
POST = b"POST / HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"

WHOLE = {
    "no body": b"GET / HTTP/1.1\r\n\r\n",
    "an empty line before it": b"\r\nGET / HTTP/1.1\r\nA: b\r\n\r\n",
    "an empty body": POST + b"Content-Length: 0\r\n\r\n",
    "a body": POST + b"content-LENGTH:\t5 \r\nA: b\r\n\r\nabcde",
    "a body with empty lines": POST + b"Content-Length: 8\r\n\r\n\r\n\r\n\r\n\r\n",
    "the longest body": POST + b"Content-Length: 1000\r\n\r\n" + b"x" * LONGEST,
    "no chunk": CHUNKED + b"0\r\n\r\n",
    "chunks": CHUNKED + b"5\r\nabcde\r\n0A\r\n0\r\n\r\n12345\r\n0\r\n\r\n",
    "chunks with extensions": CHUNKED + b"1;a=b\r\nx\r\n1 ; c\r\ny\r\n000\r\n\r\n",
    "trailers": CHUNKED + b"1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\n",
    "chunks as long as may be": CHUNKED + b"3e0\r\n" + b"x" * 992 + b"\r\n0\r\n\r\n",
}
IMPOSSIBLE = {
    "a bare LF": b"GET / HTTP/1.1\n",
    "a bare LF at first": b"\n",
    "a bare LF after a CRLF": b"GET / HTTP/1.1\r\n\n",
    "a head without end": b"GET / HTTP/1.1\r\nA: " + b"x" * LONGEST_HEAD,
    "a body too long": POST + b"Content-Length: 1001\r\n\r\n",
    "a length that is none": POST + b"Content-Length: +1\r\n\r\n",
    "a length of many digits": POST + b"Content-Length: 9999999999999\r\n\r\n",
    "chunks too long": CHUNKED + b"3e9\r\n" + b"x" * 1_001 + b"\r\n1\r\n",
    "a chunk too long": CHUNKED + b"3e9\r\n",
    "a size that is none": CHUNKED + b"x\r\n",
    "a negative size": CHUNKED + b"-5\r\n",
    "no size": CHUNKED + b"\r\n",
    "a size of many digits": CHUNKED + b"000000001\r\n",
    "a size without end": CHUNKED + b"1" * (LONGEST_HEAD + 1),
    "trailers without end": CHUNKED + b"0\r\nA: " + b"x" * LONGEST_HEAD,
}


@pytest.mark.parametrize("request_", WHOLE.values(), ids=WHOLE)
def test_a_request_is_whole_with_its_last_byte(request_):
    incoming = Incoming(LONGEST)
    for byte in request_[:-1]:
        incoming.data.append(byte)
        assert incoming.end() == MORE
    incoming.data += request_[-1:]
    assert incoming.end() == len(request_)
    assert incoming.take(len(request_)) == request_
    assert incoming.data == b""


@pytest.mark.parametrize("second", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize("first", WHOLE.values(), ids=WHOLE)
def test_requests_may_come_together(first, second):
    incoming = Incoming(LONGEST)
    incoming.data += first + second
    for request in (first, second):
        assert incoming.end() == len(request)
        assert incoming.take(incoming.end()) == request


@pytest.mark.parametrize("request_", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_can_be_no_request_is_never_whole(request_):
    incoming = Incoming(LONGEST)
    incoming.data += request_[:-1]
    incoming.end()
    incoming.data += request_[-1:]
    assert incoming.end() == NEVER
    assert incoming.head_is_too_long == (request_ == IMPOSSIBLE["a head without end"])


@pytest.mark.parametrize(
    ("head", "expects"),
    [
        (POST + b"Expect: 100-continue\r\nContent-Length: 1\r\n\r\n", True),
        (POST + b"expect: 100-Continue\r\nTransfer-Encoding: chunked\r\n\r\n", True),
        (POST + b"Expect: 200-ok\r\nContent-Length: 1\r\n\r\n", False),
        (b"POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", False),
        (POST + b"Content-Length: 1\r\n\r\n", False),
    ],
)
def test_a_client_may_wait_for_a_word(head, expects):
    incoming = Incoming(LONGEST)
    incoming.data += head
    assert incoming.end() == MORE
    assert incoming.expects_continue is expects
