"""The pages of players: what they have played, over time too, as the API tells it."""

import time

import pytest
from sqlalchemy import update

from service.db.engine import open_engine
from service.db.tables import challenges, games, players
from tests.player_rows import HOUR, player_id
from tests.servers import ask, running_server
from tests.web.contests import Person
from tests.web.looks import in_every_look, look, sit_before
from tests.web.test_play import README_LINE, README_SEED, winning

DAY = 24 * HOUR
MISSING = ["Failed to load resource: the server responded with a status of 404"]
# Of a section the figures, by the words below them.
FIGURES = """section => Object.fromEntries([...section.querySelectorAll(".figures div")].map(
  (each) => [each.querySelector("dt").textContent, each.querySelector("dd").textContent]))"""
ROWS = """table => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent))"""


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """Give the address of a service, and its database, where a past can be written."""
    folder = tmp_path_factory.mktemp("players")
    with running_server(folder, WEB_CONCURRENCY="1") as url:
        db = open_engine(f"sqlite:///{folder}/data/semilla.db")
        yield url, db
        db.dispose()


@pytest.fixture(scope="module")
def url(service):
    """Give the address of that service."""
    return service[0]


def register(url, name, **more):
    """Register a player; give the token."""
    return ask(f"{url}/v1/players", {"name": name, **more}).json["token"]


def play(url, token, variant, seed, moves):
    game = ask(f"{url}/v1/games", {"variant": variant, "seed": seed}, token=token).json
    if moves:
        reply = ask(f"{url}/v1/games/{game['id']}/moves", {"at": 0, "moves": moves}, token=token)
        assert reply.status == 200
    return game["id"]


@pytest.fixture(scope="module")
def ana(url):
    """Let a player win, resign, lose and play on."""
    token = register(url, "Ana")
    play(url, token, "cruel", README_SEED, README_LINE)
    play(url, token, "cruel", *winning("weekend"))
    play(url, token, "cruel", "32", ["12>F", "Q"])
    play(url, token, "cruel", "s268", [])  # lost at the opening, as in the golden openings
    play(url, token, "cruel", "32", ["12>F"])
    play(url, token, "calculation", *winning("hidden"))
    return "Ana"


@pytest.fixture(scope="module")
def bea(service):
    """Give a player a past of a hundred days: what is played now, and then moved back."""
    url, db = service
    token = register(url, "Bea", bot=True)
    ends = [(README_SEED, README_LINE), winning("weekend"), ("s268", [])]
    ids = [play(url, token, "cruel", *ends[number % 3]) for number in range(24)]
    ids.append(play(url, token, "calculation", "semilla", ["S>W1", "Q"]))
    challenge = ask(f"{url}/v1/challenges", {"title": "Late autumn"}, token=token).json["id"]
    attempt = deal_attempt(url, token, challenge)
    now = int(time.time() * 1000)
    week = {"starts_at": now - 9 * DAY, "ends_at": now - 8 * DAY, "finishes_at": now - 8 * DAY}
    late = {"started_at": week["starts_at"], "deadline": week["ends_at"]}
    with db.begin() as connection:

        def change(table, id_, values):
            connection.execute(update(table).where(table.c.id == id_).values(values))

        change(players, player_id(db, "Bea"), {"created_at": now - 100 * DAY})
        change(challenges, challenge, week)
        change(games, attempt, late)
        for number, id_ in enumerate(ids):
            at = now - number * 3 * DAY
            change(games, id_, {"started_at": at - HOUR, "finished_at": at})
    return "Bea"


def deal_attempt(url, token, challenge):
    """Enter a challenge, have an attempt dealt, and play nothing; give its id."""
    path = f"{url}/v1/challenges/{challenge}/entries/me"
    assert ask(path, method="PUT", token=token).status == 201
    return ask(f"{path}/attempts/1", method="PUT", token=token).json["id"]


# Where the figures are that stand side by side: from the top, row by row.
FIGURE_LINES = """() => {
  const rows = {};
  for (const node of document.querySelectorAll(".figures div")) {
    const top = Math.round(node.getBoundingClientRect().top);
    (rows[top] ??= []).push(Math.round(node.querySelector("dd").getBoundingClientRect().top));
  }
  return Object.values(rows);
}"""


def figures(section):
    return section.evaluate(FIGURES)


def section(table, heading):
    found = table.page.get_by_role("heading", name=heading, exact=True)
    return table.page.locator("section.sheet").filter(has=found).last


def plot(table, title):
    """Give the figures of a plot, as its table has them."""
    found = table.page.locator("figure").filter(has_text=title).first
    return found.locator("table").evaluate(ROWS)


def loaded(table):
    table.page.locator(".plots:not([aria-busy]) figure").first.wait_for()


def told(tally):
    """Say what the page is to say of a tally of the API."""
    return {
        "Started": str(tally["started"]),
        "Finished": str(tally["finished"]),
        "Won": str(tally["won"]),
        "Lost": str(tally["lost"]),
        "Resigned": str(tally["resigned"]),
        "Out of time": str(tally["timed_out"]),
    }


def test_statistics_are_those_of_the_service(sit, url, ana):
    table = sit()
    table.open("players/ana")
    assert table.page.locator("h1").inner_text() == ana
    known = ask(f"{url}/v1/players/{ana}").json
    total = figures(section(table, "All games"))
    assert told(known["total"]).items() <= total.items()
    assert (total["Started"], total["Finished"], total["Won"], total["Win rate"]) == (
        *("6", "5", "3"),
        "60%",
    )
    # Figures side by side stand on one line, however long their words are.
    rows = table.page.evaluate(FIGURE_LINES)
    assert rows
    assert all(len(set(tops)) == 1 for tops in rows)
    for variant, title in (("cruel", "Cruel"), ("calculation", "Calculation")):
        (played,) = [each for each in known["variants"] if each["variant"] == variant]
        found = figures(section(table, title))
        assert told(played).items() <= found.items()
        assert found["Fewest actions"] == str(played["best"]["actions"])
        won = section(table, title).locator("figure table").evaluate(ROWS)[1:]
        assert [row for row in won if row[1] != "0"] == [
            [f"{bar['low']}–{bar['high']}", str(bar["games"])] for bar in played["actions"]
        ]
    assert figures(section(table, "Cruel"))["Fewest actions"] == str(len(README_LINE)) == "62"


def test_plots_over_time_are_those_of_the_service_by_day_week_and_month(sit, url, bea):
    table = sit()
    table.open(f"players/{bea}")
    for tab, period, head, limit in (
        ("Days", "day", "Day", 30),
        ("Weeks", "week", "Week from", 26),
        ("Months", "month", "Month", 24),
    ):
        table.page.get_by_role("button", name=tab).click()
        table.page.locator(f'.tabs [value="{period}"][aria-pressed="true"]').wait_for()
        loaded(table)
        table.page.locator("figure th", has_text=head).first.wait_for(state="attached")
        known = ask(f"{url}/v1/players/Bea/history?period={period}&limit={limit}").json["items"]
        finished = plot(table, "Games finished")
        assert finished[0] == [head, "Won", "Not won"]
        ended = [each["total"] for each in known[::-1]]
        assert [row[1:] for row in finished[1:]] == [
            [str(each["won"]), str(each["finished"] - each["won"])] for each in ended
        ]
        rates = [row[1] for row in plot(table, "Win rate")[1:]]
        for rate, each in zip(rates, ended, strict=True):
            share = each["finished"] and each["won"] / each["finished"]
            shown = f"{round(100 * share, 1):g}%" if each["finished"] else "none"
            assert rate == shown
        places = [each["challenges"] for each in known[::-1]]
        assert [row[1:] for row in plot(table, "Challenges entered")[1:]] == [
            [str(each["first"]), str(each["entered"] - each["first"])] for each in places
        ]
        # It is the only one who was in the only challenge.
        assert sum(each["first"] for each in places) == 1


def test_the_actions_over_time_are_those_of_the_variant_that_is_chosen(sit, url, bea):
    table = sit()
    table.open(f"players/{bea}?period=month")
    loaded(table)
    known = ask(f"{url}/v1/players/Bea/history?period=month").json["items"][::-1]
    cruel = [
        next((each for each in month["variants"] if each["variant"] == "cruel"), None)
        for month in known
    ]
    shown = [row[1:] for row in plot(table, "Actions of the games won")[1:]]
    assert shown == [
        [str(each["actions"]["fewest"]), f"{round(each['actions']['mean'], 1):g}"]
        if each and each["actions"]
        else ["none", "none"]
        for each in cruel
    ]
    table.page.get_by_label("Which games").select_option("calculation")
    table.page.wait_for_url("**variant=calculation")
    loaded(table)
    assert {tuple(row[1:]) for row in plot(table, "Actions of the games won")[1:]} == {
        ("none", "none")
    }
    # The address keeps what is looked at.
    table.page.reload()
    loaded(table)
    assert table.page.get_by_label("Which games").input_value() == "calculation"
    assert table.page.get_by_role("button", name="Months").get_attribute("aria-pressed") == "true"


def test_older_days_are_a_click_away(sit, url, bea):
    table = sit()
    table.open(f"players/{bea}")
    seen = 0
    while True:
        loaded(table)
        seen += len(plot(table, "Games finished")) - 1
        earlier = table.page.get_by_role("button", name="Earlier")
        if earlier.is_disabled():
            break
        before = table.page.locator(".span").inner_text()
        earlier.click()
        table.page.wait_for_function(
            "before => document.querySelector('.span').textContent !== before", arg=before
        )
    everything = ask(f"{url}/v1/players/Bea/history?limit=200").json["items"]
    assert seen == len(everything) == 101
    table.page.get_by_role("button", name="Later").click()
    table.page.locator('[value="earlier"]:enabled').wait_for()


def test_finished_games_are_listed_with_ways_to_look_at_them(sit, url, bea):
    table = sit()
    table.open(f"players/{bea}")
    rows = table.page.locator(".ended tbody tr")
    rows.first.wait_for()
    assert rows.count() == 20
    table.page.get_by_role("button", name="Show more").click()
    table.page.locator(".ended tbody tr:nth-child(26)").wait_for()
    known = ask(f"{url}/v1/games?player=Bea&limit=200").json["items"]
    assert rows.count() == len(known) == 26
    assert table.page.get_by_role("button", name="Show more").is_hidden()
    results = {"won": "Won", "lost": "Lost", "resigned": "Resigned", "timed_out": "Out of time"}
    titles = {"cruel": "Cruel", "calculation": "Calculation"}
    for row, game in zip(rows.all(), known, strict=True):
        first, *others = row.locator("th, td").all_inner_texts()
        assert first.startswith(titles[game["variant"]])
        score = game["score"]
        assert others == [results[game["status"]], str(score["cards_up"]), str(score["actions"])]
        way = row.get_by_role("link").first
        assert way.get_attribute("href") == f"/games/{game['id']}/replay"
    (attempt,) = (game for game in known if game["challenge_id"])
    way = rows.get_by_role("link", name="challenge")
    assert way.get_attribute("href") == f"/challenges/{attempt['challenge_id']}"
    hosted = table.page.locator(".hosted").get_by_role("link")
    assert hosted.locator("b").inner_text() == "Late autumn"


def test_a_program_is_said_to_be_one(sit, bea, ana):
    table = sit()
    table.open(f"players/{bea}")
    assert table.page.locator("h1 .tag").inner_text() == "program"
    table.open(f"players/{ana}")
    assert table.page.locator("h1 .tag").count() == 0


def test_whoever_has_played_nothing_has_a_page_too(sit, url):
    register(url, "newcomer")
    table = sit()
    table.open("players/newcomer")
    assert "No game has been played under this name yet." in table.page.locator("main").inner_text()
    assert table.page.locator("figure, .ended:visible, .hosted:visible").count() == 0


@pytest.mark.parametrize("name", ["nobody-here", "no", "a b"])
def test_a_name_that_nobody_has_is_said_to_be_nobodys(sit, name):
    table = sit(
        expected=[*MISSING, "Failed to load resource: the server responded with a status of 422"]
    )
    table.open(f"players/{name}")
    assert table.page.locator("h1").inner_text() == f"Nobody here is called {name}."


def test_statistics_are_told_in_spanish(sit, ana):
    table = sit(locale="es")
    table.open(f"players/{ana}")
    loaded(table)
    total = figures(section(table, "Todas las partidas"))
    assert (total["Ganadas"], total["Porcentaje ganado"]) == ("3", "60\u00a0%")
    assert table.page.get_by_role("button", name="Semanas").is_visible()


@in_every_look
def test_everybody_can_use_the_pages_of_players(sit, bea, size, scheme):
    table = sit_before(sit, size, scheme)
    table.open(f"players/{bea}?period=week")
    loaded(table)
    table.page.locator(".ended tr").nth(9).wait_for()
    table.page.locator("summary").first.click()
    look(table, f"player-{size}-{scheme}", whole=True)


def test_nothing_of_a_player_is_too_wide_for_the_smallest_phone(sit, url, bea):
    table = sit(width=320, height=640)
    table.open(f"players/{bea}")
    loaded(table)
    table.page.locator(".ended tr").nth(9).wait_for()
    look(table, "player-small", whole=True)
    table.become(Person(url, "as-long-as-a-name-is"))
    table.open("players/me")
    table.page.get_by_role("heading", name="In play now").wait_for()
    look(table, "me-small", whole=True)
