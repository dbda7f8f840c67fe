"""A real browser for what is meant for one."""

import pytest

from tests.browser import running_chromium


@pytest.fixture(scope="package")
def chromium():
    """Give Chromium; without one skip, but never in CI."""
    with running_chromium() as browser:
        yield browser
