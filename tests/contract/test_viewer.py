"""The API reference at ``/docs``: complete, and served by this host alone."""

import re
from urllib.parse import urlsplit

from tests.contract.replies import operations
from tests.servers import running_server

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FILES = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "start.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}


def test_the_page_is_served_under_its_policy(client):
    reply = client.get("/docs", buffered=True)
    assert reply.status_code == 200
    assert reply.mimetype == "text/html"
    assert reply.headers["Content-Security-Policy"] == POLICY


def test_its_files_are_served(client):
    for name, mimetype in FILES.items():
        reply = client.get(f"/docs/{name}", buffered=True)
        assert (reply.status_code, reply.mimetype) == (200, mimetype)
        assert reply.data
        assert reply.headers["X-Content-Type-Options"] == "nosniff"


def test_its_own_files_name_no_other_host(client):
    page = client.get("/docs", buffered=True).text
    assert set(re.findall(r'(?:href|src)="([^"]+)"', page)) == {
        *(f"docs/{name}" for name in FILES),
        "openapi.yaml",
    }
    for text in (page, client.get("/docs/start.js", buffered=True).text):
        assert "://" not in text


def test_a_browser_shows_every_operation_and_asks_nobody_else(chromium, tmp_path):
    with running_server(tmp_path, WEB_CONCURRENCY="1") as url:
        page = chromium.new_page()
        said, asked = [], []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{url}/docs")
        page.locator("#operations-games-createGame").wait_for()
        shown = page.locator(".opblock").evaluate_all("blocks => blocks.map(block => block.id)")
        documented = [
            f"operations-{operation['tags'][0]}-{operation['operationId']}"
            for _, _, operation in operations()
        ]
        assert sorted(shown) == sorted(documented)
        block = page.locator("#operations-games-playMoves")
        block.locator(".opblock-summary").click()
        block.get_by_text("With at the same request may be sent again").wait_for()
        block.get_by_text("illegal_move").first.wait_for()
        page.close()
    # A violation of the policy is an error of the console.
    assert said == []
    hosts = {urlsplit(place).netloc for place in asked if not place.startswith("data:")}
    assert hosts == {urlsplit(url).netloc}
