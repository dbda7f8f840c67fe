"""The list of challenges."""

import re
import time
from datetime import datetime, timedelta

from tests.servers import ask
from tests.web.contests import Contest, Person, new_race, within

# A seed that is named costs no search.
SEED = {"seed": "32"}


def titles(table):
    return table.page.locator(".item h2").all_inner_texts()


def wait_for_titles(table, *expected):
    for title in expected:
        table.page.get_by_role("link", name=title, exact=True).wait_for()
    assert titles(table) == list(expected)


def instant(text):
    return datetime.fromisoformat(text)


def test_challenges_are_listed_newest_first_and_page_by_page(sit, url):
    host = Person(url, "lister")
    for number in range(45):
        host.send("POST", "challenges", {"title": f"No. {number}", **SEED})
    newest = [f"No. {number}" for number in reversed(range(45))]
    table = sit()
    table.open(f"challenges?host={host.name}")
    wait_for_titles(table, *newest[:20])
    more = table.page.get_by_role("button", name="Show more")
    more.click()
    wait_for_titles(table, *newest[:40])
    # Whoever goes by keys goes on where the new ones begin.
    assert table.page.evaluate("document.activeElement.textContent") == newest[20]
    more.click()
    wait_for_titles(table, *newest)
    assert more.count() == 0


def test_an_item_tells_what_is_played_how_and_by_how_many(sit, url):
    race = Contest(url, "Friday", clock="shared", starts_at=within(hours=2), **SEED)
    race.enter("eve", "kim")
    table = sit()
    table.become(race.people["eve"])
    table.open(f"challenges?status=scheduled&host={race.host.name}")
    item = table.page.locator(".item")
    item.wait_for()
    text = item.inner_text()
    assert f"Cruel · race · by {race.host.name} · 2 players" in text
    assert "To come" in text
    assert re.search(r"starts in (1:59:5\d|2:00:00)", text)
    assert "You are in" in text
    item.get_by_role("link").click()
    table.page.wait_for_url(f"**/challenges/{race.id}")


def test_filters_stand_in_the_address_and_going_back_takes_them_back(sit, url):
    over = Contest(url, "Over", ends_at=within(seconds=2), **SEED)
    host = over.host
    ahead = {"starts_at": within(hours=1), **SEED}
    for title, terms in {
        "Runs": SEED,
        "Fans": {"variant": "ripple-fan", **SEED},
        "Comes": ahead,
    }.items():
        host.send("POST", "challenges", {"title": title, **terms})
    over.wait_until("finished")
    table = sit()
    table.open(f"challenges?host={host.name}&variant=cruel")
    table.page.get_by_role("link", name="Runs").wait_for()
    page = table.page
    page.get_by_role("link", name="To come").click()
    wait_for_titles(table, "Comes")
    assert f"host={host.name}&variant=cruel&status=scheduled" in page.url
    assert page.locator(".tabs [aria-current]").inner_text() == "To come"
    assert page.evaluate("document.activeElement.textContent") == "To come"
    page.get_by_role("link", name="Running").click()
    page.get_by_role("link", name="Runs").wait_for()
    page.get_by_label("Game").select_option("ripple-fan")
    wait_for_titles(table, "Fans")
    assert "variant=ripple-fan" in page.url
    page.go_back()
    page.get_by_role("link", name="Runs").wait_for()
    page.go_back()
    wait_for_titles(table, "Comes")
    page.reload()
    wait_for_titles(table, "Comes")
    page.get_by_role("link", name="Finished").click()
    page.get_by_role("link", name="Over").wait_for()
    page.get_by_label("Game").select_option("royal-family")
    page.get_by_text("Nothing has finished here yet.").wait_for()
    page.get_by_role("link", name="Show everybody’s").click()
    page.wait_for_url("**/challenges?variant=royal-family&status=finished")


def test_mine_are_those_that_one_hosts_or_has_entered(sit, url):
    other = Contest(url, "Entered", **SEED)
    other.enter("mia")
    me = other.people["mia"]
    me.send("POST", "challenges", {"title": "Hidden", "visibility": "unlisted", **SEED})
    gone = me.send("POST", "challenges", {"title": "Gone", **SEED})
    me.send("POST", f"challenges/{gone['id']}/cancel")
    table = sit()
    table.become(me)
    table.open("challenges")
    table.page.get_by_role("link", name="Mine").click()
    wait_for_titles(table, "Hidden", "Entered")
    assert table.page.locator(".item").first.get_by_text("You host it").count() == 1
    table.page.get_by_label("State").select_option("cancelled")
    wait_for_titles(table, "Gone")
    # An unlisted one is in no list of others.
    table.open(f"challenges?host={me.name}")
    table.page.locator(".none").wait_for()


def test_who_plays_under_no_name_is_asked_for_one_before_there_are_any_of_theirs(sit):
    table = sit()
    table.open("challenges?mine=true")
    table.page.get_by_role("button", name="Choose a name").click()
    table.page.get_by_label("Name").fill(f"new-{time.monotonic_ns() % 10**9}")
    table.page.get_by_role("button", name="Begin").click()
    table.page.get_by_text("None is going on or to come.").wait_for()


def test_who_comes_from_a_race_that_is_over_is_led_to_it(sit, url):
    race = new_race(url, "Just over", "mia", **SEED)
    race.play("mia", "Q")
    race.wait_until("finished")
    table = sit()
    table.become(race.people["mia"])
    table.open("challenges?mine=true")
    table.page.get_by_role("link", name="Those that are over").click()
    wait_for_titles(table, "Just over")
    assert table.page.get_by_label("State").input_value() == "finished"


def test_the_start_comes_by_the_clock_of_the_server_whatever_this_device_thinks(sit, url):
    race = Contest(url, "Soon", clock="shared", starts_at=within(seconds=7), **SEED)
    table = sit()
    table.page.add_init_script(
        "const real = Date.now.bind(Date); Date.now = () => real() - 5 * 3600e3;"
    )
    table.open(f"challenges?status=scheduled&host={race.host.name}")
    table.page.get_by_text(re.compile(r"^starts in 0:0[1-7]$")).wait_for()
    table.page.locator(".item .tag.live").wait_for()
    ahead = instant(race.get()["starts_at"]) - instant(race.get()["now"])
    assert ahead < timedelta(seconds=0.2)
    assert re.match(
        r"ends in (1 d 0:00:00|23:59:5\d)", table.page.locator(".item .when").inner_text()
    )


def test_the_dailies_are_one_click_away(sit, url):
    names = [each["variant"] for each in ask(f"{url}/v1/variants").json["items"]]
    table = sit()
    table.open("challenges")
    links = table.page.locator(".dailies a")
    links.first.wait_for()
    paths = links.evaluate_all("links => links.map((link) => new URL(link.href).pathname)")
    assert paths == [f"/daily/{name}" for name in names]
    table.open("challenges?variant=calculation")
    links.first.wait_for()
    assert links.all_inner_texts() == ["Calculation"]


def test_the_list_and_the_form_speak_spanish(sit, url):
    host = Person(url, "rosa")
    host.send("POST", "challenges", {"title": "Fin de semana", **SEED})
    table = sit(locale="es-AR")
    table.open(f"challenges?host={host.name}")
    item = table.page.locator(".item")
    item.wait_for()
    assert f"a tu ritmo · de {host.name} · nadie aún" in item.inner_text()
    table.page.get_by_role("link", name="Organizar un reto").click()
    table.page.get_by_text("No se deshace y no hay pistas.").wait_for()
    assert table.page.get_by_label("Título").input_value() == "Un reto de Cruel"
