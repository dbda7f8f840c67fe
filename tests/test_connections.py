"""The socket of a client: what it does not take at once is kept, and a reply leaves as one."""

import socket

import pytest

from service.connections import Client

PART = b"x" * 1_000_000


@pytest.fixture
def ends():
    """Give both ends of a connection: the service's and the client's."""
    ours, theirs = socket.socketpair()
    with Client(ours) as client, theirs:
        theirs.setblocking(False)  # noqa: FBT003 - the name of the call says it
        yield client, theirs


def test_the_parts_of_a_reply_that_is_held_leave_together(ends):
    client, theirs = ends
    client.hold()
    client.sendall(b"head, ")
    client.sendall(b"body")
    with pytest.raises(BlockingIOError):
        theirs.recv(100)
    client.release()
    assert theirs.recv(100) == b"head, body"
    assert not client.unsent


def test_what_is_not_held_leaves_at_once(ends):
    client, theirs = ends
    client.hold()
    client.release()
    client.sendall(b"go on")
    assert theirs.recv(100) == b"go on"


def test_what_the_client_does_not_take_is_kept_in_its_order(ends):
    client, theirs = ends
    client.sendall(b"1" + PART)
    client.sendall(b"2" + PART)
    client.hold()
    client.sendall(b"3" + PART)
    client.release()
    received = bytearray()
    while client.unsent:
        received += theirs.recv(len(PART))
        client.send_on()
    while len(received) < 3 * len(PART) + 3:
        received += theirs.recv(len(PART))
    assert bytes(received) == b"".join(number + PART for number in (b"1", b"2", b"3"))


def test_a_client_that_is_gone_is_an_error_of_the_system(ends):
    client, theirs = ends
    theirs.close()
    client.hold()
    client.sendall(b"anybody?")
    with pytest.raises(OSError, match="Broken pipe"):
        client.release()
