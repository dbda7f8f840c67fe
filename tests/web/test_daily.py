"""The daily: one click to its board, the ranking over all of them, and the days around it."""

from datetime import UTC, datetime, timedelta

import pytest

from service.rules import VARIANTS
from service.solver import solve
from service.solver.solution import Budget, Goal
from tests.servers import ask
from tests.web.contests import Person
from tests.web.looks import SIZES, look

ROWS = "[aria-labelledby=dailies] tbody tr"


def play_today(url, name, *, wins=False):
    """Have today's daily of Cruel dealt to somebody new, who wins it or resigns; give who it is."""
    person = Person(url, name)
    daily = ask(f"{url}/v1/daily/cruel").json["id"]
    person.send("PUT", f"challenges/{daily}/entries/me")
    state = person.send("PUT", f"challenges/{daily}/entries/me/attempts/1")
    moves = line_from(state) if wins else ["Q"]
    played = person.send("POST", f"games/{state['id']}/moves", {"at": 0, "moves": moves})
    assert played["status"] == ("won" if wins else "resigned")
    return person, len(moves)


def line_from(state):
    """Give a line that wins from what a player sees: a daily can be won, and all cards are open."""
    rules = VARIANTS["cruel"]
    opening = rules.read_position({"piles": state["piles"]})
    return solve(rules, opening, Goal.LINE, Budget(nodes=2_000)).line


def table_of(table):
    """Give the rows of the ranking as texts."""
    return table.page.locator(ROWS).evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )


def test_the_daily_is_one_click_away_from_the_first_page_for_who_has_a_name(sit, url):
    table = sit()
    table.become(Person(url, "early"))
    table.open()
    table.page.get_by_role("button", name="Play today's deal").click()
    table.wait_for_board()
    daily = ask(f"{url}/v1/daily/cruel").json
    link = table.page.locator(".stake a")
    link.filter(has_text="Daily Cruel").wait_for()
    assert link.get_attribute("href") == f"/challenges/{daily['id']}"
    # From then on the first page leads on with it.
    table.page.get_by_role("link", name="Semilla").click()
    table.page.get_by_role("link", name="Go on playing").click()
    table.wait_for_board()


@pytest.mark.parametrize(("width", "locale"), [(360, "en"), (320, "es")])
def test_on_a_phone_its_way_in_has_a_line_of_its_own(sit, width, locale):
    table = sit(width=width, locale=locale)
    table.open()
    table.page.locator(".today button").wait_for()
    card, name, left, button = (
        table.page.locator(f".today{part}").bounding_box()
        for part in ("", " h2", " [role=timer]", " button")
    )
    assert button["width"] > 0.8 * card["width"]
    assert button["y"] >= max(name["y"] + name["height"], left["y"] + left["height"])
    # Neither its name nor the time left is broken.
    assert max(name["height"], left["height"]) < 32


def test_who_has_no_name_is_asked_for_one_and_then_at_the_board(sit, url):
    table = sit()
    table.open("daily/calculation")
    table.page.get_by_role("button", name="Play today's deal").click()
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("newcomer")
    dialog.get_by_role("button", name="Begin").click()
    table.wait_for_board()
    table.page.get_by_role("link", name="Daily Calculation").click()
    table.page.locator(".lanes li.mine", has_text="newcomer").wait_for()
    daily = ask(f"{url}/v1/daily/calculation").json["id"]
    assert table.page.url == f"{url}/challenges/{daily}"


def test_the_ranking_over_all_dailies_is_that_of_the_service_for_each_period(sit, url):
    winner, actions = play_today(url, "winner", wins=True)
    play_today(url, "loser")
    table = sit()
    table.become(winner)
    table.open("daily/cruel")
    for tab, period in (("This week", "week"), ("This month", "month"), ("Ever", "all")):
        table.page.get_by_role("button", name=tab).click()
        table.page.locator(f"{ROWS}.mine").wait_for()
        items = ask(f"{url}/v1/leaderboards/cruel?period={period}").json["items"]
        names = ("rank", "solved", "actions", "played")
        assert table_of(table) == [
            [str(rank), item["player"]["name"], str(solved), str(spent), str(played)]
            for item, (rank, solved, spent, played) in (
                (item, [item[name] for name in names]) for item in items
            )
        ]
        assert table_of(table)[0] == ["1", winner.name, "1", str(actions), "1"]


def test_each_variant_has_its_daily_and_a_day_that_nobody_played_is_said_to_be_none(sit, url):
    table = sit(expected=["Failed to load resource: the server responded with a status of 404"])
    table.open("daily/cruel")
    tabs = table.page.get_by_role("navigation", name="Games").get_by_role("link")
    variants = [item["variant"] for item in ask(f"{url}/v1/variants").json["items"]]
    assert [tab.get_attribute("href") for tab in tabs.all()] == [f"/daily/{v}" for v in variants]
    tabs.nth(2).click()
    table.page.locator(f".tabs [aria-current=page][href='/daily/{variants[2]}']").wait_for()
    today = ask(f"{url}/v1/daily/{variants[2]}").json["starts_at"]
    yesterday = (datetime.fromisoformat(today) - timedelta(days=1)).astimezone(UTC)
    table.page.get_by_role("link", name="Yesterday's").click()
    table.page.get_by_role("heading", name="There is no such challenge").wait_for()
    assert table.page.url == f"{url}/challenges/daily-{variants[2]}-{yesterday:%Y-%m-%d}"


def test_it_ends_by_the_clock_of_the_service_and_then_leads_to_the_next(sit, url):
    table = sit(expected=["Failed to load resource: the server responded with a status of 404"])
    ends = datetime.fromisoformat(ask(f"{url}/v1/daily/cruel").json["ends_at"])
    table.open("daily/cruel")
    left = table.page.locator(".seat [role=timer]").inner_text()
    names = ("seconds", "minutes", "hours")
    shown = timedelta(**dict(zip(names, map(int, reversed(left.split(":"))), strict=False)))
    assert abs(ends - datetime.now(UTC) - shown) < timedelta(seconds=5)
    assert table.page.locator(".fresh").is_hidden()
    # A day later it is none any more, if nobody has played it: nothing to complain of.
    gone = {"status": 404, "content_type": "application/problem+json", "body": "{}"}
    table.page.route("**/v1/challenges/daily-*", lambda route: route.fulfill(**gone))
    later = "() => { const now = Date.now; Date.now = () => now() + 86_400_000; }"
    with table.page.expect_response("**/v1/challenges/daily-*"):
        table.page.evaluate(later)
    link = table.page.locator(".fresh").get_by_role("link")
    link.wait_for()
    assert link.get_attribute("href") == "/daily/cruel"
    assert table.page.locator(".note").count() == 0


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desk", "light")])
def test_everybody_can_use_the_daily(sit, url, size, scheme):
    width, height = SIZES[size]
    table = sit(width=width, height=height, color_scheme=scheme, locale="es")
    person, _ = play_today(url, "looker")
    table.become(person)
    for name, path, seen in (("daily", "daily/cruel", f"{ROWS}.mine"), ("first", "", ".today h2")):
        table.go(path)
        table.page.locator(seen).wait_for()
        look(table, f"challenge-{name}-{size}-{scheme}", whole=True)
