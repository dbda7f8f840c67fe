"""What is no HTTP, or not this service's, is refused by the worker with a problem."""

import json

import pytest

from tests.faults.slow_clients import connect
from tests.servers import running_server

HEAD = b"GET /livez HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """Give the URL of a server."""
    with running_server(tmp_path_factory.mktemp("no-http"), WEB_CONCURRENCY="1") as url:
        yield url


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"nonsense\r\n\r\n", 400, "bad_request"),
        (b"GET /livez HTTP/9.9\r\n\r\n", 400, "bad_request"),
        (HEAD + b"Bad Name: x\r\n\r\n", 400, "bad_request"),
        (HEAD + b"Content-Length: one\r\n\r\n", 400, "bad_request"),
        (b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri_too_long"),
        (HEAD + b"Expect: magic\r\n\r\n", 417, "expectation_failed"),
        (HEAD + b"A: " + b"x" * 9_000 + b"\r\n\r\n", 431, "head_too_long"),
        (HEAD + b"Transfer-Encoding: secret\r\n\r\n", 501, "not_implemented"),
    ],
)
def test_it_is_refused_with_a_problem_that_repeats_nothing_of_it(url, sent, status, code):
    with connect(url) as client:
        client.sendall(sent)
        stream = client.makefile("rb")
        assert stream.readline().split(maxsplit=2)[:2] == [b"HTTP/1.1", str(status).encode()]
        headers = dict(line.split(b": ", 1) for line in iter(stream.readline, b"\r\n"))
        body = stream.read()
    assert headers[b"Content-Type"] == b"application/problem+json\r\n"
    assert headers[b"Connection"] == b"close\r\n"
    problem = json.loads(body)
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["type"] == f"urn:semilla:problem:{code}"
    assert problem["detail"]
    for words in (b"nonsense", b"9.9", b"Bad Name", b"magic", b"secret", b"xxx"):
        assert words not in body
