"""The socket of a client: what it does not take at once is kept, and a reply's parts meet."""

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


def assert_nothing_has_come(theirs):
    with pytest.raises(BlockingIOError):
        theirs.recv(100)


def test_the_first_part_of_a_reply_waits_for_the_second(ends):
    client, theirs = ends
    client.hold()
    client.sendall(b"head, ")
    assert_nothing_has_come(theirs)
    client.sendall(b"body")
    assert theirs.recv(100) == b"head, body"
    assert not client.unsent


def test_the_parts_after_it_wait_for_nothing(ends):
    client, theirs = ends
    client.hold()
    client.sendall(b"head, ")
    client.sendall(b"body, ")
    client.sendall(b"more")
    assert theirs.recv(100) == b"head, body, more"
    client.release()
    assert_nothing_has_come(theirs)


def test_a_head_without_a_body_leaves_in_the_end(ends):
    client, theirs = ends
    client.hold()
    client.sendall(b"head")
    assert_nothing_has_come(theirs)
    client.release()
    assert theirs.recv(100) == b"head"


def test_what_is_not_held_leaves_at_once(ends):
    client, theirs = ends
    client.hold()
    client.release()
    client.sendall(b"go on")
    assert theirs.recv(100) == b"go on"


def test_what_the_client_does_not_take_is_kept_in_its_order(ends):
    client, theirs = ends
    client.hold()
    for number in (b"1", b"2", b"3"):
        client.sendall(number + PART)
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


def test_what_was_held_of_a_reply_that_broke_off_is_dropped(ends):
    client, theirs = ends
    client.hold()
    client.sendall(b"head")
    client.close()
    client.release()
    assert theirs.recv(100) == b""
