"""One server and one browser for all that is tested of the page."""

from urllib.parse import urlsplit

import pytest

from tests.browser import running_chromium
from tests.servers import running_server
from tests.web.table import Table


@pytest.fixture(scope="package")
def chromium():
    """Give Chromium; without one skip, but never in CI."""
    with running_chromium() as browser:
        yield browser


# The deal of a challenge that runs has no hints and no par, whoever plays it: where those are asked
# for, nobody else may have left a challenge with the same seed.
ALONE = {f"tests.web.test_{name}" for name in ("keys", "play", "proof", "results")}


@pytest.fixture(scope="package")
def shared_url(tmp_path_factory):
    """Give the address of a service that is ready."""
    with running_server(tmp_path_factory.mktemp("web"), WEB_CONCURRENCY="1") as url:
        yield url


@pytest.fixture(scope="module")
def url(request, tmp_path_factory):
    """Give the address of the service of all modules, or of one for this module alone."""
    if request.module.__name__ not in ALONE:
        yield request.getfixturevalue("shared_url")
        return
    with running_server(tmp_path_factory.mktemp("alone"), WEB_CONCURRENCY="1") as url:
        yield url


@pytest.fixture
def sit(chromium, url):
    """Open a browser of somebody's own; in the end it has said nothing and asked nobody else.

    ``expected`` are beginnings of lines of the console that a test brings about.
    """
    opened, said, asked = [], [], []

    def open_one(*, width=1280, height=800, expected=(), **options):
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            **{"locale": "en", "reduced_motion": "reduce", **options},
        )
        context.set_default_timeout(30_000)
        opened.append(context)
        page = context.new_page()

        def hear(text):
            if not text.startswith(tuple(expected) or ("\0",)):
                said.append(text)

        page.on("console", lambda message: hear(message.text))
        page.on("pageerror", lambda error: hear(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        return Table(page, url)

    yield open_one
    for context in opened:
        context.close()
    # A violation of the policy is an error of the console.
    assert said == []
    hosts = {urlsplit(place).netloc for place in asked if not place.startswith("data:")}
    assert hosts <= {urlsplit(url).netloc}
