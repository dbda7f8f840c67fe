"""A client that is generated from the contract works, and has a type for every error."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.document import FILE
from tests.contract.replies import operations, snake_case
from tests.servers import running_server

SESSION = Path(__file__).with_name("client_session.py")


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Generate the client; a warning, such as of a skipped operation, is a failure."""
    folder = tmp_path_factory.mktemp("generated")
    # To the generator a picture is no text, and no file, unless somebody says so.
    kinds = {"image/svg+xml": "text/plain", "image/png": "application/octet-stream"}
    config = {"post_hooks": [], "content_type_overrides": kinds}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    words = ["generate", "--fail-on-warning", "--meta", "none", "--path", FILE]
    words += ["--config", "config.json", "--output-path", "semilla_client"]
    result = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


def test_it_has_a_method_for_every_operation(generated):
    modules = {
        f"{path.parent.name}/{path.stem}"
        for path in (generated / "semilla_client" / "api").glob("*/*.py")
        if path.stem != "__init__"
    }
    assert modules == {
        f"{operation['tags'][0]}/{snake_case(operation['operationId'])}"
        for _, _, operation in operations()
    }


def test_it_plays_a_game_on_a_real_server(generated, tmp_path):
    with running_server(tmp_path, WEB_CONCURRENCY="1") as url:
        result = subprocess.run(
            [sys.executable, "-W", "error", SESSION, url],
            env={**os.environ, "PYTHONPATH": str(generated)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 0, result.stderr
