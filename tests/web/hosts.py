"""The form of a challenge, as somebody fills it in."""

import re

from tests.servers import ask


def open_form(table, query=""):
    """Open the form with all its options in sight."""
    table.open(f"challenges/new{query}")
    table.page.locator(".terms-form").wait_for()
    unfold(table)


def unfold(table):
    fold = table.page.locator(".terms-form details")
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()


def choose(table, name, value):
    """Choose one of a few, by its words' place: the inputs themselves are not to be seen."""
    table.page.locator(f"label:has([name={name}][value='{value}'])").click()


def send(table):
    """Send the form, and give the challenge that it has made."""
    table.page.get_by_role("button", name="Set it up").click()
    return made(table)


def made(table):
    table.page.wait_for_url(re.compile(r"/challenges/\w{20,}$"))
    return ask(f"{table.url}/v1/challenges/{table.page.url.rpartition('/')[2]}").json
