"""The address of a client: that of its connection, or the one that trusted proxies tell."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from flask import Flask

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

# What one client commonly has of the addresses of IPv6.
_IPV6_PREFIX = 64


def client_address(app: Flask, environ: "WSGIEnvironment") -> IPv4Address | IPv6Address | None:
    """Find the address of who sends a request; None where the server does not know it.

    Each proxy appends to ``X-Forwarded-For`` whom it got the request from. So with N trusted
    proxies it is the Nth entry from the right, and nothing left of it is believed. Where that is
    missing or no address, it is that of the connection.
    """
    proxies: int = app.config["TRUSTED_PROXIES"]
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
