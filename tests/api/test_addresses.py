"""Whom the service takes a client for: what proxies write, and how much of it is believed."""

import pytest
from flask import request

from service.api.addresses import client_address, client_network, read_address
from tests.servers import ask, running_server

PEER = "192.0.2.1"


@pytest.fixture
def address_of(app, monkeypatch):
    """Give the address of a request that came over these proxies."""

    def address_of(forwarded, proxies, peer=PEER):
        monkeypatch.setitem(app.config, "TRUSTED_PROXIES", proxies)
        headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
        with app.test_request_context(headers=headers, environ_overrides={"REMOTE_ADDR": peer}):
            found = client_address(app, request.environ)
            return found and str(found)

    return address_of


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        (" 203.0.113.7\t", "203.0.113.7"),
        ("203.0.113.7:51234", "203.0.113.7"),
        ("2001:db8::7", "2001:db8::7"),
        ("2001:DB8:0:0:0:0:0:7", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        ("[2001:db8::7]:51234", "2001:db8::7"),
        ("fe80::7%eth0", "fe80::7"),
        ("[fe80::7%25eth0]:80", "fe80::7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("[::ffff:cb00:7107]:80", "203.0.113.7"),
        ("::1", "::1"),
        *((junk, None) for junk in ("", " ", "unknown", "_hidden", "localhost", "203.0.113", "7")),
        *((junk, None) for junk in ("203.0.113.256", "203.0.113.07", "1:2", "[", "[]", "]:1", "%")),
        ("203.0.113.7/24", None),
        ("٢٠٣.0.113.7", None),
        ("for=203.0.113.7", None),
        ("2001:db8:::7", None),
    ],
)
def test_an_address_is_read_as_servers_and_proxies_write_it(text, address):
    found = read_address(text)
    assert (found and str(found)) == address


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        # No proxy is trusted: whatever a client writes is nothing.
        (None, 0, PEER),
        ("203.0.113.7", 0, PEER),
        # One: it wrote the last entry, the client perhaps the others.
        ("203.0.113.7", 1, "203.0.113.7"),
        ("198.51.100.9, 203.0.113.7", 1, "203.0.113.7"),
        ("198.51.100.9,203.0.113.7", 1, "203.0.113.7"),
        ("junk, , 203.0.113.7:9", 1, "203.0.113.7"),
        # Two: the outer one wrote the last but one.
        ("203.0.113.7, 10.0.0.1", 2, "203.0.113.7"),
        ("198.51.100.9, 203.0.113.7, 10.0.0.1", 2, "203.0.113.7"),
        ("2001:db8::7, 10.0.0.1", 2, "2001:db8::7"),
        # Too few entries, or none that is an address: the connection's.
        (None, 1, PEER),
        ("", 1, PEER),
        ("203.0.113.7", 2, PEER),
        ("203.0.113.7, unknown", 1, PEER),
        ("203.0.113.7, ", 1, PEER),
        ("," * 1_000, 3, PEER),
    ],
)
def test_as_many_proxies_as_are_trusted_are_believed(address_of, forwarded, proxies, address):
    assert address_of(forwarded, proxies) == address


def test_a_server_that_knows_no_address_gives_none(address_of):
    assert address_of(None, 0, peer="") is None
    assert address_of("junk", 1, peer="unix:") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.7", "203.0.113.7:80", True),
        ("203.0.113.7", "::ffff:203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2:bbbb:ffff::2", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("203.0.113.7", "2001:db8::7", False),
        ("203.0.113.7", "unknown", False),
        ("unknown", "", True),
    ],
)
def test_who_has_one_address_or_one_network_of_ipv6_is_one_client(one, other, same):
    names = [client_network(read_address(text)) for text in (one, other)]
    assert (names[0] == names[1]) == same


def test_headers_that_are_sent_twice_are_read_as_one_list(tmp_path):
    settings = {"TRUSTED_PROXIES": "2", "RATE_LIMIT_ADDRESS": "9", "WEB_CONCURRENCY": "1"}
    with running_server(tmp_path, **settings) as url:
        # Counted for the same client, whichever way the proxies write it.
        for left, forwarded in enumerate(("203.0.113.7,10.0.0.1", "203.0.113.7 , 10.0.0.2")):
            reply = ask(f"{url}/v1/variants", X_Forwarded_For=forwarded)
            assert f"r={8 - left};" in reply.headers["RateLimit"]
