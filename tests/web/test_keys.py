"""Keys: by them all can be done in a game, and the list of them is the whole truth."""

import string

# What the list names, as a browser calls it.
NAMED = {
    "← ↑ → ↓": ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"],
    "Enter or space": ["Enter", "Space"],
    "U or Ctrl Z": ["u", "Control+z"],
    "Esc": ["Escape"],
}
# Those of a keyboard that a page could listen to.
OTHERS = ["Home", "End", "PageUp", "PageDown", "Delete", "Backspace", "F2", "Control+y", "Alt+u"]
# Which keys the page has kept the browser from doing its own with.
WATCH = """() => {
  window.kept = [];
  addEventListener("keydown", (event) => event.defaultPrevented && window.kept.push(event.key));
}"""


def listed(table):
    """Read the list of keys, and close it."""
    table.page.keyboard.press("?")
    rows = table.page.get_by_role("dialog").locator("kbd").all_inner_texts()
    table.page.keyboard.press("Escape")
    return [key for row in rows for key in NAMED.get(row, [row.lower()])]


def test_each_key_of_the_list_does_what_it_says(sit):
    table = sit()
    table.deal_by_link("cruel")
    page, press = table.page, table.page.keyboard.press
    focused = "document.activeElement.dataset.zone"
    done = {}

    def hand(*keys):
        for key in keys:
            press(key)
        done.update(dict.fromkeys(keys))

    for key, pile in {
        "ArrowRight": "P2",
        "ArrowDown": "P6",
        "ArrowLeft": "P5",
        "ArrowUp": "P1",
    }.items():
        hand(key)
        assert page.evaluate(focused) == pile
    table.zone("P3").focus()
    for key in ("Enter", "Space"):
        hand(key)
        assert page.locator(".card.taken").evaluate("card => card.zone") == "P3"
        hand("Escape")
        assert page.locator(".card.taken").count() == 0
    for key in ("u", "Control+z"):
        table.zone("P3").focus()
        hand("f")
        assert table.seen()["F2"] == ["AD", "2D"]
        hand(key)
        assert table.seen()["F2"] == ["AD"]
    hand("f")
    table.wait_until_recorded()
    hand("r")
    page.locator(".banner.preview").wait_for()
    hand("Escape")
    assert page.locator(".banner.preview").count() == 0
    hand("r")
    page.locator(".banner.preview").wait_for()
    hand("r")
    table.wait_until_recorded()
    assert table.state()["score"]["redeals"] == 1
    hand("h")
    page.locator(".note", has_text="Hint: ").wait_for()
    for key, title in {"q": "Resign this game?", "?": "Keys and hands"}.items():
        hand(key)
        assert page.get_by_role("dialog").get_by_role("heading").first.inner_text() == title
        press("Escape")
    known = listed(table)
    hand("n")
    page.locator(".choose").wait_for()
    assert set(known) == set(done)


def test_no_key_does_anything_that_the_list_does_not_name(sit):
    table = sit()
    table.deal_by_link("cruel")
    known = set(listed(table))
    before = table.seen()
    table.page.evaluate(WATCH)
    for key in [*string.ascii_lowercase, *string.digits, *string.punctuation, *OTHERS]:
        if key not in known:
            table.page.keyboard.press(key)
    assert table.page.evaluate("window.kept") == []
    assert table.page.get_by_role("dialog").count() == 0
    assert table.seen() == before
    assert table.state()["ply"] == 0


def test_every_button_of_a_game_is_reached_by_tab(sit):
    for width, some in ((1280, {"rules", "share", "resign"}), (360, {"hint", "more"})):
        table = sit(width=width)
        table.deal_by_link("cruel")
        seen = set()
        for _ in range(16):
            table.page.keyboard.press("Tab")
            seen.add(table.page.evaluate("document.activeElement.dataset.do"))
        assert some <= seen
    # What is behind a button comes next after it.
    table.page.locator("[data-do=more]").focus()
    keys = table.page.keyboard
    keys.press("Enter")
    keys.press("Tab")
    assert table.page.evaluate("document.activeElement.dataset.do") == "resign"
    keys.press("Tab")
    keys.press("Enter")
    table.page.get_by_role("dialog").get_by_role("heading", name="Cruel", exact=True).wait_for()
