"""What ``bench.http`` serves: the service with one route more, and a bare Flask application.

Both routes answer alike, and the answer names the process: so the client can open as many
connections to each worker.
"""

import os

from flask import Flask, Response

from service.api.blueprint import ApiBlueprint
from service.api.context import JSON, TEXT, answer, answers_in
from service.app import create_app
from service.config import Config

SMALL = "/v1/small"

_blueprint = ApiBlueprint("bench", __name__, url_prefix=SMALL)


@_blueprint.route("")
@_blueprint.response(200)
@_blueprint.operation("small")
@answers_in(JSON, TEXT)
def _small() -> Response:
    return answer({"worker": os.getpid()}, headers={"Cache-Control": "no-store"})


def semilla() -> Flask:
    """Make the service, with the route SMALL behind all that every request passes."""
    app = create_app(Config.from_env(os.environ))
    app.register_blueprint(_blueprint)
    return app


def bare() -> Flask:
    """Make an application that is nothing but the route SMALL."""
    app = Flask("bare")

    @app.get(SMALL)
    def small() -> dict[str, int]:
        return {"worker": os.getpid()}

    return app
