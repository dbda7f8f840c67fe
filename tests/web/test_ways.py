"""Going from page to page: what is told, what goes along, and what is left behind."""

import pytest

from tests.servers import ask
from tests.web.contests import Contest, Person

REFUSED = "Failed to load resource: the server responded with a status of"
NO_NETWORK = ["Failed to load resource: net::ERR_INTERNET_DISCONNECTED"]
TOLD = ".unseen[role=status]"


def heading(table, words):
    table.page.locator("main h1", has_text=words).wait_for()


def test_who_listens_is_told_which_page_it_is_and_goes_on_from_there(sit):
    table = sit()
    table.open()
    for name, told in (
        ("Challenges", "Challenges"),
        ("Daily", "Daily Cruel"),
        ("You", "You"),
    ):
        table.page.locator(".top nav").get_by_role("link", name=name, exact=True).click()
        table.page.locator(TOLD, has_text=told).wait_for(state="attached")
        assert told in table.page.title()
        assert table.page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.parametrize("path", ["challenges/%E0%A4%A", "challenges/%FF", "players/%E0%A4"])
def test_an_address_that_is_no_text_leads_nowhere_and_says_so(sit, path):
    table = sit(expected=[REFUSED])
    table.open(path)
    heading(table, "There is no such page.")


def test_back_closes_what_a_page_asks_and_nothing_of_it_is_done(sit, url):
    contest = Contest(url, "Half a heart", seed="half-a-heart")
    table = sit()
    table.open("challenges")
    table.page.locator(".item").first.wait_for()
    table.go(contest.path)
    table.page.get_by_role("button", name="Enter and play").click()
    table.page.get_by_role("dialog").wait_for()
    table.page.go_back()
    table.page.get_by_role("dialog").wait_for(state="detached")
    heading(table, "Challenges")
    table.deal_by_link("cruel")
    game = table.game_id
    table.page.keyboard.press("q")
    table.page.get_by_role("dialog").wait_for()
    table.page.go_back()
    table.page.get_by_role("dialog").wait_for(state="detached")
    assert ask(f"{url}/v1/games/{game}").json["status"] == "in_progress"
    assert contest.get()["entered"] == 0


def test_what_comes_late_leads_nobody_away(sit):
    table = sit()
    table.open()
    held = []

    def hold(route):
        held.append(route)

    table.page.route("**/v1/games", hold)
    table.page.get_by_role("button", name="Deal", exact=True).click()
    table.page.wait_for_function("() => document.querySelector('.start button').disabled")
    table.page.locator(".top nav").get_by_role("link", name="You").click()
    heading(table, "Play under a name")
    with table.page.expect_response("**/v1/games"):
        held[0].continue_()
    # The game is there for later.
    table.page.wait_for_function("() => JSON.parse(localStorage.getItem('semilla.games')).length")
    assert table.page.url.endswith("/players/me")


def test_a_page_that_was_opened_without_a_connection_comes_when_it_is_back(sit):
    table = sit(expected=NO_NETWORK)
    table.open()
    # What shows it has been fetched before.
    table.page.evaluate("root => import(`${root}challenges/list.js`)", table.assets)
    table.page.context.set_offline(True)
    table.page.locator(".top nav").get_by_role("link", name="Challenges").click()
    table.page.locator(".unread").wait_for()
    table.page.context.set_offline(False)
    table.page.locator(".unread").wait_for(state="detached")
    table.page.locator(".item, .none").first.wait_for()


def test_what_one_has_entered_elsewhere_shows_on_an_open_page(sit, url):
    contest = Contest(url, "Two devices", seed="two-devices")
    person = Person(url, "ada")
    table = sit()
    table.become(person)
    table.open(contest.path)
    table.page.get_by_role("button", name="Enter and play").wait_for()
    person.send("PUT", f"{contest.path}/entries/me")
    person.send("PUT", f"{contest.path}/entries/me/attempts/1")
    table.page.get_by_role("link", name="Go on playing").wait_for()


def test_ones_own_game_in_a_running_challenge_is_opened_without_a_complaint(sit, url):
    contest = Contest(url, "Own", seed="own-game")
    contest.enter("ada")
    contest.deal("ada")
    table = sit()
    table.become(contest.people["ada"])
    table.open(f"games/{contest.games['ada']['id']}")
    table.wait_for_board()


def test_moves_that_wait_outlive_a_key_that_was_replaced(sit, url):
    contest = Contest(url, "Replaced", seed="replaced")
    contest.enter("ada")
    contest.deal("ada")
    ada, game = contest.people["ada"], contest.games["ada"]
    table = sit(expected=[*NO_NETWORK, REFUSED])
    table.become(ada)
    table.open(f"games/{game['id']}")
    table.wait_for_board()
    table.page.context.set_offline(True)
    table.drag(next(move for move in game["legal_moves"] if move != "R"))
    table.page.locator(".banner.offline").wait_for()
    ada.token = ada.send("POST", "players/me/token")["token"]
    table.page.context.set_offline(False)
    table.page.locator(".unknown").wait_for()
    assert len(table.kept["queue"]) == 1
    table.open("players/me")
    table.page.get_by_role("button", name="Bring a key").or_(
        table.page.get_by_role("button", name="Use a key")
    ).first.click()
    table.page.locator("[name=key]").fill(ada.token)
    table.page.get_by_role("button", name="Use this key").click()
    table.page.get_by_role("dialog").wait_for(state="detached")
    heading(table, ada.name)
    table.open(f"games/{game['id']}")
    table.wait_until_recorded()
    assert ask(f"{url}/v1/games/{game['id']}", token=ada.token).json["ply"] == 1


def test_a_spell_without_a_connection_that_ends_in_a_refusal_is_over(sit):
    table = sit(expected=[*NO_NETWORK, REFUSED])
    table.deal("cruel", "32")
    token = table.kept["token"]
    table.page.context.set_offline(True)
    table.drag("12>F")
    table.page.locator(".banner.offline").wait_for()
    # It is played elsewhere meanwhile.
    ask(f"{table.url}/v1/games/{table.game_id}/moves", {"moves": ["3>F"]}, token=token)
    table.page.context.set_offline(False)
    table.page.locator(".note", has_text="The game was played elsewhere meanwhile.").wait_for()
    table.page.locator(".banner").wait_for(state="detached")
    assert table.seen()["F2"] == ["AD", "2D"]


def test_a_busy_service_is_not_called_a_lost_connection(sit):
    table = sit(expected=[REFUSED])
    table.deal("cruel", "32")
    limited = {"code": "rate_limited", "detail": "too many"}
    table.page.route(
        "**/moves",
        lambda route: route.fulfill(status=429, json=limited, headers={"Retry-After": "9"}),
    )
    table.drag("12>F")
    table.page.get_by_text("The service is busy: 1 move waits, and goes by itself.").wait_for()


def test_a_date_that_is_none_does_not_stop_the_clock(sit):
    table = sit()

    def double(route):
        reply = route.fetch()
        route.fulfill(response=reply, headers={**reply.headers, "date": "x, x"})

    table.page.route("**/v1/**", double)
    table.open("challenges/new")
    table.page.locator(".sentences li").first.wait_for()
