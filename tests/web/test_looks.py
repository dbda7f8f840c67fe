"""How every page looks: nothing is hidden or out of reach, in both themes and at two widths.

What is seen is written to ``build/pages``, for people to look at.
"""

from itertools import pairwise

import pytest

from service.web import modules_of
from tests.servers import ask
from tests.web.looks import SIZES, in_every_look, look, sit_before

# Of each card how wide and how high a strip of it nothing covers, for those that lie on piles.
STRIPS = """() => [...document.querySelectorAll(".board .card")]
  .filter((card) => !card.zone.startsWith("F"))
  .map((card) => {
    const box = card.getBoundingClientRect();
    const board = document.querySelector(".board").getBoundingClientRect();
    const mine = (x, y) => {
      scrollTo(0, box.y + scrollY - 200);
      const now = card.getBoundingClientRect();
      return document.elementFromPoint(now.x + x, now.y + y)?.closest(".card") === card;
    };
    let wide = 0;
    while (wide < box.width - 2 && mine(wide + 1, box.height / 2)) wide += 1;
    let high = 0;
    while (high < box.height - 2 && mine(box.width / 2, high + 1)) high += 1;
    const now = card.getBoundingClientRect();
    const corner = card.querySelector(".corner b").getBoundingClientRect();
    return {
      card: card.dataset.card, wide, high,
      within: box.left >= 0 && box.right <= innerWidth && box.bottom <= board.bottom + 1,
      corner: [corner.right - now.left, corner.bottom - now.top],
    };
  })"""
# Cruel with a pile of twelve, as long as they come in practice, and wastes of Calculation like it.
LONG_PILE = "8S 7H 3C QD JD TD 9D 8D 7D 6D 5D 4D".split()


def show_long_pile(table):
    table.page.evaluate(
        """async ([root, pile]) => {
          const {Board} = await import(`${root}play/board.js`);
          const state = await (await fetch("/v1/games", {method: "POST"})).json();
          const board = new Board("long");
          document.querySelector(".board").replaceWith(board.node);
          const rest = state.piles.flat().filter((card) => !pile.includes(card));
          const piles = state.piles.map((_, at) => (at === 4 ? pile : rest.splice(0, 4)));
          board.show({...state, piles}, {still: true});
        }""",
        [table.assets, LONG_PILE],
    )


def check_strips(table, count):
    strips = table.page.evaluate(STRIPS)
    assert len(strips) == count
    for strip in strips:
        wide, high = strip["corner"]
        assert strip["within"], strip
        # The rank is to be seen whole: from the left, or from above.
        assert strip["wide"] >= wide - 4 or strip["high"] >= high - 4, strip
        assert max(strip["wide"], strip["high"]) >= 15, strip


@pytest.mark.parametrize(
    "path", ["", "deals/cruel/32", "challenges", "challenges/new", "daily/cruel", "players/me"]
)
def test_a_page_names_the_modules_that_it_needs_and_no_other(sit, path):
    table = sit()
    asked = set()
    table.page.on("request", lambda request: asked.add(request.url))
    table.open(path)
    table.page.wait_for_load_state("networkidle")
    named = table.page.evaluate(
        "[...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.href)"
    )
    modules = {url for url in asked if url.endswith(".js")}
    # A game is mostly what comes next.
    later = {f"{table.assets}{name}" for name in modules_of("play/page.js")}
    assert modules - set(named) - later == {f"{table.assets}i18n/en.js"}
    assert set(named) <= modules


@pytest.mark.parametrize("size", SIZES)
def test_every_card_of_every_pile_can_be_seen(sit, size):
    width, height = SIZES[size]
    table = sit(width=width, height=height)
    table.deal("cruel", "32")
    check_strips(table, 48)
    assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    show_long_pile(table)
    check_strips(table, 48)


# Beside those: what a browser leaves of a phone held upright, phones that lie, the smallest phones.
ROOMS = [*SIZES.values(), (390, 664), (740, 360), (844, 340), (320, 640), (375, 553), (320, 568)]
# Whether all cards, places and buttons are seen at once, none of them under the buttons.
UNSEEN = """() => {
  const bar = document.querySelector(".toolbar");
  const seen = (node) => {
    const box = node.getBoundingClientRect();
    return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  };
  const clear = (node) => [...bar.children].every((button) => {
    const [one, other] = [node, button].map((each) => each.getBoundingClientRect());
    return one.bottom <= other.top || other.width === 0 || one.right <= other.left;
  });
  const table = [...document.querySelectorAll(".board .card, .place, .stock")];
  const buttons = [...bar.children].filter((each) => each.offsetWidth);
  return [
    ...table.filter((node) => !seen(node) || !clear(node)).map((node) => node.outerHTML),
    ...buttons.filter((node) => !seen(node)).map((node) => node.outerHTML),
  ];
}"""

# How much there is of the page beyond the window.
SCROLLS = """() => {
  const {scrollWidth, scrollHeight} = document.documentElement;
  return [scrollWidth - innerWidth, scrollHeight - innerHeight];
}"""
STILL = f"({SCROLLS})().every((beyond) => beyond <= 0)"


@pytest.mark.parametrize("variant", ["cruel", "calculation"])
def test_a_whole_deal_fits_without_scrolling_however_a_window_is_turned(sit, variant):
    table = sit(locale="es")
    table.deal_by_link(variant)
    for width, height in ROOMS:
        table.page.set_viewport_size({"width": width, "height": height})
        table.page.wait_for_function(f"() => ({UNSEEN})().length === 0 && {STILL}")


# Of each covered card in a pile how far the ink of its rank stays above the card that covers it.
FEET = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  const all = [...document.querySelectorAll(".board .card")];
  const cards = all.filter((card) => card.zone[0] === "P");
  const top = (card) => card.getBoundingClientRect().top;
  return cards.filter((card) => !card.matches(".top")).map((card) => {
    const rank = card.querySelector(".corner b");
    const box = rank.getBoundingClientRect();
    const {fontWeight, fontSize, fontFamily} = getComputedStyle(rank);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const ink = pen.measureText(rank.textContent);
    const {fontBoundingBoxAscent: over, fontBoundingBoxDescent: under} = ink;
    const line = box.top + (box.height - over - under) / 2 + over;
    const above = cards.filter((each) => each.zone === card.zone && top(each) > top(card));
    return Math.min(...above.map(top)) - line - ink.actualBoundingBoxDescent;
  });
}"""
# How wide and high cards are, how much of those that are covered is seen, and how they are marked.
SHAPES = """() => {
  const all = [...document.querySelectorAll(".board .card")];
  const cards = all.filter((card) => card.zone[0] === "P");
  const step = (card) => parseFloat(card.style.getPropertyValue("--card-step"));
  const shadows = new Set(cards.map((card) => getComputedStyle(card).boxShadow));
  return [cards[0].offsetWidth, cards[0].offsetHeight, Math.min(...cards.map(step)), ...shadows];
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 568)])
def test_a_redeal_that_is_looked_at_is_read_as_easily_as_the_game(sit, width, height):
    table = sit(width=width, height=height)
    table.deal_by_link("cruel")
    for move in ("12>F", "3>F", "5>F"):
        table.drag(move)
    table.wait_until_recorded()
    feet = table.page.evaluate(FEET)
    assert len(feet) == 48 - 12 - 3
    assert min(feet) > 0
    *before, plain = table.page.evaluate(SHAPES)
    table.page.keyboard.press("r")
    table.page.locator(".banner.preview").wait_for()
    assert min(table.page.evaluate(FEET)) > 0
    *after, marked = table.page.evaluate(SHAPES)
    assert marked == plain
    assert after == pytest.approx(before, abs=1)
    assert table.page.evaluate(SCROLLS) == [0, 0]
    assert table.page.locator(".score b").inner_text() == "7 of 52 up"
    banner = table.page.locator(".banner.preview")
    assert banner.evaluate("node => node.offsetHeight") < 2 * 19


def test_a_ten_keeps_away_from_the_edge_of_its_card(sit):
    table = sit(width=1600, height=900)
    table.deal("cruel", "32")
    room = """() => [...document.querySelectorAll('.board [data-card^="T"]')].map((card) => {
      const rank = card.querySelector(".corner b").getBoundingClientRect();
      return rank.left - card.getBoundingClientRect().left;
    })"""
    found = table.page.evaluate(room)
    assert len(found) == 4
    assert min(found) >= 2


# Of each marked pile the box that its frame takes.
FRAMES = """() => [...document.querySelectorAll(".zone.target")].map((zone) => {
  const {left, right, bottom} = zone.getBoundingClientRect();
  const frame = getComputedStyle(zone, "::after");
  const [ring] = frame.boxShadow.match(/[\\d.]+px(?= *$)/);
  const wide = parseFloat(ring) - parseFloat(frame.left);
  const up = zone.dataset.zone[0] === "F";
  return {left: left - wide, right: right + wide, bottom: bottom + wide, up};
})"""


def test_frames_of_piles_touch_nothing_beside_or_below_them(sit):
    for width, height in SIZES.values():
        table = sit(width=width, height=height)
        table.deal("calculation", "semilla")
        # A card that a foundation takes, by the state that the service gives.
        while not (up := [move for move in table.state()["legal_moves"] if ">F" in move]):
            table.drag("S>W1")
            table.wait_until_recorded()
        table.page.mouse.click(*table.spots("S")[0])
        frames = table.page.evaluate(FRAMES)
        assert len(frames) == 4 + len(up)
        wastes = [frame for frame in frames if not frame["up"]]
        for one, other in pairwise(wastes):
            assert one["right"] + 1 <= other["left"]
        labels = table.page.locator(".next b").evaluate_all(
            "nodes => nodes.map((node) => node.getBoundingClientRect().top)"
        )
        for frame in frames:
            assert not frame["up"] or frame["bottom"] <= min(labels)


def test_only_who_plays_by_keys_sees_a_ring_around_a_pile(sit):
    table = sit()
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    table.deal("cruel", "32")
    assert table.page.evaluate("document.activeElement.matches('.zone')")
    assert table.page.evaluate(outline) == "none"
    table.page.keyboard.press("ArrowRight")
    assert table.page.evaluate(outline) == "solid"
    table.page.mouse.click(*table.spots("P11")[0])
    assert table.page.evaluate("document.activeElement.dataset.zone") == "P11"
    assert table.page.evaluate(outline) == "none"
    # Keys go on from where a pointer was.
    table.page.keyboard.press("ArrowRight")
    assert table.page.evaluate("document.activeElement.dataset.zone") == "P12"
    assert table.page.evaluate(outline) == "solid"


@pytest.mark.parametrize("size", SIZES)
def test_a_message_lies_over_no_card(sit, size):
    width, height = SIZES[size]
    table = sit(width=width, height=height)
    table.deal("cruel", "32")
    table.drag_between("P9", "P2")
    note = table.page.locator(".note").bounding_box()
    assert note["y"] >= 0
    assert note["y"] + note["height"] <= table.page.locator(".board").bounding_box()["y"]


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)])
def test_what_is_said_of_the_connection_hides_no_card(sit, width, height):
    expected = ["Failed to load resource: net::ERR_INTERNET_DISCONNECTED"]
    table = sit(width=width, height=height, locale="es", expected=expected)
    table.deal_by_link("cruel")
    table.page.context.set_offline(True)
    table.drag("12>F")
    banner = table.page.locator(".banner.offline")
    banner.wait_for()
    table.page.wait_for_function(f"() => ({UNSEEN})().length === 0")
    assert banner.evaluate("node => node.scrollWidth <= node.clientWidth")
    table.page.context.set_offline(False)
    banner.wait_for(state="detached")


def test_the_sheet_of_a_game_that_is_won_covers_no_card(sit):
    table = sit(locale="es")
    show_won(table)
    covered = """() => {
      const sheet = document.querySelector(".end").getBoundingClientRect();
      const cards = [...document.querySelectorAll(".board .card")];
      return cards.some((card) => card.getBoundingClientRect().bottom > sheet.top);
    }"""
    for width, height in [*SIZES.values(), (320, 640), (740, 360)]:
        table.page.set_viewport_size({"width": width, "height": height})
        table.page.wait_for_function(f"() => !({covered})() && ({UNSEEN})().length === 0")


BARS = [(320, 640), (360, 740), (740, 360), (820, 1180), (1100, 700)]
# Words that are cut, or run out of what they stand on.
CUT = """() => [...document.querySelectorAll(".toolbar button")]
  .filter((button) => button.offsetWidth)
  .filter((button) => {
    const words = button.querySelector("span");
    const [box, inner] = [button, words].map((node) => node.getBoundingClientRect());
    return button.scrollWidth > button.clientWidth || words.scrollWidth > Math.ceil(inner.width)
      || inner.width < 8 || inner.left < box.left || inner.right > box.right
      || box.width < 42 || box.height < 42;
  })
  .map((button) => button.outerHTML)"""


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_word_on_a_button_is_cut(sit, language):
    table = sit(locale=language)
    resign, more = (table.page.locator(f"[data-do={name}]") for name in ("resign", "more"))
    table.deal_by_link("cruel")
    for width, height in BARS:
        table.page.set_viewport_size({"width": width, "height": height})
        assert table.page.evaluate(CUT) == []
        if more.is_visible():
            more.click()
            assert table.page.evaluate(CUT) == []
            assert resign.is_visible()
            table.page.keyboard.press("Escape")
        assert resign.is_visible() == (not more.is_visible())
    table.zone("P3").focus()
    table.page.keyboard.press("f")
    table.wait_until_recorded()
    table.page.keyboard.press("r")
    table.page.locator("[data-do=back]").wait_for()
    check_words(table)
    table.deal_by_link("calculation")
    check_words(table)


def check_words(table):
    for width, height in BARS:
        table.page.set_viewport_size({"width": width, "height": height})
        assert table.page.evaluate(CUT) == []


@in_every_look
def test_everybody_can_use_every_page(sit, size, scheme):
    table = sit_before(sit, size, scheme)

    def see(name):
        look(table, f"{name}-{size}-{scheme}")

    table.open()
    table.page.locator(".choose").wait_for()
    see("home")
    table.open("deals/calculation/semilla")
    table.wait_for_board()
    see("deal")
    table.deal("cruel", "32")
    see("game")
    table.page.locator('.card[data-card="2D"]').click()
    see("taken")
    table.page.keyboard.press("Escape")
    for move in ("12>F", "3>F", "5>F"):
        table.drag(move)
    table.wait_until_recorded()
    table.page.keyboard.press("r")
    table.page.locator(".banner.preview").wait_for()
    see("redeal")
    table.page.keyboard.press("Escape")
    for name in ("Settings", "Keys and hands", "Rules"):
        if name == "Rules" and size == "phone":
            table.page.get_by_role("button", name="More").click()
            see("more")
        table.page.get_by_role("button", name=name, exact=True).click()
        see(name.split()[0].lower())
        table.page.keyboard.press("Escape")
    table.drag_between("P9", "P2")
    table.page.keyboard.press("q")
    see("resign")
    table.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    table.ended("resigned")
    see("resigned")
    show_won(table)
    see("won")
    table.deal("cruel", "s268")
    table.ended("lost")
    see("lost")
    table.deal("calculation", "semilla")
    play_calculation(table)
    see("calculation")


def show_won(table):
    """Open a game that another request has won."""
    line = (
        "12>F 3>F 5>F 7>F 7>F 9>F 12>F 9>11 9>12 9>F 3>10 1>3 6>11 R 8>F 4>2 R 8>F 3>F 1>F 6>9 4>6 "
        "4>F 1>6 1>F R 4>F 6>F 6>F 5>F 3>F 1>F R 2>F 5>F 2>F 2>F 5>F 5>F 3>F 3>F 4>F 4>F 4>F 4>F "
        "5>F 2>F 1>F R 1>F 1>F 1>F 4>F 3>F 1>F 3>F 3>F 3>F 2>F 2>F 2>F 2>F"
    )
    game = ask(f"{table.url}/v1/games", {"seed": "32"}).json
    path = f"{table.url}/v1/games/{game['id']}/moves"
    assert ask(path, {"moves": line.split()}, token=game["token"]).json["status"] == "won"
    table.open(f"games/{game['id']}")
    table.ended("won")


def play_calculation(table):
    moves = ["S>W1", "S>W2", "S>W1", "S>F2", "S>W3", "S>W4", "S>W1", "S>W2"]
    path = f"{table.url}/v1/games/{table.game_id}/moves"
    ask(path, {"moves": moves[:3]}, token=table.kept["token"])
    for _ in range(14):
        state = table.state()
        up = [move for move in state["legal_moves"] if ">F" in move]
        ask(
            path,
            {"moves": [up[0] if up else f"S>W{1 + state['ply'] % 4}"]},
            token=table.kept["token"],
        )
    table.page.reload()
    table.wait_for_board()
    table.page.locator(".zone.turned").press("Enter")


def test_four_colours_and_a_theme_can_be_chosen_and_stay(sit):
    table = sit(color_scheme="light")
    table.deal("cruel", "32")
    colour = "card => getComputedStyle(document.querySelector(`[data-card='${card}']`)).color"
    paper = "getComputedStyle(document.body).backgroundColor"
    plain = {card: table.page.evaluate(colour, card) for card in ("AC", "AD", "AH", "AS")}
    assert plain["AC"] == plain["AS"]
    assert plain["AD"] == plain["AH"]
    light = table.page.evaluate(paper)
    table.page.get_by_role("button", name="Settings").click()
    table.page.get_by_text("Four colours").click()
    table.page.get_by_text("Dark", exact=True).click()
    table.page.keyboard.press("Escape")
    table.page.reload()
    table.wait_for_board()
    assert len({table.page.evaluate(colour, card) for card in plain}) == 4
    assert table.page.evaluate(paper) != light


def test_cards_fly_unless_somebody_wants_little_movement(sit):
    count = """() => {
      window.flights = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) {
        window.flights += 1;
        return animate.apply(this, given);
      };
    }"""
    for motion, flights in (("no-preference", 1), ("reduce", 0)):
        table = sit(reduced_motion=motion)
        table.deal("cruel", "32")
        table.page.evaluate(count)
        table.zone("P12").focus()
        table.page.keyboard.press("f")
        table.wait_until_recorded()
        assert table.page.evaluate("window.flights") == flights


def test_an_answer_of_the_service_stops_no_card_on_its_way(sit):
    table = sit(reduced_motion="no-preference")
    table.deal("cruel", "32")
    flights = (
        "() => [...document.querySelectorAll('.card')].flatMap((card) => card.getAnimations())"
    )
    table.page.wait_for_function(f"() => !({flights})().length")
    screen = table.page.context.new_cdp_session(table.page)
    screen.send("Animation.enable")
    screen.send("Animation.setPlaybackRate", {"playbackRate": 0.01})
    table.zone("P12").focus()
    table.page.keyboard.press("f")
    table.wait_until_recorded()
    (card,) = table.page.evaluate(f"({flights})().map(({{effect}}) => effect.target.dataset.card)")
    assert card == "2C"
    screen.send("Animation.setPlaybackRate", {"playbackRate": 1})
    table.page.wait_for_function(f"() => !({flights})().length")
    assert table.seen()["F1"] == ["AC", "2C"]
