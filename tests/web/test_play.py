"""Whole games on the page, by mouse, by keys and by touch; what is on the way, and how they end."""

import re

import pytest

from tests.naive.golden import load
from tests.servers import ask

# The deal of the README, and how it is won there.
README_SEED = "32"
README_LINE = (
    "12>F 3>F 5>F 7>F 7>F 9>F 12>F 9>11 9>12 9>F 3>10 1>3 6>11 R 8>F 4>2 R 8>F 3>F 1>F 6>9 4>6 4>F "
    "1>6 1>F R 4>F 6>F 6>F 5>F 3>F 1>F R 2>F 5>F 2>F 2>F 5>F 5>F 3>F 3>F 4>F 4>F 4>F 4>F 5>F 2>F "
    "1>F R 1>F 1>F 1>F 4>F 3>F 1>F 3>F 3>F 3>F 2>F 2>F 2>F 2>F"
).split()


def winning(name):
    """Give the seed of a challenge of the golden season and the line that wins it soonest."""
    (season,) = [each for each in load("season.json")["challenges"] if each["name"] == name]
    return season["seed"], min(season["lines"], key=len).split()


def test_a_deal_of_cruel_is_won_by_mouse(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    for move in README_LINE:
        if move == "R":
            table.redeal()
        else:
            table.drag(move)
    table.ended("won")
    state = table.state()
    assert (state["status"], state["score"]["actions"]) == ("won", 62)
    assert table.page.locator(".end").inner_text().startswith("Won!")
    assert "62 actions" in table.page.locator(".end").inner_text()
    assert table.page.get_by_role("button", name="Resign").count() == 0


def test_another_deal_is_won_by_keys_alone(sit):
    seed, line = winning("weekend")
    table = sit()
    table.open()
    keys = table.page.keyboard
    table.page.locator("[name=seed]").focus()
    keys.insert_text(seed)
    keys.press("Enter")
    table.wait_for_board()
    assert table.page.evaluate("document.activeElement.dataset.zone") == "P1"
    for move in line:
        if move == "R":
            keys.press("r")
            table.page.get_by_role("button", name="Redeal now").wait_for()
            keys.press("Enter")
        elif move.endswith(">F"):
            table.walk(f"P{move[:-2]}")
            keys.press("f")
        else:
            table.press(move)
    table.ended("won")
    state = table.state()
    assert state["status"] == "won"
    assert state["score"]["actions"] == len(line)
    assert table.page.evaluate("document.activeElement.className") == "end won"


def test_calculation_is_won_by_touch_on_a_phone(sit):
    seed, line = winning("hidden")
    table = sit(width=360, height=740, has_touch=True, is_mobile=True)
    table.deal("calculation", seed)
    for move in line:
        if move[0] == "S":
            table.page.locator('.zone[data-zone="S"]:not(.empty)').wait_for()
        table.tap(move)
    table.ended("won")
    assert table.state()["score"]["cards_up"] == 52


def test_each_foundation_of_calculation_says_what_it_takes_next(sit):
    table = sit()
    table.deal("calculation", "semilla")
    shown = table.page.locator(".next").all_inner_texts()
    # From the sequences of the rules: 1 by 1, 2 by 2, 3 by 3, 4 by 4.
    assert [text.split() for text in shown] == [
        ["2", "3", "4"],
        ["4", "6", "8"],
        ["6", "9", "Q"],
        ["8", "Q", "3"],
    ]
    assert "Next: 4" in table.zone("F2").get_attribute("aria-label")


def test_a_pile_that_is_taken_up_shows_where_its_card_may_go(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    for pile, targets in {"P3": {"P7", "F2"}, "P5": {"P9", "F3"}, "P12": {"F1"}}.items():
        table.zone(pile).press("Enter")
        shown = table.page.locator(".zone.target").all()
        assert {zone.get_attribute("data-zone") for zone in shown} == targets
        assert table.zone(pile).get_attribute("aria-pressed") == "true"
        table.page.keyboard.press("Escape")
        assert table.page.locator(".zone.target").count() == 0


def test_a_move_that_is_not_allowed_says_why_and_changes_nothing(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    before = table.seen()
    table.drag_between("P9", "P2")  # 3H onto 8C
    assert table.page.locator(".note").inner_text() == "Piles are built in suit."
    table.drag_between("P9", "P1")  # 3H onto 7H
    assert table.page.locator(".note").inner_text() == "That rank does not come next there."
    table.zone("P1").press("Enter")
    assert table.page.locator(".note").inner_text() == "This card has nowhere to go now."
    assert table.seen() == before
    assert table.state()["ply"] == 0


def test_a_second_tap_sends_a_card_up(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    table.page.locator('.card[data-card="2C"]').dblclick()
    assert table.seen()["F1"] == ["AC", "2C"]


def test_a_redeal_is_looked_at_before_anybody_commits_to_it(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    table.drag("3>F")
    table.wait_until_recorded()
    before = table.seen()
    preview = ask(f"{table.url}/v1/games/{table.game_id}/redeal").json["piles"]
    table.page.keyboard.press("r")
    table.page.locator(".banner.preview").wait_for()
    assert [table.seen()[f"P{number}"] for number in range(1, 13)] == preview
    assert table.state()["score"]["redeals"] == 0
    table.page.keyboard.press("Escape")
    assert table.seen() == before
    table.redeal()
    table.wait_until_recorded()
    assert [table.seen()[f"P{number}"] for number in range(1, 13)] == preview
    assert table.state()["score"]["redeals"] == 1


def test_a_redeal_that_would_change_nothing_is_refused_with_the_reason(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    table.page.keyboard.press("r")
    assert table.page.locator(".note").inner_text() == "A redeal would change nothing now."
    assert table.page.get_by_role("button", name="Redeal").get_attribute("aria-disabled") == "true"


def test_undo_takes_back_what_was_played_also_before_a_reload(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    opening = table.seen()
    for move in ("12>F", "3>F"):
        table.drag(move)
    table.page.keyboard.press("Control+z")
    assert table.seen()["F1"] == ["AC", "2C"]
    assert table.seen()["F2"] == ["AD"]
    table.wait_until_recorded()
    table.page.reload()
    table.wait_for_board()
    table.page.get_by_role("button", name="Undo").click()
    table.wait_until_recorded()
    assert table.seen() == opening
    assert table.state()["score"] == {
        "cards_up": 4,
        "moves": 0,
        "redeals": 0,
        "actions": 0,
        "undos": 2,
    }


def test_a_reload_in_the_middle_goes_on_with_the_game(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    for move in README_LINE[:6]:
        table.drag(move)
    before = table.seen()
    table.wait_until_recorded()
    table.page.reload()
    table.wait_for_board()
    assert table.seen() == before
    table.drag(README_LINE[6])
    table.wait_until_recorded()
    assert table.state()["ply"] == 7
    table.open()
    table.page.get_by_role("link", name=re.compile("seed 32 · 11 of 52 up")).click()
    table.wait_for_board()
    assert table.state()["ply"] == 7


def test_resigning_is_asked_for_twice(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    table.page.keyboard.press("q")
    # The key that confirms plays on.
    table.page.keyboard.press("Enter")
    assert table.state()["status"] == "in_progress"
    table.page.get_by_role("button", name="Resign").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    table.ended("resigned")
    assert table.state()["status"] == "resigned"
    table.page.get_by_role("button", name="Same cards again").click()
    table.page.get_by_role("button", name="Resign").wait_for()
    assert table.state()["seed"] == README_SEED


def test_a_deal_that_is_lost_at_the_opening_says_so(sit):
    table = sit()
    table.deal("cruel", "s268")  # of the golden openings
    table.ended("lost")
    assert "no card can move any more" in table.page.locator(".end").inner_text()


def test_a_link_to_a_deal_shows_it_and_starts_it(sit):
    table = sit()
    table.open("deals/calculation/semilla?bases=AS,2S,3S,4S")
    table.wait_for_board()
    seen = table.seen()
    assert [seen[f"F{number}"] for number in range(1, 5)] == [["AS"], ["2S"], ["3S"], ["4S"]]
    table.page.get_by_role("button", name="Play this deal").click()
    table.page.wait_for_url("**/games/*")
    table.wait_for_board()
    state = table.state()
    assert (state["seed"], state["options"]["bases"]) == ("semilla", ["AS", "2S", "3S", "4S"])


def test_somebody_elses_game_is_only_looked_at_and_followed(sit):
    table, other = sit(), sit()
    other.page.clock.install()
    table.deal("cruel", README_SEED)
    other.open(f"games/{table.game_id}")
    other.wait_for_board()
    other.page.get_by_text("You are watching.").wait_for()
    assert other.page.get_by_role("button", name="Undo").count() == 0
    other.drag_between("P12", "F1")
    assert other.seen()["F1"] == ["AC"]
    table.drag("12>F")
    table.wait_until_recorded()
    other.page.clock.fast_forward(5_000)
    other.page.locator('[aria-label="Foundation of clubs: 2 of clubs"]').wait_for()


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("games/nobodys-game", "There is no such game here."),
        ("deals/cruel/-", "There is no such deal."),
        ("deals/klondike/1", "There is no such deal."),
    ],
)
def test_what_is_not_there_is_said_in_words(sit, path, says):
    table = sit(expected=["Failed to load resource: the server responded with a status of 4"])
    table.open(path)
    assert table.page.locator("main h1").inner_text() == says


def pointed_at(table):
    """Give the piles that a hint points at: where a card lies and where it goes."""
    start = table.page.locator(".card.taken").evaluate("card => card.zone")
    return start, table.page.locator(".zone.target").get_attribute("data-zone")


def test_whoever_follows_hints_wins(sit):
    table = sit()
    table.deal("cruel", README_SEED)
    path = f"{table.url}/v1/games/{table.game_id}/moves"
    # From the last redeal on; the whole game would take as long as a game does.
    start = len(README_LINE) - README_LINE[::-1].index("R") - 1
    assert ask(path, {"moves": README_LINE[:start]}, token=table.kept["token"]).status == 200
    table.page.reload()
    table.wait_for_board()
    shown = table.page.locator(".hinted, .zone.target, .end").first
    while True:
        table.page.keyboard.press("h")
        shown.wait_for()
        if table.page.locator(".end").count():
            break
        if table.page.locator(".hinted").count():
            table.redeal()
        else:
            table.drag_between(*pointed_at(table))
        table.wait_until_recorded()
    table.ended("won")


def test_a_hint_points_at_a_legal_move_and_plays_nothing(sit):
    table = sit()
    table.deal("calculation", "semilla")
    table.page.get_by_role("button", name="Hint").click()
    table.page.locator(".note", has_text="Hint: ").wait_for()
    start, end = pointed_at(table)
    state = table.state()
    assert f"{start}>{end}" in state["legal_moves"]
    assert state["ply"] == 0
