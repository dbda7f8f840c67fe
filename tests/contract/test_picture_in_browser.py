"""Pictures in a real browser: their colours come through the policy, and nobody else is asked."""

import pytest

from tests.servers import running_server

PATHS = ("/v1/deals/cruel/semilla/board.svg", "/v1/deals/calculation/semilla/board.svg")
FELT = {"light": "rgb(44, 110, 80)", "dark": "rgb(21, 36, 29)"}


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("pictures"), WEB_CONCURRENCY="1") as url:
        yield url


@pytest.mark.parametrize("scheme", FELT)
@pytest.mark.parametrize("path", PATHS)
def test_a_picture_that_is_opened_by_itself_has_its_colours(chromium, url, path, scheme):
    page = chromium.new_page(color_scheme=scheme)
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(url + path)
    assert page.title().endswith("seed semilla: opening")
    felt = page.locator("rect.sm-felt")
    assert felt.evaluate("felt => getComputedStyle(felt).fill") == FELT[scheme]
    page.close()
    # A violation of the policy is an error of the console.
    assert said == []
    assert asked == [url + path]


def test_a_page_shows_a_picture_as_an_image(chromium, url):
    page = chromium.new_page(viewport={"width": 320, "height": 640})
    page.goto(f"{url}/livez")
    page.set_content(f'<img src="{url}{PATHS[0]}" width="320" alt="A deal">')
    image = page.locator("img")
    image.evaluate("image => image.decode()")
    width, height = image.evaluate("image => [image.width, image.height]")
    assert width == 320
    assert 400 < height < 640
    page.close()
