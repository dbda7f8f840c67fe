"""The contract and its viewer, as files of the service."""

import re
from importlib import resources
from pathlib import Path
from urllib.parse import urljoin

import pytest

from service.api.docs import CONTENT_SECURITY_POLICY
from tests.api.problems import assert_problem

PACKAGE = Path(str(resources.files("service.api")))


def get(client, path, **headers):
    return client.get(path, headers=headers, buffered=True)


def test_the_contract_is_served_as_it_is_committed(client):
    reply = get(client, "/openapi.yaml")
    assert reply.status_code == 200
    assert reply.mimetype == "application/yaml"
    assert reply.data == (PACKAGE / "openapi.yaml").read_bytes()


def test_the_viewer_runs_under_a_policy_that_asks_no_other_host(client):
    reply = get(client, "/docs")
    assert reply.status_code == 200
    assert reply.mimetype == "text/html"
    parts = reply.headers["Content-Security-Policy"].split("; ")
    policy = dict(part.split(" ", 1) for part in parts)
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in reply.headers["Content-Security-Policy"]
    assert "://" not in reply.headers["Content-Security-Policy"]


def test_every_file_that_the_viewer_names_is_served(client):
    html = get(client, "/docs").text
    named = re.findall(r'(?:src|href)="([^"]+)"', html)
    assert len(named) >= 4
    for name in named:
        assert "://" not in name
        assert get(client, f"/{name}").status_code == 200, name


def test_the_files_are_kept_by_their_etag(client):
    for path in ("/openapi.yaml", "/docs", "/docs/swagger-ui-bundle.js"):
        etag = get(client, path).headers["ETag"]
        reply = get(client, path, **{"If-None-Match": etag})
        assert reply.status_code == 304
        assert reply.data == b""
        for name in ("If-None-Match", "If-Match"):
            assert get(client, path, **{name: '"other"'}).status_code == 200


def test_a_slash_after_docs_leads_to_docs(client):
    reply = client.get("/docs/")
    assert reply.status_code == 308
    assert reply.headers["Location"] == "../docs"
    assert urljoin("http://localhost/docs/", reply.headers["Location"]) == "http://localhost/docs"


@pytest.mark.parametrize(
    "name",
    [
        "nothing.js",
        "..",
        "../errors.py",
        "..%2ferrors.py",
        "%2e%2e%2ferrors.py",
        "..%5cerrors.py",
        "%2fetc%2fpasswd",
        "/etc/passwd",
        "%00",
        "swagger-ui.css%00.js",
        "viewer/index.html",
        "C:%5c",
    ],
)
def test_no_other_file_can_be_read(client, name):
    assert_problem(get(client, f"/docs/{name}"), "not_found")


@pytest.mark.parametrize("path", ["/openapi.yaml", "/docs", "/docs/start.js"])
def test_part_of_a_file_may_be_asked_for_and_a_part_that_is_not_there_is_a_problem(client, path):
    whole = get(client, path).data
    if not whole:
        pytest.fail(f"{path} is empty")
    reply = get(client, path, Range="bytes=0-9")
    assert reply.status_code == 206
    assert reply.data == whole[:10]
    assert_problem(get(client, path, Range="bytes=99999999-"), "bad_request")


def test_the_reference_is_served_without_any_database(client, app, monkeypatch):
    monkeypatch.delitem(app.extensions, "semilla")
    for path in ("/openapi.yaml", "/docs", "/docs/start.js", "/livez"):
        assert get(client, path).status_code == 200


@pytest.mark.parametrize("path", ["/docs", "/docs/index.html"])
def test_the_page_has_its_policy_however_it_is_asked_for(client, path):
    with client.get(path) as reply:
        assert reply.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
