"""The form in which a host sets a challenge up."""

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml

from tests.web.contests import Contest, Person
from tests.web.hosts import choose, made, open_form, send

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "service" / "api" / "openapi.yaml"
HOUR = timedelta(hours=1)


def instant(text):
    return datetime.fromisoformat(text)


def test_there_is_a_field_for_whatever_the_api_lets_a_host_say(sit):
    schemas = yaml.safe_load(DOCUMENT.read_text("utf-8"))["components"]["schemas"]
    names = set(schemas["NewChallenge"]["properties"]) - {"options"}
    assert "time_limit_ms" in names
    places = {f"/{name}" for name in names}
    places |= {f"/options/{name}" for name in schemas["Options"]["properties"]}
    table = sit()
    there = set()
    for variant in ("cruel", "calculation"):
        open_form(table, f"?variant={variant}")
        there |= set(
            table.page.eval_on_selector_all(
                "[data-at]",
                "fields => fields.filter((field) => field.querySelector('input, select'))"
                ".map((field) => field.dataset.at)",
            )
        )
    assert there == places


def test_one_click_sets_a_challenge_up(sit):
    table = sit()
    table.open("challenges")
    table.page.get_by_role("link", name="Host a challenge").first.click()
    table.page.get_by_role("button", name="Set it up").click()
    name = f"host-{time.monotonic_ns() % 10**9}"
    table.page.get_by_label("Name").fill(name)
    table.page.get_by_role("button", name="Begin").click()
    challenge = made(table)
    assert instant(challenge["ends_at"]) - instant(challenge["starts_at"]) == 24 * HOUR
    assert challenge["state"] == "running"
    asked = {
        "title": "A challenge in Cruel",
        "host": {"name": name, "bot": False},
        "visibility": "public",
        "variant": "cruel",
        "clock": "own",
        "time_limit_ms": None,
        "attempts": 1,
        "order": "actions",
        "seed_public": False,
        "require_winnable": True,
    }
    assert {field: challenge[field] for field in asked} == asked


def test_all_that_is_said_of_a_challenge_in_ones_own_time_is_what_is_set_up(sit, url):
    # Where it is five hours earlier than in UTC, all the year.
    table = sit(timezone_id="America/Bogota")
    table.become(Person(url, "all"))
    open_form(table)
    page = table.page
    start = (datetime.now(UTC) + 48 * HOUR).replace(microsecond=0)
    end = start + 30 * HOUR
    page.get_by_label("Title").fill("Everything")
    page.get_by_label("Game").select_option("limited-cruel")
    choose(table, "starts", "at")
    page.get_by_label("Day and time of the start").fill(f"{start - 5 * HOUR:%Y-%m-%dT%H:%M:%S}")
    choose(table, "ends", "at")
    page.get_by_label("Day and time of the end").fill(f"{end - 5 * HOUR:%Y-%m-%dT%H:%M:%S}")
    page.locator("[name=time_limit_ms]").fill("1.5")
    page.get_by_label("Unit of time").select_option(label="hours")
    page.get_by_label("Attempts").fill("7")
    page.get_by_label("Seed").fill("semilla-32")
    choose(table, "visibility", "unlisted")
    page.get_by_label("Layout").select_option(label="Pile after pile")
    page.get_by_label("Piles are built").select_option(label="Up in alternate colours")
    page.get_by_label("A redeal lays out").select_option(label="Cards one by one")
    page.get_by_label("A redeal is allowed").select_option(label="At any time")
    page.get_by_label("Redeals at most").fill("9")
    told = page.locator(".sentences").inner_text()
    assert "7 attempts" in told
    assert "1 hour 30 minutes" in told
    assert "semilla-32" in told
    assert "Redeals at most: 9" in told
    challenge = send(table)
    asked = {
        "title": "Everything",
        "visibility": "unlisted",
        "variant": "limited-cruel",
        "options": {
            "deal": "by_pile",
            "build": "alternate_up",
            "redeal": "fans",
            "redeal_when": "anytime",
            "redeal_limit": 9,
        },
        "seed": "semilla-32",
        "seed_public": True,
        "clock": "own",
        "order": "actions",
        "attempts": 7,
        "time_limit_ms": 5_400_000,
        "require_winnable": False,
    }
    assert {field: challenge[field] for field in asked} == asked
    assert (instant(challenge["starts_at"]), instant(challenge["ends_at"])) == (start, end)


def test_all_that_is_said_of_a_race_is_what_is_set_up(sit, url):
    table = sit()
    table.become(Person(url, "race"))
    open_form(table)
    page = table.page
    page.get_by_label("Game").select_option("calculation")
    choose(table, "clock", "shared")
    assert page.get_by_label("Title").input_value() == "A race in Calculation"
    choose(table, "starts", "120000")
    choose(table, "ends", str(7 * 24 * 3_600_000))
    choose(table, "order", "time")
    page.locator("[name=time_limit_ms]").fill("20")
    page.get_by_text("Only one that can be won").click()
    for place, suit in enumerate(("hearts", "spades", "clubs", "hearts"), 1):
        page.locator(f"[name=base-{place}]").select_option(label=suit)
    challenge = send(table)
    asked = {
        "title": "A race in Calculation",
        "visibility": "public",
        "variant": "calculation",
        "options": {"bases": ["AH", "2S", "3C", "4H"]},
        "seed_public": False,
        "attempts": 1,
        "clock": "shared",
        "order": "time",
        "time_limit_ms": 1_200_000,
        "require_winnable": False,
        "state": "scheduled",
    }
    assert {field: challenge[field] for field in asked} == asked
    ahead = instant(challenge["starts_at"]) - instant(challenge["created_at"])
    assert timedelta(seconds=115) < ahead < timedelta(seconds=122)
    lasts = instant(challenge["ends_at"]) - instant(challenge["starts_at"])
    assert lasts == timedelta(days=7)


def test_a_race_starts_in_five_minutes_unless_its_host_says_otherwise(sit, url):
    table = sit()
    table.become(Person(url, "five"))
    open_form(table, "?variant=perseverance")
    choose(table, "clock", "shared")
    told = table.page.locator(".sentences").inner_text()
    challenge = send(table)
    assert "everybody gets the deal at the same moment" in told
    assert challenge["variant"] == "perseverance"
    ahead = instant(challenge["starts_at"]) - instant(challenge["created_at"])
    assert timedelta(seconds=295) < ahead < timedelta(seconds=302)


def test_what_the_other_answers_leave_no_choice_of_is_closed_and_says_why(sit):
    table = sit()
    open_form(table)
    page = table.page
    attempts, time_counts = page.get_by_label("Attempts"), page.locator("[name=order][value=time]")
    winnable = page.locator("[name=require_winnable]")
    assert attempts.is_enabled()
    assert time_counts.is_disabled()
    attempts.fill("5")
    choose(table, "clock", "shared")
    assert (attempts.is_disabled(), attempts.input_value()) == (True, "1")
    page.get_by_text("A race has one attempt.").wait_for()
    choose(table, "order", "time")
    choose(table, "clock", "own")
    assert time_counts.is_disabled()
    assert page.locator("[name=order][value=actions]").is_checked()
    page.get_by_label("Game").select_option("calculation")
    assert attempts.is_disabled()
    page.get_by_text("a second would know what the first has turned").wait_for()
    page.get_by_label("Game").select_option("cruel")
    page.get_by_label("Redeals at most").fill("2")
    page.get_by_text("With fewer than three redeals hardly any deal can be won.").wait_for()
    assert (winnable.is_disabled(), winnable.is_checked()) == (True, False)
    page.get_by_label("Redeals at most").fill("3")
    assert (winnable.is_enabled(), winnable.is_checked()) == (True, True)
    page.get_by_label("Seed").fill("32")
    page.get_by_text("A seed that you name deals what it deals.").wait_for()
    assert winnable.is_disabled()


# What no answer of the form would be, for the place that the service finds wrong.
FAULTS = {
    "/title": "\u202eback",
    "/visibility": "hidden",
    "/variant": "patience",
    "/clock": "none",
    "/starts_at": "2020-01-01T00:00:00Z",
    "/ends_at": "2020-01-01T00:00:00Z",
    "/time_limit_ms": 1,
    "/attempts": 101,
    "/order": "luck",
    "/seed": "pysol-0",
    "/options/deal": "twice",
    "/options/build": "sideways",
    "/options/redeal": "riffle",
    "/options/redeal_when": "never",
    "/options/redeal_limit": 100,
    "/require_winnable": True,
}


def test_what_the_service_refuses_is_said_at_its_field(sit, url):
    table = sit(expected=["Failed to load resource: the server responded with a status of 422"])
    table.become(Person(url, "wrong"))
    open_form(table)
    page = table.page
    said = page.locator(".terms-form .wrong:not(:empty)")

    def check(place, value):
        page.unroute_all()
        page.route("**/v1/challenges", lambda route: send_wrong(route, place, value))
        page.locator(".terms-form details").evaluate("fold => { fold.open = false; }")
        page.get_by_role("button", name="Set it up").click()
        page.get_by_text("Something is not right yet: look where it is marked.").wait_for()
        field = page.locator(f'[data-at="{place}"]')
        assert [field.locator(".wrong").inner_text()] == said.all_inner_texts()
        assert said.is_visible()
        focused = "document.activeElement.closest('[data-at]')?.dataset.at"
        assert page.evaluate(focused) == place, place

    for place, value in FAULTS.items():
        check(place, value)
    # What is typed anew is not wrong any more.
    page.get_by_label("Title").fill("Right")
    assert said.count() == 0
    page.get_by_label("Game").select_option("calculation")
    check("/options/bases", ["AC", "2D", "3H", "4X"])


def test_times_that_cannot_be_are_said_where_they_stand_before_a_name_is_asked_for(sit):
    table = sit()
    open_form(table)
    page = table.page
    asked = []
    page.on("request", lambda request: asked.append(request.method))
    page.get_by_label("Title").fill("Kept")
    choose(table, "starts", "at")
    starts = page.get_by_label("Day and time of the start")
    ends = page.get_by_label("Day and time of the end")

    def refused(input_, place):
        page.get_by_role("button", name="Set it up").click()
        page.get_by_text("Something is not right yet: look where it is marked.").wait_for()
        wrong = page.locator(".terms-form .wrong:not(:empty)")
        assert wrong.count() == 1
        assert page.locator(f'[data-at="{place}"] .wrong').is_visible()
        assert input_.get_attribute("aria-invalid") == "true"
        assert input_.evaluate("input => input === document.activeElement")

    # `docs/api.md`: at most 365 days ahead, and 90 days long.
    for start in ("2020-01-01T10:00:00", "2090-01-01T10:00:00"):
        starts.fill(start)
        refused(starts, "/starts_at")
    now = datetime.now(UTC)
    starts.fill((now + 2 * HOUR).strftime("%Y-%m-%dT%H:%M:%S"))
    choose(table, "ends", "at")
    for end in (now + HOUR, now + 93 * 24 * HOUR):
        ends.fill(end.strftime("%Y-%m-%dT%H:%M:%S"))
        refused(ends, "/ends_at")
    ends.fill((now + 3 * HOUR).strftime("%Y-%m-%dT%H:%M:%S"))
    page.get_by_role("button", name="Set it up").click()
    # Whoever would rather give no name finds the form as it was.
    page.get_by_role("button", name="Not now").click()
    assert page.get_by_label("Title").input_value() == "Kept"
    assert starts.input_value().startswith((now + 2 * HOUR).strftime("%Y-%m-%dT%H:%M"))
    assert "POST" not in asked


def test_what_the_service_refuses_of_a_time_is_marked_where_it_is_said(sit, url):
    table = sit(expected=["Failed to load resource: the server responded with a status of 422"])
    table.become(Person(url, "late"))
    open_form(table)
    choose(table, "starts", "at")
    page = table.page
    past = FAULTS["/starts_at"]
    page.route("**/v1/challenges", lambda route: send_wrong(route, "/starts_at", past))
    page.get_by_role("button", name="Set it up").click()
    page.locator('[data-at="/starts_at"] .wrong:not(:empty)').wait_for()
    starts = page.get_by_label("Day and time of the start")
    assert starts.get_attribute("aria-invalid") == "true"
    assert starts.evaluate("input => input === document.activeElement")


def send_wrong(route, place, value):
    """Let the service have a body with something wrong in it."""
    body = route.request.post_data_json
    if place == "/require_winnable":
        body["seed"] = "32"
    *above, name = place[1:].split("/")
    inner = body[above[0]] if above else body
    inner[name] = value
    route.continue_(post_data=json.dumps(body))


def test_what_the_browser_sees_to_be_wrong_is_shown_where_it_is_folded_away(sit, url):
    table = sit()
    table.become(Person(url, "fold"))
    open_form(table)
    table.page.get_by_label("Attempts").fill("1000")
    table.page.locator(".terms-form summary").click()
    table.page.get_by_role("button", name="Set it up").click()
    table.page.get_by_label("Attempts").wait_for()
    assert table.page.evaluate("document.activeElement.name") == "attempts"


def test_a_double_click_and_a_lost_reply_make_one_challenge(sit, url):
    host = Person(url, "once")
    table = sit(expected=["Failed to load resource: net::ERR_CONNECTION_FAILED"])
    table.become(host)
    open_form(table)
    choose(table, "starts", "120000")
    keys = []

    def lose(route):
        # The service has made it, and the browser never hears of it.
        keys.append(route.request.headers["idempotency-key"])
        route.fetch()
        route.abort("connectionfailed")

    table.page.route("**/v1/challenges", lose, times=1)
    table.page.get_by_role("button", name="Set it up").dblclick()
    table.page.get_by_text("The service cannot be reached.").wait_for()
    with table.page.expect_request("**/v1/challenges") as again:
        challenge = send(table)
    assert [again.value.headers["idempotency-key"]] == keys
    mine = host.send("GET", "challenges?mine=true")["items"]
    assert [each["id"] for each in mine] == [challenge["id"]]


def test_another_one_can_be_set_up_like_one_that_there_is(sit, url):
    terms = {
        "variant": "ripple-fan",
        "options": {"redeal_limit": 5},
        "clock": "shared",
        "order": "time",
        "time_limit_ms": 90_000,
        "visibility": "unlisted",
        "starts_at": "2027-03-01T18:00:00Z",
        "ends_at": "2027-03-01T18:10:00Z",
        "require_winnable": False,
    }
    model = Contest(url, "Monthly", **terms)
    table = sit()
    table.become(model.host)
    open_form(table, f"?like={model.id}")
    challenge = send(table)
    assert challenge["id"] != model.id
    before = model.get()
    same = "title visibility variant options clock time_limit_ms attempts order require_winnable"
    assert {name: challenge[name] for name in same.split()} == {
        name: before[name] for name in same.split()
    }
    lasts = instant(challenge["ends_at"]) - instant(challenge["starts_at"])
    assert lasts == timedelta(minutes=10)
    assert instant(challenge["starts_at"]) < datetime.now(UTC) + HOUR
