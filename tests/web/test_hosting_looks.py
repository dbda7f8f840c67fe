"""How the list of challenges, the form and what a host does look: everybody can use them.

What is seen is written to ``build/pages``, for people to look at.
"""

import pytest

from tests.web.contests import Contest, within
from tests.web.hosts import choose, open_form
from tests.web.looks import in_every_look, look, sit_before
from tests.web.test_hosting import open_tools

SEED = {"seed": "32"}
LONG = "A race with a title that goes on and on until it has used up nearly a hundred characters"


@pytest.fixture(scope="module")
def planned(url):
    """Give a race to come, whose host has one running and one that is cancelled too."""
    race = Contest(url, LONG, clock="shared", starts_at=within(minutes=5), **SEED)
    race.enter("a-name-of-24-letters", "kim")
    race.host.send("POST", "challenges", {"title": "Weekend", **SEED})
    off = race.host.send("POST", "challenges", {"title": "Off", **SEED})
    race.host.send("POST", f"challenges/{off['id']}/cancel")
    return race


@in_every_look
def test_everybody_can_find_set_up_and_host_challenges(sit, planned, size, scheme):
    table = sit_before(sit, size, scheme)
    table.become(planned.host)
    page = table.page

    def see(name, *, whole=False):
        look(table, f"{name}-{size}-{scheme}", whole=whole)

    table.open("challenges?mine=true")
    page.locator(".item").nth(1).wait_for()
    see("challenges", whole=True)
    table.open(f"challenges?status=finished&host={planned.host.name}")
    page.locator(".none").wait_for()
    see("challenges-none")
    table.open("challenges/new")
    page.locator(".sentences li").first.wait_for()
    see("form", whole=True)
    open_form(table, "?variant=calculation")
    choose(table, "clock", "shared")
    choose(table, "starts", "at")
    see("form-race", whole=True)
    open_tools(table, planned)
    page.get_by_text("Who is in: 2 players").click()
    page.locator("table.entries").wait_for()
    see("hosting", whole=True)
    page.locator(".entries button").first.click()
    see("judge")
    page.get_by_label("Reason").fill("plays for two")
    page.keyboard.press("Enter")
    page.locator(".entries .out").wait_for()
    see("judged", whole=True)
    page.get_by_role("button", name="Reinstate").click()
    page.get_by_label("Reason").fill("a mistake")
    page.keyboard.press("Enter")
    page.locator(".entries .out").wait_for(state="detached")
    page.get_by_role("button", name="Change").click()
    page.get_by_role("dialog").wait_for()
    see("change-held")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Cancel it").click()
    see("cancel")


def test_nothing_is_wider_than_the_smallest_phone(sit, planned):
    table = sit(width=320, height=600)
    table.become(planned.host)
    wide = "document.documentElement.scrollWidth"
    for path in ("challenges", f"challenges?status=scheduled&host={planned.host.name}"):
        table.open(path)
        table.page.locator(".found > *").first.wait_for()
        assert table.page.evaluate(wide) <= 320
    for variant in ("cruel", "calculation"):
        open_form(table, f"?variant={variant}")
        choose(table, "ends", "at")
        assert table.page.evaluate(wide) <= 320
    open_tools(table, planned)
    table.page.get_by_text("Who is in: 2 players").click()
    table.page.locator("table.entries").wait_for()
    assert table.page.evaluate(wide) <= 320
