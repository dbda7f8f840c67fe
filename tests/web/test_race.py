"""The page of a challenge: entering, racing, watching each other, and the ranking."""

import re

import pytest

from tests.servers import ask
from tests.web.contests import Contest, new_race, within
from tests.web.looks import look, sit_before
from tests.web.test_play import README_LINE

NO_NETWORK = ["Failed to load resource: net::ERR_INTERNET_DISCONNECTED"]
# A deal that is named in the README, so that the moves of these tests are known to be legal.
SEED = "32"


def register(table, name):
    """Say a name in the dialog that asks for one."""
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Begin").click()
    dialog.wait_for(state="detached")


def press(table, name):
    table.page.get_by_role("button", name=name, exact=True).click()


def lane(table, name):
    """Give the lane of a player."""
    return table.page.locator(".lanes li", has_text=name)


def ranking(table):
    """Give the rows of the ranking as texts: rank, player, cards up, actions."""
    # All at once: it is drawn anew while somebody plays.
    rows = table.page.locator(".ranking tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.firstChild.textContent))"
    )
    return [tuple(row[:4]) for row in rows]


def ranked(contest):
    """Give the same from the API."""
    items = contest.get("/leaderboard")["items"]
    names = ("rank", "player", "cards_up", "actions")
    rows = ([item[name] for name in names] for item in items)
    return [(str(rank), who["name"], str(up), str(actions)) for rank, who, up, actions in rows]


def wait_for_text(table, selector, text):
    table.page.locator(selector, has_text=text).first.wait_for()


# ---- every state ----


@pytest.fixture(scope="module")
def scenes(url):
    """Set up challenges in every state, and give who looks at which; None is a stranger."""
    soon, long = within(minutes=9), 3_600_000
    # Seeds that are named need no search.
    planned = Contest(url, "Planned", starts_at=soon, seed=SEED)
    gathering = Contest(url, "Gathering", clock="shared", starts_at=soon, seed=SEED)
    off = Contest(url, "Off", starts_at=soon, seed=SEED)
    off.host.send("POST", f"{off.path}/cancel")
    race, sprint = (
        Contest(url, title, clock="shared", starts_at=within(seconds=4), seed=SEED)
        for title in ("Race", "Sprint")
    )
    planned.enter("in")
    gathering.enter("in")
    race.enter("waits", "plays", "done")
    sprint.enter("done", "gone")
    own = Contest(url, "Own", attempts=2, time_limit_ms=long, seed=SEED)
    own.enter("waits", "plays", "again", "done", "gone", "out")
    for name in ("plays", "again", "done", "gone", "out"):
        own.deal(name)
    for name in ("again", "done"):
        own.play(name, "Q")
    own.deal("done", 2)
    own.play("done", "Q")
    own.people["gone"].send("DELETE", f"{own.path}/entries/me")
    verdict = {"disqualified": True, "reason": "two names"}
    own.host.send("PATCH", f"{own.path}/entries/{own.people['out'].name}", verdict)
    free = Contest(url, "Free", seed=SEED)
    free.enter("idle")
    race.wait_until("running")
    for name in ("plays", "done"):
        race.deal(name)
    race.play("done", "Q")
    sprint.wait_until("running")
    sprint.deal("done")
    sprint.play("done", "Q")
    sprint.people["gone"].send("DELETE", f"{sprint.path}/entries/me")
    brief = Contest(
        url,
        "Brief",
        clock="shared",
        starts_at=within(seconds=2),
        seed=SEED,
        time_limit_ms=2_000,
    )
    brief.enter("late", "away")
    brief.wait_until("running")
    brief.deal("late")
    sprint.wait_until("finished")
    brief.wait_until("finished")
    return {
        "planned": (planned, None),
        "planned, in": (planned, "in"),
        "gathering": (gathering, None),
        "gathering, in": (gathering, "in"),
        "off": (off, None),
        "free": (free, None),
        "own": (own, None),
        "own, host": (own, "host"),
        **{f"own, {name}": (own, name) for name in own.people},
        "race": (race, None),
        **{f"race, {name}": (race, name) for name in race.people},
        "sprint": (sprint, None),
        **{f"sprint, {name}": (sprint, name) for name in sprint.people},
        **{f"brief, {name}": (brief, name) for name in brief.people},
    }


RANKING, CARDS = "To the ranking", "Play these cards"
# What the page says and offers first: docs/api.md tells what may be done in which state.
OFFERED = {
    "planned": ("Take part", ["Enter"]),
    "planned, in": ("You are in", ["Leave"]),
    "gathering": ("Take part", ["Enter"]),
    "gathering, in": ("You are in", ["Leave"]),
    "off": ("It was cancelled", []),
    "free": ("It is on: play when it suits you", ["Enter and play"]),
    "own": ("It is on: play when it suits you", ["Enter and play", "Only enter"]),
    "own, host": ("It is on: play when it suits you", ["Enter and play", "Only enter"]),
    "own, waits": ("Your cards are waiting", ["Deal me in", "Leave"]),
    "own, plays": ("You are playing", ["Go on playing", "Give up"]),
    "own, again": ("Attempt 2 of 2 is next", ["Next attempt (2 of 2)", "Give up"]),
    "own, done": ("You have resigned", [RANKING]),
    "own, gone": ("You have given up", [RANKING]),
    "own, out": ("You are playing", ["Go on playing"]),
    "race": ("The race is on", [RANKING]),
    "race, waits": ("Your cards are waiting", ["Deal me in", "Give up"]),
    "race, plays": ("You are playing", ["Go on playing", "Give up"]),
    "race, done": ("You have resigned", [RANKING]),
    "sprint": ("It is over", [RANKING, CARDS]),
    "sprint, done": ("You have resigned", [RANKING, CARDS]),
    "sprint, gone": ("You have given up", [RANKING, CARDS]),
    "brief, late": ("Your time ran out", [RANKING, CARDS]),
    "brief, away": ("You were in, but never had the cards dealt", [RANKING, CARDS]),
}


def test_whoever_looks_at_a_challenge_in_whatever_state_is_offered_what_comes_next(sit, scenes):
    table = sit()
    offered = {}
    for name, (contest, person) in scenes.items():
        table.become(contest.host if person == "host" else person and contest.people[person])
        table.go(contest.path)
        seat = table.page.locator(".seat")
        ways = seat.locator("button, a").all_inner_texts()
        offered[name] = (seat.locator("h2").inner_text(), ways)
        assert table.page.locator(".hosting").is_visible() == (person == "host")
        if name == "own, out":
            out = seat.locator(".wrong").inner_text()
            assert out == "The host has taken you out of the ranking: two names"
    assert offered == OFFERED


# Where it looks otherwise; the sizes and themes that are not looked at each time are slow.
LOOKED_AT = {
    "phone": ("planned", "off", "own, again", "own, out", "sprint, done"),
    "desk": ("gathering, in", "own, plays", "race", "brief, away"),
}


SMALLEST_TAG = """() => Math.min(...[...document.querySelectorAll(".tag")]
  .filter((tag) => !tag.closest("[hidden]"))
  .map((tag) => tag.getBoundingClientRect().width), 99)"""


@pytest.mark.parametrize(
    ("size", "scheme", "names"),
    [
        ("phone", "light", LOOKED_AT["phone"]),
        ("desk", "dark", LOOKED_AT["desk"]),
        pytest.param("phone", "dark", tuple(OFFERED), marks=pytest.mark.slow),
        pytest.param("desk", "light", tuple(OFFERED), marks=pytest.mark.slow),
    ],
)
def test_everybody_can_use_a_challenge_in_every_state(sit, scenes, size, scheme, names):
    table = sit_before(sit, size, scheme)
    for name in names:
        contest, person = scenes[name]
        table.become(contest.host if person == "host" else person and contest.people[person])
        table.go(contest.path)
        # What everybody does has come too.
        table.page.locator(".feed:not(:empty)").wait_for()
        see(table, name.replace(", ", "-"), size, scheme)


@pytest.mark.parametrize(
    ("size", "scheme"),
    [("desk", "dark"), pytest.param("phone", "light", marks=pytest.mark.slow)],
)
def test_everybody_can_use_a_game_of_a_challenge(sit, scenes, size, scheme):
    table = sit_before(sit, size, scheme)
    contest, person = scenes["own, plays"]
    table.become(contest.people[person])
    table.go(contest.path)
    press(table, "Give up")
    see(table, "give-up", size, scheme)
    table.page.keyboard.press("Escape")
    table.page.get_by_role("link", name="Go on playing").click()
    table.wait_for_board()
    wait_for_text(table, ".stake", "attempt 1 of 2")
    see(table, "game", size, scheme)
    contest, person = scenes["race, done"]
    table.become(contest.people[person])
    table.go(f"games/{contest.games[person]['id']}")
    table.ended("resigned")
    see(table, "ended", size, scheme)


def see(table, name, size, scheme):
    look(table, f"challenge-{name}-{size}-{scheme}", whole=True)
    assert table.page.evaluate(SMALLEST_TAG) > 0, name


# ---- racing ----


def test_two_browsers_race_and_see_each_other_all_the_way(sit, url):
    tables, names = [sit(), sit(width=360, height=740, has_touch=True)], ["anna", "bert"]
    lobby = Contest(url, "Lobby", seed=SEED, starts_at=within(minutes=9))
    for table, name in zip(tables, names, strict=True):
        table.open(lobby.path)
        press(table, "Enter")
        register(table, name)
        wait_for_text(table, ".seat h2", "You are in")
    begin = {"clock": "shared", "starts_at": within(seconds=4), "order": "time"}
    race = Contest(url, "Two browsers", seed=SEED, **begin)
    for table in tables:
        table.go(race.path)
        press(table, "Enter")
        wait_for_text(table, ".seat h2", "You are in")
    # The one who entered first sees the other come in.
    lane(tables[0], "bert").wait_for()
    for table in tables:
        table.wait_for_board()
        assert table.seen()["P12"] == ["9S", "8S", "4H", "2C"]
    anna, bert = tables
    for move in ("12>F", "3>F", "5>F"):
        anna.drag(move)
    bert.drag("12>F")
    wait_for_text(anna, ".stake", "place 1 of 2")
    wait_for_text(bert, ".stake", "place 2 of 2 · first is anna, 7 up")
    # Each goes back to look at the race, and sees the other.
    for table, other, up in ((anna, "bert", 5), (bert, "anna", 7)):
        table.page.get_by_role("link", name="Two browsers").click()
        wait_for_text(table, ".lanes li", f"{up} of 52 up")
        assert "playing" in lane(table, other).inner_text()
        table.page.get_by_role("link", name="Go on playing").click()
        table.wait_for_board()
    bert.page.keyboard.press("q")
    bert.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    bert.ended("resigned")
    press(bert, "To the ranking")
    wait_for_text(bert, ".ranking .tag", "Provisional")
    anna.page.keyboard.press("q")
    anna.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    anna.ended("resigned")
    press(anna, "To the ranking")
    wait_for_text(anna, ".head .tag", "Over")
    # There the same button leads down the page.
    press(anna, "To the ranking")
    assert anna.page.evaluate("document.activeElement.id") == "ranking"
    for table in tables:
        wait_for_text(table, ".head .tag", "Over")
        table.page.locator(".ranking .replay").nth(1).wait_for()
        assert table.page.locator(".ranking .tag").is_hidden()
        assert ranking(table) == ranked(race) == [("1", "anna", "7", "3"), ("2", "bert", "5", "1")]
        wait_for_text(table, ".feed li", "anna has resigned the game.")
        told = table.page.locator(".feed li span").all_inner_texts()
        assert told[:2] == ["anna has resigned the game.", "bert has resigned the game."]


def test_who_is_as_good_as_another_shares_their_place(sit, url):
    race = new_race(url, "Level", "ada", "ben", seed=SEED)
    # `docs/api.md`: who is equal in all shares a rank, and stands in the order of entering.
    assert [row["rank"] for row in race.get("/leaderboard")["items"]] == [1, 1]
    table = sit()
    table.become(race.people["ben"])
    table.go(f"games/{race.games['ben']['id']}")
    place = table.page.locator(".stake span", has_text="place")
    place.wait_for()
    assert place.inner_text() == "place 1 of 2"
    for name in ("ada", "ben"):
        race.play(name, "Q")
    race.wait_until("finished")
    table.open(race.path)
    wait_for_text(
        table,
        ".placed",
        "Place 1 of 2: resigned, 4 of 52 up, 0 actions. Others share this place.",
    )


def test_once_it_is_over_everybody_is_told_what_came_of_it(sit, url):
    race = new_race(url, "Came", "ada", "bea", seed=SEED)
    race.play("bea", README_LINE[0], "Q")
    table = sit()
    table.become(race.people["bea"])
    table.open(race.path)
    wait_for_text(table, ".placed", "So far place 1 of 2: resigned, 5 of 52 up, 1 action.")
    race.play("ada", *README_LINE)
    race.wait_until("finished")
    won = f"won, {len(README_LINE)} actions"
    first = f"First is {race.people['ada'].name}: {won}."
    for person, title, placed in (
        ("ada", "You have won", f"Place 1 of 2: {won}."),
        ("bea", "You have resigned", f"Place 2 of 2: resigned, 5 of 52 up, 1 action. {first}"),
        (None, "It is over", first),
    ):
        table.become(race.people.get(person))
        table.open(race.path)
        wait_for_text(table, ".placed", placed)
        assert table.page.locator(".placed").inner_text() == placed
        assert table.page.locator(".seat h2").inner_text() == title


def test_who_watches_asks_only_for_what_is_new_and_nothing_while_nobody_looks(sit, scenes):
    race, _ = scenes["race"]
    table = sit()
    asked, statuses = [], []
    table.page.on("request", lambda request: asked.append(request.url))
    table.page.on(
        "response", lambda reply: "/events" in reply.url and statuses.append(reply.status)
    )
    with table.page.expect_response(lambda reply: reply.status == 304 and "/events" in reply.url):
        table.open(race.path)
    assert statuses[0] == 200
    show = """state => {
      Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    table.page.evaluate(show, "hidden")
    asked.clear()
    # Longer than the second after which the next one would be due.
    table.page.wait_for_timeout(1_600)
    assert [url for url in asked if "/events" in url] == []
    with table.page.expect_response(lambda reply: "/events" in reply.url, timeout=900):
        table.page.evaluate(show, "visible")
    # Nor does a page ask that was left.
    table.go("deals/cruel/32")
    asked.clear()
    table.page.wait_for_timeout(1_600)
    assert [url for url in asked if "/events" in url] == []


def test_who_loses_the_connection_in_a_race_is_told_and_catches_up(sit, url):
    race = Contest(url, "Tunnel", clock="shared", starts_at=within(seconds=2), seed=SEED)
    race.enter("ada", "ben")
    race.wait_until("running")
    race.deal("ada")
    table = sit(expected=NO_NETWORK)
    table.open(race.path)
    wait_for_text(table, ".lanes li", "4 of 52 up")
    table.page.context.set_offline(True)
    wait_for_text(table, ".paused", "No connection")
    race.deal("ben")
    race.play("ben", "Q")
    assert "ready" in lane(table, "ben").inner_text()
    table.page.context.set_offline(False)
    wait_for_text(table, ".feed li", f"{race.people['ben'].name} has resigned the game.")
    assert "finished" in lane(table, "ben").inner_text()
    assert table.page.locator(".paused").is_hidden()


@pytest.mark.parametrize("hours", [-7, 31])
def test_it_counts_down_by_the_clock_of_the_service_whatever_the_device_says(sit, url, hours):
    race = Contest(
        url, "Clocks", clock="shared", starts_at=within(minutes=9, seconds=57), seed=SEED
    )
    table = sit()
    table.page.add_init_script(
        f"""const now = Date.now.bind(Date);
        Date.now = () => now() + {hours} * 3_600_000;"""
    )
    table.open(race.path)
    left = table.page.locator("[role=timer]").inner_text()
    assert re.fullmatch(r"9:5\d", left), left


def test_who_is_on_the_page_when_a_race_starts_is_at_the_board_at_once(sit, url):
    table = sit()
    table.open()
    race = Contest(url, "Start", clock="shared", starts_at=within(seconds=2), seed=SEED)
    race.enter("ada")
    table.become(race.people["ada"])
    table.go(race.path)
    table.wait_for_board()
    game = table.game_id
    # Whoever comes back is not sent away again.
    table.page.go_back()
    table.page.get_by_role("link", name="Go on playing").wait_for()
    assert (
        race.people["ada"].send("GET", f"{race.path}/entries/me")["attempts"][0]["game_id"] == game
    )


# ---- on one's own clock ----


def test_a_challenge_with_two_attempts_is_entered_played_and_played_again(sit, url):
    contest = Contest(url, "Twice", attempts=2, seed=SEED, time_limit_ms=600_000)
    table = sit(permissions=["clipboard-read", "clipboard-write"])
    table.open(contest.path)
    press(table, "Enter and play")
    register(table, "twice")
    table.wait_for_board()
    bar = table.page.locator(".stake")
    wait_for_text(table, ".stake", "attempt 1 of 2")
    assert re.search(r"(10:00|9:5\d)", bar.inner_text())
    # What is shared is the challenge, never its deal.
    press(table, "Share")
    table.page.locator(".note", has_text="The link is copied.").wait_for()
    assert table.page.evaluate("navigator.clipboard.readText()") == f"{url}/{contest.path}"
    table.drag("12>F")
    table.wait_until_recorded()
    table.page.keyboard.press("q")
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    table.ended("resigned")
    assert bar.get_by_role("timer").is_hidden()
    press(table, "To the ranking")
    press(table, "Next attempt (2 of 2)")
    table.wait_for_board()
    wait_for_text(table, ".stake", "attempt 2 of 2")
    assert table.seen()["F1"] == ["AC"]
    for move in ("12>F", "3>F"):
        table.drag(move)
    table.wait_until_recorded()
    table.page.get_by_role("link", name="Twice", exact=True).click()
    wait_for_text(table, ".lanes li", "attempt 2 · 6 of 52 up · 2 actions")
    table.page.locator(".ranking tbody tr.mine").wait_for()
    assert ranking(table) == [("1", "twice", "6", "2")]


def test_who_has_won_may_play_another_attempt_or_leave_it_at_that(sit, url):
    contest = Contest(url, "Again", attempts=2, seed=SEED)
    contest.enter("ada")
    contest.deal("ada")
    contest.play("ada", *README_LINE[:-1])
    table = sit()
    table.become(contest.people["ada"])
    table.go(f"games/{contest.games['ada']['id']}")
    table.wait_for_board()
    wait_for_text(table, ".stake", "attempt 1 of 2")
    table.drag(README_LINE[-1])
    table.ended("won")
    ways = table.page.locator(".end button").all_inner_texts()
    assert ways == ["Next attempt (2 of 2)", "To the ranking"]
    press(table, "To the ranking")
    wait_for_text(table, ".lanes li.mine .tag", "won")
    wait_for_text(table, ".placed", f"So far place 1 of 1: won, {len(README_LINE)} actions.")
    press(table, "Give up")
    dialog = table.page.get_by_role("dialog")
    assert "Your best attempt stays in the ranking." in dialog.inner_text()
    dialog.get_by_role("button", name="Stay").click()
    table.page.go_back()
    press(table, "Next attempt (2 of 2)")
    table.wait_for_board()
    wait_for_text(table, ".stake", "attempt 2 of 2")
    contest.people["ada"].send("DELETE", f"{contest.path}/entries/me")
    rows = contest.get("/leaderboard")["items"]
    assert [(row["won"], row["actions"]) for row in rows] == [(True, len(README_LINE))]


def test_a_game_whose_time_runs_out_says_so_and_leads_to_the_ranking(sit, url):
    contest = Contest(url, "Short", seed=SEED, time_limit_ms=1_500)
    contest.enter("slow")
    table = sit()
    table.become(contest.people["slow"])
    table.open(contest.path)
    press(table, "Deal me in")
    table.wait_for_board()
    timer = table.page.locator(".stake [role=timer]")
    assert "last" in timer.get_attribute("class")
    table.ended("timed_out")
    press(table, "To the ranking")
    wait_for_text(table, ".seat h2", "Your time ran out")


def test_one_leaves_before_the_deal_and_gives_up_after_it(sit, url):
    contest = Contest(url, "Doors", seed=SEED)
    contest.enter("ada")
    table = sit()
    table.become(contest.people["ada"])
    table.open(contest.path)
    press(table, "Leave")
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Stay").click()
    assert contest.get()["entered"] == 1
    press(table, "Leave")
    dialog.get_by_role("button", name="Leave").click()
    wait_for_text(table, ".seat h2", "It is on")
    assert contest.get()["entered"] == 0
    press(table, "Enter and play")
    table.wait_for_board()
    table.page.go_back()
    press(table, "Give up")
    assert "cannot come back" in dialog.inner_text()
    dialog.get_by_role("button", name="Give up").click()
    wait_for_text(table, ".seat h2", "You have given up")
    entry = contest.people["ada"].send("GET", f"{contest.path}/entries/me")
    assert (entry["state"], entry["attempts"][0]["status"]) == ("forfeited", "resigned")


# ---- the ranking ----


def test_a_ranking_of_many_is_read_page_by_page_and_around_oneself(sit, url):
    contest = Contest(url, "Many", seed=SEED)
    for _ in range(45):
        contest.enter("many")
        contest.deal("many")
    me = contest.people["many"]
    items = contest.get("/leaderboard", limit=50)["items"]
    names = [item["player"]["name"] for item in items]
    assert len(names) == 45
    table = sit()
    table.become(me)
    table.open(contest.path)
    for page in (names[:20], names[20:40], names[40:]):
        wait_for_text(table, ".ranking tbody tr", page[0])
        assert [who for _, who, _, _ in ranking(table)] == page
        if page != names[40:]:
            press(table, "Next")
    press(table, "Previous")
    wait_for_text(table, ".ranking tbody tr", names[20])
    press(table, "First page")
    wait_for_text(table, ".ranking tbody tr", names[0])
    # Whoever is last is shown with those before; the page stays while somebody plays.
    press(table, "Around me")
    table.page.locator(".ranking tr.mine").wait_for()
    around = contest.get("/leaderboard", limit=20)
    assert around["items"][0]["player"]["name"] == names[0]
    shown = [who for _, who, _, _ in ranking(table)]
    assert shown[-1] == me.name
    assert len(table.page.locator(".lanes li").all()) == 13
    press(table, "Show all 45")
    assert len(table.page.locator(".lanes li").all()) == 45
    contest.play("many", "Q")
    wait_for_text(table, ".ranking tr.mine", "resigned")
    assert table.page.locator(".ranking tr.mine").count() == 1
    assert [who for _, who, _, _ in ranking(table)] == shown


def test_once_it_is_over_each_row_leads_to_its_game_and_all_of_it_to_a_file(sit, url):
    race = Contest(url, "Files", clock="shared", starts_at=within(seconds=2), seed=SEED)
    race.enter("ada", "ben")
    race.wait_until("running")
    for name in ("ada", "ben"):
        race.deal(name)
        race.play(name, "Q")
    race.wait_until("finished")
    table = sit()
    table.open(race.path)
    links = table.page.locator(".ranking .replay")
    links.first.wait_for()
    games = [row["game_id"] for row in race.get("/leaderboard")["items"]]
    assert [node.get_attribute("href") for node in links.all()] == [
        f"/games/{game}/replay" for game in games
    ]
    with table.page.expect_download() as download:
        table.page.get_by_role("link", name="As a spreadsheet (CSV)").click()
    assert download.value.suggested_filename == f"{race.id}.csv"
    assert download.value.path().read_bytes() == ask(f"{url}/v1/{race.path}/leaderboard.csv").body


# ---- what may go wrong ----


def test_what_was_promised_is_kept_before_the_reveal(sit, url):
    contest = Contest(url, "Promise", starts_at=within(minutes=5))
    table = sit()
    kept = "() => JSON.parse(localStorage.getItem('semilla.commitments'))"
    promised = []
    for attempts in (1, 2):
        contest.change(attempts=attempts)
        table.open(contest.path)
        promised.append(contest.get()["commitment"])
        assert table.page.evaluate(kept) == [{"id": contest.id, "commitments": promised}]


def test_a_change_by_the_host_and_the_cancelling_show_by_themselves(sit, url):
    contest = Contest(url, "Before")
    table = sit()
    table.open(contest.path)
    contest.change(title="After")
    # Whoever comes back to a tab sees how it stands, a second later at most.
    look = """([place, text]) => {
      document.dispatchEvent(new Event("visibilitychange"));
      return document.querySelector(place).textContent === text;
    }"""
    table.page.wait_for_function(look, arg=["h1", "After"], polling=250)
    assert table.page.title() == "After"
    contest.host.send("POST", f"{contest.path}/cancel")
    table.page.wait_for_function(look, arg=[".seat h2", "It was cancelled"], polling=250)


def test_a_key_that_is_not_known_any_more_is_told_on_every_page_with_the_way_out(sit, url):
    refused = "Failed to load resource: the server responded with a status of"
    contest = Contest(url, "Keys", seed=SEED)
    contest.enter("ada")
    contest.deal("ada")
    ada = contest.people["ada"]
    game = contest.games["ada"]["id"]
    ada.send("POST", "players/me/token")
    table = sit(expected=[f"{refused} 401", f"{refused} 404"])
    # Each says it, and shows all that strangers see: the game is none of theirs.
    for path, seen in (
        (contest.path, ".seat h2"),
        ("daily/cruel", ".seat h2"),
        ("", ".today h2"),
        (f"games/{game}", ".paper h1"),
    ):
        table.become(ada)
        table.open(path)
        out = table.page.locator(".unknown").get_by_role("link")
        out.wait_for()
        assert out.get_attribute("href") == "/players/me"
        table.page.locator(seen).wait_for()


def test_the_first_key_leads_past_the_bar_and_the_page_stays_as_it_is(sit, scenes):
    contest, _ = scenes["planned"]
    table = sit()
    table.open(contest.path)
    title = table.page.locator("h1").element_handle()
    table.page.keyboard.press("Tab")
    table.page.keyboard.press("Enter")
    table.page.wait_for_function("() => document.activeElement.id === 'main'")
    assert table.page.evaluate("title => title.isConnected", title)
    table.page.keyboard.press("Tab")
    assert table.page.evaluate("document.activeElement.innerText") == "Share"


def test_there_is_no_dead_page_where_there_is_no_challenge(sit):
    table = sit(expected=["Failed to load resource: the server responded with a status of 404"])
    table.open("challenges/nothing")
    assert table.page.locator("h1").inner_text() == "There is no such challenge"
    assert table.page.locator(".paper a").get_attribute("href") == "/challenges"


def test_a_challenge_is_in_spanish_for_whoever_reads_it(sit, url):
    contest = Contest(url, "Reto", clock="shared", starts_at=within(minutes=3))
    contest.enter("ada")
    table = sit(locale="es")
    table.open(contest.path)
    table.page.locator(".lanes li").wait_for()
    text = table.page.locator("main").inner_text()
    for words in (
        "Por venir",
        "Participa",
        "Inscribirme",
        "Empieza en",
        "Quién participa",
        "a la espera",
        "Uno para todos",
    ):
        assert words in text
