"""Fingers on a phone: a real touch drags cards, and what cannot be dragged scrolls the page."""

import pytest

from tests.web.table import piles_of

# A phone held upright, and one that lies.
SIZES = [(360, 740), (740, 360)]


class Finger:
    """A finger on the glass: the browser is told of touches, and makes of them what it does."""

    def __init__(self, table):
        self.table = table
        self.glass = table.page.context.new_cdp_session(table.page)

    def touch(self, kind, *places):
        points = [{"x": x, "y": y} for x, y in places]
        self.glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(self, start, end, steps=5):
        self.touch("touchStart", start)
        for step in range(1, steps + 1):
            pairs = zip(start, end, strict=True)
            self.touch("touchMove", [a + (b - a) * step / steps for a, b in pairs])
        self.touch("touchEnd")

    def drag(self, move):
        self.swipe(*self.table.spots(*piles_of(move)))


def phone(sit, width, height):
    table = sit(width=width, height=height, has_touch=True, is_mobile=True)
    table.deal_by_link("cruel")
    return table, Finger(table)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_finger_drags_cards_and_the_page_stays_where_it_is(sit, width, height):
    table, finger = phone(sit, width, height)
    # Were there more page than glass, a finger that drags must not move it.
    table.page.evaluate("document.body.style.minHeight = '3000px'")
    finger.drag("3>7")
    finger.drag("12>F")
    seen = table.seen()
    assert seen["P7"] == ["TD", "6C", "2S", "3D", "2D"]
    assert seen["F1"] == ["AC", "2C"]
    assert table.page.evaluate("scrollY") == 0
    table.wait_until_recorded()
    assert table.state()["score"]["moves"] == 2


def test_a_finger_that_lets_go_where_nothing_may_lie_gives_the_card_back(sit):
    table, finger = phone(sit, *SIZES[0])
    before = table.seen()
    place, other = table.spots("P9", "P2")
    finger.swipe(place, other)  # 3H onto 8C
    assert table.page.locator(".note").inner_text() == "Piles are built in suit."
    assert (table.seen(), table.spots("P9")) == (before, [place])


def test_a_drag_that_the_system_ends_gives_the_card_back(sit):
    table, finger = phone(sit, *SIZES[0])
    place, up = table.spots("P12", "F")
    finger.touch("touchStart", place)
    finger.touch("touchMove", up)
    assert table.page.locator(".card.held").count() == 1
    finger.touch("touchCancel")
    assert table.page.locator(".card.held, .zone.target").count() == 0
    assert table.spots("P12") == [place]
    # The next one counts.
    finger.drag("12>F")
    assert table.seen()["F1"] == ["AC", "2C"]


def test_a_finger_on_covered_cards_scrolls_the_page(sit):
    table, finger = phone(sit, 320, 480)
    for name in ("QH", "QD"):  # the lowest of piles 1 and 6
        table.page.evaluate("scrollTo(0, 0)")
        box = table.page.locator(f'.card[data-card="{name}"]').bounding_box()
        start = (box["x"] + box["width"] / 2, box["y"] + 6)
        finger.swipe(start, (start[0], start[1] - 120), steps=8)
        table.page.wait_for_function("scrollY > 20")
    assert table.state()["ply"] == 0
