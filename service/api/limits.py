"""Rate limits: who may come how often, and how every reply tells what is left.

The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple, cast

from flask import Flask, Response, g, request

from service.api.addresses import client_address, client_network
from service.api.context import services_of
from service.api.counters import Counters, Window
from service.api.errors import Problem
from service.api.good_tokens import GoodTokens
from service.api.tokens import players_token

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

# What the operator's own machines ask: a health check that is refused would end a sound process.
UNLIMITED = frozenset({"/livez", "/readyz", "/metrics"})
# Files in memory, which a browser keeps for ever: who opens the page must not pay for its parts.
FILES = frozenset({"pages.file"})
# What takes a while for each request: it makes something, plays a whole game or draws pixels.
_CREATING = frozenset(
    {
        *("games.create_game", "evaluate.evaluate", "challenges.create_challenge"),
        *("pars.improve_game_par", "pars.improve_challenge_par", "solver.solve"),
        *("pictures.get_game_png", "pictures.get_deal_png"),
    }
)
# What takes a name, which is never free again, or gives a token, which has a quota of its own.
_NAMING = frozenset({"players.register_player", "players.change_me", "players.rotate_token"})
# After these the token that was sent is void.
_VOIDING = frozenset({"players.rotate_token", "players.delete_me"})


class Asked(NamedTuple):
    """What a limit looks at in a request.

    ``network``: whence it comes; ``player``: names the player whose token it shows, None where this
    process has not found the token good; ``creates``: whether it creates, evaluates or solves;
    ``names``: whether it may take a name or gives a player's token.
    """

    network: str
    player: str | None
    creates: bool
    names: bool

    @property
    def address(self) -> str | None:
        """The network, where the request counts for that and not for a player."""
        return None if self.player else self.network


@dataclass(frozen=True, slots=True)
class Policy:
    """At most ``quota`` requests in each ``window`` of seconds, for each client.

    ``client`` names whom a request counts for, None where it does not count.
    """

    name: str
    quota: int
    window: int
    client: Callable[[Asked], str | None]


class Share(NamedTuple):
    """What a client may still send under a policy, and in how many seconds it may all again.

    ``left`` is below 0 where the client has sent more than it may.
    """

    policy: Policy
    left: int
    seconds: int


Shares = list[Share]


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Limiter:
    """The policies that hold, and what counts.

    ``on_unavailable`` is called for each request that is let through since it cannot be counted.
    ``good_tokens``: those that count for their players.
    """

    policies: tuple[Policy, ...]
    counters: Counters
    on_unavailable: Callable[[], None] = _nothing
    good_tokens: GoodTokens = field(default_factory=GoodTokens)


def policies(*, address: int, create: int, player: int, register: int) -> tuple[Policy, ...]:
    """Give the policies by their quotas; 0 is no limit."""
    known = (
        Policy("address", address, 60, lambda asked: asked.address),
        Policy("create", create, 60, lambda asked: asked.address if asked.creates else None),
        Policy("player", player, 60, lambda asked: asked.player),
        Policy("register", register, 3_600, lambda asked: asked.network if asked.names else None),
    )
    return tuple(policy for policy in known if policy.quota)


def register(app: Flask, limiter: Limiter, *, trusted_proxies: int) -> None:
    """Limit the requests of an application; what names the request must be registered before."""
    app.config["TRUSTED_PROXIES"] = trusted_proxies
    provide(app, limiter)
    app.before_request(partial(_check, app))
    app.after_request(partial(_finish, app))


def provide(app: Flask, limiter: Limiter) -> None:
    """Hand an application the limiter that it is to use from now on."""
    app.extensions["semilla-limits"] = limiter


def _limiter(app: Flask) -> Limiter:
    return cast("Limiter", app.extensions["semilla-limits"])


def count(app: Flask, environ: "WSGIEnvironment", endpoint: str) -> Shares:
    """Count a request under every policy of an application that it falls under.

    Gives what is left under each, up to the first of which nothing is; ``refuse_beyond`` says so.
    Nothing has been looked up yet, nor a body read that takes a while: to refuse must cost less
    than to answer.
    """
    limiter, shares = _limiter(app), Shares()
    if not limiter.policies:
        return shares
    token = players_token(environ)
    asked = Asked(
        network=client_network(client_address(app, environ)),
        player=token.hex() if token and token in limiter.good_tokens else None,
        creates=endpoint in _CREATING,
        names=endpoint in _NAMING,
    )
    now = services_of(app).now_ms() // 1_000
    for policy in limiter.policies:
        client = policy.client(asked)
        if client is None:
            continue
        number, passed = divmod(now, policy.window)
        counted = limiter.counters.count(Window(policy.name, number, policy.window), client)
        if counted is None:
            limiter.on_unavailable()
            break
        shares.append(Share(policy, policy.quota - counted, policy.window - passed))
        if counted > policy.quota:
            break
    return shares


def learn(app: Flask, token_hash: bytes | None, endpoint: str, status: int) -> None:
    """Remember whether a player's token is good, by how a request was answered that shows it.

    ``token_hash`` is None where nobody has looked at one.
    """
    if token_hash is None:
        return
    good = _limiter(app).good_tokens
    if status == HTTPStatus.UNAUTHORIZED or endpoint in _VOIDING:
        good.forget(token_hash)
    elif status < HTTPStatus.BAD_REQUEST:
        good.learn(token_hash)


def refuse_beyond(shares: Shares) -> None:
    """Raise the ``Problem`` of a request that goes beyond a quota."""
    if not shares or shares[-1].left >= 0:
        return
    policy, _, seconds = shares[-1]
    detail = (
        f"the limit {policy.name!r} is {policy.quota} requests in {policy.window} seconds: wait "
        f"{seconds} seconds and send this again; the RateLimit header of every reply tells how "
        "many are left"
    )
    raise Problem(code="rate_limited", detail=detail, policy=policy.name, retry_after=seconds)


def headers(shares: Shares) -> Iterator[tuple[str, str]]:
    """Tell in headers what is left."""
    if shares:
        quotas = [f'"{policy.name}";q={policy.quota};w={policy.window}' for policy, _, _ in shares]
        rests = [
            f'"{policy.name}";r={max(left, 0)};t={seconds}' for policy, left, seconds in shares
        ]
        yield "RateLimit-Policy", ", ".join(quotas)
        yield "RateLimit", ", ".join(rests)


def _check(app: Flask) -> None:
    """Count the request and refuse it beyond a quota.

    A browser asks by itself whether a page may (OPTIONS), and the page could not even read a
    refusal: that is not counted.
    """
    environ, endpoint = request.environ, request.endpoint or ""
    free = environ["REQUEST_METHOD"] == "OPTIONS" or environ["PATH_INFO"] in UNLIMITED
    if free or endpoint in FILES:
        return
    g.shares = count(app, environ, endpoint)
    refuse_beyond(g.shares)


def _finish(app: Flask, response: Response) -> Response:
    """Tell what is left, and learn whether a token was good."""
    learn(app, g.get("looked_up"), request.endpoint or "", response.status_code)
    for name, value in headers(g.get("shares", [])):
        response.headers.add(name, value)
    return response
