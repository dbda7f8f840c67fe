"""The contract and its viewer, whose files are part of the package: no outside host is asked."""

from importlib import resources
from pathlib import Path

from flask import Blueprint, Response, redirect, request, send_from_directory
from werkzeug import Response as BaseResponse

_PACKAGE = Path(str(resources.files(__package__)))
# The least under which the viewer works; data: is for its icons.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

blueprint = Blueprint("docs", __name__)


@blueprint.before_request
def ignore_if_match() -> None:
    """Serve files to all: nobody can change one, so there is nothing to insist on."""
    request.environ.pop("HTTP_IF_MATCH", None)


@blueprint.route("/openapi.yaml")
def openapi() -> Response:
    """Serve the contract."""
    return send_from_directory(_PACKAGE, "openapi.yaml", mimetype="application/yaml")


@blueprint.route("/docs")
def viewer() -> Response:
    """Serve the API reference, under a policy of its own."""
    return viewer_file("index.html")


@blueprint.route("/docs/")
def viewer_with_slash() -> BaseResponse:
    """Lead to the viewer: its links are relative to ``/docs``."""
    return redirect("../docs", code=308)


@blueprint.route("/docs/<name>")
def viewer_file(name: str) -> Response:
    """Serve a file of the viewer."""
    response = send_from_directory(_PACKAGE / "viewer", name)
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    return response
