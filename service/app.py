"""The application factory: what a process needs to answer requests, and nothing else."""

import time
from collections.abc import Callable

from flask import Flask
from werkzeug.routing import BaseConverter

from service.api import docs, errors, limits, pages, plain_requests, reply_headers, spec, watch
from service.api.context import OrjsonProvider, Services, provide
from service.api.counters import open_counters
from service.config import Config
from service.db.engine import open_engine
from service.metrics import Metrics


def wall_clock_ms() -> int:
    """Give the time now, in ms since 1970 UTC."""
    return time.time_ns() // 1_000_000


class _Segment(BaseConverter):
    """A part of a path between slashes. No name here has a NUL, which PostgreSQL does not take."""

    regex = r"[^/\0]+"
    part_isolating = True


class _Name(_Segment):
    """A name or id, where the path may have a word such as ``me`` instead: names are longer."""

    regex = r"[^/\0]{3,}"


def create_app(config: Config, now_ms: Callable[[], int] = wall_clock_ms) -> Flask:
    """Make the application; no connection is opened before the first request."""
    app = Flask("service", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = config.max_body_bytes
    app.config["METRICS_TOKEN"] = config.metrics_token
    app.json = OrjsonProvider(app)
    # A path is what it is: nothing is redirected to where it might have meant.
    app.url_map.merge_slashes = False
    app.url_map.converters["default"] = _Segment
    app.url_map.converters["name"] = _Name
    engine = open_engine(
        config.url,
        synchronous=config.sqlite_synchronous,
        pool_size=config.database_pool_size,
    )
    provide(app, Services(engine, now_ms, config.public_url, config.solver_max_ms))
    metrics = Metrics()
    plain_requests.register(app)
    reply_headers.register(app)
    watch.register(app, metrics)
    errors.register(app)
    spec.register(app)
    app.register_blueprint(docs.blueprint)
    app.register_blueprint(pages.blueprint)
    policies = limits.policies(
        address=config.rate_limit_address,
        create=config.rate_limit_create,
        player=config.rate_limit_player,
        register=config.rate_limit_register,
    )
    counters = open_counters(config.redis_url)
    limiter = limits.Limiter(policies, counters, metrics.limits_unavailable.inc)
    limits.register(app, limiter, trusted_proxies=config.trusted_proxies)
    return app
