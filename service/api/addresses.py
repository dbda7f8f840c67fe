"""The address of a client: that of its connection, or the one that trusted proxies tell."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from flask import current_app, request

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

# What one client commonly has of the addresses of IPv6.
_IPV6_PREFIX = 64


def client_address() -> IPv4Address | IPv6Address | None:
    """Give the address of who sends the request; None where the server does not know it."""
    return address_in(request.environ, current_app.config["TRUSTED_PROXIES"])


def address_in(environ: "WSGIEnvironment", proxies: int) -> IPv4Address | IPv6Address | None:
    """Find the address of who sends a request that came through so many trusted proxies.

    Each proxy appends to ``X-Forwarded-For`` whom it got the request from. So with N trusted
    proxies it is the Nth entry from the right, and nothing left of it is believed. Where that is
    missing or no address, it is that of the connection.
    """
    if proxies:
        entries = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
        told = read_address(entries[-proxies]) if len(entries) >= proxies else None
        if told is not None:
            return told
    return read_address(environ.get("REMOTE_ADDR", ""))


@lru_cache(maxsize=4_096)
def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address as servers and proxies write it; None where it is none.

    It may have a port or a zone, and an IPv6 address may stand in brackets. An IPv4 address that is
    mapped into IPv6 is one of IPv4.
    """
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


@lru_cache(maxsize=4_096)
def client_network(address: IPv4Address | IPv6Address | None) -> str:
    """Name the clients that are counted as one: an IPv4 address, or a /64 of IPv6."""
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_PREFIX), strict=False))
    return "unknown" if address is None else str(address)
