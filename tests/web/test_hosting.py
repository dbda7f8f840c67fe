"""What the host of a challenge can do with it, and nobody else."""

import pytest

from tests.servers import ask
from tests.web.contests import Contest, within
from tests.web.hosts import choose, unfold

CONFLICT = ["Failed to load resource: the server responded with a status of 4"]
SEED = {"seed": "32"}


@pytest.fixture
def hosting(sit):
    """Open the tools of a challenge in its host's browser."""

    def hosting(contest, *, who=None, **options):
        table = sit(**options)
        table.become(who or contest.host)
        open_tools(table, contest)
        return table

    return hosting


def open_tools(table, contest):
    """Open the page of a challenge, with what its host can do there where it is its host."""
    table.open(f"challenges/{contest.id}")
    table.page.locator(".seat h2").wait_for()


def press(table, name):
    table.page.get_by_role("button", name=name, exact=True).click()


def dialog(table):
    return table.page.get_by_role("dialog")


def test_nobody_but_its_host_has_the_tools(hosting, url):
    contest = Contest(url, "Mine alone", **SEED)
    contest.enter("eve")
    table = hosting(contest, who=contest.people["eve"])
    mine = hosting(contest)
    mine.page.get_by_text("You host this").wait_for()
    assert not table.page.locator(".hosting").is_visible()


def test_while_nobody_has_entered_the_host_changes_all_of_it(hosting, url):
    contest = Contest(url, "Before", **SEED)
    before = contest.get()
    table = hosting(contest)
    press(table, "Change")
    page = table.page
    page.get_by_label("Title").fill("After")
    choose(table, "clock", "shared")
    choose(table, "starts", "900000")
    choose(table, "order", "time")
    page.get_by_label("Seed").fill("33")
    page.get_by_label("Redeals at most").fill("1")
    press(table, "Save")
    dialog(table).wait_for(state="detached")
    table.page.get_by_role("heading", name="After").wait_for()
    after = contest.get()
    asked = {
        "title": "After",
        "clock": "shared",
        "order": "time",
        "seed": "33",
        "options": {**before["options"], "redeal_limit": 1},
        "ends_at": before["ends_at"],
    }
    assert {name: after[name] for name in asked} == asked
    assert after["revision"] == 1


def test_what_is_not_touched_is_not_changed(hosting, url):
    contest = Contest(url, "As it is", ends_at=within(hours=3.14159), time_limit_ms=1_500, **SEED)
    table = hosting(contest)
    asked = []
    table.page.on("request", lambda request: asked.append(request.method))
    press(table, "Change")
    dialog(table).wait_for()
    press(table, "Save")
    dialog(table).wait_for(state="detached")
    assert "PATCH" not in asked
    # To the title nothing is added.
    press(table, "Change")
    table.page.get_by_label("Title").fill("As it was")
    with table.page.expect_request(lambda request: request.method == "PATCH") as sent:
        press(table, "Save")
    assert sent.value.post_data_json == {"title": "As it was"}


def test_once_somebody_has_entered_only_title_and_visibility_change(hosting, url):
    contest = Contest(url, "Held", **SEED)
    contest.enter("eve")
    table = hosting(contest)
    press(table, "Change")
    table.page.get_by_text("Somebody has entered under the terms, so they stay.").wait_for()
    fields = dialog(table).locator("[data-at]")
    places = fields.evaluate_all("fields => fields.map((field) => field.dataset.at)")
    assert places == ["/title", "/visibility"]
    table.page.get_by_label("Title").fill("Held still")
    choose(table, "visibility", "unlisted")
    press(table, "Save")
    table.page.get_by_text("It stands in no list: only whoever has the link sees it.").wait_for()
    assert contest.get()["title"] == "Held still"


def test_who_changes_what_has_changed_meanwhile_is_shown_what_it_is_now(hosting, url):
    contest = Contest(url, "First", **SEED)
    table = hosting(contest, expected=CONFLICT)
    press(table, "Change")
    unfold(table)
    table.page.get_by_label("Attempts").fill("4")
    contest.change(title="Second", order="actions", time_limit_ms=60_000)
    press(table, "Save")
    table.page.get_by_text("It was changed meanwhile, or somebody has entered.").wait_for()
    assert table.page.get_by_label("Title").input_value() == "Second"
    assert table.page.get_by_label("Attempts").input_value() == "4"
    press(table, "Save")
    dialog(table).wait_for(state="detached")
    now = contest.get()
    assert (now["title"], now["attempts"], now["time_limit_ms"]) == ("Second", 4, 60_000)


def test_who_has_entered_meanwhile_holds_the_host_to_the_terms(hosting, url):
    contest = Contest(url, "Open", **SEED)
    table = hosting(contest, expected=CONFLICT)
    press(table, "Change")
    unfold(table)
    table.page.get_by_label("Title").fill("Shut")
    table.page.get_by_label("Attempts").fill("4")
    contest.enter("eve")
    press(table, "Save")
    table.page.get_by_text("Somebody has entered under the terms, so they stay.").wait_for()
    assert table.page.get_by_label("Title").input_value() == "Shut"
    press(table, "Save")
    dialog(table).wait_for(state="detached")
    now = contest.get()
    assert (now["title"], now["attempts"]) == ("Shut", 1)


def test_what_is_refused_of_a_change_is_said_at_its_field(hosting, url):
    contest = Contest(url, "Right", **SEED)
    table = hosting(contest, expected=CONFLICT)
    press(table, "Change")
    choose(table, "ends", "at")
    table.page.get_by_label("Day and time of the end").fill("2020-01-01T00:00")
    press(table, "Save")
    table.page.get_by_text("It has to come after the start").wait_for()
    assert dialog(table).count() == 1
    assert contest.get()["revision"] == 0


def test_the_host_cancels_after_being_asked(hosting, url):
    contest = Contest(url, "Off", **SEED)
    table = hosting(contest)
    press(table, "Cancel it")
    table.page.get_by_text("Nobody can play it then").wait_for()
    table.page.keyboard.press("Enter")
    dialog(table).wait_for(state="detached")
    assert contest.get()["state"] == "running"
    press(table, "Cancel it")
    dialog(table).get_by_role("button", name="Cancel it").click()
    table.page.get_by_text("The challenge is cancelled.").first.wait_for()
    assert contest.get()["state"] == "cancelled"
    table.page.get_by_role("button", name="Cancel it").wait_for(state="hidden")


def test_nothing_is_cancelled_once_a_deal_is_out(hosting, url):
    contest = Contest(url, "On", **SEED)
    table = hosting(contest, expected=CONFLICT)
    press(table, "Cancel it")
    contest.enter("eve")
    contest.deal("eve")
    dialog(table).get_by_role("button", name="Cancel it").click()
    table.page.get_by_text("The challenge has started already.").wait_for()
    assert contest.get()["state"] == "running"
    table.page.keyboard.press("Escape")
    # The page hears of the deal by itself.
    table.page.get_by_role("button", name="Cancel it").wait_for(state="hidden")
    table.page.get_by_text("Who is in: 1 player").wait_for()


def test_the_host_disqualifies_with_a_reason_and_reinstates(hosting, url):
    contest = Contest(url, "Fair", **SEED)
    contest.enter("eve", "kim")
    contest.deal("eve")
    eve = contest.people["eve"].name
    table = hosting(contest)
    table.page.get_by_text("Who is in: 2 players").click()
    entry = table.page.locator(".entries tr").nth(1)
    entry.get_by_role("button", name=f"Disqualify: {eve}").click()
    # Without a reason nothing is sent.
    dialog(table).get_by_role("button", name="Disqualify").click()
    assert dialog(table).count() == 1
    table.page.get_by_label("Reason").fill("two accounts")
    dialog(table).get_by_role("button", name="Disqualify").click()
    out = table.page.locator(".entries .out")
    out.get_by_text("Disqualified: two accounts").wait_for()
    told = contest.get("/entries")["items"][0]
    assert (told["player"]["name"], told["disqualified"]["reason"]) == (eve, "two accounts")
    assert contest.get("/leaderboard")["items"] == []
    # Whoever goes by keys is where they were.
    assert table.page.evaluate("document.activeElement.textContent") == "Reinstate"
    table.page.keyboard.press("Enter")
    table.page.get_by_label("Reason").fill("a sister")
    table.page.keyboard.press("Enter")
    out.wait_for(state="detached")
    assert contest.get("/entries")["items"][0]["disqualified"] is None
    assert len(contest.get("/leaderboard")["items"]) == 1


def test_the_host_takes_somebody_out_of_the_ranking_where_it_stands(hosting, url):
    contest = Contest(url, "Ranked", **SEED)
    contest.enter("eve", "kim")
    contest.deal("eve")
    contest.deal("kim")
    eve, kim = (contest.people[name].name for name in ("eve", "kim"))
    table = hosting(contest)
    ranked = table.page.locator(".ranking tbody tr")
    ranked.get_by_role("button", name=f"Disqualify: {eve}").click()
    table.page.get_by_label("Reason").fill("plays for two")
    table.page.keyboard.press("Enter")
    ranked.get_by_role("link", name=eve, exact=True).wait_for(state="detached")
    assert [row["player"]["name"] for row in contest.get("/leaderboard")["items"]] == [kim]
    # The head is ruled off as a whole.
    edges = "cells => cells.map((cell) => getComputedStyle(cell).borderTopWidth)"
    assert set(table.page.locator(".ranking thead tr > *").evaluate_all(edges)) == {"0px"}
    # Nobody else is offered that.
    other = hosting(contest, who=contest.people["kim"])
    other.page.locator(".ranking tbody tr").first.wait_for()
    assert other.page.locator(".ranking tbody button").count() == 0


def test_who_is_in_is_read_page_by_page(hosting, url):
    contest = Contest(url, "Many", **SEED)
    contest.enter(*(f"e{number}" for number in range(23)))
    table = hosting(contest)
    table.page.get_by_text("Who is in: 23 players").click()
    rows = table.page.locator(".entries tbody tr")
    names = [person.name for person in contest.people.values()]
    rows.first.wait_for()
    assert rows.locator("th a").all_inner_texts() == names[:20]
    press(table, "Next")
    rows.get_by_role("link", name=names[22], exact=True).wait_for()
    assert rows.locator("th a").all_inner_texts() == names[20:]
    press(table, "Previous")
    rows.get_by_role("link", name=names[0], exact=True).wait_for()


def test_whoever_is_deleted_can_be_judged_all_the_same(hosting, url):
    contest = Contest(url, "Gone", **SEED)
    contest.enter("eve")
    contest.deal("eve")
    gone = contest.people["eve"].token
    assert ask(f"{url}/v1/players/me", method="DELETE", token=gone).status == 204
    table = hosting(contest)
    table.page.get_by_text("Who is in: 1 player").click()
    press(table, "Disqualify: a player who is gone")
    table.page.get_by_label("Reason").fill("gone")
    table.page.keyboard.press("Enter")
    table.page.get_by_text("Disqualified: gone").wait_for()


def test_the_link_is_copied_and_the_same_can_be_set_up_once_more(hosting, url):
    contest = Contest(url, "Again", **SEED)
    table = hosting(contest, permissions=["clipboard-read", "clipboard-write"])
    press(table, "Share the link")
    table.page.get_by_text("The link is copied.").first.wait_for()
    copied = table.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{url}/challenges/{contest.id}"
    table.page.get_by_role("link", name="Once more").click()
    table.page.wait_for_url(f"**/challenges/new?like={contest.id}")
    table.page.locator(".terms-form").wait_for()
    assert table.page.get_by_label("Title").input_value() == "Again"
    assert table.page.get_by_label("Seed").input_value() == "32"
