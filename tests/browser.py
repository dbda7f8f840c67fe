"""A real browser: the system's Chromium, driven by Playwright."""

import os
import shutil
from contextlib import contextmanager

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def running_chromium():
    """Give Chromium; without one skip, but never in CI."""
    found = shutil.which("chromium")
    if not found:
        reason = "there is no chromium in the PATH: apt-get install chromium"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    with sync_playwright() as playwright:
        options = {"executable_path": found, "headless": True, "args": CHROMIUM_ARGS}
        browser = playwright.chromium.launch(**options)
        yield browser
        browser.close()
