"""Games that are over, seen again move by move."""

import random
import re

import pytest

from tests.servers import ask
from tests.web.contests import new_race
from tests.web.looks import SIZES
from tests.web.test_looks import SCROLLS, STILL, UNSEEN
from tests.web.test_play import README_LINE, README_SEED, winning

STATES = """async ([root, game, opening, moves]) => {
  const {statesOf} = await import(`${root}replay/steps.js`);
  return statesOf(game, opening, moves).map((state) => ({...state, before: null}));
}"""
FIELDS = ("ply", "status", "foundations", "piles", "wastes", "card", "stock_count", "score")
# Families and ways to redeal, with undo and without.
KINDS = [
    {"variant": "cruel", "seed": "semilla"},
    {"variant": "ripple-fan", "seed": "semilla"},
    {"variant": "cruel-pysol", "seed": "pysol-1", "undo": False},
    {"variant": "royal-family", "seed": "s1"},
    {"variant": "limited-cruel", "seed": "s2"},
    {"variant": "calculation", "seed": "semilla", "options": {"bases": ["AH", "2C", "3S", "4D"]}},
]


def play_some(url, asked, entries=40):
    """Play a game by chance, with redeals and undos, and resign; give its state."""
    chance = random.Random(str(asked))
    state = ask(f"{url}/v1/games", asked).json
    token = state["token"]
    path = f"{url}/v1/games/{state['id']}/moves"
    for _ in range(entries):
        legal = state["legal_moves"]
        back = state["undo"] and state["score"]["actions"] and chance.random() < 0.2
        if not legal and not back:
            break
        move = (
            "U" if back else "R" if "R" in legal and chance.random() < 0.4 else chance.choice(legal)
        )
        state = ask(path, {"at": state["ply"], "moves": [move]}, token=token).json
    if state["status"] == "in_progress":
        state = ask(path, {"at": state["ply"], "moves": ["Q"]}, token=token).json
    return state


def history(url, game):
    return ask(f"{url}/v1/games/{game}/moves?limit=200").json["items"]


@pytest.mark.parametrize("asked", KINDS, ids=lambda asked: asked["variant"])
def test_every_state_is_the_one_that_the_service_gives(sit, url, asked):
    game = play_some(url, asked)
    moves = [item["move"] for item in history(url, game["id"])]
    path = f"{url}/v1/deals/{asked['variant']}/{asked['seed']}"
    bases = asked.get("options", {}).get("bases")
    opening = ask(f"{path}?bases={','.join(bases)}" if bases else path).json
    table = sit()
    table.open()
    given = [table.assets, game, {"wastes": [[]] * 4, **opening}, moves]
    states = table.page.evaluate(STATES, given)
    assert len(states) == len(moves) + 1 > 10
    rules = {name: game[name] for name in ("variant", "seed", "options", "undo")}
    for ply, found in enumerate(states):
        right = ask(f"{url}/v1/evaluate", {**rules, "moves": moves[:ply]}).json
        for name in FIELDS:
            assert found.get(name) == right.get(name), (name, ply)
        assert (found["redeal"] is None) == (right["redeal"] is None)
        if right["redeal"]:
            assert [found["redeal"][name] for name in ("used", "left")] == [
                right["redeal"][name] for name in ("used", "left")
            ]


def won(url):
    """Have the README's deal won; give the id of the game."""
    game = ask(f"{url}/v1/games", {"seed": README_SEED}).json
    path = f"{url}/v1/games/{game['id']}/moves"
    for at in range(len(README_LINE)):
        body = {"at": at, "moves": [README_LINE[at]]}
        status = ask(path, body, token=game["token"]).json["status"]
    assert status == "won"
    return game["id"]


def at_ply(table):
    return int(table.page.locator(".player input").input_value())


def wait_at(table, ply):
    shown = "ply => document.querySelector('.player input').value === String(ply)"
    table.page.wait_for_function(shown, arg=ply)


def step(table):
    return table.page.locator(".player .step").inner_text()


def test_whoever_skips_to_the_game_stays_at_the_move_that_they_look_at(sit, url):
    table = sit()
    table.open(f"games/{won(url)}/replay")
    table.wait_for_board()
    table.page.keyboard.press("ArrowRight")
    table.page.wait_for_url("**/replay?ply=1")
    table.page.evaluate("document.querySelector('.board').dataset.same = ''")
    table.page.locator("a.skip").press("Enter")
    table.page.wait_for_url("**/replay?ply=1#main")
    # What would be shown anew comes after the address has changed.
    table.page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert table.page.locator(".board[data-same]").count() == 1
    assert table.page.evaluate("document.activeElement.id") == "main"


def test_a_game_is_walked_through_by_buttons_keys_and_slider(sit, url):
    game = won(url)
    table = sit()
    table.open(f"games/{game}/replay")
    table.wait_for_board()
    last = len(README_LINE)
    assert step(table) == f"0 of {last}: the deal"
    slider, keys = table.page.get_by_role("slider", name="Move"), table.page.keyboard

    def evaluated(ply):
        body = {"variant": "cruel", "seed": README_SEED, "moves": README_LINE[:ply]}
        state = ask(f"{url}/v1/evaluate", body).json
        return state["piles"], state["foundations"], state["score"]

    def check(ply):
        wait_at(table, ply)
        seen = table.seen()
        found, foundations, score = evaluated(ply)
        assert [seen[f"P{number}"] for number in range(1, 13)] == found
        assert [seen[f"F{number}"][-1] for number in range(1, 5)] == foundations
        shown = table.page.locator(".status .score").inner_text()
        assert f"{score['cards_up']} of 52 up" in shown
        assert f"{score['moves']} move" in shown
        assert slider.get_attribute("aria-valuetext") == step(table)

    table.page.get_by_role("button", name="One move on").click()
    check(1)
    assert step(table) == f"1 of {last}: 2 of clubs to its foundation"
    for _ in range(7):
        keys.press("ArrowRight")
    check(8)
    assert evaluated(7)[0][8][-1] == "QS"
    assert step(table) == f"8 of {last}: queen of spades onto pile 11"
    table.page.get_by_role("button", name="One move back").click()
    check(7)
    slider.fill("14")
    check(14)
    assert step(table) == f"14 of {last}: Redealt"
    slider.press("ArrowLeft")
    check(13)
    slider.press("Home")
    check(0)
    table.page.get_by_role("button", name="To the end").click()
    assert evaluated(last - 1)[0][1] == ["KH"]
    assert step(table) == f"{last} of {last}: king of hearts to its foundation. Won!"
    assert table.page.locator(".board").get_attribute("data-status") == "won"
    keys.press("ArrowLeft")
    check(last - 1)
    assert table.page.locator(".board").get_attribute("data-status") == "in_progress"
    keys.press("End")
    assert at_ply(table) == last


def test_it_plays_by_itself_until_somebody_holds_it(sit, url):
    game = play_some(url, KINDS[0], entries=5)
    count = len(history(url, game["id"]))
    table = sit()
    table.open(f"games/{game['id']}/replay")
    table.wait_for_board()
    for name in ("Speed: 1 times", "Speed: 2 times"):
        table.page.get_by_role("button", name=name).click()
    table.page.get_by_role("slider").focus()
    table.page.keyboard.press("Space")
    table.page.get_by_role("button", name="Pause").wait_for()
    wait_at(table, 2)
    table.page.keyboard.press("Space")
    table.page.get_by_role("button", name="Play", exact=True).wait_for()
    held = at_ply(table)
    assert 2 <= held < count
    table.page.get_by_role("button", name="Play", exact=True).click()
    wait_at(table, count)
    # At the end it stops, and begins anew.
    table.page.get_by_role("button", name="Play", exact=True).click()
    wait_at(table, 1)


def test_the_address_leads_to_the_very_move(sit, url):
    game = won(url)
    table = sit(permissions=["clipboard-read", "clipboard-write"])
    table.open(f"games/{game}/replay?ply=17")
    table.wait_for_board()
    assert at_ply(table) == 17
    table.page.keyboard.press("ArrowRight")
    table.page.wait_for_url(f"**/games/{game}/replay?ply=18")
    table.page.get_by_role("button", name="Share").click()
    table.page.locator(".note").wait_for()
    link = table.page.evaluate("navigator.clipboard.readText()")
    assert link == f"{url}/games/{game}/replay?ply=18"
    other = sit()
    for ply, shown in (("18", 18), ("9999", len(README_LINE)), ("-3", 0), ("x", 0)):
        other.open(f"games/{game}/replay?ply={ply}")
        other.wait_for_board()
        assert at_ply(other) == shown


def test_times_and_undos_are_told_where_they_were(sit, url):
    game = ask(f"{url}/v1/games", {"seed": "semilla"}).json
    path = f"{url}/v1/games/{game['id']}/moves"
    for at, move in enumerate(("1>11", "R", "U", "Q")):
        ask(path, {"at": at, "moves": [move]}, token=game["token"])
    table = sit()
    table.open(f"games/{game['id']}/replay?ply=3")
    table.wait_for_board()
    assert step(table) == "3 of 4: Undone"
    shown = table.page.locator(".status .score").inner_text()
    assert "1 undo" in shown
    minutes, seconds = divmod(history(url, game["id"])[2]["at_ms"] // 1000, 60)
    assert shown.endswith(f"{minutes}:{seconds:02}")


def test_whoever_has_ended_a_game_gets_to_its_replay(sit):
    table = sit()
    table.deal("calculation", "semilla")
    for move in ("S>W1", "S>W2"):
        table.drag(move)
        table.wait_until_recorded()
    table.page.keyboard.press("q")
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    table.ended("resigned")
    table.page.get_by_role("link", name="Replay").click()
    table.page.locator(".player").wait_for()
    table.page.get_by_role("button", name="To the end").click()
    assert step(table) == "3 of 3: Resigned"
    table.page.go_back()
    table.ended("resigned")


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_replay_fits_without_scrolling(sit, url, language):
    # As long as a seed that the service draws for a challenge.
    asked = {"variant": "cruel", "seed": "3bb3213206781c98" * 4}
    game = play_some(url, asked)["id"]
    table = sit(locale=language)
    table.open(f"games/{game}/replay?ply=9")
    table.wait_for_board()
    for width, height in (*SIZES.values(), (740, 360), (1440, 900)):
        table.page.set_viewport_size({"width": width, "height": height})
        table.page.wait_for_function(f"() => ({UNSEEN})().length === 0 && {STILL}")
        for key in ("ArrowRight", "ArrowLeft"):
            table.page.keyboard.press(key)
            assert table.page.evaluate(SCROLLS) == [0, 0]
            assert table.page.evaluate(UNSEEN) == []


def test_it_is_said_why_there_is_no_replay(sit, url):
    table = sit(expected=("Failed to load resource",))
    table.open("games/none/replay")
    assert "There is no such game here." in table.page.locator("main").inner_text()
    running = ask(f"{url}/v1/games", {}).json["id"]
    table.open(f"games/{running}/replay")
    assert "still being played" in table.page.locator("main").inner_text()


def test_a_game_of_a_challenge_is_shown_once_its_deal_is_told(sit, url):
    seed, line = winning("hidden")
    race = new_race(url, "A race to see", "ada", "bea", variant="calculation", seed=seed)
    race.play("ada", line[0])
    race.play("ada", "Q")
    game = race.games["ada"]["id"]
    table = sit(expected=("Failed to load resource",))
    table.open(f"games/{game}/replay")
    assert "There is no such game here." in table.page.locator("main").inner_text()
    race.play("bea", "Q")
    race.wait_until("finished")
    table.open(f"games/{game}/replay?ply=1")
    table.wait_for_board()
    assert re.match(r"1 of 2: .+ (foundation|waste \d)", step(table))
    assert table.page.get_by_role("link", name="A race to see").is_visible()
    table.page.set_viewport_size({"width": 360, "height": 740})
    cut = "parts => parts.filter((part) => part.scrollWidth > part.clientWidth).length"
    assert table.page.locator(".status h1, .status a").evaluate_all(cut) == 0
    assert table.page.get_by_role("link", name=race.people["ada"].name).is_visible()
