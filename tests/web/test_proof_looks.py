"""How fair play, replays and results look, in both themes, on phones and on desks."""

import pytest

from tests.web.contests import new_race
from tests.web.looks import in_every_look, look, sit_before
from tests.web.mounting import mount
from tests.web.test_play import README_LINE, README_SEED


@pytest.fixture(scope="module")
def race(url):
    """Give a race that one has won."""
    race = new_race(url, "Saturday's race", "ada", "bea", seed=README_SEED)
    race.play("ada", *README_LINE)
    race.play("bea", *README_LINE[:9], "Q")
    race.wait_until("finished")
    return race


@in_every_look
def test_everybody_can_check_see_again_and_compare(sit, race, size, scheme):
    table = sit_before(sit, size, scheme)

    def see(name):
        look(table, f"{name}-{size}-{scheme}", whole=True)

    challenge = race.get()
    table.open()
    mount(table, ("proof/view.js", "drawProof", {**challenge, "state": "running"}))
    see("promise")
    mount(
        table,
        ("challenges/results.js", "drawResults", challenge),
        ("proof/view.js", "drawProof", challenge),
    )
    table.page.get_by_role("button", name="Check it in this browser").click()
    table.page.locator(".verdict").wait_for()
    for row in (2, 6):
        table.page.locator(".steps summary").nth(row).click()
    table.page.locator(".results .plots").wait_for()
    see("proof")
    game = race.games["ada"]["id"]
    for name, ply in (("replay", 17), ("replay-won", len(README_LINE))):
        table.open(f"games/{game}/replay?ply={ply}")
        table.wait_for_board()
        see(name)


@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 600), (740, 360), (1600, 900)])
def test_all_that_plays_a_replay_is_in_sight_and_large_enough_for_a_finger(
    sit, race, width, height
):
    table = sit(width=width, height=height, locale="es")
    table.open(f"games/{race.games['ada']['id']}/replay?ply=9")
    table.wait_for_board()
    found = table.page.locator(".player :is(button, input, .step)")
    assert found.count() == 9
    for node in found.all():
        box = node.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width  # noqa: PT018 - one place
        assert box["y"] >= 0 and box["y"] + box["height"] <= height  # noqa: PT018 - one place
        if node.evaluate("node => node.tagName") == "BUTTON":
            assert min(box["width"], box["height"]) >= 42
