"""What a challenge came to, as the page shows it: the same that the service counts."""

import pytest

from tests.servers import ask
from tests.web.contests import new_race
from tests.web.mounting import mount
from tests.web.test_play import README_LINE, README_SEED


@pytest.fixture(scope="module")
def race(url):
    """Give a race that one has won and two have resigned."""
    race = new_race(url, "A race", "ada", "bea", "cleo", seed=README_SEED)
    race.play("ada", *README_LINE)
    race.play("bea", README_LINE[0], "Q")
    race.play("cleo", "Q")
    race.wait_until("finished")
    return race


def show(table, race):
    table.open()
    mount(table, ("challenges/results.js", "drawResults", race.get()))
    table.page.locator(".results:not([aria-busy]) .plots").wait_for()
    return table.page.locator(".results")


def test_figures_and_plots_are_those_that_the_service_counts(sit, race):
    counted = race.get("/statistics")
    assert (counted["entered"], counted["ranked"], counted["won"]) == (3, 3, 1)
    table = sit()
    section = show(table, race)
    figures = section.locator(".figures div").all_inner_texts()
    ada = race.people["ada"].name
    assert [text.split("\n") for text in figures] == [
        ["entered", "3"],
        ["played", "3"],
        ["solved it: 1 player", "33.3%"],
        [f"fewest actions: {ada}", str(len(README_LINE))],
        [f"fastest: {ada}", "0:00"],
    ]
    assert "3 attempts · won: 1 · resigned: 2" in section.inner_text()
    for summary in section.locator(".plot summary").all():
        summary.click()
    rows = [
        [row.split("\t") for row in plot.locator("tbody tr").all_inner_texts()]
        for plot in section.locator(".plot").all()
    ]
    assert rows[0] == [["60–69", "1"]]
    assert [row for row in rows[1] if row[1] != "0"] == [["4–7", "2"], ["52", "1"]]
    section.get_by_role("link", name=ada).first.click()
    table.page.wait_for_url(f"**/games/{race.games['ada']['id']}/replay")


def test_whoever_likes_searches_for_a_shorter_line(sit, race):
    table = sit()
    table.open(race.path)
    section = table.page.locator(".results")
    told = section.locator(".par p").first
    told.wait_for()
    ranking = table.page.locator(".ranking")
    ranking.locator("tbody tr").first.wait_for()
    assert "par" not in ranking.locator("p").first.inner_text()
    assert "Nobody has searched for them yet." in told.inner_text()
    table.page.get_by_role("button", name="Search for a line that wins").click()
    # The search alone takes five seconds, unless the shortest is found before.
    section.get_by_text("The moves of this line").click(timeout=30_000)
    line = section.locator(".par code").inner_text().split()
    par = race.get()["par"]
    assert len(line) == par["length"] <= len(README_LINE)
    assert f"has {par['length']} actions." in told.inner_text()
    news = section.locator(".par p").nth(1).inner_text()
    assert news == "It was found just now, and is kept."
    # The ranking above goes by it at once.
    ranking.get_by_text(f"par {par['length']}").wait_for()
    to_par = len(README_LINE) - par["length"]
    cells = ranking.locator("tbody tr").first.locator("td").all_inner_texts()
    assert cells[-2] == (f"+{to_par}" if to_par else "0")
    body = {"variant": "cruel", "seed": README_SEED, "moves": line}
    assert ask(f"{table.url}/v1/evaluate", body).json["status"] == "won"
    if par["proven_shortest"]:
        # There is nothing more to search for, but the line can be looked at.
        assert section.locator(".par button").count() == 0
        section = show(table, race)
        table.page.get_by_role("button", name="Show the line").click()
        section.get_by_text("The moves of this line").click()
        assert len(section.locator(".par code").inner_text().split()) == par["length"]


def test_who_searches_while_others_do_is_asked_to_wait(sit, race):
    table = sit(expected=("Failed to load resource",))
    section = show(table, race)
    busy = {"code": "busy", "detail": "somebody else searches"}
    table.page.route(
        "**/par",
        lambda route: route.fulfill(
            status=503,
            json=busy,
            headers={"Content-Type": "application/problem+json", "Retry-After": "60"},
        ),
    )
    search = section.locator(".par button")
    search.click()
    section.get_by_text("The service is busy. Try again in a moment.").wait_for()
    assert search.is_enabled()
